/** A server with a route for each attack, written by hand on sockets: a real server would refuse to behave like this. */

import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

export interface Seen {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

export type Route = (socket: Socket, request: Seen) => void;

export interface EvilOrigin {
  port: number;
  /** `http://127.0.0.1:port`, or https. */
  url: string;
  /** What was asked, in order. */
  seen: Seen[];
  close(): Promise<void>;
}

/** `routes` come before those that every evil origin has; a path counts up to its first `?`. */
export async function openEvilOrigin(routes: Record<string, Route> = {}, tls?: TlsOptions): Promise<EvilOrigin> {
  const seen: Seen[] = [];
  const open = new Set<Socket>();
  const all = { ...ROUTES, ...routes };
  const serve = (socket: Socket): void => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => {});
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      const [head = '', ...rest] = text.split('\r\n\r\n');
      const [line = '', ...lines] = head.split('\r\n');
      const headers = Object.fromEntries(
        lines.map((each) => [each.split(':')[0]?.toLowerCase(), each.replace(/^[^:]*:\s*/, '')]),
      );
      const body = rest.join('\r\n\r\n');
      if (!text.includes('\r\n\r\n') || body.length < Number(headers['content-length'] ?? 0)) return;
      const [method = '', path = ''] = line.split(' ');
      const request = { method, path, headers, body };
      seen.push(request);
      (all[path.split('?')[0] ?? ''] ?? notFound)(socket, request);
    });
  };
  const server = tls ? createTlsServer(tls, serve) : createServer(serve);
  server.on('tlsClientError', () => {});
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    seen,
    async close() {
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, 'close');
    },
  };
}

export function reply(
  socket: Socket,
  { status = 200, headers = {}, body = '' }: { status?: number; headers?: Record<string, string>; body?: string | Buffer },
): void {
  const fields = { 'content-length': String(Buffer.byteLength(body)), ...headers };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} Said\r\n${lines.join('')}\r\n`);
  socket.end(body);
}

export const redirect =
  (location: string, status = 302): Route =>
  (socket) =>
    reply(socket, { status, headers: { location } });

const notFound: Route = (socket) => reply(socket, { status: 404, body: 'nothing here' });

/** Writes for as long as somebody takes it. */
function pour(socket: Socket, chunk: Buffer | string): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', more);
  more();
}

/** Writes a piece every few milliseconds, without end. */
function drip(socket: Socket, piece: string): void {
  const timer = setInterval(() => socket.write(piece), 5);
  socket.on('close', () => clearInterval(timer));
}

const coded =
  (coding: string, body: Buffer): Route =>
  (socket) =>
    reply(socket, { headers: { 'content-encoding': coding }, body });
const zeros = (length: number): Buffer => Buffer.alloc(length);
const MB = 1024 * 1024;

const ROUTES: Record<string, Route> = {
  '/fine': (socket) => reply(socket, { headers: { 'content-type': 'text/plain' }, body: 'fine' }),
  '/empty': (socket) => reply(socket, {}),
  '/no-length': (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nuntil the end'),
  '/chunked': (socket) => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n4\r\n two\r\n0\r\n\r\n'),
  '/gzip': coded('gzip', gzipSync('folded')),

  '/zeros': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    pour(socket, zeros(64 * 1024));
  },
  '/declared': (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10000000000\r\n\r\n0'),
  '/gzip-zeros': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n');
    // Members of one file may follow each other for ever (RFC 1952 §2.2).
    pour(socket, gzipSync(Buffer.from(Array.from({ length: 4096 }, () => Math.floor(Math.random() * 256)))));
  },
  '/bomb': coded('gzip', gzipSync(zeros(10 * MB))),
  '/bomb-br': coded('br', brotliCompressSync(zeros(MB))),
  '/bomb-deflate': coded('deflate', deflateSync(zeros(MB))),
  '/nested': coded('gzip, gzip, br', gzipSync(gzipSync(zeros(MB)))),
  '/twice': coded('gzip, gzip', gzipSync(gzipSync('folded'))),
  '/not-gzip': coded('gzip', Buffer.from('plain')),
  '/half-gzip': coded('gzip', gzipSync('folded and torn').subarray(0, 20)),
  '/broken': (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this'),
  '/broken-chunk': (socket) => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel'),

  '/drip': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    drip(socket, '0');
  },
  '/silent': () => {},
  '/hang-up': (socket) => socket.destroy(),
  '/drip-headers': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    drip(socket, 'X: y\r\n');
  },
  '/big-headers': (socket) => socket.write(`HTTP/1.1 200 OK\r\nX: ${'y'.repeat(MB)}\r\n\r\n`),
  '/many-headers': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    pour(socket, 'X: y\r\n'.repeat(100));
  },
  '/continue': (socket) => drip(socket, 'HTTP/1.1 100 Continue\r\n\r\n'),
  '/hints': (socket) => pour(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n'.repeat(10)),
  '/one-hint': (socket) => {
    socket.write('HTTP/1.1 103 Early Hints\r\n\r\n');
    reply(socket, { body: 'after a hint' });
  },
  '/smtp': (socket) => socket.end('220 mail.example.org ESMTP\r\n'),
  '/upgrade': (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),

  '/loop': redirect('/loop'),
  '/hops': (socket, { path }) => {
    const left = Number(new URLSearchParams(path.split('?')[1]).get('left'));
    redirect(left > 0 ? `/hops?left=${left - 1}` : '/fine')(socket, { method: '', path, headers: {}, body: '' });
  },
  '/to': (socket, request) => redirect(new URLSearchParams(request.path.split('?')[1]).get('url') ?? '')(socket, request),
  '/status': (socket, { path }) => {
    const asked = new URLSearchParams(path.split('?')[1]);
    const after = asked.get('after');
    reply(socket, {
      status: Number(asked.get('code')),
      headers: after === null ? {} : { 'retry-after': after },
      body: 'internal secret',
    });
  },
};
