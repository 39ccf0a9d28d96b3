/** Figures about sources, backups and shared limits, read when they are asked for. Labels are the operator's own names of sources. */

import { Counter, Gauge, type Registry } from 'prom-client';
import type { RedisLimitsFigures } from '../../accounts/index.ts';
import { withTimeout } from '../../values/waiting/with-timeout.ts';

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

export interface SourceFigures {
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
export function registerSources(
  registry: Registry,
  read: () => Promise<SourceFigures[]>,
  now: () => number,
  patienceMs?: number,
): void {
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

export interface BackupFigures {
  /** The moment that the newest complete one shows, milliseconds; null: there is none. */
  newestAt: number | null;
  bytes: number | null;
  /** Since then, in a row. */
  failures: number;
  everyMs: number;
}

/** `now`: milliseconds. */
export function registerBackups(registry: Registry, read: () => Promise<BackupFigures>, now: () => number): void {
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

export function registerLimits(registry: Registry, read: () => RedisLimitsFigures): void {
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

/** Prometheus waits ten seconds for all figures. */
const READ_MS = 2_500;
const MAX_SOURCES = 500;
