/** One request and its answer on a connection of its own. Redirects are the caller's. */

import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http';
import type { Socket } from 'node:net';
import { type Dial, dial } from './dial.ts';
import { Failure } from './failure.ts';
import { joinSignals } from './joined-signal.ts';
import type { Limits } from './limits.ts';
import { readAnyBody, readBody } from './read-body.ts';

export interface HopRequest extends Omit<Dial, 'onSocket' | 'mostAddresses'> {
  method: 'GET' | 'POST' | 'DELETE';
  headers: Readonly<Record<string, string>>;
  body: Uint8Array | undefined;
  limits: Limits;
  /** Whether the bodies of refusals are read too. */
  isApi: boolean;
  /** Keep the beginning of a body that is too large. */
  cut: boolean;
  /** Whether the status counts whatever the body is. */
  anyBody: boolean;
  signal: AbortSignal;
}

export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Empty unless the status is 2xx or it is an API: nobody reads the others. */
  body: Uint8Array;
  /** Where any body would do: why this one is not whole. */
  bodyFault: string | null;
  /** The IP address that answered. */
  address: string;
}

/** Rejects with a `Failure`, the signal's reason, or what Node's sockets throw. Leaves no socket behind. */
export async function exchange(options: HopRequest): Promise<RawAnswer> {
  const { target, limits, signal } = options;
  const sockets: Socket[] = [];
  const late = new AbortController();
  const patience = setTimeout(
    () => late.abort(new Failure('timeout', `${target.host} sent no headers within ${limits.headersMs / 1000} s`)),
    limits.headersMs,
  );
  const stop = joinSignals(signal, late.signal);
  const stopped = aborted(stop.signal);
  async function open() {
    const { socket, address } = await dial({
      ...options,
      mostAddresses: limits.addresses,
      onSocket: (each) => {
        sockets.push(each);
        if (stop.signal.aborted) each.destroy();
      },
    });
    const message = await send(options, socket);
    return { message, address };
  }
  try {
    const { message, address } = await Promise.race([open(), stopped]);
    clearTimeout(patience);
    const { statusCode: status = 0, headers } = message;
    return { status, headers, address, ...(await readAnswer(message, options, stopped)) };
  } finally {
    clearTimeout(patience);
    stop.release();
    for (const socket of sockets) socket.destroy();
  }
}

async function readAnswer(
  message: IncomingMessage,
  { target: { host }, limits, isApi, cut, anyBody }: HopRequest,
  stopped: Promise<never>,
): Promise<Pick<RawAnswer, 'body' | 'bodyFault'>> {
  const { statusCode: status = 0 } = message;
  if (!isApi && (status < 200 || status > 299)) return { body: new Uint8Array(), bodyFault: null };
  if (!anyBody) return { body: await Promise.race([readBody(message, host, limits, cut), stopped]), bodyFault: null };
  const { body, fault } = await readAnyBody(message, host, limits, stopped);
  return { body, bodyFault: fault };
}

function send({ target, method, headers, body, limits }: HopRequest, socket: Socket): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = requestHttp({
      // Both protocols: the socket speaks TLS already. Without an agent nothing is kept, pooled, or sent to a proxy of the environment.
      createConnection: () => socket,
      method,
      path: target.url.pathname + target.url.search,
      headers: { host: target.url.host, ...headers, ...(body ? { 'content-length': String(body.length) } : {}) },
      setHost: false,
      maxHeaderSize: limits.headerBytes,
      insecureHTTPParser: false,
    });
    let interim = 0;
    request.on('information', () => {
      if (++interim > limits.interimAnswers) request.destroy(new Failure('not_http', `${target.host} sends no final response`));
    });
    request.on('upgrade', (message) => resolve(message));
    request.on('response', (message) => {
      message.on('error', () => {});
      resolve(message);
    });
    request.on('error', reject);
    request.end(body);
  });
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
