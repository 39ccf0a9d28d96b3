/** Billing by Stripe: Checkout for the first payment, changes and ends of what is paid for, and the portal for cards and invoices. */

import type Stripe from 'stripe';
import { TIER_NAMES, TIERS, type TierName } from '../../accounts/index.ts';
import { openOutbound } from '../../outbound/index.ts';
import type { Billing } from '../model.ts';
import { readPlans } from '../plan-views.ts';
import { createChanges } from './changes.ts';
import { createCheckout } from './checkout.ts';
import { createPlanChoice } from './choose-plan.ts';
import { createClient, describeFault, isMissing, STRIPE_LIMITS } from './client.ts';
import { createCustomers } from './customers.ts';
import { createStripeMaintenance } from './maintenance.ts';
import type { StripeOptions } from './open-stripe.ts';
import { createPayerPages, payOriginsOf } from './payer-pages.ts';
import { createSync } from './sync.ts';
import { createWebhook } from './webhook.ts';

export function createStripeBilling(options: StripeOptions): Billing {
  const { db, settings, publicUrl, log, now = Date.now, wall = Date.now } = options;
  const { secretKey, apiUrl, prices } = settings;
  const outbound = openOutbound({ allowedHosts: apiUrl === null ? [] : [new URL(apiUrl).host], limits: STRIPE_LIMITS });
  const stripe: Stripe = createClient({ secretKey, apiUrl, outbound });
  const payOrigins = payOriginsOf(settings);
  const warnOfUnnamed = (url: string | null): void => {
    if (url !== null && !payOrigins.includes(new URL(url).origin))
      log.error({ origin: new URL(url).origin }, 'Stripe sends payers to a domain other than STRIPE_CHECKOUT_ORIGIN');
  };
  const sync = createSync({ db, stripe, prices, now: wall, log });
  const customers = createCustomers({ db, stripe, now: wall });
  const checkout = createCheckout({ db, stripe, customers, prices, publicUrl, sync, now: wall, opened: warnOfUnnamed });
  const changes = createChanges({ stripe, prices, sync });

  return {
    kind: 'stripe',
    plansOf: (accountId) => readPlans(db, accountId, now()),
    ...createPlanChoice({ db, checkout, changes, now, log }),
    ...createPayerPages({ db, stripe, customers, checkout, publicUrl, opened: warnOfUnnamed, log }),
    ...createStripeMaintenance({ db, stripe, sync, checkout, now: wall, log }),
    routes: createWebhook({ db, stripe, secret: settings.webhookSecret, sync, look: checkout.look, now: wall, log }),

    async check() {
      try {
        return await checkPrices(stripe, prices);
      } catch (error) {
        log.warn(describeFault(error), 'Stripe does not respond');
        return ['Stripe does not respond, or it rejects STRIPE_SECRET_KEY.'];
      }
    },

    payOrigins,
    close: outbound.close,
  };
}

/** What is wrong, a sentence each; rejects when Stripe does not answer. */
async function checkPrices(stripe: Pick<Stripe, 'prices'>, prices: Readonly<Record<TierName, string>>): Promise<string[]> {
  const wrong: string[] = [];
  for (const tier of TIER_NAMES) {
    const id = prices[tier];
    const price = await stripe.prices.retrieve(id).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
      return null;
    });
    const fault = price ? faultOf(price, TIERS[tier].priceUsd) : 'Stripe has no such price';
    if (fault) wrong.push(`STRIPE_PRICE_${tier.toUpperCase()} (${id}): ${fault}.`);
  }
  return wrong;
}

function faultOf(price: Stripe.Price, usd: number): string | null {
  const { active, currency, recurring, unit_amount: cents } = price;
  if (!active) return 'it is not active';
  if (recurring?.interval !== 'month' || recurring.interval_count !== 1) return 'it is not paid monthly';
  if (currency !== 'usd' || cents !== usd * 100)
    return `it costs ${(cents ?? 0) / 100} ${currency}, but the tier costs ${usd} usd`;
  return null;
}
