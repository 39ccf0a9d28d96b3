/**
 * The state of the service, kept in memory so that it can be told while the database is away. `database-look.ts` renews what only the
 * database knows; whoever asks waits for it a moment at most, and gets what was read last.
 */

import type { Kysely } from 'kysely';
import type { AnswerTotals } from '../api/index.ts';
import type { Clock, Clocks } from '../clock.ts';
import type { Log } from '../log.ts';
import { type Database, limitQueries } from '../store/index.ts';
import { withTimeout } from '../values/waiting/with-timeout.ts';
import { createDatabaseLook, type LastRead } from './database-look.ts';
import { MINUTE_MS } from './minutes/recorder.ts';
import { createServiceMinutes } from './minutes/service-minutes.ts';
import type {
  BackupAge,
  DirectoryState,
  ServiceHealth,
  ServicePart,
  SourceFreshness,
  StatusReport,
  SurfaceName,
  SurfaceReport,
} from './model.ts';
import { createPartStates, type PartDelays } from './parts.ts';

export interface StatusOptions {
  db: Kysely<Database>;
  clocks: Clocks;
  /** Real time, milliseconds. */
  now?: Clock;
  log: Log;
  /** Counters since the start of the process. */
  readTotals(surface: SurfaceName): AnswerTotals;
  readDirectory(): Omit<DirectoryState, 'changedAt'>;
  loadChangedAt(): Promise<number | null>;
  loadSources(): Promise<SourceFreshness[]>;
  delays: PartDelays;
  /** Absent where none are scheduled. */
  loadBackups?: (() => Promise<BackupAge>) | undefined;
  /** Whether the counters that processes share answer; absent where there are none. */
  sharesLimits?: () => boolean;
  /** Since when the database has shown signs of damage, milliseconds; null: it shows none. */
  damagedSince(): number | null;
}

export interface ServiceStatus {
  /** From memory; never rejects. */
  report(): Promise<StatusReport>;
  /** Stores what is not stored yet. */
  close(): Promise<void>;
}

export function openStatus(options: StatusOptions): ServiceStatus {
  const { db, clocks, log, now = Date.now, sharesLimits, delays } = options;
  const minutes = createServiceMinutes(db, clocks.limits, options.readTotals);
  const { damagedSince } = options;
  const parts = createPartStates({ now, sharesLimits, damagedSince, schedulesBackups: delays.backups !== undefined });
  const closing = new AbortController();
  const database = createDatabaseLook({ ...options, now, minutes, parts, signal: closing.signal });
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> = Promise.resolve();
  const workNow = () => {
    working = database.work().then(() => {
      if (closing.signal.aborted) return;
      const untilMinute = MINUTE_MS - (clocks.limits() % MINUTE_MS) + AFTER_MINUTE_MS;
      timer = setTimeout(workNow, Math.min(untilMinute, LOOK_EVERY_MS)).unref();
    });
  };
  workNow();

  return {
    async report() {
      await withTimeout(database.renew(), WAIT_MS).catch(() => undefined);
      const surfaces = minutes.report();
      const listed = parts.list();
      const last = database.lastRead();
      const { changedAt, ...read } = last;
      return {
        state: healthOf(surfaces, listed, last),
        at: now(),
        surfaces,
        isHistoryComplete: minutes.isComplete(),
        parts: listed,
        directory: { ...options.readDirectory(), changedAt },
        ...read,
      };
    },
    async close() {
      closing.abort();
      clearTimeout(timer);
      await withTimeout(working, CLOSE_MS).catch(() => undefined);
      await withTimeout(
        limitQueries(CLOSE_MS, () => minutes.store(true)),
        CLOSE_MS,
      ).catch((err: unknown) => log.warn({ err }, 'cannot store the last minutes of the service'));
    },
  };
}

function healthOf(surfaces: readonly SurfaceReport[], parts: readonly ServicePart[], { incidents }: LastRead): ServiceHealth {
  const impacts = (incidents ?? []).filter(({ closedAt }) => closedAt === null).map(({ impact }) => impact);
  const states = surfaces.map(({ state }) => state);
  if (impacts.includes('major') || states.includes('outage')) return 'outage';
  const isImpaired = parts.some(({ state }) => state === 'late' || state === 'down' || state === 'damaged');
  return isImpaired || impacts.includes('minor') || states.includes('degraded') ? 'degraded' : 'operational';
}

/** So long whoever asks waits for a look at the database. */
const WAIT_MS = 300;
const LOOK_EVERY_MS = 15_000;
const CLOSE_MS = 3_000;
const AFTER_MINUTE_MS = 50;
