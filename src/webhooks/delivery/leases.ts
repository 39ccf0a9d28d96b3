/** Which worker sends for which endpoint: one at a time, so that order and limits hold over all workers. */

import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { type Database, transact } from '../../store/index.ts';
import { isOverDayLimit, nextDay } from '../day-limit.ts';
import { type SealedSecrets, type SecretColumns, toSealedSecrets } from './endpoint-signer.ts';
import type { Journal } from './journal.ts';
import { type EndpointHealth, judge, writeOutcomes } from './outcomes.ts';

export interface LeasedEndpoint extends EndpointHealth, SealedSecrets {
  accountId: string;
  url: string;
  isThin: boolean;
  isOrdered: boolean;
  revision: number;
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
  journal: Journal;
}

/** `isFailing`: of those whose last attempt failed, or of the others. */
export async function leaseEndpoints(
  db: Kysely<Database>,
  { owner, isFailing, limit, now, except, leaseMs, journal }: LeaseInput,
): Promise<LeasedEndpoint[]> {
  return transact(db, async (trx) => {
    const moment = new Date(now);
    const { rows } = await sql<EndpointRow>`
      with picked as (
        select id, lease_owner from webhook_endpoint
        where state = 'active' and work_at <= ${moment} and (open_until is null or open_until <= ${moment})
          and (lease_until is null or lease_until <= ${moment}) and (failures > 0) = ${isFailing}
          and not id = any(${except}::uuid[]) and not ${isOverDayLimit(now)}
        order by work_at limit ${limit} for update skip locked)
      update webhook_endpoint set lease_owner = ${owner}, lease_until = ${new Date(now + leaseMs)}
      from picked where webhook_endpoint.id = picked.id
      returning webhook_endpoint.*, picked.lease_owner as previous_owner`.execute(trx);
    const leased = rows.map((row) => ({ ...toLeased(row), previousOwner: row.previous_owner }));
    if (leased.length > 0) await takeOver(trx, leased, journal, now);
    return leased;
  });
}

interface EndpointRow extends SecretColumns {
  id: string;
  account_id: string;
  url: string;
  payload: string;
  delivery_order: string;
  revision: number;
  failures: number;
  failing_since: Date | null;
  concurrency: number;
  open_until: Date | null;
  last_attempt_at: Date | null;
  previous_owner: string | null;
}

function toLeased(row: EndpointRow): LeasedEndpoint {
  return {
    id: row.id,
    accountId: row.account_id,
    url: row.url,
    isThin: row.payload === 'thin',
    isOrdered: row.delivery_order === 'fifo',
    revision: row.revision,
    ...toSealedSecrets(row),
    failures: row.failures,
    failingSince: row.failing_since?.getTime() ?? null,
    concurrency: row.concurrency,
    openUntil: row.open_until?.getTime() ?? null,
    lastAttemptAt: row.last_attempt_at?.getTime() ?? null,
  };
}

interface TakenRow extends DueDelivery {
  endpointId: string;
}

/** The next deliveries that are due, by endpoint, marked so that nobody replaces them. */
export async function takeDue(
  db: Kysely<Database>,
  asked: readonly { id: string; limit: number }[],
  now: number,
): Promise<Map<string, DueDelivery[]>> {
  const due = sql`
    select picked.id from unnest(${asked.map(({ id }) => id)}::uuid[], ${asked.map(({ limit }) => limit)}::int[]) as asked (endpoint, most)
    cross join lateral (
      select id from webhook_delivery where endpoint_id = asked.endpoint and state = 'pending' and due_at <= ${new Date(now)}
      order by due_at, id limit asked.most for update skip locked) as picked`;
  const taken = await take(db, due);
  return Map.groupBy(taken, ({ endpointId }) => endpointId);
}

/** Of an ordered endpoint: the first that waits, if it is due. */
export async function takeFirst(db: Kysely<Database>, endpointId: string, now: number): Promise<DueDelivery[]> {
  return take(
    db,
    sql`select id from webhook_delivery where id = (
        select id from webhook_delivery where endpoint_id = ${endpointId} and state in ('pending', 'sending') order by id limit 1)
      and state = 'pending' and due_at <= ${new Date(now)} for update`,
  );
}

async function take(db: Kysely<Database>, due: RawBuilder<unknown>): Promise<TakenRow[]> {
  const { rows } = await sql<TakenRow>`
    with due as (${due})
    update webhook_delivery set state = 'sending' from due, webhook_message
    where webhook_delivery.id = due.id and webhook_message.id = webhook_delivery.message_id
    returning webhook_delivery.id, webhook_delivery.endpoint_id as "endpointId", webhook_delivery.attempts,
      webhook_message.id as "messageId", webhook_message.type, webhook_message.head, webhook_message.body`.execute(db);
  return rows.sort((a, b) => Number(a.id) - Number(b.id));
}

/** Gives endpoints back. What was taken and not tried waits again. */
export async function releaseEndpoints(db: Kysely<Database>, owner: string, ids: readonly string[]): Promise<void> {
  await transact(db, async (trx) => {
    // Locked first: whoever writes deliveries at this moment is seen by the next statement, or comes after it.
    const { rows } = await sql<{ id: string }>`
      select id from webhook_endpoint where id = any(${ids}::uuid[]) and lease_owner = ${owner} order by id for update`.execute(
      trx,
    );
    const held = rows.map(({ id }) => id);
    if (held.length === 0) return;
    await sql`update webhook_delivery set state = 'pending' where endpoint_id = any(${held}::uuid[]) and state = 'sending'`.execute(
      trx,
    );
    const next = (order: string) => sql`
      (select due_at from webhook_delivery where endpoint_id = webhook_endpoint.id and state = 'pending' order by ${sql.ref(order)} limit 1)`;
    await sql`
      update webhook_endpoint set lease_owner = null, lease_until = null,
        work_at = case when delivery_order = 'fifo' then ${next('id')} else ${next('due_at')} end
      where id = any(${held}::uuid[])`.execute(trx);
  });
}

/** What is asked while one question runs is the next one. */
export function createBatches<I, O>(work: (inputs: readonly I[]) => Promise<readonly O[]>): (input: I) => Promise<O> {
  let waiting: { input: I; resolve: (output: O) => void; reject: (error: unknown) => void }[] = [];
  let isRunning = false;
  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await work(batch.map(({ input }) => input)).then(
        (outputs) => {
          for (const [index, { resolve }] of batch.entries()) resolve(outputs[index] as O);
        },
        (error: unknown) => {
          for (const { reject } of batch) reject(error);
        },
      );
    }
    isRunning = false;
  }
  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject });
      if (isRunning) return;
      isRunning = true;
      queueMicrotask(() => void run());
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

/** Prolongs the leases of endpoints that are worked for. One that could not be given back runs out. */
export async function renewLeases(db: Kysely<Database>, owner: string, ids: readonly string[], until: number): Promise<void> {
  await db
    .updateTable('webhook_endpoint')
    .set({ lease_until: new Date(until) })
    .where('id', 'in', ids)
    .where('lease_owner', '=', owner)
    .execute();
}

/** The revisions of those endpoints that may still be sent to, and their accounts. */
export async function readLeased(
  db: Kysely<Database>,
  owner: string,
  now: number,
): Promise<{ id: string; accountId: string; revision: number }[]> {
  const rows = await db
    .selectFrom('webhook_endpoint')
    .select(['id', 'account_id', 'revision'])
    .where('lease_owner', '=', owner)
    .where('state', '=', 'active')
    .where('removed_at', 'is', null)
    .where((eb) => eb.not(isOverDayLimit(now)))
    .execute();
  return rows.map(({ id, account_id, revision }) => ({ id, accountId: account_id, revision }));
}

/** When there is something to do next, milliseconds; null: never. */
export async function nextWork(db: Kysely<Database>, now: number): Promise<number | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(greatest(work_at, open_until, lease_until,
      case when ${isOverDayLimit(now)} then ${new Date(nextDay(now))}::timestamptz end)) as at from webhook_endpoint
    where state = 'active' and work_at is not null`.execute(db);
  return rows[0]?.at?.getTime() ?? null;
}

interface TakenEndpoint extends EndpointHealth {
  /** Who held the lease until it was over; null: it was given back. */
  previousOwner: string | null;
}

/** Within the transaction of the lease. */
async function takeOver(
  trx: Transaction<Database>,
  endpoints: readonly TakenEndpoint[],
  journal: Journal,
  now: number,
): Promise<void> {
  const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
  const owners = new Set(endpoints.flatMap(({ previousOwner }) => previousOwner ?? []));
  const noted = [...owners].flatMap((owner) => journal.read(owner)).filter(({ endpointId }) => byId.has(endpointId));
  const unknown = await keepUnknown(
    trx,
    noted.map(({ deliveryId }) => deliveryId),
  );
  const outcomes = noted.flatMap((entry) => {
    const endpoint = byId.get(entry.endpointId);
    return endpoint && unknown.delete(entry.deliveryId) ? judge(endpoint, entry, now, Math.random) : [];
  });
  if (outcomes.length > 0) await writeOutcomes(trx, outcomes);
  await sql`
    update webhook_delivery set state = 'pending'
    where endpoint_id = any(${[...byId.keys()]}::uuid[]) and state = 'sending'`.execute(trx);
}

/** Deliveries of which the database does not know how they went. */
async function keepUnknown(trx: Transaction<Database>, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select id from webhook_delivery where id = any(${ids}::bigint[]) and state = 'sending'`.execute(trx);
  return new Set(rows.map(({ id }) => id));
}

/** Renewed three times within. After a sudden end another worker takes over when it is over. */
export const LEASE_MS = 10_000;
