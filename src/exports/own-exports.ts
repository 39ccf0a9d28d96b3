/** Exports of an account: everything is looked for among its own, so that another account's id is an unknown one. */

import { type Kysely, sql, type Transaction } from 'kysely';
import { loadAccountTier } from '../accounts/index.ts';
import type { Clock } from '../clock.ts';
import { createToken } from '../feeds/index.ts';
import { type Database, transact } from '../store/index.ts';
import { bindAll } from '../values/bind-all.ts';
import type { Refusal } from '../values/refusal.ts';
import { isUuid } from '../values/uuid.ts';
import { createExport, type ExportContext, record } from './create-export.ts';
import type { Export, ExportOwner, ExportRequest, ExportState, Repeat } from './export-request.ts';
import type { ExportFormat, Manifest } from './model.ts';
import { type ExportReason, refuseExport } from './refusals.ts';

export type OwnExports = ReturnType<typeof createOwnExports>;

/** `now`: the directory's clock. */
export const createOwnExports = ({ db, feeds, now = Date.now }: Omit<ExportContext, 'now'> & { now?: Clock }) =>
  bindAll({ db, feeds, now }, OPERATIONS);

/** Of one that waits or is being written. A schedule goes on. */
async function cancel(context: ExportContext, owner: ExportOwner, id: string): Promise<{ ok: true } | Refusal<ExportReason>> {
  const { db, now } = context;
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
    await record(context, trx, owner, 'export.cancel', id);
    return { ok: true };
  });
}

/** Ends the schedule; files and links are gone within seconds. */
async function remove(
  context: ExportContext,
  owner: ExportOwner,
  requestId: string,
): Promise<{ ok: true } | Refusal<ExportReason>> {
  const { db, now } = context;
  return transact(db, async (trx) => {
    const request = await lockRequest(trx, owner.accountId, requestId);
    if (!request) return refuseExport('unknown_export');
    const at = new Date(now());
    await trx.updateTable('export_request').set({ removed_at: at, next_at: null }).where('id', '=', request.id).execute();
    await endExports(trx, request.id);
    await revokeLinks(trx, request.id, now());
    await record(context, trx, owner, 'export.remove', request.id);
    return { ok: true };
  });
}

/** What waits or is written is cancelled; what is ready expires now. */
async function endExports(trx: Transaction<Database>, requestId: string): Promise<void> {
  for (const [state, before] of [
    ['cancelled', ['queued', 'running']],
    ['expired', ['ready']],
  ] as const) {
    await trx
      .updateTable('export')
      .set({ state, claim: null, manifest: null })
      .where('request_id', '=', requestId)
      .where('state', 'in', before)
      .execute();
  }
}

/** Requests that repeat, newest first, without those that were removed. */
async function schedules({ db }: ExportContext, accountId: string): Promise<ExportRequest[]> {
  const rows = await requestsOf(db, accountId).where('next_at', 'is not', null).orderBy('request.id', 'desc').execute();
  return rows.map(toRequest);
}

/** Null for unknown, removed and foreign ids. */
async function findRequest({ db }: ExportContext, accountId: string, id: string): Promise<ExportRequest | null> {
  if (!isUuid(id)) return null;
  const row = await requestsOf(db, accountId).where('request.id', '=', id).executeTakeFirst();
  return row ? toRequest(row) : null;
}

/** Newest first. `total`: of all pages. */
async function list(
  { db }: ExportContext,
  accountId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; exports: Export[] }> {
  const { count } = await db
    .selectFrom('export')
    .select((select) => select.fn.countAll().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  const rows = await exportsOf(db, accountId).orderBy('export.id', 'desc').limit(limit).offset(offset).execute();
  return { total: Number(count), exports: rows.map(toExport) };
}

/** Null for unknown and foreign ids. `id` may be any text. The manifest only of one that is ready. */
async function find(
  { db }: ExportContext,
  accountId: string,
  id: string,
): Promise<{ export: Export; manifest: Manifest | null } | null> {
  if (!isUuid(id)) return null;
  const row = await exportsOf(db, accountId).select('manifest').where('export.id', '=', id).executeTakeFirst();
  if (!row) return null;
  const isReady = row.state === 'ready' && row.manifest !== null;
  return { export: toExport(row), manifest: isReady ? (JSON.parse(row.manifest ?? '') as Manifest) : null };
}

/** The id of the newest full export of everything, in whole records that can be read back; null when none of this epoch is kept. */
async function newestFull({ db }: ExportContext, accountId: string, epoch: string): Promise<string | null> {
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

/** A secret link to all exports of a request; the one before is revoked. The token is in this one answer. */
async function createLink(
  context: ExportContext,
  owner: ExportOwner,
  requestId: string,
): Promise<{ ok: true; token: string } | Refusal<ExportReason>> {
  const { db, now } = context;
  const { token, digest, last4 } = createToken();
  return transact(db, async (trx) => {
    const request = await lockRequest(trx, owner.accountId, requestId);
    if (!request) return refuseExport('unknown_export');
    if ((await loadAccountTier(trx, owner.accountId, now())) !== 'enterprise') return refuseExport('tier_required');
    await revokeLinks(trx, request.id, now());
    const created_at = new Date(now());
    await trx.insertInto('export_link').values({ digest, request_id: request.id, last4, created_at }).execute();
    await record(context, trx, owner, 'export.link', request.id);
    return { ok: true, token };
  });
}

async function revokeLink(
  context: ExportContext,
  owner: ExportOwner,
  requestId: string,
): Promise<{ ok: true } | Refusal<ExportReason>> {
  const { db, now } = context;
  return transact(db, async (trx) => {
    const request = await lockRequest(trx, owner.accountId, requestId);
    if (!request) return refuseExport('unknown_export');
    await revokeLinks(trx, request.id, now());
    await record(context, trx, owner, 'export.unlink', request.id);
    return { ok: true };
  });
}

async function revokeLinks(trx: Transaction<Database>, requestId: string, now: number): Promise<void> {
  await trx
    .updateTable('export_link')
    .set({ revoked_at: new Date(now) })
    .where('request_id', '=', requestId)
    .where('revoked_at', 'is', null)
    .execute();
}

/** Undefined for unknown, removed and foreign ids. `id` may be any text. */
async function lockRequest(trx: Transaction<Database>, accountId: string, id: string): Promise<{ id: string } | undefined> {
  if (!isUuid(id)) return undefined;
  return trx
    .selectFrom('export_request')
    .select(['id'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

const OPERATIONS = {
  create: createExport,
  cancel,
  remove,
  schedules,
  findRequest,
  list,
  find,
  newestFull,
  createLink,
  revokeLink,
};
