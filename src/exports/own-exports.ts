/** Exports of an account: everything is looked for among its own, so that another account's id is an unknown one. */

import { randomUUIDv7 } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type AuditEntry, loadAccountTier, recordAudit } from '../accounts/index.ts';
import type { Clock } from '../clock.ts';
import { createToken, type Feeds } from '../feeds/index.ts';
import { type Database, transact } from '../store/index.ts';
import { DAY_MS } from '../values/duration.ts';
import { isUuid } from '../values/uuid.ts';
import { parseColumns } from './columns.ts';
import { type ExportFormat, isExportFormat, type Manifest } from './model.ts';
import { type ExportRefusal, refuseExport } from './refusals.ts';

export const REPEATS = ['once', 'hourly', 'daily'] as const;
export type Repeat = (typeof REPEATS)[number];
export type ExportState = 'queued' | 'running' | 'ready' | 'failed' | 'cancelled' | 'expired';

/** What an account asked for. */
export interface ExportRequest {
  id: string;
  /** Null: everything. */
  feedId: string | null;
  format: ExportFormat;
  columns: string[] | null;
  repeat: Repeat;
  createdAt: Date;
  /** Null: no further export is made. */
  nextAt: Date | null;
  /** The last characters of the secret link; null without one. */
  linkLast4: string | null;
}

/** One export of a request. */
export interface Export {
  id: string;
  requestId: string;
  feedId: string | null;
  format: ExportFormat;
  columns: string[] | null;
  repeat: Repeat;
  state: ExportState;
  queuedAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  /** When its files are deleted. */
  expiresAt: Date | null;
  /** Null until it is written. */
  isFull: boolean | null;
  rows: number | null;
  bytes: number | null;
  error: string | null;
}

/** On whose behalf exports are changed. */
export interface ExportOwner {
  accountId: string;
  /** For the audit list. */
  actor: AuditEntry['actor'];
  address?: string | null;
}

export interface ExportInput {
  /** Null: everything. */
  feedId: string | null;
  format: string;
  /** Null: whole records. */
  columns: readonly string[] | null;
  repeat: string;
}

export interface OwnExports {
  /** Newest first, without those that were removed. */
  requests(accountId: string): Promise<ExportRequest[]>;
  /** Newest first. `total`: of all pages. */
  list(accountId: string, page: { limit: number; offset: number }): Promise<{ total: number; exports: Export[] }>;
  /** Null for unknown and foreign ids. `id` may be any text. The manifest only of one that is ready. */
  find(accountId: string, id: string): Promise<{ export: Export; manifest: Manifest | null } | null>;
  /** The id of the newest full export of everything, in whole records that can be read back; null when none of this epoch is kept. */
  newestFull(accountId: string, epoch: string): Promise<string | null>;
  /** Queues the first export at once. Refuses all but `unknown_export`. */
  create(owner: ExportOwner, input: ExportInput): Promise<{ ok: true; requestId: string } | ExportRefusal>;
  /** Of one that waits or is being written. A schedule goes on. */
  cancel(owner: ExportOwner, id: string): Promise<{ ok: true } | ExportRefusal>;
  /** Ends the schedule; files and links are gone within seconds. */
  remove(owner: ExportOwner, requestId: string): Promise<{ ok: true } | ExportRefusal>;
  /** A secret link to all exports of a request; the one before is revoked. The token is in this one answer. */
  createLink(owner: ExportOwner, requestId: string): Promise<{ ok: true; token: string } | ExportRefusal>;
  revokeLink(owner: ExportOwner, requestId: string): Promise<{ ok: true } | ExportRefusal>;
}

export interface OwnExportsOptions {
  db: Kysely<Database>;
  feeds: Pick<Feeds, 'find'>;
  /** The directory's clock. */
  now?: Clock;
  newId?: () => string;
}

export function createOwnExports({ db, feeds, now = Date.now, newId = randomUUIDv7 }: OwnExportsOptions): OwnExports {
  const record = (
    trx: Transaction<Database>,
    owner: ExportOwner,
    action: string,
    id: string,
    detail: AuditEntry['detail'] = {},
  ) =>
    recordAudit(
      trx,
      { actor: owner.actor, address: owner.address ?? null, action, subject: 'export', subjectId: id, detail },
      { now },
    );

  const lockRequest = (trx: Transaction<Database>, accountId: string, id: string) =>
    isUuid(id)
      ? trx
          .selectFrom('export_request')
          .select(['id'])
          .where('account_id', '=', accountId)
          .where('id', '=', id)
          .where('removed_at', 'is', null)
          .forUpdate()
          .executeTakeFirst()
      : undefined;

  const revoke = (trx: Transaction<Database>, requestId: string) =>
    trx
      .updateTable('export_link')
      .set({ revoked_at: new Date(now()) })
      .where('request_id', '=', requestId)
      .where('revoked_at', 'is', null)
      .execute();

  return {
    async requests(accountId) {
      const rows = await db
        .selectFrom('export_request as request')
        .leftJoin('export_link as link', (join) =>
          join.onRef('link.request_id', '=', 'request.id').on('link.revoked_at', 'is', null),
        )
        .select(['request.id', 'feed_id', 'format', 'columns', 'repeat', 'request.created_at', 'next_at', 'link.last4'])
        .where('account_id', '=', accountId)
        .where('removed_at', 'is', null)
        .orderBy('request.id', 'desc')
        .limit(MAX_LISTED)
        .execute();
      return rows.map(({ feed_id, created_at, next_at, last4, format, repeat, ...row }) => ({
        ...row,
        format: format as ExportFormat,
        repeat: repeat as Repeat,
        feedId: feed_id,
        createdAt: created_at,
        nextAt: next_at,
        linkLast4: last4,
      }));
    },

    async list(accountId, { limit, offset }) {
      const { count } = await db
        .selectFrom('export')
        .select((select) => select.fn.countAll().as('count'))
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow();
      const rows = await exportsOf(db, accountId).orderBy('export.id', 'desc').limit(limit).offset(offset).execute();
      return { total: Number(count), exports: rows.map(toExport) };
    },

    async find(accountId, id) {
      if (!isUuid(id)) return null;
      const row = await exportsOf(db, accountId).select('manifest').where('export.id', '=', id).executeTakeFirst();
      if (!row) return null;
      const isReady = row.state === 'ready' && row.manifest !== null;
      return { export: toExport(row), manifest: isReady ? (JSON.parse(row.manifest ?? '') as Manifest) : null };
    },

    async newestFull(accountId, epoch) {
      const row = await exportsOf(db, accountId)
        .where('state', '=', 'ready')
        .where('is_full', '=', true)
        .where('feed_id', 'is', null)
        .where('columns', 'is', null)
        .where('format', '=', 'ndjson')
        .where(sql<boolean>`manifest::jsonb ->> 'epoch' = ${epoch}`)
        .orderBy('export.id', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row?.id ?? null;
    },

    async create(owner, { feedId, format, columns, repeat }) {
      const { accountId } = owner;
      const chosen = columns && parseColumns(columns);
      if (!isExportFormat(format)) return refuseExport('unknown_format');
      if (columns && !chosen) return refuseExport('unknown_columns');
      if (!(REPEATS as readonly string[]).includes(repeat)) return refuseExport('unknown_repeat');
      if (feedId !== null && !(await feeds.find(accountId, feedId))) return refuseExport('unknown_feed');
      return transact(db, async (trx) => {
        // Held until the commit: creations of one account wait for each other, and so does who suspends it.
        await trx.selectFrom('account').select('id').where('id', '=', accountId).forUpdate().execute();
        if ((await loadAccountTier(trx, accountId, now())) !== 'enterprise') return refuseExport('tier_required');
        if ((await countActive(trx, accountId)) >= MAX_ACTIVE) return refuseExport('too_many_waiting');
        const at = new Date(now());
        const id = newId();
        const next_at = repeat === 'once' ? null : new Date(at.getTime() + PERIOD_MS[repeat as Exclude<Repeat, 'once'>]);
        const asked = { feed_id: feedId, format, columns: chosen, repeat };
        await trx
          .insertInto('export_request')
          .values({ id, account_id: accountId, ...asked, created_at: at, next_at })
          .execute();
        await trx
          .insertInto('export')
          .values({ id: newId(), request_id: id, account_id: accountId, state: 'queued', queued_at: at })
          .execute();
        await record(trx, owner, 'export.create', id, { feed: feedId, format, repeat });
        return { ok: true, requestId: id };
      });
    },

    async cancel(owner, id) {
      if (!isUuid(id)) return refuseExport('unknown_export');
      return transact(db, async (trx) => {
        const cancelled = await trx
          .updateTable('export')
          .set({ state: 'cancelled', finished_at: new Date(now()), claim: null })
          .where('account_id', '=', owner.accountId)
          .where('id', '=', id)
          .where('state', 'in', ['queued', 'running'])
          .returning('id')
          .execute();
        if (cancelled.length === 0) return refuseExport('unknown_export');
        await record(trx, owner, 'export.cancel', id);
        return { ok: true };
      });
    },

    async remove(owner, requestId) {
      return transact(db, async (trx) => {
        const request = await lockRequest(trx, owner.accountId, requestId);
        if (!request) return refuseExport('unknown_export');
        const at = new Date(now());
        await trx.updateTable('export_request').set({ removed_at: at, next_at: null }).where('id', '=', request.id).execute();
        for (const [state, before] of [
          ['cancelled', ['queued', 'running']],
          ['expired', ['ready']],
        ] as const) {
          await trx
            .updateTable('export')
            .set({ state, claim: null, manifest: null })
            .where('request_id', '=', request.id)
            .where('state', 'in', before)
            .execute();
        }
        await revoke(trx, request.id);
        await record(trx, owner, 'export.remove', request.id);
        return { ok: true };
      });
    },

    async createLink(owner, requestId) {
      const { token, digest, last4 } = createToken();
      return transact(db, async (trx) => {
        const request = await lockRequest(trx, owner.accountId, requestId);
        if (!request) return refuseExport('unknown_export');
        if ((await loadAccountTier(trx, owner.accountId, now())) !== 'enterprise') return refuseExport('tier_required');
        await revoke(trx, request.id);
        const created_at = new Date(now());
        await trx.insertInto('export_link').values({ digest, request_id: request.id, last4, created_at }).execute();
        await record(trx, owner, 'export.link', request.id);
        return { ok: true, token };
      });
    },

    async revokeLink(owner, requestId) {
      return transact(db, async (trx) => {
        const request = await lockRequest(trx, owner.accountId, requestId);
        if (!request) return refuseExport('unknown_export');
        await revoke(trx, request.id);
        await record(trx, owner, 'export.unlink', request.id);
        return { ok: true };
      });
    },
  };
}

async function countActive(trx: Transaction<Database>, accountId: string): Promise<number> {
  const { count } = await trx
    .selectFrom('export_request')
    .select((select) => select.fn.countAll().as('count'))
    .where('account_id', '=', accountId)
    .where('removed_at', 'is', null)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('next_at', 'is not', null),
        exists(
          selectFrom('export')
            .select('export.id')
            .whereRef('export.request_id', '=', 'export_request.id')
            .where('state', 'in', ['queued', 'running']),
        ),
      ]),
    )
    .executeTakeFirstOrThrow();
  return Number(count);
}

function exportsOf(db: Kysely<Database>, accountId: string) {
  return db
    .selectFrom('export')
    .innerJoin('export_request as request', 'request.id', 'export.request_id')
    .select(['export.id', 'request_id', 'feed_id', 'format', 'columns', 'repeat', 'state', 'queued_at', 'started_at'])
    .select(['finished_at', 'expires_at', 'is_full', 'rows', 'bytes', 'error'])
    .where('export.account_id', '=', accountId);
}

type ExportRow = Awaited<ReturnType<ReturnType<typeof exportsOf>['execute']>>[number];

function toExport(row: ExportRow): Export {
  return {
    id: row.id,
    requestId: row.request_id,
    feedId: row.feed_id,
    format: row.format as ExportFormat,
    columns: row.columns,
    repeat: row.repeat as Repeat,
    state: row.state as ExportState,
    queuedAt: row.queued_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    expiresAt: row.expires_at,
    isFull: row.is_full,
    rows: row.rows === null ? null : Number(row.rows),
    bytes: row.bytes === null ? null : Number(row.bytes),
    error: row.error,
  };
}

export const PERIOD_MS = { hourly: 3_600_000, daily: DAY_MS } as const;
/** Requests of one account that wait, run or are scheduled. */
const MAX_ACTIVE = 20;
const MAX_LISTED = 200;
