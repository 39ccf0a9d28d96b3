/** The door to billing by Stripe. */

import type { Kysely } from 'kysely';
import type { TierName } from '../../accounts/index.ts';
import type { Clock } from '../../clock.ts';
import type { Log } from '../../log.ts';
import type { Database } from '../../store/index.ts';
import type { Billing } from '../model.ts';

export interface StripeSettings {
  secretKey: string;
  webhookSecret: string;
  /** Ids of monthly prices. */
  prices: Readonly<Record<TierName, string>>;
  /** A domain of the operator's own that Checkout and portal are shown at (https://docs.stripe.com/payments/checkout/custom-domains). */
  checkoutOrigin: string | null;
  /** Null: Stripe itself. Else a server on this machine that speaks like it. */
  apiUrl: string | null;
}

export interface StripeOptions {
  db: Kysely<Database>;
  settings: StripeSettings;
  /** Without a trailing slash: where payers come back to. */
  publicUrl: () => string;
  log: Log;
  /** Trials are reckoned by it. */
  now?: Clock;
  /** Real time: Stripe's. */
  wall?: Clock;
}

/** Loads Stripe's library, which only who is paid through it needs. */
export async function openStripeBilling(options: StripeOptions): Promise<Billing> {
  const { createStripeBilling } = await import('./stripe-billing.ts');
  return createStripeBilling(options);
}
