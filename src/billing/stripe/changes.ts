/** Changes of what is paid for already. Each is made once per form that was sent, and what it led to is fetched afterwards. */

import type Stripe from 'stripe';
import { TIERS, type TierName } from '../../accounts/index.ts';
import type { Refusal } from '../../values/refusal.ts';
import type { BillingOutcome } from '../model.ts';
import { type BillingReason, refuse } from '../refusal.ts';
import { LIVE } from './state.ts';
import type { Sync } from './sync.ts';

export interface ChangesOptions {
  stripe: Pick<Stripe, 'subscriptions'>;
  prices: Readonly<Record<TierName, string>>;
  sync: Sync;
}

export interface Changes {
  /**
   * Rejects with Stripe's error when the difference cannot be charged: then nothing changed. `ended`: there is nothing to change any more.
   * `reached`: the tier that the subscription has by what is known.
   */
  change(input: {
    stripeId: string;
    tier: TierName;
    token: string;
    reached: () => Promise<string | undefined>;
  }): Promise<BillingOutcome | Refusal<BillingReason> | 'ended'>;
  end(stripeId: string, token: string): Promise<BillingOutcome | Refusal<BillingReason>>;
  keep(stripeId: string, token: string): Promise<BillingOutcome | Refusal<BillingReason>>;
}

export function createChanges({ stripe, prices, sync }: ChangesOptions): Changes {
  const update = (id: string, params: Stripe.SubscriptionUpdateParams, key: string) =>
    stripe.subscriptions.update(id, params, { idempotencyKey: key });

  return {
    async change({ stripeId, tier, token, reached }) {
      const current = await stripe.subscriptions.retrieve(stripeId);
      if (!LIVE.has(current.status)) {
        await sync(stripeId);
        return 'ended';
      }
      const refused = refuseUnpaid(current);
      if (refused) return refused;
      const [item] = current.items.data;
      if (!item) return refuse('payment_due');
      const isSame = item.price.id === prices[tier];
      if (isSame && !endOf(current)) {
        await sync(stripeId);
        return { ok: true, outcome: 'unchanged' };
      }
      const isDearer = TIERS[tier].priceUsd * 100 > (item.price.unit_amount ?? 0);
      const params: Stripe.SubscriptionUpdateParams = {
        items: [{ id: item.id, price: prices[tier] }],
        // More is charged for at once, in proportion; what was paid too much is taken off the next invoice.
        proration_behavior: isDearer ? 'always_invoice' : 'create_prorations',
        payment_behavior: 'error_if_incomplete',
        // Who chooses a plan wants to go on.
        ...(endOf(current) && goOn(current)),
      };
      await update(stripeId, params, `plan-${stripeId}-${tier}-${token}`);
      await sync(stripeId);
      // The same form sent again is answered from Stripe's memory, and others may have chosen something else since.
      if ((await reached()) !== tier) return refuse('changed_meanwhile');
      return { ok: true, outcome: 'changed', tier };
    },

    async end(stripeId, token) {
      await update(stripeId, { cancel_at_period_end: true }, `end-${stripeId}-${token}`);
      await sync(stripeId);
      return { ok: true, outcome: 'ending', endsAt: endOf(await stripe.subscriptions.retrieve(stripeId)) };
    },

    async keep(stripeId, token) {
      const current = await stripe.subscriptions.retrieve(stripeId);
      if (!LIVE.has(current.status) || !endOf(current)) {
        await sync(stripeId);
        return refuse('nothing_to_keep');
      }
      await update(stripeId, goOn(current), `keep-${stripeId}-${token}`);
      await sync(stripeId);
      return { ok: true, outcome: 'unchanged' };
    },
  };
}

/** Of a plan whose last payment has not come. */
function refuseUnpaid({ status }: Stripe.Subscription): Refusal<BillingReason> | null {
  if (status === 'incomplete') return refuse('payment_pending');
  return status === 'active' || status === 'trialing' ? null : refuse('payment_due');
}

/** Takes an end back in the way it was set: Stripe knows two. */
const goOn = ({ cancel_at_period_end: atPeriodEnd }: Stripe.Subscription): Stripe.SubscriptionUpdateParams =>
  atPeriodEnd ? { cancel_at_period_end: false } : { cancel_at: '' };

function endOf({ cancel_at: at, cancel_at_period_end: atPeriodEnd, items }: Stripe.Subscription): Date | null {
  const seconds = at ?? (atPeriodEnd ? (items.data[0]?.current_period_end ?? null) : null);
  return seconds === null ? null : new Date(seconds * 1_000);
}
