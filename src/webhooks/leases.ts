/** Which worker sends for which endpoint: one at a time, so that order and limits hold over all workers. */

import { type Kysely, sql } from 'kysely';
import { type Database, transact } from '../store/index.ts';
import type { EndpointHealth } from './outcomes.ts';

export interface LeasedEndpoint extends EndpointHealth {
  accountId: string;
  url: string;
  isThin: boolean;
  isOrdered: boolean;
  revision: number;
  secret: Buffer;
  signingKey: Buffer | null;
  previousSecret: Buffer | null;
  previousSigningKey: Buffer | null;
  previousUntil: number | null;
}

export interface DueDelivery {
  id: string;
  messageId: string;
  type: string;
  attempts: number;
  head: string;
  body: string;
}

export interface LeaseInput {
  owner: string;
  isFailing: boolean;
  limit: number;
  now: number;
  /** Those that this process works for already: a clock that jumps makes no second worker of it. */
  except: readonly string[];
  leaseMs: number;
}

/** `isFailing`: of those whose last attempt failed, or of the others. */
export async function leaseEndpoints(
  db: Kysely<Database>,
  { owner, isFailing, limit, now, except, leaseMs }: LeaseInput,
): Promise<LeasedEndpoint[]> {
  return transact(db, async (trx) => {
    const moment = new Date(now);
    const { rows } = await sql<EndpointRow>`
      update webhook_endpoint set lease_owner = ${owner}, lease_until = ${new Date(now + leaseMs)}
      where id in (
        select id from webhook_endpoint
        where state = 'active' and work_at <= ${moment} and (open_until is null or open_until <= ${moment})
          and (lease_until is null or lease_until <= ${moment}) and (failures > 0) = ${isFailing}
          and not id = any(${except}::uuid[])
        order by work_at limit ${limit} for update skip locked)
      returning *`.execute(trx);
    const ids = rows.map(({ id }) => id);
    // Of a worker that died.
    if (ids.length > 0)
      await sql`update webhook_delivery set state = 'pending' where endpoint_id = any(${ids}::uuid[]) and state = 'sending'`.execute(
        trx,
      );
    return rows.map(toLeased);
  });
}

interface EndpointRow {
  id: string;
  account_id: string;
  url: string;
  payload: string;
  delivery_order: string;
  revision: number;
  secret: Buffer;
  signing_key: Buffer | null;
  previous_secret: Buffer | null;
  previous_signing_key: Buffer | null;
  previous_until: Date | null;
  failures: number;
  failing_since: Date | null;
  concurrency: number;
  open_until: Date | null;
}

function toLeased(row: EndpointRow): LeasedEndpoint {
  return {
    id: row.id,
    accountId: row.account_id,
    url: row.url,
    isThin: row.payload === 'thin',
    isOrdered: row.delivery_order === 'fifo',
    revision: row.revision,
    secret: row.secret,
    signingKey: row.signing_key,
    previousSecret: row.previous_secret,
    previousSigningKey: row.previous_signing_key,
    previousUntil: row.previous_until?.getTime() ?? null,
    failures: row.failures,
    failingSince: row.failing_since?.getTime() ?? null,
    concurrency: row.concurrency,
    openUntil: row.open_until?.getTime() ?? null,
  };
}

/** The next deliveries that are due, marked so that nobody replaces them. Of an ordered endpoint the first that waits, or none. */
export async function takeDue(
  db: Kysely<Database>,
  { id, isThin, isOrdered }: LeasedEndpoint,
  limit: number,
  now: number,
): Promise<DueDelivery[]> {
  const due = isOrdered
    ? sql`select id from webhook_delivery where id = (
          select id from webhook_delivery where endpoint_id = ${id} and state in ('pending', 'sending') order by id limit 1)
        and state = 'pending' and due_at <= ${new Date(now)} for update`
    : sql`select id from webhook_delivery where endpoint_id = ${id} and state = 'pending' and due_at <= ${new Date(now)}
        order by due_at, id limit ${limit} for update skip locked`;
  const { rows } = await sql<DueDelivery & { number: string }>`
    with due as (${due})
    update webhook_delivery set state = 'sending' from due, webhook_message
    where webhook_delivery.id = due.id and webhook_message.id = webhook_delivery.message_id
    returning webhook_delivery.id, webhook_delivery.attempts, webhook_message.id as "messageId", webhook_message.type,
      webhook_message.head, ${isThin ? sql`''` : sql`webhook_message.body`} as body`.execute(db);
  return rows.sort((a, b) => Number(a.id) - Number(b.id));
}

/** Gives the endpoint back. What was taken and not tried waits again. */
export async function releaseEndpoint(db: Kysely<Database>, owner: string, { id, isOrdered }: LeasedEndpoint): Promise<void> {
  await transact(db, async (trx) => {
    // Locked first: whoever writes deliveries at this moment is seen by the next statement, or comes after it.
    const held = await trx
      .selectFrom('webhook_endpoint')
      .select('id')
      .where('id', '=', id)
      .where('lease_owner', '=', owner)
      .forUpdate()
      .executeTakeFirst();
    if (!held) return;
    await trx
      .updateTable('webhook_delivery')
      .set({ state: 'pending' })
      .where('endpoint_id', '=', id)
      .where('state', '=', 'sending')
      .execute();
    const order = isOrdered ? sql`id` : sql`due_at`;
    await sql`
      update webhook_endpoint set lease_owner = null, lease_until = null, work_at = (
        select due_at from webhook_delivery where endpoint_id = ${id} and state = 'pending' order by ${order} limit 1)
      where id = ${id}`.execute(trx);
  });
}

/** Nothing is sent to an endpoint before `until`, milliseconds. */
export async function leaveAlone(db: Kysely<Database>, id: string, until: number): Promise<void> {
  await db
    .updateTable('webhook_endpoint')
    .set({ open_until: new Date(until) })
    .where('id', '=', id)
    .execute();
}

/** Prolongs the leases that are still held. */
export async function renewLeases(db: Kysely<Database>, owner: string, until: number): Promise<void> {
  await db
    .updateTable('webhook_endpoint')
    .set({ lease_until: new Date(until) })
    .where('lease_owner', '=', owner)
    .execute();
}

/** The revisions of those endpoints that may still be sent to, and their accounts. */
export async function readLeased(
  db: Kysely<Database>,
  owner: string,
): Promise<{ id: string; accountId: string; revision: number }[]> {
  const rows = await db
    .selectFrom('webhook_endpoint')
    .select(['id', 'account_id', 'revision'])
    .where('lease_owner', '=', owner)
    .where('state', '=', 'active')
    .where('removed_at', 'is', null)
    .execute();
  return rows.map(({ id, account_id, revision }) => ({ id, accountId: account_id, revision }));
}

/** When there is something to do next, milliseconds; null: never. */
export async function nextWork(db: Kysely<Database>): Promise<number | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(greatest(work_at, open_until, lease_until)) as at from webhook_endpoint
    where state = 'active' and work_at is not null`.execute(db);
  return rows[0]?.at?.getTime() ?? null;
}

/** Renewed three times within. After a sudden end another worker takes over when it is over. */
export const LEASE_MS = 10_000;
