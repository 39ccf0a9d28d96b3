/**
 * The service's figures for Prometheus, on a listener of their own that is bound to loopback. The exposition is made when it is asked
 * for. Labels come from fixed sets only: templates of routes, methods, classes of status, reasons.
 */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { RedisLimitsFigures } from '../accounts/index.ts';
import type { Search } from '../search/index.ts';
import { hostnameOf, isAddressHost, isLoopbackHost } from '../values/loopback.ts';
import { withTimeout } from '../values/waiting/with-timeout.ts';
import {
  createRequestStats,
  DURATION_BOUNDS_MS,
  METHODS,
  type OwnRequestStats,
  type RouteStats,
  STATUS_CLASSES,
} from './observer.ts';

export interface Metrics extends OwnRequestStats {
  registry: Registry;
  readAll(): ReturnType<Registry['getMetricsAsJSON']>;
  /** Serves `GET /metrics` on loopback. Rejects when the port is taken. */
  listen(port: number): Promise<number>;
  close(): Promise<void>;
}

/**
 * `freshness`: of the read model; `sources`: as they stand; `now`: real time, milliseconds; `patienceMs`: how long the sources may be
 * silent.
 */
export function createMetrics({
  freshness,
  sources,
  backups,
  limits,
  isDamaged,
  now = Date.now,
  patienceMs,
}: {
  freshness?: Search['freshness'];
  sources?: () => Promise<SourceFigures[]>;
  backups?: (() => Promise<BackupFigures>) | undefined;
  limits?: (() => RedisLimitsFigures) | undefined;
  /** Whether the database showed a sign of damage lately. */
  isDamaged?: () => boolean;
  now?: () => number;
  patienceMs?: number;
} = {}): Metrics {
  const registry = new Registry();
  const stats = createRequestStats();
  const { routes, verdicts, refusals } = stats;
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
  if (sources) registerSources(registry, sources, now, patienceMs);
  if (backups) registerBackups(registry, backups, now);
  if (limits) registerLimits(registry, limits);
  if (isDamaged) registerDamage(registry, isDamaged);

  return {
    ...stats,
    registry,
    readAll: () => registry.getMetricsAsJSON(),
    async listen(port) {
      server = createServer((request, response) => {
        if (!isKnownHost(request.headers.host ?? '')) {
          response.writeHead(421).end('Ask for the metrics by an IP address or as localhost.\n');
          return;
        }
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

/** The name of another site may lead a browser here (DNS rebinding); its scripts must not read the figures. */
function isKnownHost(host: string): boolean {
  const name = hostnameOf(host);
  return isLoopbackHost(name) || isAddressHost(name);
}

function registerRequests(registry: Registry, routes: ReadonlyMap<string, RouteStats>): void {
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

function registerCounts(
  registry: Registry,
  name: string,
  help: string,
  label: string,
  counts: ReadonlyMap<string, number>,
): void {
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

function registerDamage(registry: Registry, isDamaged: () => boolean): void {
  new Gauge({
    name: 'marquee_database_damaged',
    help: 'Whether the database showed a sign of damage within a day.',
    registers: [registry],
    collect() {
      this.set(Number(isDamaged()));
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

/**
 * One reading of the store for all gauges of one exposition. A store that is out of reach, or silent for `patienceMs`, leaves the
 * figures out.
 */
function shareReading<T>(read: () => Promise<T[]>, patienceMs = READ_MS): () => Promise<T[]> {
  let reading: Promise<T[]> | null = null;
  let latest: Promise<T[]> | null = null;
  return () => {
    if (latest) return latest;
    // One that was given up may go on.
    reading ??= read().finally(() => {
      reading = null;
    });
    latest = withTimeout(reading, patienceMs)
      .catch(() => [])
      .finally(() => setImmediate(() => (latest = null)));
    return latest;
  };
}

interface SourceFigures {
  name: string;
  state: 'active' | 'paused' | 'held';
  /** When it was last read whole, milliseconds; null: never. */
  lastOkAt: number | null;
  /** How often it is read; null: when an operator asks for it. */
  everySeconds: number | null;
  /** In a row. */
  failures: number;
}

/** `now`: milliseconds. */
function registerSources(registry: Registry, read: () => Promise<SourceFigures[]>, now: () => number, patienceMs?: number): void {
  const once = shareReading(read, patienceMs);
  const gauge = (name: string, help: string, figure: (source: SourceFigures) => number | null) =>
    new Gauge({
      name,
      help,
      labelNames: ['source'],
      registers: [registry],
      async collect() {
        this.reset();
        for (const source of (await once()).slice(0, MAX_SOURCES)) {
          const value = figure(source);
          if (value !== null) this.set({ source: source.name }, value);
        }
      },
    });
  gauge('marquee_source_age_seconds', 'Time since the last complete read of the source.', ({ lastOkAt }) =>
    lastOkAt === null ? null : (now() - lastOkAt) / 1000,
  );
  gauge('marquee_source_interval_seconds', 'How often the source is read.', ({ everySeconds }) => everySeconds);
  gauge('marquee_source_failures', 'Failures of the source in a row.', ({ failures }) => failures);
  gauge('marquee_source_held', 'Whether the source is on hold.', ({ state }) => Number(state === 'held'));
}

interface BackupFigures {
  /** The moment that the newest complete one shows, milliseconds; null: there is none. */
  newestAt: number | null;
  bytes: number | null;
  /** Since then, in a row. */
  failures: number;
  everyMs: number;
}

/** `now`: milliseconds. */
function registerBackups(registry: Registry, read: () => Promise<BackupFigures>, now: () => number): void {
  const once = shareReading(async () => [await read()]);
  const gauge = (name: string, help: string, figure: (backups: BackupFigures) => number | null) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.reset();
        const [backups] = await once();
        const value = backups ? figure(backups) : null;
        // A gauge that is reset shows 0: a backup of this moment.
        if (value === null) this.remove();
        else this.set(value);
      },
    });
  gauge('marquee_backup_age_seconds', 'Age of the newest complete scheduled backup.', ({ newestAt }) =>
    newestAt === null ? null : (now() - newestAt) / 1000,
  );
  gauge('marquee_backup_interval_seconds', 'How often a backup is made.', ({ everyMs }) => everyMs / 1000);
  gauge('marquee_backup_bytes', 'Size of the newest complete scheduled backup.', ({ bytes }) => bytes);
  gauge('marquee_backup_failures', 'Failed scheduled backups since the newest complete one.', ({ failures }) => failures);
}

function registerLimits(registry: Registry, read: () => RedisLimitsFigures): void {
  new Gauge({
    name: 'marquee_limits_shared',
    help: 'Whether limits are shared through Redis now.',
    registers: [registry],
    collect() {
      this.set(Number(read().isShared));
    },
  });
  new Counter({
    name: 'marquee_limits_alone_total',
    help: 'Decisions that this process made without Redis.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read().aloneDecisions);
    },
  });
  new Counter({
    name: 'marquee_limits_failures_total',
    help: 'Calls of Redis that failed, by reason.',
    labelNames: ['reason'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [reason, count] of read().failures) this.inc({ reason }, count);
    },
  });
}

/** Each look wakes an idle process. */
const EVENT_LOOP_RESOLUTION_MS = 50;
const LOOPBACK = '127.0.0.1';
/** Prometheus waits ten seconds for all figures. */
const READ_MS = 2_500;
const MAX_SOURCES = 500;
