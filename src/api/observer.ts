/** Where every answered request is written down: a log line, a span of a trace, and the counts that the metrics show. */

import type { AccessVerdict, TierName } from '../accounts/index.ts';
import type { Log } from '../log.ts';
import { describeQueries, type FinishedSpan, type Tracing, timeOf } from '../telemetry/index.ts';
import { API_PREFIX } from './route.ts';

/** What is known of a request when it is answered. Nothing in it holds a key or a query. */
export interface AnsweredRequest {
  requestId: string;
  method: string;
  /** The template, such as `/api/v1/events/{id}`; never the path as sent, which is anyone's text. */
  route: string;
  status: number;
  /** `performance.now()` at arrival. */
  startedAt: number;
  keyId?: string | undefined;
  tier?: TierName | undefined;
  /** As Node has them: `traceparent` is looked for where requests are traced, and nothing else. */
  rawHeaders?: readonly string[];
  /** A fault that a test key asked for: in the log, but in no figure. */
  isSimulated?: boolean;
}

export type Observe = (answered: AnsweredRequest) => void;

export function createObserver(log: Log, metrics: RequestStats | null, tracing: Tracing | null = null): Observe {
  // Every field of the line is chosen here: the search for secrets in it would cost more than the line.
  const lines = log.child({}, { redact: [] });
  return (answered) => {
    const { requestId, method, route, status, startedAt, keyId, isSimulated = false } = answered;
    const milliseconds = performance.now() - startedAt;
    if (!isSimulated) metrics?.answered(route, method, status, milliseconds);
    if (tracing && !isSimulated) tracing.record(toSpan(answered, milliseconds));
    const level = status >= 500 && !isSimulated ? 'warn' : 'info';
    if (!lines.isLevelEnabled(level)) return;
    const line = { requestId, method, route, status, ms: Math.round(milliseconds * 100) / 100, keyId };
    lines[level](isSimulated ? { ...line, isSimulated } : line, 'answered');
  };
}

/** Nothing of what the caller sent is in it but the method and its place in a trace. */
function toSpan(
  { requestId, method, route, status, startedAt, tier, rawHeaders = [] }: AnsweredRequest,
  milliseconds: number,
): FinishedSpan {
  const known = METHODS.includes(method) ? method : 'other';
  const queries = describeQueries();
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'traceparent');
  return {
    name: `${known} ${route}`,
    kind: 'server',
    startedAt: timeOf(startedAt),
    endedAt: timeOf(startedAt + milliseconds),
    attributes: {
      'http.request.method': known,
      'http.route': route,
      'http.response.status_code': status,
      'marquee.request_id': requestId,
      ...(tier !== undefined && { 'marquee.tier': tier }),
      ...queries.attributes,
    },
    steps: queries.steps,
    isError: status >= 500,
    traceparent: at < 0 ? undefined : rawHeaders[at + 1],
  };
}

export interface RequestStats {
  /** One answered request. `route` is a template of a table. */
  answered(route: string, method: string, status: number, milliseconds: number): void;
  verdict(verdict: AccessVerdict): void;
  /** A request that was no HTTP, a timeout, a connection closed for another one or for what it did not read. */
  refusedConnection(reason: 'parse' | 'timeout' | 'headers' | 'limit' | 'unread'): void;
}

export interface OwnRequestStats extends RequestStats {
  routes: ReadonlyMap<string, RouteStats>;
  verdicts: ReadonlyMap<string, number>;
  refusals: ReadonlyMap<string, number>;
  /** How long the API's answers took since the service started. */
  answerTimes(): AnswerTimes;
  /** What was answered since then on the routes that `isCounted` picks. */
  totals(isCounted: (route: string) => boolean): AnswerTotals;
}

export interface RouteStats {
  /** Requests by method and class of status. */
  counts: Uint32Array;
  /** Requests by upper bound of duration, not cumulative; the last is +Inf. */
  buckets: Uint32Array;
  totalMs: number;
}

export interface AnswerTimes {
  requests: number;
  /** Milliseconds within which half, and 99 of 100, were answered; null before the first, `Infinity` beyond the last bound. */
  half: number | null;
  nearlyAll: number | null;
}

export interface AnswerTotals {
  ok: number;
  /** 4xx. */
  refused: number;
  /** 5xx. */
  failed: number;
  /** By upper bound, see `DURATION_BOUNDS_MS`; the last is beyond all of them. */
  durations: number[];
}

export function createRequestStats(): OwnRequestStats {
  const routes = new Map<string, RouteStats>();
  const verdicts = new Map<string, number>();
  const refusals = new Map<string, number>();

  function statsOf(route: string): RouteStats {
    const known = routes.get(route);
    if (known) return known;
    const begun: RouteStats = {
      counts: new Uint32Array(METHODS.length * STATUS_CLASSES.length),
      buckets: new Uint32Array(DURATION_BOUNDS_MS.length + 1),
      totalMs: 0,
    };
    routes.set(route, begun);
    return begun;
  }

  return {
    routes,
    verdicts,
    refusals,
    answered(route, method, status, milliseconds) {
      const stats = statsOf(route);
      const known = METHODS.indexOf(method);
      const cell = (known < 0 ? METHODS.length - 1 : known) * STATUS_CLASSES.length + Math.floor(status / 100) - 1;
      stats.counts[cell] = (stats.counts[cell] ?? 0) + 1;
      let bucket = 0;
      while (bucket < DURATION_BOUNDS_MS.length && milliseconds > (DURATION_BOUNDS_MS[bucket] ?? 0)) bucket++;
      stats.buckets[bucket] = (stats.buckets[bucket] ?? 0) + 1;
      stats.totalMs += milliseconds;
    },
    verdict: (verdict) => addOne(verdicts, verdict.ok ? 'admitted' : verdict.reason),
    refusedConnection: (reason) => addOne(refusals, reason),
    answerTimes: () => timesOf([...routes].filter(([route]) => route.startsWith(API_PREFIX)).map(([, stats]) => stats)),
    totals: (isCounted) => sumUp([...routes].filter(([route]) => isCounted(route)).map(([, stats]) => stats)),
  };
}

const addOne = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);

function sumUp(all: readonly RouteStats[]): AnswerTotals {
  const byClass = (index: number) =>
    all.reduce(
      (sum, { counts }) => sum + METHODS.reduce((of, _, m) => of + (counts[m * STATUS_CLASSES.length + index] ?? 0), 0),
      0,
    );
  const [informed, ok, moved, refused, failed] = STATUS_CLASSES.map((_, index) => byClass(index)) as FiveCounts;
  return { ok: informed + ok + moved, refused, failed, durations: sumBuckets(all) };
}

type FiveCounts = [number, number, number, number, number];

const sumBuckets = (all: readonly RouteStats[]): number[] =>
  Array.from({ length: DURATION_BOUNDS_MS.length + 1 }, (_, i) => all.reduce((sum, { buckets }) => sum + (buckets[i] ?? 0), 0));

function timesOf(all: readonly RouteStats[]): AnswerTimes {
  const buckets = sumBuckets(all);
  const requests = buckets.reduce((sum, count) => sum + count, 0);
  /** The upper bound of the bucket in which the share is reached: a true statement, if a coarse one. */
  const within = (share: number): number | null => {
    let count = 0;
    const i = buckets.findIndex((inBucket) => {
      count += inBucket;
      return count > 0 && count >= requests * share;
    });
    return i < 0 ? null : (DURATION_BOUNDS_MS[i] ?? Number.POSITIVE_INFINITY);
  };
  return { requests, half: within(HALF), nearlyAll: within(NEARLY_ALL) };
}

/** Templates for what no row of a table stands for. */
export const UNKNOWN_API_ROUTE = '/api/v1/*';
export const UNKNOWN_ROUTE = '*';
export const METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'POST', 'other'];
export const STATUS_CLASSES: readonly string[] = ['1xx', '2xx', '3xx', '4xx', '5xx'];
/** Upper bounds of duration, milliseconds: fine around the stated average of 100 ms (contract §8) and below. */
export const DURATION_BOUNDS_MS: readonly number[] = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 10_000];
const HALF = 0.5;
const NEARLY_ALL = 0.99;
