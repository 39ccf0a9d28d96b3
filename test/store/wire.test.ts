import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type ClientPacket,
  createPacketReader,
  isStatementBeginning,
  queryMessage,
  startupMessage,
  transactionStatus,
} from '../../src/store/engine/wire.ts';

function message(type: string, body: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** A unit: some messages of the extended protocol and the one that ends it. */
const unit = fc
  .tuple(
    fc.array(fc.tuple(fc.constantFrom('P', 'B', 'D', 'E', 'C'), fc.uint8Array({ maxLength: 40 }))),
    fc.constantFrom('S', 'Q', 'F'),
  )
  .map(([messages, end]) =>
    Buffer.concat([...messages.map(([type, body]) => message(type, body)), message(end, Buffer.from('select 1\0'))]),
  );

test('units come out whole and in order, however the stream is cut into chunks', () => {
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 8 }), fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }), (units, cuts) => {
      const stream = Buffer.concat([startupMessage('a', 'b'), ...units, message('X', Buffer.alloc(0))]);
      const packets: ClientPacket[] = [];
      const read = createPacketReader((packet) => packets.push(packet));
      for (let at = 0, turn = 0; at < stream.length; turn++) {
        const size = cuts[turn % cuts.length]!;
        read(stream.subarray(at, at + size));
        at += size;
      }
      expect(packets).toEqual([{ kind: 'startup' }, ...units.map((bytes) => ({ kind: 'unit', bytes })), { kind: 'terminate' }]);
    }),
  );
});

test('a unit is known by the beginning of its text when that is its only statement', () => {
  const parse = (text: string, name = '') => message('P', Buffer.from(`${name}\0${text}\0\0\0`));
  const sync = message('S', Buffer.alloc(0));
  const begins = (...messages: Buffer[]) => isStatementBeginning(Buffer.concat(messages), '/* mark */');
  const marked = parse('/* mark */ update a set b = $1');
  const bind = message('B', Buffer.from('\0\0 bytes that look like P \0\0\0\x05'));
  expect(begins(marked, bind, message('E', Buffer.alloc(5)), sync)).toBe(true);
  expect(begins(parse(' /* mark */ update a set b = $1'), bind, sync)).toBe(false);
  expect(begins(parse('/* mar'), sync)).toBe(false);
  expect(begins(parse('/* mark */ update a set b = $1', 'named'), bind, sync)).toBe(false);
  expect(begins(marked, bind, parse('delete from a'), bind, sync)).toBe(false);
  expect(begins(bind, marked, sync)).toBe(false);
  expect(begins(marked, queryMessage('delete from a'))).toBe(false);
  expect(begins(queryMessage('/* mark */ update a set b = 1'))).toBe(false);
});

test('a message of 64 MB in chunks of 64 kB is joined in less time than copying it for each chunk would take', () => {
  const stream = Buffer.concat([startupMessage('a', 'b'), message('Q', Buffer.alloc(64 * 1024 * 1024))]);
  const packets: ClientPacket[] = [];
  const read = createPacketReader((packet) => packets.push(packet));
  const copied = Buffer.concat;
  let joined = 0;
  Buffer.concat = ((list: Buffer[], length?: number) => {
    joined += list.length;
    return copied(list, length);
  }) as typeof Buffer.concat;
  try {
    for (let at = 0; at < stream.length; at += 65_536) read(stream.subarray(at, at + 65_536));
  } finally {
    Buffer.concat = copied;
  }
  expect(packets.map((packet) => packet.kind)).toEqual(['startup', 'unit']);
  expect(joined).toBeLessThan(1100);
});

test.each([
  ['an unknown version', Buffer.from([0, 0, 0, 8, 0, 2, 0, 0])],
  ['a length below its own size', Buffer.from([0, 0, 0, 3, 0, 3, 0, 0])],
  ['another protocol', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
])('%s is refused', (_, bytes) => {
  const read = createPacketReader(() => expect.unreachable());
  expect(() => read(bytes)).toThrow(RangeError);
});

test('requests for encryption and cancelling are told from a startup', () => {
  const packets: ClientPacket[] = [];
  const read = createPacketReader((packet) => packets.push(packet));
  read(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47, 0, 0, 0, 16, 4, 210, 22, 46, 0, 0, 0, 1, 0, 0, 0, 2]));
  expect(packets.map((packet) => packet.kind)).toEqual(['encryption', 'cancel']);
});

test('the status of the transaction is read from the end of an answer, however it is cut', () => {
  const answer = Buffer.concat([queryMessage('noise'), Buffer.from([0x5a, 0, 0, 0, 5, 0x54])]);
  for (let cut = 0; cut <= answer.length; cut++) {
    expect(transactionStatus([answer.subarray(0, cut), answer.subarray(cut)])).toBe('open');
  }
  expect(transactionStatus([answer.subarray(0, -1)])).toBeUndefined();
  expect(transactionStatus([])).toBeUndefined();
});
