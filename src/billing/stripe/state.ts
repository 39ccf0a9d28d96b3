/** What Stripe's words for a subscription's state mean here. https://docs.stripe.com/billing/subscriptions/overview#subscription-statuses */

import type { TierName } from '../../accounts/index.ts';

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
