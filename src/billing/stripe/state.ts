/**
 * What Stripe's words for a subscription's state mean here, and which subscription is paid for a plan.
 * https://docs.stripe.com/billing/subscriptions/overview#subscription-statuses
 */

import type { Kysely } from 'kysely';
import type Stripe from 'stripe';
import { loadOwnedSubscription, type TierName } from '../../accounts/index.ts';
import type { Database } from '../../store/index.ts';
import { isUuid } from '../../values/uuid.ts';

/** A subscription as it was last fetched. */
export interface Seen {
  id: string;
  status: string;
  tier: TierName | null;
  /** When it began at Stripe. */
  createdAt: Date;
}

/**
 * The plan that a subscription has by all of its subscriptions, in whatever order they came to be known; null: they say nothing, and it stays
 * as it is.
 */
export function planOf(all: readonly Seen[]): { tier: TierName | null; status: 'active' | 'inactive' } | null {
  // A first payment that has not come leaves everything as it was.
  const first = foremost(all.filter(({ status }) => IN_FORCE.has(status) || SPENT.has(status)));
  return first ? { tier: first.tier, status: IN_FORCE.has(first.status) ? 'active' : 'inactive' } : null;
}

/** One that is in force comes before any that is not: the end of an old one, told late, must not end the new. */
export function foremost<S extends Pick<Seen, 'id' | 'status' | 'createdAt'>>(all: readonly S[]): S | undefined {
  return all.toSorted(
    (a, b) => rankOf(b.status) - rankOf(a.status) || b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1),
  )[0];
}

const rankOf = (status: string): number => (IN_FORCE.has(status) ? 2 : LIVE.has(status) ? 1 : 0);

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

/** By what Stripe says of a subscription. */
export function pausedBy({ pause_collection: pause, metadata }: Stripe.Subscription): 'marquee' | 'stripe' | null {
  if (!pause) return null;
  return metadata[PAUSE_MARK] ? 'marquee' : 'stripe';
}

/** Tells a pause of ours from one that was set at Stripe. */
export const PAUSE_MARK = 'marquee_suspended';
/** Paid for, or late while Stripe still tries: how long is set there. */
const IN_FORCE: ReadonlySet<string> = new Set(['active', 'trialing', 'past_due']);
const SPENT: ReadonlySet<string> = new Set(['unpaid', 'paused', 'canceled']);
/** Those that Stripe may still ask money for: a subscription needs no other. */
export const LIVE: ReadonlySet<string> = new Set([...IN_FORCE, 'unpaid', 'paused', 'incomplete']);
/** As a person reads those. */
export const PAYMENT_STATES = {
  active: 'paid',
  trialing: 'paid',
  past_due: 'late',
  unpaid: 'unpaid',
  paused: 'unpaid',
  incomplete: 'starting',
} as const;
