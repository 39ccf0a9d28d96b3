/**
 * The ways on which requests come in. Each waits for its turn on its connection; then there are short ways past Fastify:
 *
 *     turn ─┬─► API                       it has a router of its own, and Fastify's would cost each of its requests a tenth more
 *           ├─► MCP server                it reads the body itself
 *           ├─► feed that has not changed   a program that has the newest document already is told so
 *           └─► Fastify                   all others
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { API_PREFIX, FEED_ROUTE, type FeedUrlRoutes } from '../../api/index.ts';
import { checkMessage, type Problem, readHead, sendUnchangedQuickly, splitLines } from '../../http/index.ts';
import type { DirectHandler, ServerParts } from './server-parts.ts';

type Handle = (req: IncomingMessage, res: ServerResponse) => void;

export interface Entries {
  /** `handle`: Fastify's. */
  onRequest(handle: Handle): Handle;
  /** Of a request with an `Expect` header. */
  onExpectation(handle: Handle): Handle;
  enterApi: EnterApi;
  /** Null: this process has no MCP server. */
  enterMcp: EnterMcp | null;
  /** Answers unchanged feeds from now on. */
  serveFeeds(feeds: FeedUrlRoutes): void;
  /** When the last request came, by `performance.now()`. */
  lastAt(): number;
}

export function createEntries(parts: ServerParts): Entries {
  const { api, mcp, connections, refusals, callerFacts, newRequestId } = parts;
  const enterApi = createApiEntry(parts);
  const enterMcp = mcp ? createMcpEntry(parts, mcp) : null;
  let answerUnchanged: AnswerUnchanged = () => false;
  let lastAt = Number.NEGATIVE_INFINITY;

  const callerOf = (req: IncomingMessage) => ({ address: callerFacts.addressOf(req), host: callerFacts.hostOf(req) });

  /** False: Fastify must answer. */
  function enterAtOnce(req: IncomingMessage, res: ServerResponse): boolean {
    if (req.url?.startsWith(`${API_PREFIX}/`)) enterApi(req, res, newRequestId(), callerFacts.addressOf(req));
    else if (enterMcp && isMcpRequest(req)) enterMcp(req, res, newRequestId(), callerOf(req));
    else return answerUnchanged(req, res);
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
      connections.inTurn(req, res, () => api.begin(() => enterAtOnce(req, res) || handle(req, res)));
    },
    onExpectation: (handle) => (req, res) =>
      connections.inTurn(req, res, () => {
        if (isRead(req) || !CONTINUE.test(req.headers.expect ?? '')) return refuseExpectation(req, res);
        // Nothing below the prefix reads a body, and nobody waits with a body that is empty (RFC 9110 §10.1.1).
        if (!isBelowPrefix(req) && readHead(req.rawHeaders).bodyLength > 0) res.writeContinue();
        api.begin(() => enterAtOnce(req, res) || handle(req, res));
      }),
    enterApi,
    enterMcp,
    serveFeeds(feeds) {
      answerUnchanged = createUnchangedFeeds(parts, feeds);
    },
    lastAt: () => lastAt,
  };
}

/** `refused`: what is wrong with the request already. */
export type EnterApi = (
  req: IncomingMessage,
  res: ServerResponse,
  requestId: string,
  address: string,
  refused?: Problem | null,
) => void;

function createApiEntry({ api, connections, service, limits: { maxRequestsPerSocket } }: ServerParts): EnterApi {
  const { setAdmitted } = connections;
  return (req, res, requestId, address, refused = null) => {
    const carried = connections.countRequest(req.socket);
    // Sent before the end of the connection was seen: neither answered nor metered.
    if (carried > maxRequestsPerSocket) return;
    const last = carried === maxRequestsPerSocket;
    api.handler(req, res, { requestId, address, startedAt: performance.now(), last, service, refused, setAdmitted });
  };
}

/** `host`: of the request, or what a trusted proxy says of it. */
export type EnterMcp = (
  req: IncomingMessage,
  res: ServerResponse,
  requestId: string,
  from: { address: string; host: string },
) => void;

function createMcpEntry(parts: ServerParts, handler: DirectHandler): EnterMcp {
  const { connections, service, checkHost, refusals, limits } = parts;
  return (req, res, requestId, { address, host }) => {
    const startedAt = performance.now();
    const carried = connections.countRequest(req.socket);
    // Sent before the end of the connection was seen: not answered.
    if (carried > limits.maxRequestsPerSocket) return;
    const refusal = checkMessage(req, readHead(req.rawHeaders)) ?? checkHost(host);
    const last = service.draining || carried === limits.maxRequestsPerSocket;
    if (refusal) refusals.refuseEarly(req, res, refusal, requestId);
    else handler(req, res, { requestId, address, startedAt, last });
  };
}

/** Answers with a 304, or says that the routes must answer. */
type AnswerUnchanged = (req: IncomingMessage, res: ServerResponse) => boolean;

function createUnchangedFeeds(parts: ServerParts, feeds: FeedUrlRoutes): AnswerUnchanged {
  const { api, connections, service, checkHost, callerFacts, newRequestId, limits } = parts;
  return (req, res) => {
    if (!req.url?.startsWith('/feeds/') || req.method !== 'GET' || service.draining) return false;
    const startedAt = performance.now();
    const head = readHead(req.rawHeaders);
    if (checkMessage(req, head) || checkHost(callerFacts.hostOf(req))) return false;
    const feedLines = feeds.answerUnchanged(req.url, head);
    connections.setAdmitted(req.socket, feedLines !== null);
    if (feedLines === null) return false;
    const isLast = connections.countRequest(req.socket) >= limits.maxRequestsPerSocket;
    const requestId = newRequestId();
    const lines = `${feedLines}X-Request-Id: ${requestId}\r\nX-Content-Type-Options: nosniff\r\n`;
    if (isLast || !sendUnchangedQuickly(res, lines)) {
      res.writeHead(304, [...splitLines(lines), ...(isLast ? ['Connection', 'close'] : [])]).end();
    }
    api.observe({ requestId, method: req.method, route: FEED_ROUTE, status: 304, startedAt });
    return true;
  };
}

/** At or below the prefix. */
export const isBelowPrefix = ({ url = '' }: IncomingMessage): boolean => BELOW_PREFIX.test(url);

/** The path alone, with or without a query. */
export const isMcpRequest = ({ url = '' }: IncomingMessage): boolean => MCP_PATH.test(url);

const isRead = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD';

const BELOW_PREFIX = new RegExp(`^${API_PREFIX}(?:[/?#]|$)`);
/** Also with a slash at the end, as people copy it. Not every client repeats a POST where a redirect leads. */
const MCP_PATH = /^\/mcp\/?(?:\?|$)/;
const NO_EXPECTATIONS: Problem = {
  code: 'expectation_failed',
  detail: 'a request without a body must not have an Expect header',
};
const CONTINUE = /^100-continue$/i;
