/** Rows of endpoints and attempts as values. */

import type { Kysely, Selectable, Transaction } from 'kysely';
import type { Database } from '../../store/index.ts';
import { isUuid } from '../../values/uuid.ts';
import type { Attempt, Endpoint, EndpointReason } from '../model.ts';

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

/** Of each endpoint. */
export const MAX_ATTEMPTS_KEPT = 500;
