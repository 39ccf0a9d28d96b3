/** Billing by hand: a developer asks, the operator decides, and takes the money in a way of his own. */

import type { Kysely, Transaction } from 'kysely';
import { lockSubscription, type Subscription } from '../accounts/index.ts';
import type { Clock } from '../clock.ts';
import { type Database, transact } from '../store/index.ts';
import type { Refusal } from '../values/refusal.ts';
import { isUuid } from '../values/uuid.ts';
import { assign } from './assign.ts';
import type { Billing, BillingInput, BillingOutcome } from './model.ts';
import { readPlans } from './plan-views.ts';
import { type BillingReason, refuse } from './refusal.ts';
import { openRequest, withdrawRequest } from './requests.ts';

export function createManualBilling({ db, now = Date.now }: { db: Kysely<Database>; now?: Clock }): Billing {
  async function withSubscription(
    { by, subscriptionId }: BillingInput,
    work: (trx: Transaction<Database>, subscription: Subscription) => Promise<BillingOutcome | Refusal<BillingReason>>,
  ): Promise<BillingOutcome | Refusal<BillingReason>> {
    if (!isUuid(subscriptionId)) return refuse('unknown_subscription');
    return transact(db, async (trx) => {
      const subscription = await lockSubscription(trx, subscriptionId);
      if (subscription?.accountId !== by.accountId) return refuse('unknown_subscription');
      return work(trx, subscription);
    });
  }

  return {
    kind: 'manual',
    plansOf: (accountId) => readPlans(db, accountId, now()),

    choose: (input) =>
      withSubscription(input, async (trx, subscription) => {
        const at = new Date(now());
        const hasIt = subscription.tier === input.tier && subscription.status === 'active';
        if (hasIt) {
          await withdrawRequest(trx, subscription, input.by, at);
          return { ok: true, outcome: 'unchanged' };
        }
        await openRequest(trx, subscription, input.tier, input.by, at);
        return { ok: true, outcome: 'requested' };
      }),

    end: (input) =>
      withSubscription(input, async (trx, subscription) => {
        if (subscription.status !== 'active') return refuse('nothing_to_end');
        await openRequest(trx, subscription, null, input.by, new Date(now()));
        return { ok: true, outcome: 'requested' };
      }),

    keep: (input) =>
      withSubscription(input, async (trx, subscription) => {
        const taken = await withdrawRequest(trx, subscription, input.by, new Date(now()));
        return taken ? { ok: true, outcome: 'unchanged' } : refuse('nothing_to_keep');
      }),

    assign: (input) => assign(db, input, now),
    hasInvoices: async () => false,
    portal: async () => refuse('not_paid_here'),
    settle: async () => refuse('unknown_checkout'),
    release: async () => {},
    releaseClosed: async () => {},
    followSuspension: async () => {},
    check: async () => [],
    reconcile: async () => {},
    routes: null,
    payOrigins: [],
    close: async () => {},
  };
}
