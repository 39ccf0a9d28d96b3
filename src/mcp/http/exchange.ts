/** One request of the endpoint on its way to its answer, and how the answer is written. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Allowance } from '../../accounts/index.ts';
import { listAllowanceHeaders, type Observe } from '../../api/index.ts';
import { formatError, type McpErrorName } from '../protocol/errors.ts';
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
