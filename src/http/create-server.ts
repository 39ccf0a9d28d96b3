/** Server plumbing: refusals below HTTP, the doors of the rooms, and an orderly end. */

import { type IncomingMessage, METHODS, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type FastifyInstance, type FastifyPluginCallback, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import {
  API_PREFIX,
  type Api,
  checkMessage,
  createRequestIds,
  PROBLEM_TYPE,
  PROBLEMS,
  type Problem,
  readHead,
  UNKNOWN_ROUTE,
  writeProblem,
} from '../api/index.ts';
import type { Log } from '../log.ts';
import { BACKLOG, LIMITS, openHttpServer, type ServerLimits } from './node-server.ts';

export interface ServerOptions {
  api: Api;
  log: Log;
  /** Whether answers can be given (the read model is there). */
  ready: () => boolean;
  /** Addresses or networks of proxies whose `X-Forwarded-For` is believed. */
  trustProxy?: readonly string[] | null;
  limits?: Partial<ServerLimits>;
  newRequestId?: () => string;
}

export interface Server {
  /** For tests through the door without a port: `app.inject`. */
  app: FastifyInstance;
  /** Adds plain routes of a room; each answer gets its request id, log line and figures. Before `listen`. */
  mount(plugin: FastifyPluginCallback): void;
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

export function createServer(options: ServerOptions): Server {
  const { api, log, ready, trustProxy } = options;
  const limits: ServerLimits = { ...LIMITS, ...options.limits };
  const newRequestId = options.newRequestId ?? createRequestIds();
  /** Open connections and the requests each has carried. */
  const sockets = new Map<Socket, { carried: number }>();
  /** It will end: said by every answer. Then it takes nothing new any more. */
  const service = { draining: false, closing: false };
  let askedAt = Number.NEGATIVE_INFINITY;

  const app = fastify({
    // A caller's own id is not trusted, and the access log is the observer's.
    genReqId: newRequestId,
    requestIdHeader: false,
    logger: false,
    trustProxy: trustProxy ? [...trustProxy] : false,
    rewriteUrl: (req) => originForm(req.url ?? ''),
    frameworkErrors: (_error, request, reply) => {
      if (!enterApi(request, reply))
        refusePlain(request, reply, { code: 'bad_request', detail: 'the address cannot be decoded' });
    },
    clientErrorHandler: (error, socket) => refuseBytes(error, socket),
    // Requests on kept-alive connections are served to the end; their answers close the connection.
    return503OnClosing: false,
    bodyLimit: limits.bodyLimit,
    serverFactory: (handle) => openHttpServer(limits, (req, res) => enterAtOnce(req, res) || handle(req, res)),
  });
  const { server } = app;
  server.on('connection', (socket) => {
    sockets.set(socket, { carried: 0 });
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('request', () => {
    askedAt = performance.now();
  });
  server.on('drop', () => api.metrics?.refusedConnection('limit'));
  server.on('checkContinue', (req: IncomingMessage, res: ServerResponse) => {
    if (isRead(req)) {
      refuseExpectation(req, res);
      return;
    }
    res.writeContinue();
    server.emit('request', req, res);
  });
  server.on('checkExpectation', refuseExpectation);
  server.on('connect', (_req, socket: Socket) => {
    endWith(socket, { code: 'method_not_allowed', detail: 'this is no proxy' }, `Allow: ${PLAIN_METHODS}\r\n`);
  });

  // Whoever an address belongs to says what it does not take; none of them reads what comes with these.
  for (const method of UNCOMMON_METHODS) app.addHttpMethod(method, { overrideExisting: true });
  app.route({
    method: app.supportedMethods,
    url: `${API_PREFIX}/*`,
    // The router compares what it has decoded: it also leads here from paths that are of the API only then.
    onRequest: enterOrRefuse,
    handler: () => undefined,
  });
  app.setNotFoundHandler(enterOrRefuse);
  mount(api.pages);
  mount(healthRoutes);

  function mount(plugin: FastifyPluginCallback): void {
    app.register((room, _options, done) => {
      room.addHook('onRequest', (request, reply, next) => {
        const malformed = checkMessage(request.raw, readHead(request.raw.rawHeaders));
        if (malformed) return refusePlain(request, reply, malformed);
        reply.headers({ 'X-Request-Id': request.id, 'X-Content-Type-Options': 'nosniff' });
        const carried = countOn(request.raw.socket);
        if (service.draining || carried >= limits.maxRequestsPerSocket) reply.header('Connection', 'close');
        next();
      });
      room.addHook('onResponse', (request, reply, next) => {
        observePlain(request, reply.statusCode, request.routeOptions.url ?? UNKNOWN_ROUTE, performance.now() - reply.elapsedTime);
        // A stream that began before the draining said nothing of its connection's end.
        if (service.closing) setImmediate(() => server.closeIdleConnections());
        next();
      });
      room.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
        const status = error.statusCode ?? 500;
        if (status >= 500) log.error({ err: error, requestId: request.id }, 'a request failed');
        const problem = plainProblem(status);
        reply.status(PROBLEMS[problem.code].status).header('Cache-Control', 'no-store').type(PROBLEM_TYPE);
        return reply.send(writeProblem(problem, api.publicUrl(), request.id));
      });
      room.register(plugin);
      done();
    });
  }

  /**
   * The short way: the door has a router of its own, and Fastify's would cost every request of the API a tenth more. Only a proxy's
   * word about the address needs Fastify.
   */
  function enterAtOnce(req: IncomingMessage, res: ServerResponse): boolean {
    if (trustProxy || !req.url?.startsWith(`${API_PREFIX}/`)) return false;
    enterDoor(req, res, newRequestId(), req.socket.remoteAddress ?? '');
    return true;
  }

  /** Hands a request at or below the prefix to the API and says so. */
  function enterApi(request: FastifyRequest, reply: FastifyReply): boolean {
    if (!BELOW_PREFIX.test(request.raw.url ?? '')) return false;
    reply.hijack();
    enterDoor(request.raw, reply.raw, request.id, request.ip);
    return true;
  }

  function enterOrRefuse(request: FastifyRequest, reply: FastifyReply): void {
    if (!enterApi(request, reply)) answerUnknown(request, reply);
  }

  function refuseExpectation(req: IncomingMessage, res: ServerResponse): void {
    if (!BELOW_PREFIX.test(req.url ?? '')) refuseMessage(req, res, NO_EXPECTATIONS);
    else enterDoor(req, res, newRequestId(), req.socket.remoteAddress ?? '', NO_EXPECTATIONS);
  }

  function enterDoor(
    req: IncomingMessage,
    res: ServerResponse,
    requestId: string,
    address: string,
    refused: Problem | null = null,
  ): void {
    const carried = countOn(req.socket);
    // Sent before the end of the connection was seen: neither answered nor metered.
    if (carried > limits.maxRequestsPerSocket) return;
    const last = carried === limits.maxRequestsPerSocket;
    api.door(req, res, { requestId, address, startedAt: performance.now(), last, service, refused });
  }

  /** Counts a request on its connection. Node's own cap would answer 503 to what a client sent before it saw the end announced. */
  function countOn(socket: Socket): number {
    const connection = sockets.get(socket);
    if (!connection) return 1;
    connection.carried += 1;
    return connection.carried;
  }

  function answerUnknown(request: FastifyRequest, reply: FastifyReply): void {
    const { method, url = '/' } = request.raw;
    const path = url.split('?', 1)[0] ?? '/';
    if (method === 'OPTIONS') {
      reply.hijack();
      reply.raw.writeHead(204, { Allow: PLAIN_METHODS, 'X-Request-Id': request.id }).end();
      observePlain(request, 204, UNKNOWN_ROUTE);
      return;
    }
    // The pages stand below a wildcard: they were asked, and have nothing there.
    const found = app.findRoute({ method: 'GET', url: path, constraints: {} });
    const known = found !== null && !Object.hasOwn(found.params, '*');
    refusePlain(request, reply, known ? READ_ONLY_ADDRESS : UNKNOWN_ADDRESS);
  }

  function refusePlain(request: FastifyRequest, reply: FastifyReply, problem: Problem): void {
    reply.hijack();
    refuseMessage(request.raw, reply.raw, problem, request.id);
  }

  /** A refusal outside the API. What was not read of the request is not read any more. */
  function refuseMessage(req: IncomingMessage, res: ServerResponse, problem: Problem, requestId = newRequestId()): void {
    const { status } = PROBLEMS[problem.code];
    const body = writeProblem(problem, api.publicUrl(), requestId);
    const closing = service.draining || status === 400 || readHead(req.rawHeaders).bodyLength > 0;
    res.writeHead(status, {
      'Content-Type': PROBLEM_TYPE,
      'Content-Length': body.length,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': requestId,
      ...(problem.code === 'method_not_allowed' && { Allow: PLAIN_METHODS }),
      ...(closing && { Connection: 'close' }),
    });
    res.end(req.method === 'HEAD' ? undefined : body);
    api.observe({ requestId, method: req.method ?? '', route: UNKNOWN_ROUTE, status, startedAt: performance.now() });
  }

  function observePlain(request: FastifyRequest, status: number, route: string, startedAt = performance.now()): void {
    api.observe({ requestId: request.id, method: request.method, route, status, startedAt });
  }

  /** What the parser could not read, or was not sent in time: answered in our form where an answer can still be understood. */
  function refuseBytes(error: Error & { code?: string }, socket: Socket): void {
    const kind = BYTE_REFUSALS[error.code ?? ''] ?? BROKEN_MESSAGE;
    api.metrics?.refusedConnection(kind.reason);
    const answering = (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage;
    // In the middle of another answer our bytes would be read as its body.
    if (error.code === 'ECONNRESET' || !socket.writable || answering?.headersSent) return void socket.destroy();
    endWith(socket, kind.problem);
  }

  function endWith(socket: Socket, problem: Problem, header = ''): void {
    const requestId = newRequestId();
    const { status, title } = PROBLEMS[problem.code];
    const body = writeProblem(problem, api.publicUrl(), requestId);
    const head = `HTTP/1.1 ${status} ${title}\r\nContent-Type: ${PROBLEM_TYPE}\r\nContent-Length: ${body.length}\r\n`;
    const rest = `Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nX-Request-Id: ${requestId}\r\n${header}`;
    // Closing at once would reset the connection while the sender still sends, and the answer would be lost.
    socket.end(Buffer.concat([Buffer.from(`${head}${rest}Connection: close\r\n\r\n`), body]), () => {
      setTimeout(() => socket.destroy(), LINGER_MS).unref();
    });
    api.observe({ requestId, method: '', route: UNKNOWN_ROUTE, status, startedAt: performance.now() });
  }

  function healthRoutes(room: FastifyInstance, _options: unknown, done: () => void): void {
    // The process alone: a database that is down is no reason to be killed.
    room.get('/healthz', async (_request, reply) => reply.header('Cache-Control', 'no-store').send({ status: 'ok' }));
    room.get('/readyz', async (_request, reply) => {
      const canServe = !service.draining && ready();
      reply.header('Cache-Control', 'no-store').status(canServe ? 200 : 503);
      return reply.send({ status: canServe ? 'ready' : service.draining ? 'draining' : 'starting' });
    });
    done();
  }

  return {
    app,
    mount,
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
      for (const socket of sockets.keys()) if (socket.bytesRead === 0) socket.destroy();
      try {
        await app.close();
      } finally {
        clearTimeout(deadline);
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

function isRead(req: IncomingMessage): boolean {
  return req.method === 'GET' || req.method === 'HEAD';
}

function plainProblem(status: number): Problem {
  if (status === 413) return { code: 'payload_too_large', detail: 'the body is too large' };
  if (status >= 400 && status < 500) return { code: 'bad_request', detail: 'the request cannot be read' };
  return { code: 'internal', detail: 'Something broke on our side; the request id finds it in our logs.' };
}

/** Time for a refused sender to read the answer. */
const LINGER_MS = 500;

const BROKEN_MESSAGE = {
  reason: 'parse',
  problem: { code: 'bad_request', detail: 'the bytes are no HTTP/1.1 request' },
} as const;
const BYTE_REFUSALS: Record<string, { reason: 'parse' | 'timeout' | 'headers'; problem: Problem }> = {
  HPE_INVALID_URL: {
    reason: 'parse',
    problem: { code: 'bad_request', detail: 'the address has a character that must be percent-encoded (RFC 3986)' },
  },
  HPE_HEADER_OVERFLOW: {
    reason: 'headers',
    problem: { code: 'headers_too_large', detail: 'address and headers together are larger than 16 KiB' },
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    reason: 'timeout',
    problem: { code: 'request_timeout', detail: 'the request did not arrive in time' },
  },
};
const NO_EXPECTATIONS: Problem = { code: 'expectation_failed', detail: 'a request without a body has nothing to wait for' };
const READ_ONLY_ADDRESS: Problem = { code: 'method_not_allowed', detail: 'this address is read with GET or HEAD' };
const UNKNOWN_ADDRESS: Problem = { code: 'unknown_route', detail: 'there is nothing at this address' };
/** All that Node can read beside those of forms; CONNECT never comes here. */
const UNCOMMON_METHODS = METHODS.filter(
  (method) => !['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'CONNECT'].includes(method),
);
const PLAIN_METHODS = 'GET, HEAD, OPTIONS';
const BELOW_PREFIX = new RegExp(`^${API_PREFIX}(?:[/?#]|$)`);
/** Scheme and authority; the authority ends where path, query or fragment begins. */
const ABSOLUTE = /^https?:\/\/[^/?#]*/i;
const SLASH = 0x2f;
