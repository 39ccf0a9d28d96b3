/** Looks at the database: stores the minutes of this process, and reads what only the database knows. Never rejects. */

import type { Kysely } from 'kysely';
import type { Clock, Clocks } from '../clock.ts';
import type { Log } from '../log.ts';
import { type Database, limitQueries } from '../store/index.ts';
import { withTimeout } from '../values/waiting/with-timeout.ts';
import { listIncidents } from './incidents.ts';
import type { ServiceMinutes } from './minutes/service-minutes.ts';
import type { BackupAge, SourceFreshness, StatusReport } from './model.ts';
import type { PartDelays, PartStates } from './parts.ts';

export interface LastRead extends Pick<StatusReport, 'sources' | 'readAt' | 'incidents' | 'backups'> {
  changedAt: number | null;
}

export interface DatabaseLookOptions {
  db: Kysely<Database>;
  clocks: Clocks;
  log: Log;
  loadChangedAt(): Promise<number | null>;
  loadSources(): Promise<SourceFreshness[]>;
  delays: PartDelays;
  /** Absent where none are scheduled. */
  loadBackups?: (() => Promise<BackupAge>) | undefined;
  /** Real time, milliseconds. */
  now: Clock;
  minutes: ServiceMinutes;
  parts: PartStates;
  /** Ends what is under way, and its warnings. */
  signal: AbortSignal;
}

export interface DatabaseLook {
  /** A look, and after the first one that succeeds the history. */
  work(): Promise<void>;
  /** A look, or the end of the one that runs; nothing where the last one was a moment ago. */
  renew(): Promise<void>;
  /** What the last look that succeeded has read. */
  lastRead(): LastRead;
}

export function createDatabaseLook(options: DatabaseLookOptions): DatabaseLook {
  const { log, now, minutes, parts, delays, signal } = options;
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

async function loadKnown(options: DatabaseLookOptions): Promise<Omit<LastRead, 'readAt'>> {
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

/** What was read so lately is not read again for whoever asks. */
const MIN_AGE_MS = 1_000;
const LOOK_MS = 2_500;
