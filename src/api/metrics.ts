/**
 * The service's figures for Prometheus, on a listener of their own that is bound to loopback. Observing adds to plain arrays; the
 * exposition is made when it is asked for. Labels come from fixed sets only: templates of routes, methods, classes of status, reasons.
 */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { AccessVerdict } from '../accounts/index.ts';
import type { Search } from '../search/index.ts';
import { API_PREFIX } from './prefix.ts';
import { registerSources, type SourceFigures } from './source-figures.ts';

export interface Metrics {
  /** One answered request. `route` is a template of a table. */
  answered(route: string, method: string, status: number, milliseconds: number): void;
  verdict(verdict: AccessVerdict): void;
  /** A request that was no HTTP, a timeout, a connection closed for another one or for what it did not read. */
  refusedConnection(reason: 'parse' | 'timeout' | 'headers' | 'limit' | 'unread'): void;
  /** How long the API's answers took since the service started. */
  answerTimes(): AnswerTimes;
  /** What was answered since then on the routes that `isCounted` picks. */
  totals(isCounted: (route: string) => boolean): AnswerTotals;
  registry: Registry;
  /** Serves `GET /metrics` on loopback. Rejects when the port is taken. */
  listen(port: number): Promise<number>;
  close(): Promise<void>;
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

interface RouteFigures {
  /** Requests by method and class of status. */
  counts: Uint32Array;
  /** Requests by upper bound of duration, not cumulative; the last is +Inf. */
  buckets: Uint32Array;
  totalMs: number;
}

/** `freshness`: of the read model; `sources`: as they stand; `now`: real time, milliseconds. */
export function createMetrics({
  freshness,
  sources,
  now = Date.now,
}: {
  freshness?: Search['freshness'];
  sources?: () => Promise<SourceFigures[]>;
  now?: () => number;
} = {}): Metrics {
  const registry = new Registry();
  const routes = new Map<string, RouteFigures>();
  const verdicts = new Map<string, number>();
  const refusals = new Map<string, number>();
  let server: Server | null = null;

  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_RESOLUTION_MS });
  registerRequests(registry, routes);
  registerCounts(registry, 'marquee_gate_verdicts_total', 'Decisions of the gate by reason.', 'reason', verdicts);
  registerCounts(
    registry,
    'marquee_refused_connections_total',
    'Connections rejected before a request was read.',
    'reason',
    refusals,
  );
  if (freshness) registerFreshness(registry, freshness, now);
  if (sources) registerSources(registry, sources, now);

  const add = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);

  return {
    registry,
    answered(route, method, status, milliseconds) {
      let figures = routes.get(route);
      if (!figures) {
        figures = {
          counts: new Uint32Array(METHODS.length * STATUS_CLASSES.length),
          buckets: new Uint32Array(DURATION_BOUNDS_MS.length + 1),
          totalMs: 0,
        };
        routes.set(route, figures);
      }
      const known = METHODS.indexOf(method);
      const cell = (known < 0 ? METHODS.length - 1 : known) * STATUS_CLASSES.length + Math.floor(status / 100) - 1;
      figures.counts[cell] = (figures.counts[cell] ?? 0) + 1;
      let bucket = 0;
      while (bucket < DURATION_BOUNDS_MS.length && milliseconds > (DURATION_BOUNDS_MS[bucket] ?? 0)) bucket++;
      figures.buckets[bucket] = (figures.buckets[bucket] ?? 0) + 1;
      figures.totalMs += milliseconds;
    },
    answerTimes: () => timesOf([...routes].filter(([route]) => route.startsWith(API_PREFIX)).map(([, figures]) => figures)),
    totals: (isCounted) => sumUp([...routes].filter(([route]) => isCounted(route)).map(([, figures]) => figures)),
    verdict: (verdict) => add(verdicts, verdict.ok ? 'admitted' : verdict.reason),
    refusedConnection: (reason) => add(refusals, reason),
    async listen(port) {
      server = createServer((request, response) => {
        if (request.url !== '/metrics' || request.method !== 'GET') {
          response.writeHead(404).end();
          return;
        }
        registry.metrics().then(
          (text) => response.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
          () => response.writeHead(500).end(),
        );
      });
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      server.once('error', reject).listen(port, LOOPBACK, resolve);
      await promise;
      // Figures never keep a process alive.
      server.unref();
      return (server.address() as AddressInfo).port;
    },
    async close() {
      if (!server) return;
      server.closeAllConnections();
      await new Promise((resolve) => server?.close(resolve));
    },
  };
}

function sumUp(all: readonly RouteFigures[]): AnswerTotals {
  const byClass = (index: number) =>
    all.reduce(
      (sum, { counts }) => sum + METHODS.reduce((of, _, m) => of + (counts[m * STATUS_CLASSES.length + index] ?? 0), 0),
      0,
    );
  const [informed, ok, moved, refused, failed] = STATUS_CLASSES.map((_, index) => byClass(index)) as FiveCounts;
  return { ok: informed + ok + moved, refused, failed, durations: sumBuckets(all) };
}

type FiveCounts = [number, number, number, number, number];

const sumBuckets = (all: readonly RouteFigures[]): number[] =>
  Array.from({ length: DURATION_BOUNDS_MS.length + 1 }, (_, i) => all.reduce((sum, { buckets }) => sum + (buckets[i] ?? 0), 0));

function timesOf(all: readonly RouteFigures[]): AnswerTimes {
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

function registerRequests(registry: Registry, routes: Map<string, RouteFigures>): void {
  new Counter({
    name: 'marquee_requests_total',
    help: 'Answered requests.',
    labelNames: ['route', 'method', 'status'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [route, { counts }] of routes) {
        counts.forEach((count, cell) => {
          if (count === 0) return;
          const method = METHODS[Math.floor(cell / STATUS_CLASSES.length)] ?? '';
          const status = STATUS_CLASSES[cell % STATUS_CLASSES.length] ?? '';
          this.inc({ route, method, status }, count);
        });
      }
    },
  });
  // The library's histogram takes observations one by one; ours hands over what was summed, in the same form.
  const name = 'marquee_request_duration_seconds';
  const histogram = {
    name,
    get: async () => ({
      name,
      help: 'Time from arrival to the end of writing.',
      type: 'histogram',
      aggregator: 'sum',
      values: [...routes].flatMap(([route, { buckets, totalMs }]) => {
        let count = 0;
        const rows = Array.from(buckets, (inBucket, i) => {
          count += inBucket;
          const bound = DURATION_BOUNDS_MS[i];
          return {
            metricName: `${name}_bucket`,
            labels: { route, le: bound === undefined ? '+Inf' : bound / 1000 },
            value: count,
          };
        });
        const sum = { metricName: `${name}_sum`, labels: { route }, value: totalMs / 1000 };
        return [...rows, sum, { metricName: `${name}_count`, labels: { route }, value: count }];
      }),
    }),
  };
  registry.registerMetric(histogram as unknown as Parameters<Registry['registerMetric']>[0]);
}

function registerCounts(registry: Registry, name: string, help: string, label: string, counts: Map<string, number>): void {
  new Counter({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    collect() {
      this.reset();
      for (const [key, count] of counts) this.inc({ [label]: key }, count);
    },
  });
}

function registerFreshness(registry: Registry, freshness: Search['freshness'], now: () => number): void {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  gauge('marquee_snapshot_seq', 'Number of the last change the snapshot holds.', () => freshness().seq);
  gauge(
    'marquee_snapshot_behind_changes',
    'Changes the snapshot does not hold yet.',
    () => freshness().headSeq - freshness().seq,
  );
  gauge('marquee_snapshot_age_seconds', 'Time since the snapshot was built.', () => (now() - freshness().builtAt) / 1000);
  gauge('marquee_snapshot_build_seconds', 'How long the build took.', () => freshness().buildMs / 1000);
}

const METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'POST', 'other'];
const STATUS_CLASSES: readonly string[] = ['1xx', '2xx', '3xx', '4xx', '5xx'];
/** Upper bounds of duration, milliseconds: fine around the stated average of 100 ms (contract §8) and below. */
export const DURATION_BOUNDS_MS: readonly number[] = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 10_000];
const HALF = 0.5;
const NEARLY_ALL = 0.99;
/** Each look wakes an idle process. */
const EVENT_LOOP_RESOLUTION_MS = 50;
const LOOPBACK = '127.0.0.1';
