/** Well-formed keys with a right checksum that nobody owns, made fast: a flood needs many. */

import { connect } from 'node:net';
import { crc32 } from 'node:zlib';

/** `number` makes the key: the same number, the same key. */
export function unknownKey(number: number): string {
  const body = `mq_live_${'Unowned'.padEnd(12, 'x')}_${number.toString(36).padStart(43, '0')}`;
  let rest = crc32(body);
  let checksum = '';
  for (let place = 0; place < 6; place += 1) {
    checksum = ALPHABET.charAt(rest % ALPHABET.length) + checksum;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return body + checksum;
}

export interface Flood {
  /** Answers so far, by status. */
  statuses: Readonly<Record<string, number>>;
  /** How many answers came to the flood between a request and its answer, of each: a clock that a busy machine slows down, too. */
  waits: readonly number[];
  /** Answers without a `Retry-After` of at least one second among those with status 429. */
  withoutWait(): number;
  stop(): void;
}

/** Keeps `inFlight` requests with unknown keys under way on each of `connections` connections, until it is stopped. */
export function flood(url: string, { connections, inFlight }: { connections: number; inFlight: number }): Flood {
  const { hostname, port } = new URL(url);
  const statuses: Record<string, number> = {};
  const waits: number[] = [];
  let number = 0;
  let withWait = 0;
  const sockets = Array.from({ length: connections }, () => {
    const socket = connect(Number(port), hostname);
    const sent: number[] = [];
    let rest = '';
    const send = () => {
      let bytes = '';
      for (; sent.length < inFlight; number += 1) {
        bytes += `GET /api/v1/events?limit=1 HTTP/1.1\r\nHost: ${hostname}:${port}\r\nX-API-Key: ${unknownKey(number)}\r\n\r\n`;
        sent.push(waits.length);
      }
      if (bytes) socket.write(bytes);
    };
    socket.on('connect', send);
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      const text = rest + chunk.toString('latin1');
      const heads = [...text.matchAll(/HTTP\/1\.1 (\d{3}) .*?\r\n\r\n/gs)];
      for (const { 0: head, 1: status = '' } of heads) {
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (/^retry-after: [1-9]\d*\r$/im.test(head)) withWait += 1;
        waits.push(waits.length - (sent.shift() ?? 0));
      }
      const last = heads.at(-1);
      rest = last ? text.slice(last.index + last[0].length) : text;
      send();
    });
    return socket;
  });
  return {
    statuses,
    waits,
    withoutWait: () => (statuses['429'] ?? 0) - withWait,
    stop() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
