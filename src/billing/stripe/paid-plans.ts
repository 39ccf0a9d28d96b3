/** Plans with what is paid for them at Stripe. */

import type { Kysely } from 'kysely';
import { loadOwnedSubscription } from '../../accounts/index.ts';
import type { Database } from '../../store/index.ts';
import { isUuid } from '../../values/uuid.ts';
import { LIVE } from './state.ts';

/**
 * The subscription with its account, and the subscription at Stripe that is paid for it, if there is one. Null for an unknown one, and for one
 * of another account unless `accountId` is null.
 */
export async function loadPaidPlan(db: Kysely<Database>, subscriptionId: string, accountId: string | null) {
  if (!isUuid(subscriptionId)) return null;
  const owned = await loadOwnedSubscription(db, subscriptionId);
  if (!owned || (accountId !== null && owned.accountId !== accountId)) return null;
  return { ...owned, stripeId: await loadPaidId(db, subscriptionId) };
}

/** The id at Stripe of what is paid for a subscription; null where nothing is. */
export async function loadPaidId(db: Kysely<Database>, subscriptionId: string): Promise<string | null> {
  const paid = await db
    .selectFrom('stripe_subscription')
    .select('id')
    .where('subscription_id', '=', subscriptionId)
    .where('status', 'in', [...LIVE])
    .orderBy('created_at', 'desc')
    .executeTakeFirst();
  return paid?.id ?? null;
}
