/** Requests and exports as their account sees them. */

import { type Kysely, sql } from 'kysely';
import type { Database } from '../../store/index.ts';
import { isUuid } from '../../values/uuid.ts';
import type { ExportFormat, Manifest } from '../model.ts';
import type { Export, ExportRequest, ExportState, Repeat } from './export-request.ts';

export interface ExportListings {
  /** Requests that repeat, newest first, without those that were removed. */
  schedules(accountId: string): Promise<ExportRequest[]>;
  /** Null for unknown, removed and foreign ids. */
  findRequest(accountId: string, id: string): Promise<ExportRequest | null>;
  /** Newest first. `total`: of all pages. */
  list(accountId: string, page: { limit: number; offset: number }): Promise<{ total: number; exports: Export[] }>;
  /** Null for unknown and foreign ids. `id` may be any text. The manifest only of one that is ready. */
  find(accountId: string, id: string): Promise<{ export: Export; manifest: Manifest | null } | null>;
  /** The id of the newest full export of everything, in whole records that can be read back; null when none of this epoch is kept. */
  newestFull(accountId: string, epoch: string): Promise<string | null>;
}

export function createExportListings(db: Kysely<Database>): ExportListings {
  return {
    async schedules(accountId) {
      const rows = await requestsOf(db, accountId).where('next_at', 'is not', null).orderBy('request.id', 'desc').execute();
      return rows.map(toRequest);
    },

    async findRequest(accountId, id) {
      if (!isUuid(id)) return null;
      const row = await requestsOf(db, accountId).where('request.id', '=', id).executeTakeFirst();
      return row ? toRequest(row) : null;
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
  };
}

function requestsOf(db: Kysely<Database>, accountId: string) {
  return db
    .selectFrom('export_request as request')
    .leftJoin('export_link as link', (join) => join.onRef('link.request_id', '=', 'request.id').on('link.revoked_at', 'is', null))
    .select(['request.id', 'feed_id', 'format', 'columns', 'repeat', 'request.created_at', 'next_at', 'link.last4'])
    .where('account_id', '=', accountId)
    .where('removed_at', 'is', null);
}

type RequestRow = Awaited<ReturnType<ReturnType<typeof requestsOf>['execute']>>[number];

function toRequest({ feed_id, created_at, next_at, last4, format, repeat, ...row }: RequestRow): ExportRequest {
  return {
    ...row,
    format: format as ExportFormat,
    repeat: repeat as Repeat,
    feedId: feed_id,
    createdAt: created_at,
    nextAt: next_at,
    linkLast4: last4,
  };
}

function exportsOf(db: Kysely<Database>, accountId: string) {
  return db
    .selectFrom('export')
    .innerJoin('export_request as request', 'request.id', 'export.request_id')
    .select(['export.id', 'request_id', 'feed_id', 'format', 'columns', 'repeat', 'state', 'queued_at', 'started_at'])
    .select(['finished_at', 'expires_at', 'is_full', 'rows', 'bytes', 'error', 'retry_at'])
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
    retryAt: row.state === 'queued' ? row.retry_at : null,
  };
}
