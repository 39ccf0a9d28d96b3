/**
 * The client's side of the PostgreSQL protocol, version 3, as far as the multiplexer must understand it
 * (PostgreSQL documentation, "Message Flow" and "Message Formats"): where a message ends and where a unit ends.
 */

/**
 * A unit is what must run without another connection in between: all messages up to and including a Sync, a simple Query or a
 * FunctionCall. Inside it the unnamed statement and the unnamed portal belong to its connection.
 */
export type ClientPacket =
  | { kind: 'startup' }
  | { kind: 'encryption' }
  | { kind: 'cancel' }
  | { kind: 'unit'; bytes: Buffer }
  | { kind: 'terminate' };

/**
 * Gives a function to be called with each chunk of the stream; it calls `take` for each complete packet, in order.
 * A message of many megabytes is joined once, when its last byte is there. Throws a `RangeError` on bytes that are no protocol.
 */
export function createPacketReader(take: (packet: ClientPacket) => void): (chunk: Buffer) => void {
  let chunks: Buffer[] = [];
  let held = 0;
  let scanned = 0;
  let wanted = STARTUP_HEADER_BYTES;
  let started = false;

  /** Takes one message; says whether it ends a unit, or is none of one. */
  function takeMessage(bytes: Buffer, unitStart: number, from: number, to: number): boolean {
    if (!started) {
      const packet = readStartup(bytes.subarray(from, to));
      started = packet.kind === 'startup';
      take(packet);
      return true;
    }
    const type = bytes[from] ?? 0;
    if (type === TERMINATE) take({ kind: 'terminate' });
    else if (UNIT_ENDS.has(type)) take({ kind: 'unit', bytes: bytes.subarray(unitStart, to) });
    else return false;
    return true;
  }

  return (chunk) => {
    chunks.push(chunk);
    held += chunk.length;
    if (held < wanted) return;
    const bytes = chunks.length === 1 ? chunk : Buffer.concat(chunks, held);
    let unitStart = 0;
    let at = scanned;
    for (;;) {
      wanted = endOfMessage(bytes, at, started);
      if (bytes.length < wanted) break;
      if (takeMessage(bytes, unitStart, at, wanted)) unitStart = wanted;
      at = wanted;
    }
    chunks = unitStart < bytes.length ? [bytes.subarray(unitStart)] : [];
    held = bytes.length - unitStart;
    scanned = at - unitStart;
    wanted -= unitStart;
  };
}

/** Where the message that begins at `at` ends; where its header ends, as long as that is not there. */
function endOfMessage(bytes: Buffer, at: number, started: boolean): number {
  const header = started ? HEADER_BYTES : STARTUP_HEADER_BYTES;
  if (bytes.length < at + header) return at + header;
  const size = started ? 1 + bytes.readInt32BE(at + 1) : bytes.readInt32BE(at);
  if (size < header || size > MAX_MESSAGE_BYTES) throw new RangeError('not a message of the PostgreSQL protocol');
  return at + size;
}

/** The state in which a unit left its session, from the ReadyForQuery that ends every answer; undefined if there is none. */
export function transactionStatus(answer: readonly Uint8Array[]): 'idle' | 'open' | 'failed' | undefined {
  const tail: number[] = [];
  for (let i = answer.length - 1; i >= 0 && tail.length < READY_FOR_QUERY_BYTES; i--) {
    const missing = READY_FOR_QUERY_BYTES - tail.length;
    tail.unshift(...(answer[i]?.subarray(-missing) ?? []));
  }
  const [type, ...rest] = tail;
  if (type !== READY_FOR_QUERY || rest.slice(0, 4).join() !== '0,0,0,5') return undefined;
  return STATUS[rest[4] ?? 0];
}

/** Whether a unit is one statement with parameters and nothing else, and its text begins so. */
export function isStatementBeginning(unit: Buffer, beginning: string): boolean {
  // A Parse with an empty name, then the text.
  const text = HEADER_BYTES + 1;
  if (unit[0] !== PARSE || unit[HEADER_BYTES] !== 0) return false;
  if (unit.toString('latin1', text, text + beginning.length) !== beginning) return false;
  for (let at = 1 + unit.readInt32BE(1); at < unit.length; at += 1 + unit.readInt32BE(at + 1)) {
    if (OTHER_STATEMENTS.has(unit[at] ?? 0)) return false;
  }
  return true;
}

/** An ErrorResponse of severity FATAL. */
export function fatalError(sqlState: string, message: string): Buffer {
  const body = Buffer.from(`SFATAL\0VFATAL\0C${sqlState}\0M${message}\0\0`);
  const head = Buffer.alloc(HEADER_BYTES);
  head.write('E');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

/** A StartupMessage of protocol 3.0 for one user and one database. */
export function startupMessage(user: string, database: string): Buffer {
  const body = Buffer.from(`user\0${user}\0database\0${database}\0\0`);
  const head = Buffer.alloc(STARTUP_HEADER_BYTES);
  head.writeInt32BE(head.length + body.length, 0);
  head.writeInt32BE(PROTOCOL_3_0, 4);
  return Buffer.concat([head, body]);
}

/** A simple Query. */
export function queryMessage(text: string): Buffer {
  const body = Buffer.from(`${text}\0`);
  const head = Buffer.alloc(HEADER_BYTES);
  head.write('Q');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

function readStartup(message: Buffer): ClientPacket {
  const code = message.readInt32BE(4);
  if (code === SSL_REQUEST || code === GSS_REQUEST) return { kind: 'encryption' };
  if (code === CANCEL_REQUEST) return { kind: 'cancel' };
  if (code === PROTOCOL_3_0) return { kind: 'startup' };
  throw new RangeError('wanted version 3.0 of the PostgreSQL protocol');
}

const HEADER_BYTES = 5;
const STARTUP_HEADER_BYTES = 8;
/** PostgreSQL itself stops at 1 GB; no statement of ours comes near this. */
const MAX_MESSAGE_BYTES = 256 * 1024 * 1024;
const PROTOCOL_3_0 = 196_608;
const SSL_REQUEST = 80_877_103;
const GSS_REQUEST = 80_877_104;
const CANCEL_REQUEST = 80_877_102;
const TERMINATE = 0x58; // 'X'
const UNIT_ENDS = new Set([0x53, 0x51, 0x46]); // Sync 'S', Query 'Q', FunctionCall 'F'
const PARSE = 0x50; // 'P'
const OTHER_STATEMENTS = new Set([PARSE, 0x51, 0x46]); // with Query 'Q', FunctionCall 'F'
const READY_FOR_QUERY = 0x5a; // 'Z'
const READY_FOR_QUERY_BYTES = 6;
const STATUS: Readonly<Record<number, 'idle' | 'open' | 'failed'>> = { 73: 'idle', 84: 'open', 69: 'failed' };
