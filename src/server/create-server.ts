/**
 * The HTTP server: the API on a short way, the routes of other rooms through Fastify, and an orderly stop.
 *
 *     socket ─► connections ─► request entry ─┬─► API
 *               limits, turns                 └─► Fastify ─► mounted routes
 */

import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance, FastifyPluginCallback } from 'fastify';
import type { Api, FeedUrlRoutes } from '../api/index.ts';
import { createHostGuard, createRequestIds, type Problem, type Refuse } from '../http/index.ts';
import type { Log } from '../log.ts';
import { createConnections } from './connections/connections.ts';
import { BACKLOG, connectionsWithin, LIMITS, type ServerLimits } from './connections/node-server.ts';
import { createSpareTime } from './connections/spare-time.ts';
import { describeUnreadable } from './connections/unreadable.ts';
import {
  type CostLimiter,
  createCostLimiter,
  createPageLimiter,
  PAGE_LIMITS,
  type PageLimiter,
  type PageLimits,
  ROUTE_COSTS_MS,
  watchStalls,
} from './page-limits.ts';
import { createCallerFacts, createTrustedProxies } from './requests/caller-facts.ts';
import { type AnswerUnreadable, createApp } from './requests/create-app.ts';
import { createHealthRoutes } from './requests/health-routes.ts';
import { createObservedRefusals } from './requests/observed-refusals.ts';
import { createEntries } from './requests/request-entries.ts';
import type { DirectHandler, ServerParts, ServiceState } from './requests/server-parts.ts';

export interface ServerOptions {
  api: Api;
  /** Answers `/mcp`; without it the path does not exist. */
  mcp?: DirectHandler;
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
  /** For tests without a port: `app.inject`. */
  app: FastifyInstance;
  /** Adds plain routes of a room; each answer gets its request id, log line and figures. Before `listen`. */
  mount(plugin: FastifyPluginCallback): void;
  /** The same for secret URLs of feeds. Most requests for them find nothing new, and are answered on a short way. */
  mountFeeds(feeds: FeedUrlRoutes): void;
  /** Refuses a request of a mounted route: as a page where a browser asks, as a problem document elsewhere. */
  refuse: Refuse;
  /** Through it go the routes whose answers cost much and need no key. */
  limitPage: PageLimiter['run'];
  /** Charges the network of a client for what a mounted route is about to do. */
  takeCost: CostLimiter['take'];
  /** A request of the API from within, in a caller's name: it is checked like one that came through a socket. */
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
  const { api, log, ready } = options;
  const limits = limitsOf(options);
  const newRequestId = options.newRequestId ?? createRequestIds();
  const isTrustedProxy = createTrustedProxies(options.trustProxy ?? []);
  const hasProxies = (options.trustProxy?.length ?? 0) > 0;
  const service: ServiceState = { draining: false, closing: false };
  const refusals = createObservedRefusals(api, service, newRequestId);
  const checkHost = createHostGuard({ publicUrl: api.publicUrl, acceptsAddresses: options.acceptsAddresses ?? false });
  const connections = createConnections({
    limits,
    isTrustedProxy,
    refuse: (socket) => refusals.endConnection(socket, NO_ROOM),
    onClose: (reason) => api.metrics?.refusedConnection(reason),
  });
  const callerFacts = createCallerFacts(hasProxies ? isTrustedProxy : null);
  const parts = { api, mcp: options.mcp, log, limits, service, connections, checkHost, refusals, callerFacts, newRequestId };
  const entries = createEntries(parts);
  const app = createApp(parts, entries, hasProxies && isTrustedProxy, createUnreadableAnswer(parts));
  watchSockets(app, parts);
  const pageLimits: PageLimits = { ...PAGE_LIMITS, ...options.pageLimits };
  const costs = createCostLimiter(pageLimits);
  const mount = createMount(app, parts, costs);
  mount(api.pages);
  mount(createHealthRoutes(ready, service));
  const stalls = watchStalls(pageLimits.maxStallMs);

  return {
    app,
    mount,
    mountFeeds(feeds) {
      entries.serveFeeds(feeds);
      mount(feeds.routes);
    },
    refuse: refusals.refuse,
    takeCost: costs.take,
    limitPage: createPageLimiter(pageLimits, stalls.isStalled).run,
    askApi: createApiQuestion(app, api),
    async listen({ port, host }) {
      await app.listen({ port, host, backlog: BACKLOG });
      return { port: (app.server.address() as AddressInfo).port };
    },
    async announceEnd() {
      service.draining = true;
      if (performance.now() - entries.lastAt() < limits.inUseTime) await pause(limits.noticeTime);
    },
    drain: () => drain(app, parts).finally(stalls.stop),
  };
}

/** No more connections than the process may have files open. */
function limitsOf({ limits, log }: ServerOptions): ServerLimits {
  const wanted: ServerLimits = { ...LIMITS, ...limits };
  const maxConnections = connectionsWithin(wanted.maxConnections);
  if (maxConnections < wanted.maxConnections)
    log.warn({ maxConnections }, 'the limit of open files (ulimit -n) allows few connections');
  return { ...wanted, maxConnections };
}

/** Answered in our form where an answer can still be understood. */
function createUnreadableAnswer({ api, connections, refusals }: ServerParts): AnswerUnreadable {
  const spareTime = createSpareTime();
  return (error, socket) => {
    const { reason, problem } = describeUnreadable(error.code);
    api.metrics?.refusedConnection(reason);
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const end = () => connections.afterAnswers(socket, () => refusals.endConnection(socket, problem));
    // Whoever began together is late together, by the thousand.
    if (reason === 'timeout') spareTime.add(() => void (socket.writable && end()));
    else end();
  };
}

function watchSockets({ server }: FastifyInstance, { api, connections, refusals }: ServerParts): void {
  server.on('connection', (socket) => connections.accept(socket));
  server.on('drop', () => api.metrics?.refusedConnection('limit'));
  server.on('connect', (_req, socket: Socket) => {
    connections.afterAnswers(socket, () => refusals.endConnection(socket, NO_PROXY));
  });
}

/** Gives each answer of mounted routes its request id, ends connections that have carried enough, and charges for what costs much. */
function createMount(
  app: FastifyInstance,
  { connections, service, limits, refusals }: ServerParts,
  costs: CostLimiter,
): Server['mount'] {
  return (plugin) => {
    app.register((room, _options, done) => {
      room.addHook('onRequest', (request, reply, next) => {
        reply.headers({ 'X-Request-Id': request.id, 'X-Content-Type-Options': 'nosniff' });
        const carried = connections.countRequest(request.raw.socket);
        if (service.draining || carried >= limits.maxRequestsPerSocket) reply.header('Connection', 'close');
        const costMs = ROUTE_COSTS_MS[request.routeOptions.url ?? ''];
        const problem = costMs === undefined ? null : costs.take(request.ip, costMs);
        if (problem) refusals.refuse(request, reply, problem);
        else next();
      });
      room.register(plugin);
      done();
    });
  };
}

function createApiQuestion(app: FastifyInstance, api: Api): Server['askApi'] {
  return async ({ target, key, address }) => {
    const headers = { host: new URL(api.publicUrl()).host, accept: 'application/json', 'x-api-key': key };
    const answer = await app.inject({ method: 'GET', url: target, headers, remoteAddress: address });
    const listed = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]);
    return { status: answer.statusCode, headers: listed, body: answer.body };
  };
}

async function drain(app: FastifyInstance, { connections, service, limits }: ServerParts): Promise<void> {
  service.draining = true;
  service.closing = true;
  const deadline = setTimeout(() => app.server.closeAllConnections(), limits.drainTimeout);
  // Connections that never asked anything would be waited for.
  connections.closeUnused();
  await app.close().finally(() => clearTimeout(deadline));
}

const NO_PROXY: Problem = { code: 'method_not_allowed', detail: 'this server is not a proxy' };
const NO_ROOM: Problem = {
  code: 'overloaded',
  detail: 'too many connections are open, and all of them are busy',
  members: { retryAfterSeconds: 1 },
};
