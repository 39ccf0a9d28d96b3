/** Words of plans and paying, whoever takes the money. */

import type { FastifyPluginCallback } from 'fastify';
import type { Plan, TierName } from '../accounts/index.ts';
import type { Refusal } from '../values/refusal.ts';
import type { BillingReason } from './refusal.ts';

/** Who asks or decides, for the list of what anyone did. */
export interface Actor {
  accountId: string;
  email: string;
  /** Network address. */
  address?: string | null;
}

export interface BillingInput {
  by: Actor;
  /** The subscription: the id of its row. */
  subscriptionId: string;
  /** Of the form that was sent: the same one twice is one request. */
  token: string;
}

export type BillingOutcome =
  /** Done: gates know within a second. */
  | { ok: true; outcome: 'changed'; tier: TierName }
  /** Nothing changed. */
  | { ok: true; outcome: 'unchanged' }
  /** The operator decides. */
  | { ok: true; outcome: 'requested' }
  /** It goes on until `endsAt`, then it ends; null: at once. */
  | { ok: true; outcome: 'ending'; endsAt: Date | null }
  /** To be paid for there; nothing has changed yet. */
  | { ok: true; outcome: 'pay'; url: string };

export interface Billing {
  kind: 'manual' | 'stripe';
  /** The plans of an account's subscriptions, oldest first. */
  plansOf(accountId: string): Promise<PlanView[]>;
  /** Another tier for a subscription, or the first one that is paid for. */
  choose(input: BillingInput & { tier: TierName }): Promise<BillingOutcome | Refusal<BillingReason>>;
  /** To pay no longer. */
  end(input: BillingInput): Promise<BillingOutcome | Refusal<BillingReason>>;
  /** Takes back what was asked for and has not happened: a request, or an end to come. */
  keep(input: BillingInput): Promise<BillingOutcome | Refusal<BillingReason>>;
  /** The operator's word. Where Stripe is paid for the subscription, it is changed there. `expect`: what the operator saw. */
  assign(input: BillingInput & { tier: TierName; expect: Plan }): Promise<BillingOutcome | Refusal<BillingReason>>;
  /** Whether there is anything to see at the portal. */
  hasInvoices(accountId: string): Promise<boolean>;
  /** Where invoices and cards are, for a while. */
  portal(input: { by: Actor; token: string }): Promise<{ ok: true; url: string } | Refusal<BillingReason>>;
  /** What became of a way to pay, as the payer's return names it: looked up, never believed. */
  settle(input: { by: Actor; session: string }): Promise<Settled | Refusal<BillingReason>>;
  /** Ends all that an account pays for, at once. Never rejects: what could not be ended now is ended by `releaseClosed`. */
  release(accountId: string): Promise<void>;
  /** The same for all accounts that are gone or closed; a job calls it. */
  releaseClosed(): Promise<void>;
  /**
   * Pauses what is paid for an account that is suspended, and lets it go on with the account. Never rejects: what could not be done now is
   * done by `reconcile`.
   */
  followSuspension(accountId: string): Promise<void>;
  /** What is set up wrongly, a sentence each. Never rejects. */
  check(): Promise<string[]>;
  /** Looks after what no message told of; a job calls it. */
  reconcile(): Promise<void>;
  /** Where messages come in; null: none do. */
  routes: FastifyPluginCallback | null;
  /** Where payers are sent to: origins. */
  payOrigins: readonly string[];
  close(): Promise<void>;
}

export interface Settled {
  ok: true;
  /** `open`: not paid; `paid`: the plan is in force; `waiting`: paid, and the bank takes its time. */
  state: 'open' | 'paid' | 'waiting' | 'expired';
  subscriptionId: string;
  tier: TierName;
}

export interface PlanView extends Plan {
  subscriptionId: string;
  trialEndsAt: Date | null;
  createdAt: Date;
  /** Newest last; `isLive`: neither revoked nor expired. */
  keys: { id: string; name: string; last4: string; isLive: boolean }[];
  /** What waits for the operator; `tier` null: to end it. */
  request: { id: string; tier: TierName | null; askedAt: Date } | null;
  /** The operator's last answer. */
  answer: { state: 'approved' | 'declined'; tier: TierName | null; settledAt: Date; note: string | null } | null;
  /** Null: nothing is paid for through Stripe. */
  payment: Payment | null;
  /** A way to pay that was opened and not finished. */
  checkout: { tier: TierName; url: string } | null;
}

export interface Payment {
  /** `late`: not paid in time, Stripe tries again; `unpaid`: it gave up. */
  state: 'paid' | 'late' | 'unpaid' | 'starting';
  periodEndsAt: Date | null;
  /** When it was told to end. */
  endsAt: Date | null;
  /** Nothing is charged meanwhile: `marquee`, while the account is suspended; `stripe`, until somebody lets it go on there. */
  pausedBy: 'marquee' | 'stripe' | null;
}
