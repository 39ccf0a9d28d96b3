/** Changing a subscription's plan without anybody being paid through this site. */

import type { Kysely, Transaction } from 'kysely';
import { lockSubscription, type Plan, recordAudit, type Subscription, type TierName, writePlan } from '../accounts/index.ts';
import { type Database, transact } from '../store/index.ts';
import type { Refusal } from '../values/refusal.ts';
import { isUuid } from '../values/uuid.ts';
import type { Actor, BillingOutcome } from './model.ts';
import { type BillingReason, refuse } from './refusal.ts';

export interface PlanAssignment {
  by: Actor;
  subscriptionId: string;
  tier: TierName;
  /** What the person saw who decides; where it is so no longer, nothing happens. */
  expect: Plan;
}

export async function assign(
  db: Kysely<Database>,
  { by, subscriptionId, tier, expect }: PlanAssignment,
  now: () => number,
): Promise<BillingOutcome | Refusal<BillingReason>> {
  if (!isUuid(subscriptionId)) return refuse('unknown_subscription');
  return transact(db, async (trx) => {
    const subscription = await lockSubscription(trx, subscriptionId);
    if (!subscription) return refuse('unknown_subscription');
    // Asked for twice, as by a second click, it is done already.
    if (subscription.tier === tier && subscription.status === 'active') return { ok: true, outcome: 'unchanged' };
    if (subscription.tier !== expect.tier || subscription.status !== expect.status) return refuse('changed_meanwhile');
    await changePlan(trx, subscription, { tier, status: 'active' }, actorOf(by), new Date(now()));
    return { ok: true, outcome: 'changed', tier };
  });
}

/** Writes the plan and who changed it. The last act of its transaction. */
export async function changePlan(
  trx: Transaction<Database>,
  { id, accountId, tier, status }: Subscription,
  plan: { tier: TierName; status: 'active' | 'inactive' },
  by: { actor: { id: string | null; name: string }; address?: string | null; detail?: Readonly<Record<string, string | null>> },
  at: Date,
): Promise<void> {
  await recordAudit(
    trx,
    {
      actor: by.actor,
      action: 'plan.change',
      subject: 'account',
      subjectId: accountId,
      detail: { subscription: id, from: { tier, status }, to: plan, ...by.detail },
      address: by.address ?? null,
    },
    { now: () => at.getTime() },
  );
  await writePlan(trx, { subscriptionId: id, ...plan, at });
}

export const actorOf = ({ accountId, email, address = null }: Actor) => ({ actor: { id: accountId, name: email }, address });
