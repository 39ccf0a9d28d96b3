/** The door to billing: by Stripe where it is set up, else by hand. */

import type { Kysely } from 'kysely';
import type { Clocks } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Database } from '../store/index.ts';
import { createManualBilling } from './manual.ts';
import type { Billing } from './model.ts';
import type { StripeSettings } from './stripe/stripe-billing.ts';

export interface BillingOptions {
  db: Kysely<Database>;
  /** Null: by hand. */
  settings: StripeSettings | null;
  /** Without a trailing slash: where payers come back to. */
  publicUrl: () => string;
  clocks: Clocks;
  /** Of requests to Stripe. */
  userAgent: string;
  log: Log;
}

export async function openBilling(options: BillingOptions): Promise<Billing> {
  const { db, settings, clocks } = options;
  if (!settings) return createManualBilling({ db, now: clocks.directory });
  // Stripe's library is loaded only where plans are paid through it.
  const { createStripeBilling } = await import('./stripe/stripe-billing.ts');
  return createStripeBilling({ ...options, settings });
}
