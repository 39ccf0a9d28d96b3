/** The HTTP server: the API on a short way, the routes of other rooms through Fastify, and an orderly stop. */

import { type IncomingMessage, METHODS, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type FastifyInstance, type FastifyPluginCallback, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import {
  API_PREFIX,
  type Api,
  checkMessage,
  createRequestIds,
  FEED_ROUTE,
  type FeedUrlRoutes,
  PROBLEMS,
  type Problem,
  readHead,
  UNKNOWN_ROUTE,
} from '../api/index.ts';
import type { Log } from '../log.ts';
import { connectionsWithin } from './connection-limit.ts';
import { createConnections } from './connections.ts';
import { createHealthRoutes, isHealthCheck } from './health-routes.ts';
import { createHostGuard } from './host-guard.ts';
import { BACKLOG, LIMITS, openHttpServer, type ServerLimits } from './node-server.ts';
import { createPageLimiter, PAGE_LIMITS, type PageLimiter, type PageLimits } from './page-limits.ts';
import { createRefusals, PLAIN_METHODS } from './refusals.ts';
import { watchStalls } from './stall-watch.ts';
import { createTrustedProxies } from './trusted-proxies.ts';
import { describeUnreadable } from './unreadable.ts';

export interface ServerOptions {
  api: Api;
  log: Log;
  /** Whether answers can be given (the read model is there). */
  ready: () => boolean;
  /** Addresses or networks of proxies whose `X-Forwarded-For` and `X-Forwarded-Host` are believed. */
  trustProxy?: readonly string[] | null;
  /** See `HostGuardOptions`. */
  acceptsAddresses?: boolean;
  limits?: Partial<ServerLimits>;
  pageLimits?: Partial<PageLimits>;
  newRequestId?: () => string;
}

export interface Server {
  /** For tests through the door without a port: `app.inject`. */
  app: FastifyInstance;
  /** Adds plain routes of a room; each answer gets its request id, log line and figures. Before `listen`. */
  mount(plugin: FastifyPluginCallback): void;
  /** The same for secret URLs of feeds. Most requests for them find nothing new, and are answered on a short way. */
  mountFeeds(feeds: FeedUrlRoutes): void;
  /** Refuses a request of a mounted route: as a page where a browser asks, as a problem document elsewhere. */
  refuse: Refuse;
  /** Through it go the routes whose answers cost much and need no key. */
  limitPage: PageLimiter['run'];
  /** A request of the API from within, in a caller's name: it passes the same door as one that came through a socket. */
  askApi(request: { target: string; key: string; address: string }): Promise<{
    status: number;
    headers: [name: string, value: string][];
    body: string;
  }>;
  /** Rejects when the port is taken. Port 0 takes a free one. */
  listen(address: { port: number; host: string }): Promise<{ port: number }>;
  /**
   * From now on `/readyz` is 503 and each answer the last on its connection, but all are given. Resolves when load balancers have had time
   * to send requests elsewhere; at once where nobody has asked for long.
   */
  announceEnd(): Promise<void>;
  /** Stops accepting, lets requests in flight end with `Connection: close`, cuts what is left at the deadline. */
  drain(): Promise<void>;
}

export type Refuse = (
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
  headers?: Readonly<Record<string, string>>,
) => void;

type Handle = (req: IncomingMessage, res: ServerResponse) => void;

export function createServer(options: ServerOptions): Server {
  const { api, log, ready } = options;
  const wanted: ServerLimits = { ...LIMITS, ...options.limits };
  const limits = { ...wanted, maxConnections: connectionsWithin(wanted.maxConnections) };
  if (limits.maxConnections < wanted.maxConnections)
    log.warn({ maxConnections: limits.maxConnections }, 'the limit of open files (ulimit -n) allows few connections');
  const newRequestId = options.newRequestId ?? createRequestIds();
  const isTrustedProxy = createTrustedProxies(options.trustProxy ?? []);
  const hasProxies = (options.trustProxy?.length ?? 0) > 0;
  /** It will end: said by every answer. Then it takes nothing new any more. */
  const service = { draining: false, closing: false };
  const refusals = createRefusals(api.publicUrl, service);
  const checkHost = createHostGuard({ publicUrl: api.publicUrl, acceptsAddresses: options.acceptsAddresses ?? false });
  const connections = createConnections({
    limits,
    isTrustedProxy,
    refuse: (socket) => endConnection(socket, NO_ROOM),
    onClose: (reason) => api.metrics?.refusedConnection(reason),
  });
  const { setAdmitted } = connections;
  /** Requests that the API writes down itself. */
  const ofApi = new WeakSet<FastifyRequest>();
  const pageLimits: PageLimits = { ...PAGE_LIMITS, ...options.pageLimits };
  const stalls = watchStalls(pageLimits.maxStallMs);
  const pageLimiter = createPageLimiter(pageLimits, stalls.isStalled);
  let askedAt = Number.NEGATIVE_INFINITY;
  let feeds: FeedUrlRoutes | null = null;

  const app = fastify({
    // A caller's own id is not trusted, and the access log is the observer's.
    genReqId: newRequestId,
    requestIdHeader: false,
    logger: false,
    trustProxy: hasProxies && isTrustedProxy,
    rewriteUrl: (req) => originForm(req.url ?? ''),
    frameworkErrors: (_error, request, reply) => {
      if (enterApi(request, reply)) return;
      refuse(request, reply, UNDECODABLE);
      observe(request, PROBLEMS[UNDECODABLE.code].status, performance.now());
    },
    clientErrorHandler: (error, socket) => refuseBytes(error, socket),
    // Requests on kept-alive connections are served to the end; their answers close the connection.
    return503OnClosing: false,
    bodyLimit: limits.bodyLimit,
    serverFactory: (handle) => openHttpServer(limits, { onRequest: takeRequest(handle), onExpectation: takeExpectation(handle) }),
  });
  const { server } = app;
  server.on('connection', (socket) => connections.accept(socket));
  server.on('drop', () => api.metrics?.refusedConnection('limit'));
  server.on('connect', (_req, socket: Socket) => {
    connections.afterAnswers(socket, () => endConnection(socket, NO_PROXY, `Allow: ${PLAIN_METHODS}\r\n`));
  });

  // Whoever an address belongs to says what it does not take; none of them reads what comes with these.
  for (const method of UNCOMMON_METHODS) app.addHttpMethod(method, { overrideExisting: true });
  app.addHook('onRequest', (request, reply, next) => {
    if (enterApi(request, reply)) return;
    const refusal = checkMessage(request.raw, readHead(request.raw.rawHeaders)) ?? hostRefusal(request);
    if (refusal) refuse(request, reply, refusal);
    // Before a body is read. The router compares what it has decoded: it finds the API's route for paths that are of the API only then.
    else if (request.is404 || request.routeOptions.url === API_ROUTE) refuseUnknown(request, reply);
    else next();
  });
  app.addHook('onResponse', (request, reply, next) => {
    if (!ofApi.has(request)) observe(request, reply.statusCode, performance.now() - reply.elapsedTime);
    // A stream that began before the draining said nothing of its connection's end.
    if (service.closing) setImmediate(() => server.closeIdleConnections());
    next();
  });
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const problem = problemOf(error.statusCode ?? 500);
    if (problem.code === 'internal') log.error({ err: error, requestId: request.id }, 'a request failed');
    // In the middle of an answer nothing can be said any more.
    if (reply.raw.headersSent) reply.raw.destroy();
    else refuse(request, reply, problem);
  });
  app.route({ method: app.supportedMethods, url: API_ROUTE, handler: () => undefined });
  app.setNotFoundHandler(refuseUnknown);
  mount(api.pages);
  mount(createHealthRoutes({ ready, service }));

  function mount(plugin: FastifyPluginCallback): void {
    app.register((room, _options, done) => {
      room.addHook('onRequest', (request, reply, next) => {
        reply.headers({ 'X-Request-Id': request.id, 'X-Content-Type-Options': 'nosniff' });
        const carried = connections.countRequest(request.raw.socket);
        if (service.draining || carried >= limits.maxRequestsPerSocket) reply.header('Connection', 'close');
        next();
      });
      room.register(plugin);
      done();
    });
  }

  function takeRequest(handle: Handle): Handle {
    return (req, res) => {
      askedAt = performance.now();
      connections.inTurn(req, res, () => enterAtOnce(req, res) || handle(req, res));
    };
  }

  function takeExpectation(handle: Handle): Handle {
    return (req, res) =>
      connections.inTurn(req, res, () => {
        if (isRead(req) || !CONTINUE.test(req.headers.expect ?? '')) return refuseExpectation(req, res);
        // Nothing below the prefix reads a body, and nobody waits with a body that is empty (RFC 9110 §10.1.1).
        if (!isBelowPrefix(req) && readHead(req.rawHeaders).bodyLength > 0) res.writeContinue();
        if (!enterAtOnce(req, res)) handle(req, res);
      });
  }

  /**
   * The short way: the API has a router of its own, and Fastify's would cost each of its requests a tenth more. Only a proxy's word about
   * the address needs Fastify.
   */
  function enterAtOnce(req: IncomingMessage, res: ServerResponse): boolean {
    if (hasProxies) return false;
    if (!req.url?.startsWith(`${API_PREFIX}/`)) return answerUnchanged(req, res);
    handleApi(req, res, newRequestId(), req.socket.remoteAddress ?? '');
    return true;
  }

  /** A program that has the newest document of a feed already. Says so where that is all there is to say. */
  function answerUnchanged(req: IncomingMessage, res: ServerResponse): boolean {
    if (!feeds || !req.url?.startsWith('/feeds/') || req.method !== 'GET' || service.draining) return false;
    const startedAt = performance.now();
    const head = readHead(req.rawHeaders);
    if (checkMessage(req, head) || checkHost(req.headers.host ?? '')) return false;
    const headers = feeds.answerUnchanged(req.url, head);
    if (!headers) return false;
    const carried = connections.countRequest(req.socket);
    const requestId = newRequestId();
    const closing = carried >= limits.maxRequestsPerSocket ? ['Connection', 'close'] : [];
    res.writeHead(304, [...headers, 'X-Request-Id', requestId, 'X-Content-Type-Options', 'nosniff', ...closing]).end();
    api.observe({ requestId, method: req.method, route: FEED_ROUTE, status: 304, startedAt });
    return true;
  }

  /** Hands a request at or below the prefix to the API and says so. */
  function enterApi(request: FastifyRequest, reply: FastifyReply): boolean {
    if (!isBelowPrefix(request.raw)) return false;
    reply.hijack();
    ofApi.add(request);
    handleApi(request.raw, reply.raw, request.id, request.ip);
    return true;
  }

  function refuseExpectation(req: IncomingMessage, res: ServerResponse): void {
    const requestId = newRequestId();
    if (isBelowPrefix(req)) {
      handleApi(req, res, requestId, req.socket.remoteAddress ?? '', NO_EXPECTATIONS);
      return;
    }
    refusals.answer(req, res, { problem: NO_EXPECTATIONS, requestId });
    const { status } = PROBLEMS[NO_EXPECTATIONS.code];
    api.observe({ requestId, method: req.method ?? '', route: UNKNOWN_ROUTE, status, startedAt: performance.now() });
  }

  function handleApi(
    req: IncomingMessage,
    res: ServerResponse,
    requestId: string,
    address: string,
    refused: Problem | null = null,
  ) {
    const carried = connections.countRequest(req.socket);
    // Sent before the end of the connection was seen: neither answered nor metered.
    if (carried > limits.maxRequestsPerSocket) return;
    const last = carried === limits.maxRequestsPerSocket;
    api.handler(req, res, { requestId, address, startedAt: performance.now(), last, service, refused, setAdmitted });
  }

  function hostRefusal(request: FastifyRequest): Problem | null {
    return isHealthCheck(request.raw.url ?? '') ? null : checkHost(request.host);
  }

  function refuseUnknown(request: FastifyRequest, reply: FastifyReply): void {
    const { method, url = '/' } = request.raw;
    if (method === 'OPTIONS') {
      reply.hijack();
      const headers = { Allow: PLAIN_METHODS, 'X-Content-Type-Options': 'nosniff', 'X-Request-Id': request.id };
      const hasBody = readHead(request.raw.rawHeaders).bodyLength > 0;
      reply.raw.writeHead(204, { ...headers, ...((service.draining || hasBody) && { Connection: 'close' }) }).end();
      return;
    }
    // The pages stand below a wildcard: they were asked, and have nothing there.
    const found = app.findRoute({ method: 'GET', url: url.split('?', 1)[0] ?? '/', constraints: {} });
    const isKnown = found !== null && !Object.hasOwn(found.params, '*');
    refuse(request, reply, isKnown ? READ_ONLY_ADDRESS : UNKNOWN_ADDRESS);
  }

  function refuse(...[request, reply, problem, headers = {}]: Parameters<Refuse>): void {
    reply.hijack();
    refusals.answer(request.raw, reply.raw, { problem, requestId: request.id, headers });
  }

  function observe(request: FastifyRequest, status: number, startedAt: number): void {
    const route = request.is404 ? UNKNOWN_ROUTE : (request.routeOptions.url ?? UNKNOWN_ROUTE);
    api.observe({ requestId: request.id, method: request.method, route, status, startedAt });
  }

  /** Answered in our form where an answer can still be understood. */
  function refuseBytes(error: Error & { code?: string }, socket: Socket): void {
    const { reason, problem } = describeUnreadable(error.code);
    api.metrics?.refusedConnection(reason);
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    connections.afterAnswers(socket, () => endConnection(socket, problem));
  }

  function endConnection(socket: Socket, problem: Problem, header?: string): void {
    const requestId = newRequestId();
    const status = refusals.endConnection(socket, problem, requestId, header);
    api.observe({ requestId, method: '', route: UNKNOWN_ROUTE, status, startedAt: performance.now() });
  }

  return {
    app,
    mount,
    mountFeeds(opened) {
      feeds = opened;
      mount(opened.routes);
    },
    refuse,
    limitPage: pageLimiter.run,
    async askApi({ target, key, address }) {
      const headers = { host: new URL(api.publicUrl()).host, accept: 'application/json', 'x-api-key': key };
      const answer = await app.inject({ method: 'GET', url: target, headers, remoteAddress: address });
      const said = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]);
      return { status: answer.statusCode, headers: said, body: answer.body };
    },
    async listen({ port, host }) {
      await app.listen({ port, host, backlog: BACKLOG });
      return { port: (server.address() as AddressInfo).port };
    },
    async announceEnd() {
      service.draining = true;
      if (performance.now() - askedAt < limits.inUseTime) await pause(limits.noticeTime);
    },
    async drain() {
      service.draining = true;
      service.closing = true;
      const deadline = setTimeout(() => server.closeAllConnections(), limits.drainTimeout);
      // Connections that never asked anything would be waited for.
      connections.closeUnused();
      try {
        await app.close();
      } finally {
        clearTimeout(deadline);
        stalls.stop();
      }
    },
  };
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

const isRead = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD';
const isBelowPrefix = ({ url = '' }: IncomingMessage): boolean => BELOW_PREFIX.test(url);

/** `status`: of an error of Fastify's, or of a route. */
function problemOf(status: number): Problem {
  if (status === 413) return { code: 'payload_too_large', detail: 'the body is too large' };
  if (status === 415) return { code: 'unsupported_media_type', detail: 'this path does not accept this Content-Type' };
  if (status === 416) return { code: 'range_not_satisfiable', detail: 'the file does not have the requested bytes' };
  if (status >= 400 && status < 500) return { code: 'bad_request', detail: 'the request cannot be read' };
  return { code: 'internal', detail: 'Something went wrong on our side; please report the request id' };
}

const NO_EXPECTATIONS: Problem = {
  code: 'expectation_failed',
  detail: 'a request without a body must not have an Expect header',
};
const READ_ONLY_ADDRESS: Problem = { code: 'method_not_allowed', detail: 'this path accepts only GET or HEAD' };
const UNKNOWN_ADDRESS: Problem = { code: 'unknown_route', detail: 'this path does not exist' };
const UNDECODABLE: Problem = { code: 'bad_request', detail: 'the URL cannot be decoded' };
const NO_PROXY: Problem = { code: 'method_not_allowed', detail: 'this server is not a proxy' };
const NO_ROOM: Problem = {
  code: 'overloaded',
  detail: 'too many connections are open, and all of them are busy',
  members: { retryAfterSeconds: 1 },
};
/** All that Node can read beside those of forms; CONNECT never comes here. */
const UNCOMMON_METHODS = METHODS.filter(
  (method) => !['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'CONNECT'].includes(method),
);
const API_ROUTE = `${API_PREFIX}/*`;
const BELOW_PREFIX = new RegExp(`^${API_PREFIX}(?:[/?#]|$)`);
/** Scheme and authority; the authority ends where path, query or fragment begins. */
const ABSOLUTE = /^https?:\/\/[^/?#]*/i;
const SLASH = 0x2f;
const CONTINUE = /^100-continue$/i;
