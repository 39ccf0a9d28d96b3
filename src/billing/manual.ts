/** Billing by hand: a developer wishes, the operator decides, and takes the money in a way of his own. */

import type { Kysely, Transaction } from 'kysely';
import { type Lineage, lockLineage } from '../accounts/index.ts';
import type { Clock } from '../clock.ts';
import { type Database, transact } from '../store/index.ts';
import { isUuid } from '../values/uuid.ts';
import { assign } from './assign.ts';
import type { Billing, Outcome, Wish } from './model.ts';
import { readPlans } from './plan-views.ts';
import { type Refusal, refuse } from './refusal.ts';
import { openRequest, withdrawRequest } from './requests.ts';

export function createManualBilling({ db, now = Date.now }: { db: Kysely<Database>; now?: Clock }): Billing {
  async function withLineage(
    { by, subscriptionId }: Wish,
    work: (trx: Transaction<Database>, lineage: Lineage) => Promise<Outcome | Refusal>,
  ): Promise<Outcome | Refusal> {
    if (!isUuid(subscriptionId)) return refuse('unknown_subscription');
    return transact(db, async (trx) => {
      const lineage = await lockLineage(trx, subscriptionId);
      if (lineage?.accountId !== by.accountId) return refuse('unknown_subscription');
      return work(trx, lineage);
    });
  }

  return {
    kind: 'manual',
    plansOf: (accountId) => readPlans(db, accountId, now()),

    choose: (wish) =>
      withLineage(wish, async (trx, lineage) => {
        const at = new Date(now());
        const hasIt = lineage.tier === wish.tier && lineage.status === 'active';
        if (hasIt) {
          await withdrawRequest(trx, lineage, wish.by, at);
          return { ok: true, outcome: 'unchanged' };
        }
        await openRequest(trx, lineage, wish.tier, wish.by, at);
        return { ok: true, outcome: 'requested' };
      }),

    end: (wish) =>
      withLineage(wish, async (trx, lineage) => {
        if (lineage.status !== 'active') return refuse('nothing_to_end');
        await openRequest(trx, lineage, null, wish.by, new Date(now()));
        return { ok: true, outcome: 'requested' };
      }),

    keep: (wish) =>
      withLineage(wish, async (trx, lineage) => {
        const taken = await withdrawRequest(trx, lineage, wish.by, new Date(now()));
        return taken ? { ok: true, outcome: 'unchanged' } : refuse('nothing_to_keep');
      }),

    assign: (wish) => assign(db, wish, now),
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
