/**
 * Rows of endpoints and attempts as values, and the transaction in which an owner changes an endpoint: the account is locked before the
 * endpoint, and the audit list is told.
 */

import type { Kysely, Selectable, Transaction } from 'kysely';
import { type Attempts, type AuditEntry, loadAccountTier, lockAccount, recordAudit } from '../accounts/index.ts';
import type { Clocks } from '../clock.ts';
import { createFeeds } from '../feeds/index.ts';
import type { Outbound } from '../outbound/index.ts';
import { type Database, transact } from '../store/index.ts';
import type { Refusal } from '../values/refusal.ts';
import { isUuid } from '../values/uuid.ts';
import type { Attempt, Endpoint, EndpointReason, WebhookOwner } from './model.ts';
import { refuseWebhook, type WebhookReason } from './refusals.ts';
import type { Seal } from './seal.ts';

/** What changes of endpoints need. */
export interface EndpointContext {
  db: Kysely<Database>;
  clocks: Clocks;
  seal: Seal;
  /** With `WEBHOOK_LIMITS`. */
  outbound: Outbound;
  /** Counts challenges. */
  attempts: Attempts;
  /** Without a trailing slash. */
  publicUrl: string;
}

export type EndpointRow = Selectable<Database['webhook_endpoint']>;

export function endpointsOf(db: Kysely<Database>, accountId: string) {
  return db.selectFrom('webhook_endpoint').selectAll().where('account_id', '=', accountId).where('removed_at', 'is', null);
}

/** Locked; another account's id is an unknown one. */
export async function lockEndpoint(trx: Transaction<Database>, accountId: string, id: string): Promise<EndpointRow | undefined> {
  return isUuid(id) ? endpointsOf(trx, accountId).where('id', '=', id).forUpdate().executeTakeFirst() : undefined;
}

export async function findEndpoint(db: Kysely<Database>, accountId: string, id: string): Promise<EndpointRow | undefined> {
  return isUuid(id) ? endpointsOf(db, accountId).where('id', '=', id).executeTakeFirst() : undefined;
}

export function toEndpoint(row: EndpointRow, now: number): Endpoint {
  const isDouble = row.previous_until !== null && row.previous_until.getTime() > now;
  const isWaiting = row.open_until !== null && row.open_until.getTime() > now;
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    eventTypes: row.event_types,
    feedId: row.feed_id,
    payload: row.payload,
    order: row.delivery_order,
    state: row.state,
    reason: row.state_reason as EndpointReason | null,
    stateAt: row.state_at,
    hasPublicKey: row.signing_key !== null,
    previousUntil: isDouble ? row.previous_until : null,
    pending: row.pending,
    failures: row.failures,
    failingSince: row.failing_since,
    openUntil: isWaiting ? row.open_until : null,
    lastSuccessAt: row.last_success_at,
    lastAttemptAt: row.last_attempt_at,
    createdAt: row.created_at,
  };
}

export async function listAttempts(db: Kysely<Database>, endpointId: string, limit: number): Promise<Attempt[]> {
  const rows = await db
    .selectFrom('webhook_attempt')
    .selectAll()
    .where('endpoint_id', '=', endpointId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    messageId: row.message_id,
    type: row.type,
    number: row.number,
    at: row.at,
    outcome: row.outcome,
    status: row.status,
    detail: row.detail,
    durationMs: row.duration_ms,
    requestHeaders: row.request_headers,
    answerHeaders: row.answer_headers,
    answer: row.answer,
  }));
}

/** Locks the account until the commit. The refusal of an account that may not have webhooks. */
export async function refuseTier(
  { clocks }: EndpointContext,
  trx: Transaction<Database>,
  accountId: string,
): Promise<Refusal<WebhookReason> | null> {
  await lockAccount(trx, accountId);
  const tier = await loadAccountTier(trx, accountId, clocks.directory());
  return tier === 'enterprise' ? null : refuseWebhook('tier_required');
}

/** Runs `work` on the locked row of an account that may have webhooks. */
export function changeEndpoint<T>(
  context: EndpointContext,
  owner: WebhookOwner,
  id: string,
  work: (trx: Transaction<Database>, row: EndpointRow) => Promise<T>,
): Promise<T | Refusal<WebhookReason>> {
  return transact(context.db, async (trx) => {
    const refused = await refuseTier(context, trx, owner.accountId);
    const row = await lockEndpoint(trx, owner.accountId, id);
    if (!row) return refuseWebhook('unknown_endpoint');
    return refused ?? work(trx, row);
  });
}

/** Whether the account has this saved query; null is everything. */
export async function knowsFeed(
  { clocks }: EndpointContext,
  trx: Transaction<Database>,
  accountId: string,
  feedId: string | null,
): Promise<boolean> {
  return feedId === null || (await createFeeds({ db: trx, now: clocks.directory }).find(accountId, feedId)) !== null;
}

/** On the audit list. */
export const record = (
  { clocks }: EndpointContext,
  trx: Transaction<Database>,
  { actor, address = null }: WebhookOwner,
  action: string,
  id: string,
  detail: AuditEntry['detail'] = {},
): Promise<void> =>
  recordAudit(trx, { actor, address, action, subject: 'webhook', subjectId: id, detail }, { now: clocks.directory });

/** Of each endpoint. */
export const MAX_ATTEMPTS_KEPT = 500;
