/** What a payer is told when a request to Stripe fails. */

import type { Log } from '../../log.ts';
import { type BillingRefusal, refuse } from '../refusal.ts';
import { describeFault, isDeclined } from './client.ts';

export function refuseFault(error: unknown, log: Log): BillingRefusal {
  log.error(describeFault(error), 'a request to Stripe failed');
  return refuse('stripe_unavailable');
}

/** The same for what charges: a declined payment is no fault. */
export function refuseCharge(error: unknown, log: Log): BillingRefusal {
  return isDeclined(error) ? refuse('payment_declined') : refuseFault(error, log);
}
