/** Which scheduled backups there were and are, in the database. */

import type { Kysely } from 'kysely';
import type { Database } from '../../store/index.ts';
import { HOUR_MS } from '../../values/duration.ts';

export interface ScheduledBackup {
  id: string;
  name: string;
  bytes: number;
}

/** What operators want to know of the backups in one place. Moments in milliseconds. */
export interface BackupState {
  /** The moment that the newest complete one shows; null: there is none. */
  newestAt: number | null;
  bytes: number | null;
  /** Since the newest complete one, in a row. */
  failures: number;
  lastFailure: { at: number; reason: string } | null;
  /** The first of them. */
  firstFailedAt: number | null;
}

export interface BackupRows {
  /** In the database, it is running from now on. */
  begin(id: string, name: string): Promise<void>;
  complete(id: string, facts: { bytes: number; rows: number }): Promise<void>;
  /** Whether it was running until now. */
  fail(id: string, reason: string): Promise<boolean>;
  /** The newest first, and last those of a clock that was ahead. `running`: somebody began them, and perhaps lives no more. */
  list(state: 'running' | 'interrupted' | 'complete'): Promise<ScheduledBackup[]>;
  mark(id: string, state: 'interrupted' | 'deleted' | 'missing'): Promise<void>;
}

/** `place`: for people, see `BackupPlan`. */
export function createBackupRows(db: Kysely<Database>, place: string, now: () => number): BackupRows {
  const end = async (id: string, values: { state: 'complete' | 'failed'; [column: string]: unknown }) => {
    const change = { ...values, ended_at: new Date(now()) };
    const ended = db.updateTable('scheduled_backup').set(change).where('id', '=', id).where('state', '=', 'running');
    return (await ended.executeTakeFirst()).numUpdatedRows > 0n;
  };
  return {
    async begin(id, name) {
      const row = { id, place, name, state: 'running' as const, started_at: new Date(now()), reason: null };
      await db.insertInto('scheduled_backup').values(row).execute();
    },
    async complete(id, { bytes, rows }) {
      await end(id, { state: 'complete', bytes, row_count: rows });
    },
    fail: (id, reason) => end(id, { state: 'failed', reason }),
    async list(state) {
      const rows = await db
        .selectFrom('scheduled_backup')
        .select(['id', 'name', 'bytes'])
        .where('place', '=', place)
        .where('state', '=', state)
        .orderBy((rows) => rows('started_at', '>', latestAt(now())))
        .orderBy('started_at', 'desc')
        .orderBy('id', 'desc')
        .execute();
      return rows.map(({ id, name, bytes }) => ({ id, name, bytes: Number(bytes) }));
    },
    async mark(id, state) {
      await db.updateTable('scheduled_backup').set({ state }).where('id', '=', id).execute();
    },
  };
}

/** What a clock that was ahead by mistake has noted does not count: no backup would be due until that time. */
export async function loadBackupState(db: Kysely<Database>, place: string, now: number): Promise<BackupState> {
  const latest = latestAt(now);
  const all = () => db.selectFrom('scheduled_backup').where('place', '=', place).where('started_at', '<=', latest);
  const newest = await all()
    .select(['started_at', 'bytes'])
    .where('state', '=', 'complete')
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  const since = newest?.started_at ?? new Date(0);
  const failed = await all()
    .select(['started_at', 'ended_at', 'reason'])
    .where('state', '=', 'failed')
    .where('started_at', '>', since)
    .orderBy('started_at', 'desc')
    .execute();
  const [last] = failed;
  return {
    newestAt: newest?.started_at.getTime() ?? null,
    bytes: newest ? Number(newest.bytes) : null,
    failures: failed.length,
    lastFailure: last ? { at: endOf(last, latest).getTime(), reason: last.reason ?? '' } : null,
    firstFailedAt: failed.at(-1)?.started_at.getTime() ?? null,
  };
}

const endOf = ({ started_at, ended_at }: { started_at: Date; ended_at: Date | null }, latest: Date): Date =>
  ended_at !== null && ended_at <= latest ? ended_at : started_at;

/** Clocks of machines differ a little. */
const latestAt = (now: number): Date => new Date(now + HOUR_MS);

/** A moment in milliseconds. A failed one is tried again after a minute, and then less and less often. */
export function nextBackupAt({ newestAt, failures, lastFailure }: BackupState, everyMs: number): number {
  const planned = newestAt === null ? Number.NEGATIVE_INFINITY : newestAt + everyMs;
  if (!lastFailure) return planned;
  const pause = Math.min(everyMs, MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, MAX_DOUBLINGS));
  return Math.max(planned, lastFailure.at + pause);
}

/** How many milliseconds a complete backup is overdue; 0: it is not. */
export function backupDelay({ newestAt, firstFailedAt }: BackupState, everyMs: number, now: number): number {
  const wantedAt = newestAt === null ? (firstFailedAt ?? now) : newestAt + everyMs;
  return Math.max(0, now - wantedAt);
}

const FIRST_PAUSE_MS = 60_000;
const MAX_PAUSE_MS = 3_600_000;
const MAX_DOUBLINGS = 10;
