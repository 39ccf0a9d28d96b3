/** Writes the messages and deliveries of one page of the change log, together with the position that it reaches. */

import type { Transaction } from 'kysely';
import { createCityTime } from '../../city/index.ts';
import type { Clocks } from '../../clock.ts';
import type { ChangePage } from '../../search/index.ts';
import type { Database } from '../../store/index.ts';
import { composeRecord } from '../messages.ts';
import type { Burst } from './bursts.ts';
import { type PlannedDelivery, type PlannedPage, planDeliveries } from './plan-deliveries.ts';
import { dropReplaced, loadRecent } from './recent-deliveries.ts';
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
