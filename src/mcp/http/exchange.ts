/** One request of the endpoint on its way to its answer, and how the answer is written: whole, or as a stream. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Allowance } from '../../accounts/index.ts';
import { listAllowanceHeaders, type Observe } from '../../api/index.ts';
import { formatError, type McpErrorName } from '../protocol/errors.ts';
import type { JsonObject } from '../protocol/message.ts';
import { MCP_ROUTE } from './admission.ts';
import type { McpHead } from './read-request.ts';

/** What the server knows of a request. */
export interface McpConnection {
  requestId: string;
  /** The caller's; a proxy's word only where it is trusted. */
  address: string;
  /** `performance.now()` at arrival. */
  startedAt: number;
  /** The connection ends with this answer. */
  last: boolean;
}

export interface McpExchange extends McpConnection {
  req: IncomingMessage;
  res: ServerResponse;
  head: McpHead;
  allowance: Allowance | null;
  keyId: string | undefined;
}

export interface ExchangeWriter {
  /** Flat list of what every answer has. */
  headersOf(exchange: McpExchange): string[];
  /** `text`: JSON, or null for none. `headers`: flat list of further ones. */
  write(exchange: McpExchange, status: number, text: string | null, headers?: readonly string[]): void;
  /** Before the message is known. What was not read of the request is not read any more. */
  refuse(exchange: McpExchange, status: number, error: McpErrorName, detail: string, headers?: readonly string[]): void;
  /** Into the log and the figures. */
  conclude(exchange: McpExchange, status: number): void;
}

/** `now`: of the limits, milliseconds. */
export function createExchangeWriter(observe: Observe, now: () => number): ExchangeWriter {
  const headersOf: ExchangeWriter['headersOf'] = ({ requestId, allowance, last }) => [
    'X-Request-Id',
    requestId,
    'X-Content-Type-Options',
    'nosniff',
    'Cache-Control',
    'no-store',
    ...(allowance ? listAllowanceHeaders(allowance, now()) : []),
    ...(last ? ['Connection', 'close'] : []),
  ];

  const conclude: ExchangeWriter['conclude'] = ({ requestId, startedAt, keyId, req }, status) =>
    observe({ requestId, method: req.method ?? '', route: MCP_ROUTE, status, startedAt, keyId, rawHeaders: req.rawHeaders });

  const write: ExchangeWriter['write'] = (exchange, status, text, headers = []) => {
    const { req, res } = exchange;
    if (!res.headersSent && !res.destroyed) {
      const body = Buffer.from(text ?? '');
      const type = text === null ? [] : ['Content-Type', 'application/json'];
      res.writeHead(status, [
        ...headersOf(exchange),
        ...headers,
        ...type,
        ...(status === 204 ? [] : ['Content-Length', String(body.length)]),
      ]);
      res.end(req.method === 'HEAD' ? undefined : body);
    }
    conclude(exchange, status);
  };

  return {
    headersOf,
    write,
    conclude,
    refuse(exchange, status, error, detail, headers = []) {
      const last = exchange.last || !exchange.req.complete;
      write({ ...exchange, last }, status, formatError(null, error, detail), headers);
    },
  };
}

/** An answer as server-sent events (WHATWG HTML §9.2): messages before the result, and comments while nothing happens. */
export interface EventStream {
  /** `headers`: flat list. */
  open(headers: readonly string[]): void;
  send(message: JsonObject): void;
  /** Resolves when the caller has taken what was sent, or has left. Who takes nothing for long has left. */
  drained(): Promise<void>;
  /** `text`: the result as JSON. */
  end(text: string): void;
}

export function createEventStream(res: ServerResponse): EventStream {
  let keepAlive: NodeJS.Timeout | undefined;
  const write = (text: string) => {
    if (!res.destroyed) res.write(text);
  };
  const beAlive = () => {
    if (!res.writableNeedDrain) write(': alive\n\n');
  };
  return {
    open(headers) {
      res.writeHead(200, [...headers, 'Content-Type', 'text/event-stream', 'X-Accel-Buffering', 'no']);
      res.flushHeaders();
      keepAlive = setInterval(beAlive, KEEP_ALIVE_MS).unref();
      res.once('close', () => clearInterval(keepAlive));
    },
    send: (message) => write(formatEvent(JSON.stringify(message))),
    async drained() {
      if (res.destroyed || !res.writableNeedDrain) return;
      const late = setTimeout(() => res.destroy(), MAX_UNREAD_MS);
      const { promise, resolve } = Promise.withResolvers<void>();
      res.once('drain', resolve).once('close', resolve);
      await promise;
      res.off('drain', resolve).off('close', resolve);
      clearTimeout(late);
    },
    end(text) {
      clearInterval(keepAlive);
      if (!res.destroyed) res.end(formatEvent(text));
    },
  };
}

const formatEvent = (json: string): string => `event: message\ndata: ${json}\n\n`;
/** Proxies cut connections that are silent for a minute. */
const KEEP_ALIVE_MS = 15_000;
const MAX_UNREAD_MS = 60_000;
