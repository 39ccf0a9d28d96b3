/**
 * The service's figures for Prometheus, on a listener of their own that is bound to loopback. The exposition is made when it is asked
 * for. Labels come from fixed sets only: templates of routes, methods, classes of status, reasons.
 */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { RedisLimitsFigures } from '../../accounts/index.ts';
import type { Search } from '../../search/index.ts';
import { hostnameOf, isAddressHost, isLoopbackHost } from '../../values/loopback.ts';
import { type BackupFigures, registerBackups, registerLimits, registerSources, type SourceFigures } from './figures.ts';
import {
  createRequestStats,
  DURATION_BOUNDS_MS,
  METHODS,
  type OwnRequestStats,
  type RouteStats,
  STATUS_CLASSES,
} from './request-stats.ts';

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

/** Each look wakes an idle process. */
const EVENT_LOOP_RESOLUTION_MS = 50;
const LOOPBACK = '127.0.0.1';
