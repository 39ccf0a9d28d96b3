/** Many connections of one address with many requests in flight on each, in a thread of its own. */

import { connect, type Socket } from 'node:net';
import { generateKey } from '../../src/accounts/keys/key-format.ts';
import { type Load, serveLoad, startLoad } from './thread.ts';

export interface FlooderOptions {
  port: number;
  from: string;
  connections: number;
  /** Requests in flight on each connection. */
  inFlight: number;
  /** Keys that take turns; null sends a well-formed key that nobody knows with every request. */
  keys: readonly string[] | null;
}

export interface FlooderReport {
  /** Answers by status. */
  statuses: Record<number, number>;
  /** Connections that the service ended or refused. */
  closed: number;
  seconds: number;
}

export const startFlooder = (options: FlooderOptions): Promise<Load<FlooderReport>> => startLoad(import.meta.url, options);

serveLoad<FlooderOptions, FlooderReport>(import.meta.url, async ({ port, from, connections, inFlight, keys }) => {
  const report: FlooderReport = { statuses: {}, closed: 0, seconds: 0 };
  const sockets = new Set<Socket>();
  const begun = performance.now();
  let turn = 0;
  let ended = false;
  const request = () => {
    turn += 1;
    const key = keys ? (keys[turn % keys.length] ?? '') : generateKey().key;
    return `GET /api/v1/events?limit=1 HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${key}\r\n\r\n`;
  };
  const requests = (count: number) => Array.from({ length: count }, request).join('');

  function open(): void {
    if (ended) return;
    const socket = connect({ port, host: '127.0.0.1', localAddress: from });
    sockets.add(socket);
    let rest = '';
    socket.on('connect', () => socket.write(requests(inFlight)));
    socket.on('data', (chunk) => {
      const text = rest + chunk.toString('latin1');
      rest = text.slice(-STATUS_LINE_CHARS + 1);
      const answers = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)];
      for (const [, status = ''] of answers) report.statuses[Number(status)] = (report.statuses[Number(status)] ?? 0) + 1;
      if (answers.length > 0 && socket.writable) socket.write(requests(answers.length));
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      report.closed += 1;
      setTimeout(open, REOPEN_MS);
    });
  }

  for (let index = 0; index < connections; index += 1) open();
  return () => {
    ended = true;
    report.seconds = (performance.now() - begun) / 1_000;
    for (const socket of sockets) socket.destroy();
    return report;
  };
});

/** `HTTP/1.1 200` */
const STATUS_LINE_CHARS = 12;
const REOPEN_MS = 20;
