/** Fastify, for the routes of other rooms: what every request must pass, and what becomes of those that no route takes. */

import { AsyncLocalStorage } from 'node:async_hooks';
import { METHODS } from 'node:http';
import type { Socket } from 'node:net';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { API_PREFIX, UNKNOWN_ROUTE } from '../../api/index.ts';
import { checkMessage, type HostGuard, PLAIN_METHODS, PROBLEMS, type Problem, readHead } from '../../http/index.ts';
import { openHttpServer } from '../connections/node-server.ts';
import { isHealthCheck } from './health-routes.ts';
import { type Entries, isBelowPrefix, isMcpRequest } from './request-entries.ts';
import type { ServerParts } from './server-parts.ts';

/** Of a connection whose bytes are no request. */
export type AnswerUnreadable = (error: Error & { code?: string }, socket: Socket) => void;

/** `trustProxy`: whether an address is a proxy's; false: there are none. */
export function createApp(
  parts: ServerParts,
  entries: Entries,
  trustProxy: false | ((address: string) => boolean),
  onUnreadable: AnswerUnreadable,
): FastifyInstance {
  const { api, limits, checkHost, refusals, newRequestId } = parts;
  const { refuse } = refusals;
  /** Requests that the API and the MCP server write down themselves. */
  const ofApi = new WeakSet<FastifyRequest>();

  /** Hands a request for the API or the MCP server over and says so. */
  function enterDirectly(request: FastifyRequest, reply: FastifyReply): boolean {
    const isForApi = isBelowPrefix(request.raw);
    const enterMcp = isMcpRequest(request.raw) ? entries.enterMcp : null;
    if (!isForApi && !enterMcp) return false;
    reply.hijack();
    ofApi.add(request);
    if (isForApi) entries.enterApi(request.raw, reply.raw, request.id, request.ip);
    else enterMcp?.(request.raw, reply.raw, request.id, { address: request.ip, host: request.host });
    return true;
  }

  function observe(request: FastifyRequest, status: number, startedAt: number): void {
    const route = request.is404 ? UNKNOWN_ROUTE : (request.routeOptions.url ?? UNKNOWN_ROUTE);
    const { id: requestId, method, raw } = request;
    api.observe({ requestId, method, route, status, startedAt, rawHeaders: raw.rawHeaders });
  }

  const app = fastify({
    // A caller's own id is not trusted, and the access log is the observer's.
    genReqId: newRequestId,
    requestIdHeader: false,
    logger: false,
    trustProxy,
    rewriteUrl: (req) => originForm(req.url ?? ''),
    frameworkErrors: (_error, request, reply) => {
      if (enterDirectly(request, reply)) return;
      refuse(request, reply, UNDECODABLE);
      observe(request, PROBLEMS[UNDECODABLE.code].status, performance.now());
    },
    clientErrorHandler: onUnreadable,
    // Requests on kept-alive connections are served to the end; their answers close the connection.
    return503OnClosing: false,
    bodyLimit: limits.bodyLimit,
    serverFactory: (handle) =>
      openHttpServer(limits, { onRequest: entries.onRequest(handle), onExpectation: entries.onExpectation(handle) }),
  });
  // Whoever an address belongs to says what it does not take; none of them reads what comes with these.
  for (const method of UNCOMMON_METHODS) app.addHttpMethod(method, { overrideExisting: true });
  const refuseUnknown = createUnknownRefusal(app, parts);
  const inContext = keepContexts(app, api.isTraced);
  app.addHook('onRequest', (request, reply, next) => {
    if (enterDirectly(request, reply)) return;
    const refusal = checkMessage(request.raw, readHead(request.raw.rawHeaders)) ?? hostRefusal(request, checkHost);
    if (refusal) refuse(request, reply, refusal);
    // Before a body is read. The router compares what it has decoded: it finds the API's route for paths that are of the API only then.
    else if (request.is404 || request.routeOptions.url === API_ROUTE) refuseUnknown(request, reply);
    else next();
  });
  app.addHook('onResponse', (request, reply, next) => {
    if (!ofApi.has(request)) inContext(request, () => observe(request, reply.statusCode, performance.now() - reply.elapsedTime));
    // A stream that began before the draining said nothing of its connection's end.
    if (parts.service.closing) setImmediate(() => app.server.closeIdleConnections());
    next();
  });
  app.setErrorHandler(createErrorHandler(parts));
  app.route({ method: app.supportedMethods, url: API_ROUTE, handler: () => undefined });
  app.setNotFoundHandler(refuseUnknown);
  return app;
}

/** Runs `work` in the context of the request. */
type InContext = (request: FastifyRequest, work: () => void) => void;

/**
 * Where requests are traced, a body and the end of an answer arrive in the context of the connection instead of that of the request.
 * Registers what keeps it. Before all other hooks.
 */
function keepContexts(app: FastifyInstance, isTraced: boolean): InContext {
  if (!isTraced) return (_request, work) => work();
  const contexts = new WeakMap<FastifyRequest, (work: () => void) => void>();
  const inContext: InContext = (request, work) => (contexts.get(request) ?? ((run) => run()))(work);
  app.addHook('onRequest', (request, _reply, next) => {
    contexts.set(request, AsyncLocalStorage.snapshot());
    next();
  });
  app.addHook('preValidation', (request, _reply, next) => inContext(request, next));
  return inContext;
}

function createErrorHandler({ log, refusals }: ServerParts) {
  return (error: Error & { statusCode?: number }, request: FastifyRequest, reply: FastifyReply): void => {
    const problem = problemOf(error.statusCode ?? 500);
    if (problem.code === 'internal') log.error({ err: error, requestId: request.id }, 'a request failed');
    // In the middle of an answer nothing can be said any more.
    if (reply.raw.headersSent) reply.raw.destroy();
    else refusals.refuse(request, reply, problem);
  };
}

/** For what no route takes; `OPTIONS` is answered everywhere. */
function createUnknownRefusal(app: FastifyInstance, { service, refusals: { refuse } }: ServerParts) {
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const { method, url = '/' } = request.raw;
    if (method === 'OPTIONS') {
      reply.hijack();
      const headers = { Allow: PLAIN_METHODS, 'X-Content-Type-Options': 'nosniff', 'X-Request-Id': request.id };
      const hasBody = readHead(request.raw.rawHeaders).bodyLength > 0;
      reply.raw.writeHead(204, { ...headers, ...((service.draining || hasBody) && { Connection: 'close' }) }).end();
      return;
    }
    // The pages stand below a wildcard: they were asked, and have nothing there. A route that is read may have nothing either.
    const found = app.findRoute({ method: 'GET', url: url.split('?', 1)[0] ?? '/', constraints: {} });
    const isRead = method === 'GET' || method === 'HEAD';
    const isKnown = !isRead && found !== null && !Object.hasOwn(found.params, '*');
    refuse(request, reply, isKnown ? READ_ONLY_ADDRESS : UNKNOWN_ADDRESS);
  };
}

function hostRefusal(request: FastifyRequest, checkHost: HostGuard): Problem | null {
  return isHealthCheck(request.raw.url ?? '') ? null : checkHost(request.host);
}

/**
 * The origin form of a request target: of an absolute one (RFC 9112 §3.2.2) the host is dropped, for answers depend on the configured
 * public address only. `*` becomes a path that nothing stands at.
 */
function originForm(target: string): string {
  if (target.charCodeAt(0) === SLASH) return target;
  const absolute = ABSOLUTE.exec(target);
  const rest = target.slice(absolute?.[0].length ?? 0);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** `status`: of an error of Fastify's, or of a route. */
function problemOf(status: number): Problem {
  if (status === 413) return { code: 'payload_too_large', detail: 'the body is too large' };
  if (status === 415) return { code: 'unsupported_media_type', detail: 'this path does not accept this Content-Type' };
  if (status === 416) return { code: 'range_not_satisfiable', detail: 'the file does not have the requested bytes' };
  if (status >= 400 && status < 500) return { code: 'bad_request', detail: 'the request cannot be read' };
  return { code: 'internal', detail: 'Something went wrong on our side; please report the request id' };
}

const READ_ONLY_ADDRESS: Problem = { code: 'method_not_allowed', detail: 'this path accepts only GET or HEAD' };
const UNKNOWN_ADDRESS: Problem = { code: 'unknown_route', detail: 'this path does not exist' };
const UNDECODABLE: Problem = { code: 'bad_request', detail: 'the URL cannot be decoded' };
/** All that Node can read beside those of forms; CONNECT never comes here. */
const UNCOMMON_METHODS = METHODS.filter(
  (method) => !['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'CONNECT'].includes(method),
);
const API_ROUTE = `${API_PREFIX}/*`;
/** Scheme and authority; the authority ends where path, query or fragment begins. */
const ABSOLUTE = /^https?:\/\/[^/?#]*/i;
const SLASH = 0x2f;
