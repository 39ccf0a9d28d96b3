/** Writes the messages and deliveries of one page of the change log, together with the position that it reaches. */

import { sql, type Transaction } from 'kysely';
import type { Clocks } from '../../clock.ts';
import type { ChangePage } from '../../search/index.ts';
import type { Database } from '../../store/index.ts';
import { createCityTime } from '../../values/city-time.ts';
import { composeRecord, type RecordChanges } from '../messages.ts';
import type { Burst } from './bursts.ts';
import { type PlannedDelivery, type PlannedPage, planDeliveries, type RecentDelivery } from './plan-deliveries.ts';
import { writeMessages } from './store-messages.ts';
import { type Lane, loadSubscribers } from './subscribers.ts';

export interface DispatchStep {
  lane: Lane;
  /** The position that the page was read from. */
  after: number;
  reached: number;
  page: ChangePage;
  burst: Burst;
}

/** Gives what was written; null when another worker was quicker. */
export async function writePage(
  trx: Transaction<Database>,
  { lane, after, reached, page, burst }: DispatchStep,
  { clocks, publicUrl }: { clocks: Clocks; publicUrl: string },
): Promise<PlannedPage | null> {
  if (!(await movePosition(trx, lane, after, reached))) return null;
  const now = clocks.limits();
  const { timezone } = burst.now.city;
  // Read again: whoever was activated before this transaction is among them.
  const subscribers = await loadSubscribers(trx, lane, timezone, clocks);
  const recent = await loadRecent(trx, page, now);
  const plan = planDeliveries(page.changes, subscribers, recent, burst, now);
  const context = { epoch: page.epoch, city: createCityTime(timezone), publicUrl };
  const replaced = plan.deliveries.flatMap(({ replaces }) => replaces ?? []);
  await dropReplaced(trx, replaced);
  const { messages, deliveries } = withoutRepeats(plan.deliveries);
  await writeMessages(
    trx,
    messages.map((message) => composeRecord(message, context)),
    deliveries,
    now,
  );
  return plan;
}

/** False when the position is not `after` any more. */
async function movePosition(trx: Transaction<Database>, lane: Lane, after: number, reached: number): Promise<boolean> {
  const moved = await trx
    .updateTable('webhook_follower')
    .set({ position: reached })
    .where('lane', '=', lane)
    .where('position', '=', String(after))
    .returning('lane')
    .executeTakeFirst();
  return moved !== undefined;
}

/** Endpoints that get the same message share it. */
function withoutRepeats(planned: readonly PlannedDelivery[]) {
  const numbers = new Map<string, number>();
  const messages: PlannedDelivery['message'][] = [];
  const deliveries = planned.map(({ key, message, endpointId, dueAt, replaces }) => {
    const number = numbers.get(key) ?? messages.push(message) - 1;
    numbers.set(key, number);
    return { endpointId, message: number, dueAt, isReplacement: replaces !== null };
  });
  return { messages, deliveries };
}

/** What was written of the records of a page. Of what has not been tried the rows are held until the commit. */
async function loadRecent(trx: Transaction<Database>, { changes }: ChangePage, now: number): Promise<RecentDelivery[]> {
  const ids = [...new Set(changes.flatMap(({ entityId }) => entityId ?? []))];
  const { rows } = await sql<RecentRow>`
    select d.id, d.endpoint_id, d.state, d.attempts, d.due_at, m.entity_id, m.type, m.changes, m.created_at
    from webhook_message m join webhook_delivery d on d.message_id = m.id
    where m.entity_id = any(${ids}::uuid[]) and m.created_at > ${new Date(now - RECENT_MS)} and m.changes is not null`.execute(
    trx,
  );
  const waiting = rows.filter((row) => row.state === 'pending' && row.attempts === 0 && row.due_at.getTime() > now);
  const held = await lockUntried(
    trx,
    waiting.map(({ id }) => id),
  );
  return rows.map((row) => ({
    id: row.id,
    endpointId: row.endpoint_id,
    entityId: row.entity_id,
    type: row.type,
    changes: row.changes,
    createdAt: row.created_at.getTime(),
    dueAt: row.due_at.getTime(),
    isHeld: held.has(row.id),
  }));
}

interface RecentRow {
  id: string;
  endpoint_id: string;
  state: string;
  attempts: number;
  due_at: Date;
  entity_id: string;
  type: string;
  changes: RecordChanges;
  created_at: Date;
}

async function lockUntried(trx: Transaction<Database>, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select id from webhook_delivery where id = any(${ids}::bigint[]) and state = 'pending' and attempts = 0
    for update skip locked`.execute(trx);
  return new Set(rows.map(({ id }) => id));
}

async function dropReplaced(trx: Transaction<Database>, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    with dropped as (delete from webhook_delivery where id = any(${ids}::bigint[]) returning endpoint_id)
    update webhook_endpoint set pending = pending - sum.number
    from (select endpoint_id, count(*)::int as number from dropped group by endpoint_id) as sum
    where webhook_endpoint.id = sum.endpoint_id`.execute(trx);
}

/** Longer than changes of one record are waited for, so that clocks of several workers may differ. */
const RECENT_MS = 4_000;
