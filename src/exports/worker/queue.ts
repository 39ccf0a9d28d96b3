/** The queue of exports: rows of a table, claimed under a lease, so that the export of a process that dies is taken up by another. */

import { randomUUIDv7 } from 'node:crypto';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { type Database, transact } from '../../store/index.ts';
import { DAY_MS } from '../../values/duration.ts';
import type { ColumnName } from '../columns.ts';
import type { Repeat } from '../export-request.ts';
import type { ExportFormat } from '../model.ts';

export interface ExportJob {
  id: string;
  claim: string;
  /** From 1. */
  attempt: number;
  /** Attempts that failed because the storage did not answer. They count for nothing else. */
  storageTries: number;
  /** Milliseconds; null while the storage answers. */
  storageAwaySince: number | null;
  requestId: string;
  accountId: string;
  feedId: string | null;
  format: ExportFormat;
  columns: ColumnName[] | null;
  repeat: Repeat;
}

export interface FinishedExport {
  isFull: boolean;
  rows: number;
  bytes: number;
  manifest: string;
}

export interface ExportQueue {
  /** The next job; null when there is none, or none that may run now. */
  claim(): Promise<ExportJob | null>;
  /** Prolongs the lease. False when the job is another's by now, or cancelled. */
  renew(job: ExportJob): Promise<boolean>;
  /** The same question, without writing. */
  isHeld(job: ExportJob): Promise<boolean>;
  finish(job: ExportJob, finished: FinishedExport): Promise<boolean>;
  /** It is not tried again. */
  fail(job: ExportJob, error: string): Promise<void>;
  /** It is tried again. */
  putBack(job: ExportJob): Promise<void>;
  /** The storage did not answer: it is tried again later, or fails after a day. Gives when (milliseconds), or null. */
  waitForStorage(job: ExportJob): Promise<number | null>;
}

export interface QueueOptions {
  db: Kysely<Database>;
  /** The directory's clock. */
  now(): number;
  leaseMs?: number;
  /** Called in the transaction that makes an export ready. */
  onReady?(trx: Transaction<Database>, ready: ReadyExport): Promise<void>;
}

export interface ReadyExport {
  accountId: string;
  exportId: string;
  rows: number;
  bytes: number;
}

export function createExportQueue(options: QueueOptions): ExportQueue {
  const { db, now, leaseMs = LEASE_MS, onReady } = options;
  /** The lease runs by the clock of the database, which all processes share. */
  const leaseEnd = () => sql<Date>`now() + ${leaseMs} * interval '1 millisecond'`;

  async function fail({ id, claim }: ExportJob, error: string): Promise<void> {
    await db
      .updateTable('export')
      .set({ state: 'failed', error, claim: null, lease_until: null, finished_at: new Date(now()) })
      .where('id', '=', id)
      .where('claim', '=', claim)
      .execute();
  }

  return {
    claim: () => transact(db, (trx) => claimNext(trx, leaseEnd(), now)),

    async renew({ id, claim }) {
      const renewed = await db
        .updateTable('export')
        .set({ lease_until: leaseEnd() })
        .where('id', '=', id)
        .where('claim', '=', claim)
        .where('state', '=', 'running')
        .returning('id')
        .execute();
      return renewed.length > 0;
    },

    async isHeld({ id, claim }) {
      const held = await db
        .selectFrom('export')
        .select('id')
        .where('id', '=', id)
        .where('claim', '=', claim)
        .where('state', '=', 'running')
        .execute();
      return held.length > 0;
    },

    async finish({ id, claim }, { isFull, rows, bytes, manifest }) {
      const at = now();
      const finished = await transact(db, async (trx) => {
        const ready = await trx
          .updateTable('export')
          .set({ state: 'ready', is_full: isFull, rows, bytes, manifest, finished_at: new Date(at) })
          .set({ expires_at: new Date(at + KEPT_MS), claim: null, lease_until: null, error: null })
          .set({ storage_away_since: null, retry_at: null })
          .where('id', '=', id)
          .where('claim', '=', claim)
          .where('state', '=', 'running')
          .returning(['id', 'account_id'])
          .execute();
        for (const { id: exportId, account_id } of ready) await onReady?.(trx, { accountId: account_id, exportId, rows, bytes });
        return ready;
      });
      return finished.length > 0;
    },

    fail,

    async putBack({ id, claim }) {
      await db
        .updateTable('export')
        .set({ state: 'queued', claim: null, lease_until: null })
        .where('id', '=', id)
        .where('claim', '=', claim)
        .execute();
    },

    async waitForStorage(job) {
      const [at, tries] = [now(), job.storageTries + 1];
      // A time ahead was set while the clock was ahead by mistake.
      const awaySince = Math.min(job.storageAwaySince ?? at, at);
      const retryAt = nextTry({ tries, awaySince, now: at });
      if (retryAt === null) {
        await fail(job, STORAGE_AWAY_FOR_GOOD);
        return null;
      }
      await db
        .updateTable('export')
        .set({ state: 'queued', claim: null, lease_until: null })
        .set({ storage_tries: tries, storage_away_since: new Date(awaySince), retry_at: new Date(retryAt) })
        .where('id', '=', job.id)
        .where('claim', '=', job.claim)
        .execute();
      return retryAt;
    },
  };
}

async function claimNext(
  trx: Transaction<Database>,
  leaseEnd: RawBuilder<Date>,
  now: QueueOptions['now'],
): Promise<ExportJob | null> {
  // One claims at a time: two must not both see that an account has room for one more.
  await sql`select pg_advisory_xact_lock(${CLAIM_LOCK})`.execute(trx);
  const claim = randomUUIDv7();
  const { rows } = await sql<ClaimedRow>`
    update export set state = 'running', claim = ${claim}, lease_until = ${leaseEnd}, attempts = attempts + 1,
      started_at = ${new Date(now())}, retry_at = null
    from export_request as request
    where request.id = export.request_id and ${isFree('export', now())} and export.id = (
      select waiting.id from export as waiting
      where ${isFree('waiting', now())}
        and (select count(*) from export as other where other.account_id = waiting.account_id
          and other.state = 'running' and other.lease_until >= now()) < ${MAX_RUNNING_PER_ACCOUNT}
        and not exists (select from export as other where other.request_id = waiting.request_id
          and other.state = 'running' and other.lease_until >= now())
      order by waiting.queued_at, waiting.id limit 1)
    returning export.id, export.attempts, export.storage_tries, export.storage_away_since, export.request_id, export.account_id, request.feed_id, request.format,
      request.columns, request.repeat`.execute(trx);
  const [row] = rows;
  if (!row) return null;
  return {
    id: row.id,
    claim,
    attempt: row.attempts,
    storageTries: row.storage_tries,
    storageAwaySince: row.storage_away_since?.getTime() ?? null,
    requestId: row.request_id,
    accountId: row.account_id,
    feedId: row.feed_id,
    format: row.format,
    columns: row.columns,
    repeat: row.repeat,
  };
}

/** Nobody works on it. Asked again of the row itself, which may have been cancelled or finished while the statement waited for it. */
const isFree = (row: string, now: number): RawBuilder<boolean> => sql<boolean>`((${sql.ref(`${row}.state`)} = 'queued'
    and ${isTime(`${row}.retry_at`, now)})
  or (${sql.ref(`${row}.state`)} = 'running' and ${sql.ref(`${row}.lease_until`)} < now()))`;

/** It waits for no storage, or no longer. A time further ahead than any wait was set while the clock was ahead by mistake. */
const isTime = (column: string, now: number): RawBuilder<boolean> => sql<boolean>`(${sql.ref(column)} is null
  or ${sql.ref(column)} <= ${new Date(now)} or ${sql.ref(column)} > ${new Date(now + MAX_WAIT_MS)})`;

interface ClaimedRow {
  id: string;
  attempts: number;
  storage_tries: number;
  storage_away_since: Date | null;
  request_id: string;
  account_id: string;
  feed_id: string | null;
  format: ExportFormat;
  columns: ColumnName[] | null;
  repeat: Repeat;
}

/** `tries`: with the one that has just failed. Null: it was tried for long enough. All times in milliseconds. */
function nextTry({ tries, awaySince, now }: { tries: number; awaySince: number; now: number }): number | null {
  if (now - awaySince >= TRIED_FOR_MS) return null;
  return now + Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), MAX_WAIT_MS);
}

/** Milliseconds; 0: none waits. Exports behind running ones of their account wait for their turn. */
export async function loadExportDelay(db: Kysely<Database>, now: number): Promise<number> {
  const { rows } = await sql<{ oldest: Date | null }>`
    select min(queued_at) as oldest from export as waiting
    where state = 'queued' and not exists (
      select from export as other where other.account_id = waiting.account_id and other.state = 'running')`.execute(db);
  const oldest = rows[0]?.oldest;
  return oldest ? Math.max(0, now - oldest.getTime()) : 0;
}

/** Decisions: two at a time, further ones queue. */
const MAX_RUNNING_PER_ACCOUNT = 2;
export const MAX_ATTEMPTS = 3;
const LEASE_MS = 30_000;
/** Decisions: kept 7 days. */
const KEPT_MS = 7 * DAY_MS;
/** Any number of our own: "exp" in ASCII. */
const CLAIM_LOCK = 0x657870;
const STORAGE_AWAY_FOR_GOOD = 'The file storage did not answer for 24 hours.';
const FIRST_WAIT_MS = 60_000;
const MAX_WAIT_MS = 15 * FIRST_WAIT_MS;
const TRIED_FOR_MS = DAY_MS;
