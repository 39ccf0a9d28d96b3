/**
 * The door of the API: every request passes the same checks in the same order (decisions §1):
 * parse → key → limits → route → account → tier → `Accept` → parameters → resource → answer.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AccessVerdict, type Caller, createInFlight, type Gate, tierOpens } from '../accounts/index.ts';
import { type CityTime, createCityTime } from '../city/index.ts';
import type { Clocks } from '../clock.ts';
import type { ExportReader } from '../exports/index.ts';
import type { FeedReader } from '../feeds/index.ts';
import type { Log } from '../log.ts';
import type { ChangeReader, Search, Snapshot } from '../search/index.ts';
import { answerData, answerHeld, answerMoved, type SentParameters } from './answer/answer-data.ts';
import { createBodyCache } from './answer/body-cache.ts';
import { checkMessage } from './answer/message-checks.ts';
import { chooseMediaType, prefersStrict } from './answer/negotiation.ts';
import { createReadings } from './answer/parsed-queries.ts';
import {
  type Answering,
  abandon,
  type ConnectionInfo,
  type RequestContext,
  writeAnswer,
  writeRefusal,
} from './answer/request-context.ts';
import { readHead } from './answer/request-head.ts';
import { createAddresses, type HeldAnswer } from './answer/request-targets.ts';
import { SerializedHeaders } from './answer/serialized-headers.ts';
import { invalidParameters, type ParameterProblem, type Problem, type ProblemCode, showValue } from './errors.ts';
import type { Metrics } from './metrics.ts';
import { type Observe, UNKNOWN_API_ROUTE } from './observer.ts';
import { absentValues, type Clash, type ParameterTable, problemsOf, type ReadQuery } from './parameters/parameter.ts';
import { readUuid } from './parameters/parameter-kinds.ts';
import { decodeFormText } from './parameters/query-string.ts';
import { API_PREFIX } from './prefix.ts';
import type { AnyRoute, RouteOutcome } from './route.ts';
import type { RouteMatch } from './route-table.ts';

export interface RequestHandlerOptions {
  search: Pick<Search, 'current'>;
  changes: ChangeReader;
  gate: Gate;
  feeds: Pick<FeedReader, 'list' | 'find'>;
  exports: ExportReader;
  /** Address that links are built from, without a trailing slash. */
  publicUrl: () => string;
  clocks: Clocks;
  log: Log;
  observe: Observe;
  metrics: Metrics | null;
  /** Requests with a good key that wait for the store or a compression at once. */
  maxInFlight?: number;
}

/** A problem and the further headers it comes with, as a flat list. */
interface Refusal {
  problem: Problem;
  headers?: readonly string[];
}

export type RequestHandler = (req: IncomingMessage, res: ServerResponse, arrival: ConnectionInfo) => void;

export function createRequestHandler(options: RequestHandlerOptions): RequestHandler {
  const {
    search,
    changes,
    feeds,
    exports,
    gate,
    publicUrl,
    clocks,
    log,
    observe,
    metrics,
    maxInFlight = IN_FLIGHT.total,
  } = options;
  /** The plans page. */
  const upgradeUrl = () => `${publicUrl()}/dashboard/plans`;
  const inFlight = createInFlight({ ...IN_FLIGHT, total: maxInFlight });
  const answering: Answering = { publicUrl, limitsClock: clocks.limits, observe, bodies: createBodyCache(), inFlight };
  const addresses = createAddresses();
  const readings = createReadings();
  let city: CityTime | null = null;

  const refuse = (x: RequestContext, { problem, headers }: Refusal) => writeRefusal(x, problem, answering, headers);
  const fail = (x: RequestContext, error: unknown) => {
    log.error({ err: error, requestId: x.connection.requestId, route: x.route }, 'a request failed');
    if (x.res.headersSent) x.res.destroy();
    else refuse(x, BROKEN);
  };
  /** Runs the rest of a request that had to wait; a caller who left meanwhile is not worked for. */
  const resume = <T>(x: RequestContext, waiting: Promise<T>, next: (value: T) => void) => {
    waiting
      .then((value) => {
        if (x.res.destroyed) abandon(x, answering);
        else next(value);
      })
      .catch((error: unknown) => fail(x, error));
  };

  return (req, res, arrival) => {
    const x: RequestContext = {
      req,
      res,
      connection: arrival,
      head: readHead(req.rawHeaders),
      address: addresses.of(req.url ?? ''),
      route: UNKNOWN_API_ROUTE,
      caller: undefined,
      allowance: undefined,
      recordOutcome: undefined,
      strict: false,
      isNegotiated: false,
      answered: false,
    };
    try {
      const malformed = arrival.refused ?? checkMessage(req, x.head);
      if (malformed) refuse(x, { problem: malformed });
      else if (req.method === 'OPTIONS') preflight(x);
      else enter(x, x.address.match);
    } catch (error) {
      fail(x, error);
    }
  };

  function preflight(x: RequestContext): void {
    setAdmitted(x, false);
    writeAnswer(x, 204, PREFLIGHT_HEAD, null, answering);
  }

  function enter(x: RequestContext, match: RouteMatch | null): void {
    if (match) {
      x.route = match.template;
      x.isNegotiated = match.forms !== undefined;
    }
    const { apiKey } = x.head;
    const free = match !== null && !match.route.metered;
    const { address } = x.connection;
    const verdict = free ? gate.inspect(apiKey, address, x.req.socket) : gate.admit(apiKey, address, x.req.socket);
    // What was decided is on record even when the caller has left meanwhile.
    if (verdict instanceof Promise)
      resume(
        x,
        verdict.then((value) => take(x, value)),
        (value) => judge(x, match, value),
      );
    else judge(x, match, take(x, verdict));
  }

  function take(x: RequestContext, verdict: AccessVerdict): AccessVerdict {
    metrics?.verdict(verdict);
    setAdmitted(x, verdict.ok);
    if (verdict.ok || verdict.reason === 'minute' || verdict.reason === 'day') {
      x.caller = verdict.caller;
      x.allowance = verdict.allowance;
    }
    if (verdict.ok) x.recordOutcome = verdict.recordOutcome;
    return verdict;
  }

  function judge(x: RequestContext, match: RouteMatch | null, verdict: AccessVerdict): void {
    if (!verdict.ok) {
      refuse(x, entryRefusal(verdict));
      return;
    }
    const refusal = match ? accessRefusal(x, match.route, verdict) : unknownRoute(x);
    if (refusal || !match) {
      refuse(x, refusal ?? UNKNOWN);
      return;
    }
    const chosen = negotiate(x, match);
    if (chosen) ask(x, chosen, verdict.caller);
    else refuse(x, notAcceptable(match));
  }

  /** The row that `Accept` chooses, or null when it excludes all that there is. Another form is answered as if its own path had been asked. */
  function negotiate(x: RequestContext, match: RouteMatch): RouteMatch | null {
    const { offers, forms } = match;
    const chosen = chooseMediaType(x.head.accept, offers);
    if (chosen === null) return match.route.form ? match : null;
    if (chosen === offers[0]) return match;
    const { query } = x.address;
    const path = API_PREFIX + forms?.get(chosen)?.path;
    x.address = addresses.of(query === '' ? path : `${path}?${query}`);
    if (x.address.match) x.route = x.address.match.template;
    return x.address.match;
  }

  /** Method, account and tier, in this order. */
  function accessRefusal(
    x: RequestContext,
    route: AnyRoute,
    { standing, caller }: Extract<AccessVerdict, { ok: true }>,
  ): Refusal | null {
    if (!isRead(x)) {
      const problem: Problem = { code: 'method_not_allowed', detail: `${x.route} accepts only GET or HEAD` };
      return { problem, headers: ['Allow', ALLOWED_METHODS] };
    }
    if (standing !== 'active') {
      return { problem: { code: standing, detail: STANDING_DETAILS[standing], members: { upgradeUrl: upgradeUrl() } } };
    }
    if (!tierOpens(caller.tier, route.tier)) {
      const members = { currentTier: caller.tier, requiredTier: route.tier, upgradeUrl: upgradeUrl() };
      return { problem: { code: 'tier_required', detail: `${x.route} needs the ${route.tier} tier`, members } };
    }
    return null;
  }

  /** Reads the parameters and asks the endpoint. */
  function ask(x: RequestContext, { route, id: rawId }: RouteMatch, caller: Caller): void {
    const snapshot = search.current();
    if (city?.timezone !== snapshot.city.timezone) city = createCityTime(snapshot.city.timezone);
    x.strict = prefersStrict(x.head.prefer);
    const now = clocks.directory();
    if (!x.strict && answerAgain(x, snapshot, now)) return;
    const read = x.address.query === '' ? unasked(route) : readings.of(route, x.address.query, { city, strict: x.strict });
    const id = rawId === '' ? '' : readUuid(rawId);
    const clashes = route.clashes?.(read.values, now) ?? NO_CLASHES;
    if (id === null || !read.ok || clashes.length > 0) {
      const errors = [...(id === null ? [badId(rawId)] : []), ...problemsOf(read, clashes)];
      refuse(x, { problem: invalidParameters(errors) });
      return;
    }
    // What costs no request asks the store, as often as a caller likes.
    const leave = route.metered ? NOTHING_TO_LEAVE : inFlight.enter(x.connection.address, x.req.socket);
    if (!leave) {
      setAdmitted(x, false);
      refuse(x, OVERLOADED);
      return;
    }
    const outcome: RouteOutcome | Promise<RouteOutcome> = route.answer({
      snapshot,
      now,
      id,
      values: read.values,
      caller,
      gate,
      changes,
      current: search.current,
      hasLeft: () => x.res.destroyed,
      publicUrl: publicUrl(),
      feeds,
      sent: read.sent,
      exports,
    });
    const hold = (answer: HeldAnswer, until: number) => {
      // Strict reading refuses what lenient reading passes over.
      if (!x.strict) addresses.hold(x.address, snapshot, answer, now, until);
    };
    if (outcome instanceof Promise) {
      resume(x, outcome.finally(leave), (value) => conclude(x, read.sent, value, hold));
      return;
    }
    leave();
    conclude(x, read.sent, outcome, hold);
  }

  /** Answers from what is held for the address, if that is still right, and says so. */
  function answerAgain(x: RequestContext, snapshot: Snapshot, now: number): boolean {
    const answer = addresses.answerAt(x.address, snapshot, now);
    const waiting = answer ? answerHeld(x, answer, answering) : false;
    if (waiting) resume(x, waiting, () => {});
    return waiting !== false;
  }

  function conclude(
    x: RequestContext,
    sent: SentParameters,
    outcome: RouteOutcome,
    hold: (answer: HeldAnswer, until: number) => void,
  ): void {
    if (outcome.kind === 'problem') {
      refuse(x, outcome);
      return;
    }
    if (outcome.kind === 'moved') {
      answerMoved(x, sent, outcome.id, answering);
      return;
    }
    const waiting = answerData(x, sent, outcome, answering, hold);
    if (waiting) resume(x, waiting, () => {});
  }
}

/** What is read when nothing is asked: made once for each row. */
function unasked(route: AnyRoute): Extract<ReadQuery<ParameterTable>, { ok: true }> {
  let read = unaskedOf.get(route);
  if (!read) {
    read = { ok: true, values: absentValues(route.parameters), sent: [] };
    unaskedOf.set(route, read);
  }
  return read;
}
const unaskedOf = new Map<AnyRoute, Extract<ReadQuery<ParameterTable>, { ok: true }>>();

/** What the gate's refusal becomes. */
function entryRefusal(verdict: Extract<AccessVerdict, { ok: false }>): Refusal {
  if (verdict.reason === 'unavailable') return UNAVAILABLE;
  if (verdict.reason === 'crowded') return OVERLOADED;
  if (verdict.reason === 'unknown_key_limit' || verdict.reason === 'minute' || verdict.reason === 'day') {
    const retryAfterSeconds = Math.max(1, verdict.retryAfterSeconds);
    const code = verdict.reason === 'day' ? 'rate_limit_day' : 'rate_limit_minute';
    const detail = `${LIMIT_DETAILS[verdict.reason]}; wait ${retryAfterSeconds} s`;
    return { problem: { code, detail, members: { retryAfterSeconds } }, headers: ['Retry-After', String(retryAfterSeconds)] };
  }
  const [code, detail] = KEY_PROBLEMS[verdict.reason];
  return { problem: { code, detail }, headers: ['WWW-Authenticate', CHALLENGE] };
}

function unknownRoute({ address: { path } }: RequestContext): Refusal {
  if (decodeFormText(path) !== null) return UNKNOWN;
  const detail = 'path has a broken percent sign or bytes that are not UTF-8';
  return { problem: invalidParameters([{ in: 'path', name: 'path', value: showValue(path), code: 'not_decodable', detail }]) };
}

function notAcceptable({ offers }: RouteMatch): Refusal {
  return { problem: { code: 'not_acceptable', detail: `Accept excludes every available format: ${offers.join(', ')}` } };
}

function badId(value: string): ParameterProblem {
  return { in: 'path', name: 'id', value: showValue(value), code: 'not_a_uuid', detail: 'id must be a UUID' };
}

function setAdmitted({ connection: arrival, req }: RequestContext, isAdmitted: boolean): void {
  arrival.setAdmitted(req.socket, isAdmitted);
}

function isRead({ req }: RequestContext): boolean {
  return req.method === 'GET' || req.method === 'HEAD';
}

const KEY_PROBLEMS = {
  missing: ['missing_api_key', 'send the key in the X-API-Key header'],
  invalid: ['invalid_api_key', 'the key is unknown'],
  revoked: ['revoked_api_key', 'the key has been revoked'],
  expired: ['expired_api_key', 'the key was replaced and its grace period is over'],
} as const satisfies Record<string, readonly [ProblemCode, string]>;
const LIMIT_DETAILS = {
  minute: 'the requests of the last 60 seconds reached the limit of the tier',
  day: 'the requests of today (UTC) reached the limit of the tier',
  unknown_key_limit: 'too many requests with unknown keys came from this address',
} as const;
const STANDING_DETAILS = {
  trial_expired: 'the free trial of the account is over',
  subscription_inactive: 'the subscription of the key is not active',
} as const;

const ALLOWED_METHODS = 'GET, HEAD, OPTIONS';
const CHALLENGE = 'ApiKey realm="api", header="X-API-Key"';
const PREFLIGHT_HEAD = new SerializedHeaders([
  'Allow',
  ALLOWED_METHODS,
  'Access-Control-Allow-Methods',
  ALLOWED_METHODS,
  'Access-Control-Allow-Headers',
  'X-API-Key, Accept, If-None-Match, Prefer',
  // Seconds; the longest that Firefox keeps.
  'Access-Control-Max-Age',
  '86400',
]);

const NOTHING_TO_LEAVE = (): void => {};
const NO_CLASHES: readonly Clash[] = [];
/** An ordinary client has one request in flight on a connection. */
const IN_FLIGHT = { total: 1_000, perConnection: 20, perHost: 200 } as const;
const RETRY_SECONDS = 1;
const BROKEN: Refusal = {
  problem: { code: 'internal', detail: 'something went wrong on our side; please report the request id' },
};
const UNKNOWN: Refusal = { problem: { code: 'unknown_route', detail: 'this path does not exist in the API' } };
const OVERLOADED: Refusal = {
  problem: { code: 'overloaded', detail: 'too many requests are in flight', members: { retryAfterSeconds: RETRY_SECONDS } },
};
const UNAVAILABLE: Refusal = {
  problem: {
    code: 'dependency_unavailable',
    detail: 'keys cannot be checked right now',
    members: { retryAfterSeconds: RETRY_SECONDS },
  },
};
