/**
 * In a thread that answers the API alone: every other request goes to the thread that answers everything, and its answer comes back. Both
 * ends speak HTTP, so bodies, streams and callers who leave are what they are on a socket.
 */

import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Connections } from '../connections/connections.ts';
import { PortStream } from '../threads/port-stream.ts';
import type { ServiceState } from './service-state.ts';

/** Hands the other end of a connection over; `address`: of the client. */
export type OpenTunnel = (port: MessagePort, address: string) => void;

export interface ForwardEntryOptions {
  openTunnel: OpenTunnel;
  connections: Connections;
  service: ServiceState;
  maxRequestsPerSocket: number;
  /** Called when an answer has left while the service closes. */
  closeIdle(): void;
}

export type Forward = (req: IncomingMessage, res: ServerResponse) => void;

export function createForwardEntry(options: ForwardEntryOptions): Forward {
  const { openTunnel, connections, service, maxRequestsPerSocket, closeIdle } = options;

  function sendBack(answer: IncomingMessage, res: ServerResponse, isLast: boolean): void {
    const headers = withoutHops(answer.rawHeaders);
    if (isLast || service.draining || answer.headers.connection === 'close') headers.push('Connection', 'close');
    res.writeHead(answer.statusCode ?? BAD_GATEWAY, headers);
    // A stream may have nothing to say for long.
    if (answer.headers['content-length'] === undefined) res.flushHeaders();
    answer.pipe(res);
  }

  return (req, res) => {
    const carried = connections.countRequest(req.socket);
    // Sent before the end of the connection was seen: not answered.
    if (carried > maxRequestsPerSocket) return;
    const { port1, port2 } = new MessageChannel();
    const tunnel = new PortStream(port1);
    openTunnel(port2, req.socket.remoteAddress ?? '');
    const onward = request({
      method: req.method ?? 'GET',
      path: req.url ?? '/',
      // As they came, in their order; the answer then says whether the connection must end.
      headers: [...withoutHops(req.rawHeaders), 'Connection', 'keep-alive'],
      createConnection: () => tunnel,
    });
    onward.once('response', (answer) => sendBack(answer, res, carried === maxRequestsPerSocket));
    // The other thread has closed the connection, as it does with those of greedy clients.
    onward.on('error', () => void (res.writableEnded || req.socket.destroy()));
    res.once('close', () => {
      tunnel.destroy();
      if (service.closing) setImmediate(closeIdle);
    });
    req.pipe(onward);
  };
}

/** A flat list without what is said of one connection alone (RFC 9110 §7.6.1). How a request's body is framed stays. */
function withoutHops(rawHeaders: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (!HOPS.has(name.toLowerCase())) kept.push(name, rawHeaders[at + 1] ?? '');
  }
  return kept;
}

/** `Expect` was answered here. */
const HOPS: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'proxy-connection', 'te', 'upgrade', 'expect']);
const BAD_GATEWAY = 502;
