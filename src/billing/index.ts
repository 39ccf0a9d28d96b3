// Plans and what is paid for them.
// A developer's request, an operator's decision or a message of Stripe enters; a subscription's tier and state leave, within a second.
// One interface, two ways: by hand, where the operator decides, and by Stripe. docs/billing.md tells both.
export { createManualBilling } from './manual.ts';
export type {
  Actor,
  Billing,
  BillingInput,
  BillingOutcome,
  Payment,
  PlanView,
  Settled,
} from './model.ts';
export { type BillingOptions, openBilling } from './open-billing.ts';
export type { BillingReason } from './refusal.ts';
export { createRequests, type PlanRequest, type Requests, withdrawRequests } from './requests.ts';
export type { StripeSettings } from './stripe/stripe-billing.ts';
