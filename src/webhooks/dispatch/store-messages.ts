/** Writes messages and their deliveries, within the transaction of the caller. */

import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../../store/index.ts';
import { countMessages } from '../day-limit.ts';
import { type Message, newMessageId } from '../messages.ts';

export interface NewDelivery {
  endpointId: string;
  /** Index into the messages. */
  message: number;
  /** Milliseconds. */
  dueAt: number;
  /** It takes the place of one that was counted. */
  isReplacement?: boolean;
}

/** Deliveries get their numbers in the order given. Endpoints are told that there is something to send. */
export async function writeMessages(
  trx: Transaction<Database>,
  messages: readonly Omit<Message, 'id'>[],
  deliveries: readonly NewDelivery[],
  now: number,
): Promise<void> {
  if (deliveries.length === 0) return;
  const ids = messages.map(newMessageId);
  await sql`
    insert into webhook_message (id, type, entity_id, head, body, changes, created_at)
    select id, type, entity_id, head, body, changes, ${new Date(now)}
    from unnest(${ids}::uuid[], ${messages.map(({ type }) => type)}::text[], ${messages.map(({ entityId }) => entityId)}::uuid[],
      ${messages.map(({ head }) => head)}::text[], ${messages.map(({ body }) => body)}::text[],
      ${messages.map(({ changes }) => changes && JSON.stringify(changes))}::jsonb[])
      as message (id, type, entity_id, head, body, changes)`.execute(trx);
  await insertDeliveries(
    trx,
    deliveries.map(({ message, ...delivery }) => ({ ...delivery, messageId: ids[message] ?? '' })),
    now,
  );
}

/** Of messages that are stored already. */
export async function insertDeliveries(
  trx: Transaction<Database>,
  deliveries: readonly (Omit<NewDelivery, 'message'> & { messageId: string })[],
  now: number,
): Promise<void> {
  const columns = [
    sql`${deliveries.map(({ endpointId }) => endpointId)}::uuid[]`,
    sql`${deliveries.map(({ messageId }) => messageId)}::uuid[]`,
    sql`${deliveries.map(({ dueAt }) => new Date(dueAt))}::timestamptz[]`,
  ];
  await sql`
    insert into webhook_delivery (endpoint_id, message_id, state, due_at)
    select endpoint_id, message_id, 'pending', due_at
    from unnest(${sql.join(columns)}) with ordinality as delivery (endpoint_id, message_id, due_at, position)
    order by position`.execute(trx);
  const sums = new Map<string, { pending: number; counted: number; dueAt: number }>();
  for (const { endpointId, dueAt, isReplacement = false } of deliveries) {
    const { pending, counted, ...sum } = sums.get(endpointId) ?? { pending: 0, counted: 0, dueAt };
    const first = Math.min(sum.dueAt, dueAt);
    sums.set(endpointId, { pending: pending + 1, counted: counted + Number(!isReplacement), dueAt: first });
  }
  await addPending(trx, sums);
  await countMessages(trx, sums, now);
}

/** In the order of ids, as everybody who locks several endpoints. */
async function addPending(trx: Kysely<Database>, sums: ReadonlyMap<string, { pending: number; dueAt: number }>): Promise<void> {
  const ids = [...sums.keys()].sort();
  await sql`select id from webhook_endpoint where id = any(${ids}::uuid[]) order by id for update`.execute(trx);
  await sql`
    update webhook_endpoint set pending = pending + sum.number, work_at = least(coalesce(work_at, sum.due_at), sum.due_at)
    from unnest(${ids}::uuid[], ${ids.map((id) => sums.get(id)?.pending ?? 0)}::int[],
      ${ids.map((id) => new Date(sums.get(id)?.dueAt ?? 0))}::timestamptz[]) as sum (id, number, due_at)
    where webhook_endpoint.id = sum.id`.execute(trx);
}
