/** What billing refuses. A sentence is for the person who asked. */

import { refusals } from '../values/refusal.ts';

export type BillingReason = Parameters<typeof refuse>[0];

export const refuse = refusals({
  unknown_subscription: 'This account has no such plan.',
  unknown_request: 'Request not found.',
  unknown_checkout: 'This account has no such payment.',
  closed_account: 'This account is not active.',
  settled_already: 'This request was already decided.',
  missing_note: 'Write a note to the developer.',
  changed_meanwhile: 'This plan has changed since you opened the page. Check it again, then decide.',
  nothing_to_end: 'This plan has no payment, so there is nothing to end.',
  nothing_to_keep: 'There is no pending change to cancel.',
  paid_by_stripe:
    'This plan is paid for through Stripe. Decline the request: the developer changes the plan there, or you set its tier.',
  not_paid_here: 'Plans are not paid for through this site.',
  no_invoices: 'This account has no Stripe payments yet.',
  payment_due: 'A payment is due. Pay it under "Manage billing" first, then change the plan.',
  payment_declined: 'The payment was declined, so the plan stays as it is. Check the card under "Manage billing".',
  payment_pending: 'A payment is still in progress. Try again in a minute.',
  stripe_unavailable: 'The payment service does not respond. Nothing was changed. Try again in a minute.',
});
