/** Tables of plans: requests, and what Stripe was last seen to say. */

import type { Generated } from 'kysely';
import type { InstantColumn, MaybeInstantColumn } from './columns.ts';

interface PlanRequestTable {
  id: string;
  subscription_id: string;
  /** Null: to end it. */
  tier: string | null;
  state: Generated<string>;
  asked_at: InstantColumn;
  settled_at: MaybeInstantColumn;
  /** Id of an account. */
  settled_by: string | null;
  note: string | null;
}

interface StripeCustomerTable {
  id: string;
  /** Null once the account is gone. */
  account_id: string | null;
  created_at: InstantColumn;
}

interface StripeCheckoutTable {
  id: string;
  subscription_id: string;
  tier: string;
  session: string | null;
  url: string | null;
  state: Generated<string>;
  created_at: InstantColumn;
}

interface StripeSubscriptionTable {
  id: string;
  subscription_id: string;
  /** In Stripe's words. */
  status: string;
  tier: string | null;
  period_ends_at: MaybeInstantColumn;
  /** When it was told to end. */
  ends_at: MaybeInstantColumn;
  version: number;
  created_at: InstantColumn;
  seen_at: InstantColumn;
  /** Who paused what it charges: we, for a suspended account, or somebody at Stripe; null: it is charged. */
  paused_by: Generated<'marquee' | 'stripe' | null>;
}

interface StripeEventTable {
  id: string;
  type: string;
  at: InstantColumn;
}

/** All tables that `billing` owns. */
export interface BillingTables {
  plan_request: PlanRequestTable;
  stripe_customer: StripeCustomerTable;
  stripe_checkout: StripeCheckoutTable;
  stripe_subscription: StripeSubscriptionTable;
  stripe_event: StripeEventTable;
}
