/**
 * The state of the service, kept in memory so that it can be told while the database is away. A look at the database renews what only the
 * database knows; whoever asks waits for it a moment at most, and gets what was read last.
 */

import type { Kysely } from 'kysely';
import type { AnswerTotals } from '../api/index.ts';
import type { Clock, Clocks } from '../clock.ts';
import type { Log } from '../log.ts';
import { type Database, limitQueries } from '../store/index.ts';
import { withTimeout } from '../values/waiting/with-timeout.ts';
import { listIncidents } from './incidents.ts';
import { MINUTE_MS } from './minute-recorder.ts';
import type {
  BackupAge,
  DirectoryState,
  PartName,
  ServiceHealth,
  ServicePart,
  SourceFreshness,
  StatusReport,
  SurfaceName,
  SurfaceReport,
} from './model.ts';
import { createServiceMinutes, type ServiceMinutes } from './service-minutes.ts';

interface StatusOptions {
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
  loadCredits(): Promise<string[]>;
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
  /** As they were read last; none before. */
  credits(): Promise<string[]>;
  /** Stores what is not stored yet. */
  close(): Promise<void>;
}

export function openStatus(options: StatusOptions): ServiceStatus {
  const { db, clocks, log, now = Date.now } = options;
  const minutes = createServiceMinutes(db, clocks.limits, options.readTotals);
  const parts = createPartStates(options);
  const closing = new AbortController();
  const database = createDatabaseLook(options, minutes, parts, closing.signal);
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
    credits: () => Promise.resolve(database.lastRead().credits ?? []),
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

interface LastRead extends Pick<StatusReport, 'sources' | 'credits' | 'readAt' | 'incidents' | 'backups'> {
  changedAt: number | null;
}

interface DatabaseLook {
  /** A look, and after the first one that succeeds the history. */
  work(): Promise<void>;
  /** A look, or the end of the one that runs; nothing where the last one was a moment ago. */
  renew(): Promise<void>;
  /** What the last look that succeeded has read. */
  lastRead(): LastRead;
}

/** Looks at the database: stores the minutes of this process, and reads what only the database knows. Never rejects. `signal` ends what is under way, and its warnings. */
function createDatabaseLook(
  options: StatusOptions,
  minutes: ServiceMinutes,
  parts: PartStates,
  signal: AbortSignal,
): DatabaseLook {
  const { log, now = Date.now, delays } = options;
  let last: LastRead = { incidents: null, sources: null, credits: null, backups: null, changedAt: null, readAt: null };
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
    if (!isFailing && !signal.aborted) log.warn({ err }, 'cannot read the state of the service from the database');
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

  return {
    async work() {
      await look();
      if (isFailing || !mustReadHistory) return;
      // Tried again after the next look that succeeds.
      await minutes.readHistory(signal).then(() => {
        mustReadHistory = false;
      }, noteFailure);
    },
    async renew() {
      if (looking || performance.now() - lookedAt > MIN_AGE_MS) await look();
    },
    lastRead: () => last,
  };
}

async function loadKnown(options: StatusOptions): Promise<Omit<LastRead, 'readAt'>> {
  const { db, clocks, loadSources, loadCredits, loadChangedAt, loadBackups = async () => null } = options;
  const [incidents, sources, credits, changedAt, backups] = await Promise.all([
    listIncidents({ db, now: clocks.directory }),
    loadSources(),
    loadCredits(),
    loadChangedAt(),
    loadBackups(),
  ]);
  return { incidents, sources, credits, changedAt, backups };
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

/** What was read so lately is not read again for whoever asks. */
const MIN_AGE_MS = 1_000;
const LOOK_MS = 2_500;

/** How many milliseconds the oldest work of a part has waited beyond its time; 0: nothing waits. */
type LoadDelay = () => Promise<number>;

/** `backups`: absent where none are scheduled. */
type PartDelays = Readonly<Record<Exclude<PartName, 'database' | 'limits' | 'backups'>, LoadDelay>> & {
  readonly backups?: LoadDelay | undefined;
};

interface PartStates {
  list(): ServicePart[];
  /** The database answered, and this is how late the parts are; null: it could not be read. */
  noteDelays(delays: Readonly<Partial<Record<keyof PartDelays, number | null>>>): void;
  noteDatabaseDown(): void;
}

/** The parts that work behind the answers: how late each is. */
function createPartStates({ now = Date.now, sharesLimits, damagedSince, delays: { backups } }: StatusOptions): PartStates {
  const isThere = (name: PartName) => (name !== 'limits' || sharesLimits) && (name !== 'backups' || backups !== undefined);
  const names = NAMES.filter(isThere);
  const parts = new Map<PartName, ServicePart>();
  const put = (name: PartName, state: ServicePart['state'], since: number | null) => {
    const before = parts.get(name);
    if (before?.state !== state) parts.set(name, { name, state, since });
  };
  for (const name of names) put(name, 'unknown', null);
  /** A damaged database may answer all the same. */
  const withDamage = (part: ServicePart): ServicePart => {
    const since = part.name === 'database' && part.state !== 'down' ? damagedSince() : null;
    return since === null ? part : { ...part, state: 'damaged', since };
  };

  return {
    list() {
      if (sharesLimits?.()) put('limits', 'ok', null);
      else if (sharesLimits) put('limits', 'down', now());
      return names.map((name) => withDamage(parts.get(name) ?? { name, state: 'unknown', since: null }));
    },
    noteDelays(delays) {
      put('database', 'ok', null);
      for (const name of BEHIND_DATABASE) {
        const delay = delays[name] ?? null;
        if (delay === null) put(name, 'unknown', null);
        else if (delay > MAX_DELAY_MS[name]) put(name, 'late', now() - delay);
        else put(name, 'ok', null);
      }
    },
    noteDatabaseDown() {
      put('database', 'down', now());
      // E-mails wait in files; all else waits in the database.
      for (const name of BEHIND_DATABASE) if (name !== 'mail') put(name, 'unknown', null);
    },
  };
}

const BEHIND_DATABASE = ['mail', 'webhooks', 'exports', 'backups'] as const;
const NAMES: readonly PartName[] = ['database', 'limits', ...BEHIND_DATABASE];
/** A mail server may ask for patience, an export takes its time, and a webhook is sent within seconds. A backup is tried several times. */
const MAX_DELAY_MS = { mail: 300_000, webhooks: 120_000, exports: 1_800_000, backups: 3_600_000 } as const;
