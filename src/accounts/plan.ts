/** What a subscription of keys may do, as its plan says. Written inside the caller's transaction, so that the reason stands or falls with it. */

import type { Transaction } from 'kysely';
import { appendToList, type Database } from '../store/index.ts';
import type { TierName } from './tiers.ts';

export interface Plan {
  tier: TierName;
  /** `inactive` answers 402 `subscription_inactive`. */
  status: 'trialing' | 'active' | 'inactive';
}

export interface Subscription extends Plan {
  id: string;
  accountId: string;
  /** Of the account. */
  email: string;
  trialEndsAt: Date | null;
}

/** The subscription, locked until the transaction ends: whoever else changes its plan waits. Null where there is none, and for test keys, which have no plan. `id` is a UUID. */
export async function lockSubscription(trx: Transaction<Database>, id: string): Promise<Subscription | null> {
  const row = await trx
    .selectFrom('subscription')
    .innerJoin('account', 'account.id', 'subscription.account_id')
    .where('subscription.id', '=', id)
    .where('subscription.status', '<>', 'test')
    .select(['subscription.id', 'subscription.tier', 'subscription.status', 'subscription.trial_ends_at'])
    .select(['account.id as accountId', 'account.email'])
    .forUpdate('subscription')
    .executeTakeFirst();
  if (!row) return null;
  // The table's checks hold both to these words.
  const plan = { tier: row.tier, status: row.status } as Plan;
  return { id: row.id, accountId: row.accountId, email: row.email, trialEndsAt: row.trial_ends_at, ...plan };
}

/** Gates follow it within a second. The last act of its transaction, as every append to a list. */
export async function writePlan(
  trx: Transaction<Database>,
  { subscriptionId, tier, status, at }: { subscriptionId: string; tier: TierName; status: 'active' | 'inactive'; at: Date },
): Promise<void> {
  await trx.updateTable('subscription').set({ tier, status }).where('id', '=', subscriptionId).execute();
  await appendToList(trx, 'access_change', [{ subscription_id: subscriptionId }], at);
}
