/** What becomes of a request before Fastify sees it: its turn, and the short ways past Fastify. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { API_PREFIX, type Api } from '../../api/index.ts';
import { type Problem, readHead } from '../../http/index.ts';
import type { Connections } from '../connections/connections.ts';
import { type EnterApi, isBelowPrefix } from './api-entry.ts';
import type { CallerFacts } from './caller-facts.ts';
import type { Forward } from './forward-entry.ts';
import { isHealthCheck } from './health-routes.ts';
import { type EnterMcp, isMcpRequest } from './mcp-entry.ts';
import type { ObservedRefusals } from './observed-refusals.ts';
import type { UnchangedFeeds } from './unchanged-feeds.ts';

export interface RequestEntryOptions {
  /** See `Api`. */
  begin: Api['begin'];
  connections: Connections;
  enterApi: EnterApi;
  /** Null: this process has no MCP server. */
  enterMcp: EnterMcp | null;
  unchangedFeeds: UnchangedFeeds;
  refusals: ObservedRefusals;
  callerFacts: CallerFacts;
  newRequestId: () => string;
  /** Null: this thread answers everything. */
  forward: Forward | null;
}

type Handle = (req: IncomingMessage, res: ServerResponse) => void;

export interface RequestEntry {
  /** `handle`: Fastify's. */
  onRequest(handle: Handle): Handle;
  /** Of a request with an `Expect` header. */
  onExpectation(handle: Handle): Handle;
  /** When the last request came, by `performance.now()`. */
  lastAt(): number;
}

export function createRequestEntry(options: RequestEntryOptions): RequestEntry {
  const { begin, connections, enterApi, enterMcp, unchangedFeeds, refusals, callerFacts, newRequestId, forward } = options;
  let lastAt = Number.NEGATIVE_INFINITY;

  const callerOf = (req: IncomingMessage) => ({ address: callerFacts.addressOf(req), host: callerFacts.hostOf(req) });

  /** The short way: the API has a router of its own, and Fastify's would cost each of its requests a tenth more. */
  function enterAtOnce(req: IncomingMessage, res: ServerResponse): boolean {
    if (forward && !isBelowPrefix(req) && !isHealthCheck(req.url ?? '')) {
      forward(req, res);
      return true;
    }
    if (req.url?.startsWith(`${API_PREFIX}/`)) enterApi(req, res, newRequestId(), callerFacts.addressOf(req));
    else if (enterMcp && isMcpRequest(req)) enterMcp(req, res, newRequestId(), callerOf(req));
    else return unchangedFeeds.answer(req, res);
    return true;
  }

  function refuseExpectation(req: IncomingMessage, res: ServerResponse): void {
    const requestId = newRequestId();
    if (isBelowPrefix(req)) enterApi(req, res, requestId, callerFacts.addressOf(req), NO_EXPECTATIONS);
    else refusals.refuseEarly(req, res, NO_EXPECTATIONS, requestId);
  }

  return {
    onRequest: (handle) => (req, res) => {
      lastAt = performance.now();
      connections.inTurn(req, res, () => begin(() => enterAtOnce(req, res) || handle(req, res)));
    },
    onExpectation: (handle) => (req, res) =>
      connections.inTurn(req, res, () => {
        if (isRead(req) || !CONTINUE.test(req.headers.expect ?? '')) return refuseExpectation(req, res);
        // Nothing below the prefix reads a body, and nobody waits with a body that is empty (RFC 9110 §10.1.1).
        if (!isBelowPrefix(req) && readHead(req.rawHeaders).bodyLength > 0) res.writeContinue();
        begin(() => enterAtOnce(req, res) || handle(req, res));
      }),
    lastAt: () => lastAt,
  };
}

const isRead = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD';
const NO_EXPECTATIONS: Problem = {
  code: 'expectation_failed',
  detail: 'a request without a body must not have an Expect header',
};
const CONTINUE = /^100-continue$/i;
