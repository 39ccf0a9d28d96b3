/** Subscriptions as rows. Those that have run out are as good as gone. */

import { type Kysely, sql, type Transaction } from 'kysely';
import type { Cursor } from '../../query/index.ts';
import type { Database } from '../../store/index.ts';

export interface EventSubscription {
  id: string;
  accountId: string;
  url: string;
  name: string;
  query: string;
  secret: Buffer;
  previousSecret: Buffer | null;
  previousUntil: number | null;
  position: Cursor;
  notBefore: number | null;
  isSuspended: boolean;
  attempts: number;
  rounds: number;
  lastError: string | null;
  failingSince: Date | null;
  lastSuccessAt: Date | null;
  revision: number;
}

interface SubscriptionRow {
  id: string;
  account_id: string;
  url: string;
  name: string;
  query: string;
  secret: Buffer;
  previous_secret: Buffer | null;
  previous_until: Date | null;
  epoch: string;
  position: string;
  not_before: Date | null;
  state: string;
  attempts: number;
  rounds: number;
  last_error: string | null;
  failing_since: Date | null;
  last_success_at: Date | null;
  revision: number;
}

const toSubscription = (row: SubscriptionRow): EventSubscription => ({
  id: row.id,
  accountId: row.account_id,
  url: row.url,
  name: row.name,
  query: row.query,
  secret: row.secret,
  previousSecret: row.previous_secret,
  previousUntil: row.previous_until?.getTime() ?? null,
  position: { epoch: row.epoch, sequence: Number(row.position) },
  notBefore: row.not_before?.getTime() ?? null,
  isSuspended: row.state === 'suspended',
  attempts: row.attempts,
  rounds: row.rounds,
  lastError: row.last_error,
  failingSince: row.failing_since,
  lastSuccessAt: row.last_success_at,
  revision: row.revision,
});

export async function findSubscription(db: Kysely<Database>, id: string, now: number): Promise<EventSubscription | null> {
  const row = await db
    .selectFrom('mcp_subscription')
    .selectAll()
    .where('id', '=', id)
    .where('expires_at', '>', new Date(now))
    .executeTakeFirst();
  return row ? toSubscription(row) : null;
}

/** The ids of an account's subscriptions and the URLs that they tell. */
export async function listSubscriptions(
  db: Kysely<Database>,
  accountId: string,
  now: number,
): Promise<{ id: string; url: string }[]> {
  return await db
    .selectFrom('mcp_subscription')
    .select(['id', 'url'])
    .where('account_id', '=', accountId)
    .where('expires_at', '>', new Date(now))
    .execute();
}

export interface NewEventSubscription {
  id: string;
  accountId: string;
  url: string;
  name: string;
  query: string;
  secret: Buffer;
  position: Cursor;
  notBefore: number | null;
  expiresAt: number;
}

/** Takes the place of one that has run out. */
export async function insertSubscription(trx: Transaction<Database>, given: NewEventSubscription, now: number): Promise<void> {
  await trx.deleteFrom('mcp_subscription').where('id', '=', given.id).execute();
  await trx
    .insertInto('mcp_subscription')
    .values({
      id: given.id,
      account_id: given.accountId,
      url: given.url,
      name: given.name,
      query: given.query,
      secret: given.secret,
      epoch: given.position.epoch,
      position: given.position.sequence,
      not_before: given.notBefore === null ? null : new Date(given.notBefore),
      state: 'active',
      due_at: new Date(now),
      expires_at: new Date(given.expiresAt),
      created_at: new Date(now),
    })
    .execute();
}

export interface Renewal {
  secret: Buffer;
  /** The secret before, while it signs too. */
  previous: { secret: Buffer; until: number } | null;
  position: Cursor;
  expiresAt: number;
}

/** A suspended one goes on with what waits. False: it ended meanwhile. */
export async function renewSubscription(db: Kysely<Database>, known: EventSubscription, renewal: Renewal, now: number) {
  const { secret, previous, position, expiresAt } = renewal;
  const row = await db
    .updateTable('mcp_subscription')
    .set({
      secret,
      ...(previous && { previous_secret: previous.secret, previous_until: new Date(previous.until) }),
      ...(position.epoch !== known.position.epoch && { epoch: position.epoch, position: position.sequence }),
      ...(known.isSuspended && { state: 'active', attempts: 0, due_at: new Date(now) }),
      revision: sql`revision + 1`,
      expires_at: new Date(expiresAt),
    })
    .where('id', '=', known.id)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteSubscription(db: Kysely<Database>, id: string, now: number): Promise<boolean> {
  const row = await db.deleteFrom('mcp_subscription').where('id', '=', id).returning('expires_at').executeTakeFirst();
  return row !== undefined && row.expires_at.getTime() > now;
}

export interface LeaseRequest {
  owner: string;
  /** The end of what can be told. */
  head: Cursor;
  now: number;
  limit: number;
  leaseMs: number;
}

/** Those with something to tell. Nobody else tells it before the lease is over. */
export async function leaseSubscriptions(db: Kysely<Database>, request: LeaseRequest): Promise<EventSubscription[]> {
  const { owner, head, now, limit, leaseMs } = request;
  const moment = new Date(now);
  const { rows } = await sql<SubscriptionRow>`
    with due as materialized (
      select id from mcp_subscription
      where state = 'active' and due_at <= ${moment} and expires_at > ${moment}
        and (lease_until is null or lease_until <= ${moment})
        and (epoch <> ${head.epoch}::uuid or position < ${head.sequence})
      order by due_at limit ${limit} for update skip locked)
    update mcp_subscription set lease_owner = ${owner}, lease_until = ${new Date(now + leaseMs)}
    where id in (select id from due)
    returning *`.execute(db);
  return rows.map(toSubscription);
}

/** Of subscriptions that are told: how many there are, and when the next one is due, milliseconds. */
export async function countActive(db: Kysely<Database>, now: number): Promise<{ active: number; dueAt: number | null }> {
  const { rows } = await sql<{ active: number; due_at: Date | null }>`
    select count(*)::int as active, min(greatest(due_at, lease_until)) filter (where greatest(due_at, lease_until) > ${new Date(now)}) as due_at
    from mcp_subscription where state = 'active' and expires_at > ${new Date(now)}`.execute(db);
  return { active: rows[0]?.active ?? 0, dueAt: rows[0]?.due_at?.getTime() ?? null };
}

export interface SubscriptionProgress {
  position?: Cursor;
  state?: 'suspended';
  attempts?: number;
  rounds?: number;
  dueAt?: number;
  lastError?: string | null;
  failingSince?: Date | null;
  lastSuccessAt?: Date;
  leaseUntil: number | null;
}

/** What the holder of the lease writes. False: it may not go on, for the lease, the secret or the subscription is another one now. */
export async function writeProgress(
  db: Kysely<Database>,
  { id, revision }: Pick<EventSubscription, 'id' | 'revision'>,
  owner: string,
  progress: SubscriptionProgress,
): Promise<boolean> {
  const { position, state, attempts, rounds, dueAt, lastError, failingSince, lastSuccessAt, leaseUntil } = progress;
  const row = await db
    .updateTable('mcp_subscription')
    .set({
      ...(position && { epoch: position.epoch, position: position.sequence }),
      ...(state && { state }),
      ...(attempts !== undefined && { attempts }),
      ...(rounds !== undefined && { rounds }),
      ...(dueAt !== undefined && { due_at: new Date(dueAt) }),
      ...(lastError !== undefined && { last_error: lastError }),
      ...(failingSince !== undefined && { failing_since: failingSince }),
      ...(lastSuccessAt && { last_success_at: lastSuccessAt }),
      lease_until: leaseUntil === null ? null : new Date(leaseUntil),
      ...(leaseUntil === null && { lease_owner: null }),
    })
    .where('id', '=', id)
    .where('lease_owner', '=', owner)
    .returning('revision')
    .executeTakeFirst();
  return row?.revision === revision;
}
