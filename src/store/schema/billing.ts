/** Tables of plans: wishes, and what Stripe was last seen to say. */

import type { Generated } from 'kysely';
import type { MaybeMoment, Moment } from './columns.ts';

export interface PlanRequestTable {
  id: string;
  subscription_id: string;
  /** Null: to end it. */
  tier: string | null;
  state: Generated<string>;
  asked_at: Moment;
  settled_at: MaybeMoment;
  /** Id of an account. */
  settled_by: string | null;
  note: string | null;
}

export interface StripeCustomerTable {
  id: string;
  /** Null once the account is gone. */
  account_id: string | null;
  created_at: Moment;
}

export interface StripeCheckoutTable {
  id: string;
  subscription_id: string;
  tier: string;
  session: string | null;
  url: string | null;
  state: Generated<string>;
  created_at: Moment;
}

export interface StripeSubscriptionTable {
  id: string;
  subscription_id: string;
  /** In Stripe's words. */
  status: string;
  tier: string | null;
  period_ends_at: MaybeMoment;
  /** When it was told to end. */
  ends_at: MaybeMoment;
  version: number;
  created_at: Moment;
  seen_at: Moment;
  /** Who paused what it charges: we, for a suspended account, or somebody at Stripe; null: it is charged. */
  paused_by: Generated<'marquee' | 'stripe' | null>;
}

export interface StripeEventTable {
  id: string;
  type: string;
  at: Moment;
}
