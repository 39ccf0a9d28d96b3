/**
 * The state of the service, kept in memory so that it can be told while the database is away. A look at the database renews what only the
 * database knows; whoever asks waits for it a moment at most, and gets what was read last.
 */

import type { Kysely } from 'kysely';
import type { AnswerTotals } from '../api/index.ts';
import type { Clock, Clocks } from '../clock.ts';
import type { Log } from '../log.ts';
import { type Database, limitQueries } from '../store/index.ts';
import { listIncidents } from './incidents/incidents.ts';
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
import { createPartStates, type PartDelays } from './parts/parts.ts';

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
}

export interface ServiceStatus {
  /** From memory; never rejects. */
  report(): Promise<StatusReport>;
  /** Stores what is not stored yet. */
  close(): Promise<void>;
}

interface LastRead extends Pick<StatusReport, 'sources' | 'readAt' | 'incidents' | 'backups'> {
  changedAt: number | null;
}

export function openStatus(options: StatusOptions): ServiceStatus {
  const { db, clocks, log, now = Date.now } = options;
  const minutes = createServiceMinutes(db, clocks.limits, options.readTotals);
  const { sharesLimits, delays } = options;
  const parts = createPartStates({ now, sharesLimits, schedulesBackups: delays.backups !== undefined });
  const closing = new AbortController();
  let last: LastRead = { incidents: null, sources: null, backups: null, changedAt: null, readAt: null };
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | null = null;
  let reading: Promise<void> | null = null;
  /** Also after a failure: other processes store what they kept when the database is back. */
  let mustReadHistory = true;
  let isFailing = false;

  async function readStore(): Promise<void> {
    await minutes.store();
    last = { ...(await loadKnown(options)), readAt: now() };
    parts.noteDelays(await loadDelays(delays));
  }

  function noteFailure(err: unknown): void {
    parts.noteDatabaseDown();
    mustReadHistory = true;
    if (!isFailing && !closing.signal.aborted) log.warn({ err }, 'cannot read the state of the service from the database');
    isFailing = true;
  }

  function look(): Promise<void> {
    lookedAt = performance.now();
    // One that was given up may go on.
    reading ??= limitQueries(LOOK_MS, readStore).finally(() => {
      reading = null;
    });
    looking ??= withTimeout(reading, LOOK_MS)
      .then(() => {
        isFailing = false;
      }, noteFailure)
      .finally(() => {
        looking = null;
      });
    return looking;
  }

  async function work(): Promise<void> {
    await look();
    if (isFailing || !mustReadHistory) return;
    // Tried again after the next look that succeeds.
    await minutes.readHistory(closing.signal).then(() => {
      mustReadHistory = false;
    }, noteFailure);
  }

  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> = Promise.resolve();
  const workNow = () => {
    working = work().then(() => {
      if (closing.signal.aborted) return;
      const untilMinute = MINUTE_MS - (clocks.limits() % MINUTE_MS) + AFTER_MINUTE_MS;
      timer = setTimeout(workNow, Math.min(untilMinute, LOOK_EVERY_MS)).unref();
    });
  };
  workNow();

  return {
    async report() {
      if (looking || performance.now() - lookedAt > MIN_AGE_MS) await withTimeout(look(), WAIT_MS).catch(() => undefined);
      const surfaces = minutes.report();
      const listed = parts.list();
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

async function loadKnown(options: StatusOptions): Promise<Omit<LastRead, 'readAt'>> {
  const { db, clocks, loadSources, loadChangedAt, loadBackups = async () => null } = options;
  const [incidents, sources, changedAt, backups] = await Promise.all([
    listIncidents({ db, now: clocks.directory }),
    loadSources(),
    loadChangedAt(),
    loadBackups(),
  ]);
  return { incidents, sources, changedAt, backups };
}

async function loadDelays({ mail, webhooks, exports, backups }: PartDelays) {
  const [ofMail, ofWebhooks, ofExports, ofBackups] = await Promise.all([
    mail().catch(() => null),
    webhooks(),
    exports(),
    backups?.() ?? null,
  ]);
  return { mail: ofMail, webhooks: ofWebhooks, exports: ofExports, backups: ofBackups };
}

function healthOf(surfaces: readonly SurfaceReport[], parts: readonly ServicePart[], { incidents }: LastRead): ServiceHealth {
  const impacts = (incidents ?? []).filter(({ closedAt }) => closedAt === null).map(({ impact }) => impact);
  const states = surfaces.map(({ state }) => state);
  if (impacts.includes('major') || states.includes('outage')) return 'outage';
  const isLate = parts.some(({ state }) => state === 'late' || state === 'down');
  return isLate || impacts.includes('minor') || states.includes('degraded') ? 'degraded' : 'operational';
}

/** A network that went silent keeps a query waiting for ever. */
async function withTimeout<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** So long whoever asks waits for a look at the database. */
const WAIT_MS = 300;
/** What was read so lately is not read again for whoever asks. */
const MIN_AGE_MS = 1_000;
const LOOK_EVERY_MS = 15_000;
const LOOK_MS = 2_500;
const CLOSE_MS = 3_000;
const AFTER_MINUTE_MS = 50;
