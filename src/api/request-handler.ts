/**
 * One request of the API, from the key to the bytes. Every request passes the same checks in the same order (decisions §1):
 * parse → key → limits → route → account → tier → `Accept` → parameters → resource → answer. The first that refuses decides.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type AccessVerdict, createInFlight, type Gate, type InFlight } from '../accounts/index.ts';
import type { Clocks } from '../clock.ts';
import type { ExportReader } from '../exports/index.ts';
import type { FeedReader } from '../feeds/index.ts';
import { checkMessage, chooseMediaType, type Problem, prefersStrict } from '../http/index.ts';
import type { Log } from '../log.ts';
import { type ParameterConflict, readUuid } from '../query/index.ts';
import type { ChangeReader, SearchReader } from '../search/index.ts';
import { createFindDeprecations, DEPRECATIONS, type Deprecation } from './deprecations.ts';
import type { Observe, RequestStats } from './observer.ts';
import { accessRefusal, entryRefusal, invalidRequest, notAcceptable, OVERLOADED } from './refusals.ts';
import {
  type Answering,
  type ConnectionInfo,
  createRequestContext,
  type RequestContext,
  setAdmitted,
} from './request-context.ts';
import { createBodyCache, createParsedQueries, createRequestTargets, type RequestTargets } from './response-cache.ts';
import { createResponses, type Responses } from './responses.ts';
import { type AnyRoute, API_PREFIX, type Ask } from './route.ts';
import { FORM_ROUTES, ROUTES, type RouteMatch } from './route-table.ts';
import { simulate } from './simulation.ts';

export interface RequestHandlerOptions extends DirectorySources {
  gate: Gate;
  /** Address that links are built from, without a trailing slash. */
  publicUrl: () => string;
  clocks: Clocks;
  log: Log;
  observe: Observe;
  metrics: RequestStats | null;
  /** What test keys read; without one they are told that it is away. */
  testCity?: TestCitySource;
  /** In place of those of this version. */
  deprecations?: readonly Deprecation[];
  /** How long a simulated slow answer takes. */
  slowMs?: number;
  /** Requests with a good key that wait for the store or a compression at once. */
  maxInFlight?: number;
}

export type RequestHandler = (req: IncomingMessage, res: ServerResponse, connection: ConnectionInfo) => void;

export function createRequestHandler(options: RequestHandlerOptions): RequestHandler {
  const { gate, publicUrl, clocks, log, observe, metrics, testCity, slowMs } = options;
  const { search, changes, feeds, exports } = options;
  const directory: DirectorySources = { search, changes, feeds, exports };
  const inFlight = createInFlight({ ...IN_FLIGHT, total: options.maxInFlight ?? IN_FLIGHT.total });
  const findDeprecations = createFindDeprecations(options.deprecations ?? DEPRECATIONS, [...ROUTES, ...FORM_ROUTES], publicUrl);
  const answering = {
    ...{ publicUrl, limitsClock: clocks.limits, observe, inFlight, findDeprecations },
    dataAgeMs: gate.storeAwayMs,
  };
  const live = createAnsweringPlace(answering, inFlight, log);
  const test = createAnsweringPlace({ ...answering, dataAgeMs: () => 0 }, inFlight, log, TEST_BODY_BYTES);
  const { targets, responses } = live;
  const { refuse } = responses;
  const admit = createAdmission(gate, metrics);
  const answerFrom = createAnswerFrom({ gate, clocks, publicUrl, slowMs });

  return (req, res, connection) => {
    const ctx = createRequestContext(req, res, connection, targets.of(req.url ?? ''));
    try {
      const malformed = connection.refused ?? checkMessage(req, ctx.head);
      if (malformed) refuse(ctx, malformed);
      else if (req.method === 'OPTIONS') responses.preflight(ctx);
      else enter(ctx);
    } catch (error) {
      responses.fail(ctx, error);
    }
  };

  /** Key and limits come first. The gate answers from memory; only a key that is new to it needs the store. */
  function enter(ctx: RequestContext): void {
    const { match } = ctx.target;
    if (match) {
      ctx.route = match.template;
      ctx.isNegotiated = match.forms !== undefined;
    }
    const verdict = admit(ctx);
    if (verdict instanceof Promise) responses.resume(ctx, verdict, (value) => answer(ctx, value));
    else answer(ctx, verdict);
  }

  /** Route, account and tier. */
  function answer(ctx: RequestContext, verdict: AccessVerdict): void {
    if (!verdict.ok) return void refuse(ctx, entryRefusal(verdict));
    const denied = accessRefusal(ctx, verdict, publicUrl);
    if (denied) return void refuse(ctx, denied);
    if (verdict.caller.isTest) answerTest(ctx, verdict);
    else answerFrom(ctx, verdict, live, directory);
  }

  /** For test keys: the same request to the test city. */
  function answerTest(ctx: RequestContext, verdict: AdmittedVerdict): void {
    if (!testCity) return void refuse(ctx, NO_TEST_CITY);
    ctx.target = test.targets.of(ctx.target.target);
    const opened = testCity.open();
    const from = (city: Pick<DirectorySources, 'search' | 'changes'>) =>
      answerFrom(ctx, verdict, test, { ...city, feeds: NO_FEEDS, exports: NO_EXPORTS });
    if (opened instanceof Promise) test.responses.resume(ctx, opened, from);
    else from(opened);
  }
}

/** Synchronous unless the gate has to ask the store. */
type Admit = (ctx: RequestContext) => AccessVerdict | Promise<AccessVerdict>;

function createAdmission(gate: Gate, metrics: RequestStats | null): Admit {
  return (ctx) => {
    const { match } = ctx.target;
    const { apiKey } = ctx.head;
    const { address } = ctx.connection;
    const { socket } = ctx.req;
    const isFree = match !== null && !match.route.metered;
    const verdict = isFree ? gate.inspect(apiKey, address, socket) : gate.admit(apiKey, address, socket);
    // What was decided is on record even when the caller has left meanwhile.
    return verdict instanceof Promise ? verdict.then((value) => note(ctx, value)) : note(ctx, verdict);
  };

  function note(ctx: RequestContext, verdict: AccessVerdict): AccessVerdict {
    metrics?.verdict(verdict);
    setAdmitted(ctx, verdict.ok);
    if (verdict.ok || verdict.reason === 'minute' || verdict.reason === 'day') {
      ctx.caller = verdict.caller;
      ctx.allowance = verdict.allowance;
    }
    if (verdict.ok) ctx.recordOutcome = verdict.recordOutcome;
    return verdict;
  }
}

type AdmittedVerdict = Extract<AccessVerdict, { ok: true }>;
type AnswerFrom = (ctx: RequestContext, verdict: AdmittedVerdict, place: AnsweringPlace, sources: DirectorySources) => void;

interface AnswerFromOptions {
  gate: Gate;
  clocks: Clocks;
  publicUrl: () => string;
  /** How long a simulated slow answer takes. */
  slowMs: number | undefined;
}

function createAnswerFrom({ gate, clocks, publicUrl, slowMs = SLOW_MS }: AnswerFromOptions): AnswerFrom {
  const queries = createParsedQueries();
  const slow = createInFlight(SLOW);

  /** Parameters, endpoint. */
  function callWith(
    ctx: RequestContext,
    { caller }: AdmittedVerdict,
    match: RouteMatch,
    { responses: writer, callEndpoint }: AnsweringPlace,
    { search, changes, feeds, exports }: DirectorySources,
  ): void {
    const snapshot = search.current();
    const now = clocks.directory();
    ctx.strict = prefersStrict(ctx.head.prefer);
    if (!ctx.strict && writer.repeat(ctx, snapshot, now)) return;

    const { route } = match;
    const id = match.id === '' ? '' : readUuid(match.id);
    const query = queries.of(route, ctx.target.query, snapshot.city.timezone, ctx.strict);
    const conflicts = route.conflicts?.(query.values, now) ?? NO_CONFLICTS;
    if (id === null || !query.ok || conflicts.length > 0)
      return void writer.refuse(ctx, invalidRequest(match, id, query, conflicts));
    callEndpoint(ctx, route, {
      snapshot,
      now,
      id,
      values: query.values,
      sent: query.sent,
      caller,
      gate,
      changes,
      feeds,
      exports,
      current: search.current,
      hasLeft: () => ctx.res.destroyed,
      publicUrl: publicUrl(),
    });
  }

  return (ctx, verdict, place, sources) => {
    const { refuse } = place.responses;
    const match = chooseForm(ctx, place.targets);
    if (!match) return void refuse(ctx, notAcceptable(ctx));
    const simulated = ctx.head.simulate === undefined ? null : simulate(ctx, match, verdict.caller);
    if (simulated?.kind === 'refuse') return void refuse(ctx, simulated.problem);
    if (!simulated) return callWith(ctx, verdict, match, place, sources);
    const leave = slow.enter(ctx.connection.address, ctx.req.socket);
    if (!leave) return void refuse(ctx, OVERLOADED);
    const waited = delay(slowMs, undefined, { signal: untilClosed(ctx.res) }).catch(() => {});
    place.responses.resume(ctx, waited.finally(leave), () => callWith(ctx, verdict, match, place, sources));
  };
}

/** Nobody waits for a caller who has left. */
function untilClosed(res: ServerResponse): AbortSignal {
  const left = new AbortController();
  res.once('close', () => left.abort());
  return left.signal;
}

/** The row that `Accept` chooses, or null when it excludes all that there is. Another form is answered as if its own path had been asked. */
function chooseForm(ctx: RequestContext, targets: RequestTargets): RouteMatch | null {
  const { match, query } = ctx.target;
  if (!match) return null;
  const { offers, forms } = match;
  const chosen = chooseMediaType(ctx.head.accept, offers);
  if (chosen === null) return match.route.form ? match : null;
  if (chosen === offers[0]) return match;
  const path = API_PREFIX + forms?.get(chosen)?.path;
  ctx.target = targets.of(query === '' ? path : `${path}?${query}`);
  if (ctx.target.match) ctx.route = ctx.target.match.template;
  return ctx.target.match;
}

type EndpointCall = (ctx: RequestContext, route: AnyRoute, ask: Ask) => void;

function createEndpointCall(inFlight: InFlight, { refuse, resume, conclude }: Responses): EndpointCall {
  return (ctx, route, ask) => {
    // What costs no request asks the store, as often as a caller likes.
    const leave = route.metered ? NOTHING_TO_LEAVE : inFlight.enter(ctx.connection.address, ctx.req.socket);
    if (!leave) {
      setAdmitted(ctx, false);
      refuse(ctx, OVERLOADED);
      return;
    }
    const outcome = route.answer(ask);
    if (outcome instanceof Promise) {
      resume(ctx, outcome.finally(leave), (value) => conclude(ctx, ask, value));
      return;
    }
    leave();
    conclude(ctx, ask, outcome);
  };
}

interface DirectorySources {
  search: SearchReader;
  changes: ChangeReader;
  feeds: Pick<FeedReader, 'list' | 'find'>;
  exports: ExportReader;
}

/** The test city, which is built when it is first asked for. */
interface TestCitySource {
  open(): Pick<DirectorySources, 'search' | 'changes'> | Promise<Pick<DirectorySources, 'search' | 'changes'>>;
}

/** What is remembered of one of them. */
interface AnsweringPlace {
  targets: RequestTargets;
  responses: Responses;
  callEndpoint: EndpointCall;
}

/** `bodyBytes`: of bodies that are kept. */
function createAnsweringPlace(
  answering: Omit<Answering, 'bodies'>,
  inFlight: InFlight,
  log: Log,
  bodyBytes?: number,
): AnsweringPlace {
  const targets = createRequestTargets();
  const responses = createResponses({ ...answering, bodies: createBodyCache(bodyBytes) }, targets, log);
  return { targets, responses, callEndpoint: createEndpointCall(inFlight, responses) };
}

const NO_TEST_CITY: Problem = {
  code: 'dependency_unavailable',
  detail: 'this service has no test city',
  members: { retryAfterSeconds: 60 },
};
/** An ordinary client has one request in flight on a connection. */
const IN_FLIGHT = { total: 1_000, perConnection: 20, perHost: 200 } as const;
const NO_CONFLICTS: readonly ParameterConflict[] = [];
/** Requests that are slow on purpose: they hold a socket, and nothing that others wait for. */
const SLOW = { total: 200, perConnection: 5, perHost: 50 } as const;
const SLOW_MS = 5_000;
const NOTHING_TO_LEAVE = (): void => {};
/** Accounts have no feeds and no exports of the test city. */
const NO_FEEDS: DirectorySources['feeds'] = { list: async () => [], find: async () => null };
const NO_EXPORTS: ExportReader = {
  list: async () => ({ total: 0, exports: [] }),
  newestFull: async () => null,
  find: async () => null,
};
/** The test city is small. */
const TEST_BODY_BYTES = 4 * 2 ** 20;
