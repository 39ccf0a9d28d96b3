// Plans and what is paid for them.
// A developer's wish, an operator's word or a message of Stripe enters; a lineage's tier and state leave, within a second.
// One interface, two ways: by hand, where the operator decides, and by Stripe. docs/billing.md tells both.
export { createManualBilling } from './manual.ts';
export type { Billing, Outcome, Payment, Person, PlanView, Settled, Wish } from './model.ts';
export { type BillingOptions, openBilling } from './open-billing.ts';
export type { Refusal as BillingRefusal, RefusalReason as BillingRefusalReason } from './refusal.ts';
export { createRequests, type PlanRequest, type Requests } from './requests.ts';
export type { StripeOptions, StripeSettings } from './stripe/open-stripe.ts';
