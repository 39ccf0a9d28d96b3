/** What a payer is told when a request to Stripe fails. */

import type { Log } from '../../log.ts';
import type { Refusal } from '../../values/refusal.ts';
import { type BillingReason, refuse } from '../refusal.ts';
import { describeFault, isDeclined } from './client.ts';

export function refuseFault(error: unknown, log: Log): Refusal<BillingReason> {
  log.error(describeFault(error), 'a request to Stripe failed');
  return refuse('stripe_unavailable');
}

/** The same for what charges: a declined payment is no fault. */
export function refuseCharge(error: unknown, log: Log): Refusal<BillingReason> {
  return isDeclined(error) ? refuse('payment_declined') : refuseFault(error, log);
}
