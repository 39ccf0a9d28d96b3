/** Billing by Stripe: Checkout for the first payment, changes and ends of what is paid for, and the portal for cards and invoices. */

import type Stripe from 'stripe';
import { ownedSubscriptions, TIER_NAMES, TIERS, type TierName } from '../../accounts/index.ts';
import { openOutbound } from '../../outbound/index.ts';
import { bindAll } from '../../values/bind-all.ts';
import type { Billing } from '../model.ts';
import type { BillingOptions } from '../open-billing.ts';
import { readPlans } from '../plan-views.ts';
import { refuse } from '../refusal.ts';
import { findCustomer, lookAtCheckout } from './checkout.ts';
import { assignPlan, choosePlan, endPlan, keepPlan } from './choose-plan.ts';
import { createClient, describeFault, isMissing, refuseFault, STRIPE_LIMITS, type StripeContext } from './client.ts';
import { followSuspension, reconcile, release, releaseClosed } from './maintenance.ts';
import { loadPaidPlan } from './state.ts';
import { createSync } from './sync.ts';
import { createWebhook } from './webhook.ts';

export interface StripeSettings {
  secretKey: string;
  webhookSecret: string;
  /** Ids of monthly prices. */
  prices: Readonly<Record<TierName, string>>;
  /** A domain of the operator's own that Checkout and portal are shown at (https://docs.stripe.com/payments/checkout/custom-domains). */
  checkoutOrigin: string | null;
  /** Null: Stripe itself. Else a server on this machine that speaks like it. */
  apiUrl: string | null;
}

export function createStripeBilling(options: BillingOptions & { settings: StripeSettings }): Billing {
  const { db, settings, publicUrl, clocks, userAgent, log } = options;
  const { directory: now, limits: wall } = clocks;
  const { secretKey, apiUrl, prices } = settings;
  const allowedHosts = apiUrl === null ? [] : [new URL(apiUrl).host];
  const outbound = openOutbound({ allowedHosts, userAgent, limits: STRIPE_LIMITS });
  const stripe = createClient(secretKey, apiUrl, outbound);
  const payOrigins = payOriginsOf(settings);
  const opened = (url: string | null): void => {
    if (url !== null && !payOrigins.includes(new URL(url).origin))
      log.error({ origin: new URL(url).origin }, 'Stripe sends payers to a domain other than STRIPE_CHECKOUT_ORIGIN');
  };
  const sync = createSync({ db, stripe, prices, wall, log });
  const context: StripeContext = { db, stripe, prices, publicUrl, sync, starting: new Map(), opened, now, wall, log };

  return {
    kind: 'stripe',
    plansOf: (accountId) => readPlans(db, accountId, now()),
    ...bindAll(context, { choose: choosePlan, end: endPlan, keep: keepPlan, assign: assignPlan }),
    ...bindAll(context, { portal, settle, release, releaseClosed, followSuspension, reconcile }),
    hasInvoices: async (accountId) => (await findCustomer(db, accountId)) !== undefined,
    routes: createWebhook(context, settings.webhookSecret),

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

/** The portal, for cards and invoices. */
async function portal(
  { db, stripe, publicUrl, opened, log }: StripeContext,
  { by }: Parameters<Billing['portal']>[0],
): ReturnType<Billing['portal']> {
  const customer = await findCustomer(db, by.accountId);
  if (customer === undefined) return refuse('no_invoices');
  try {
    const return_url = `${publicUrl()}/dashboard/plans`;
    const { url } = await stripe.billingPortal.sessions.create({ customer, return_url });
    opened(url);
    return { ok: true, url };
  } catch (error) {
    return refuseFault(error, log);
  }
}

/** The way back from Checkout. */
async function settle(context: StripeContext, { by, session }: Parameters<Billing['settle']>[0]): ReturnType<Billing['settle']> {
  const { db, log } = context;
  const row = await db
    .selectFrom('stripe_checkout')
    .innerJoin(ownedSubscriptions(db).as('owned'), 'owned.id', 'stripe_checkout.subscription_id')
    .where('stripe_checkout.session', '=', session)
    .where('owned.accountId', '=', by.accountId)
    .selectAll('stripe_checkout')
    .executeTakeFirst();
  if (!row) return refuse('unknown_checkout');
  try {
    const seen = await lookAtCheckout(context, row);
    const status = (await loadPaidPlan(db, row.subscription_id, by.accountId))?.status;
    const states = { open: 'open', complete: status === 'active' ? 'paid' : 'waiting', expired: 'expired' } as const;
    const state = states[seen?.status as keyof typeof states] ?? 'expired';
    return { ok: true, state, subscriptionId: row.subscription_id, tier: row.tier as TierName };
  } catch (error) {
    return refuseFault(error, log);
  }
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

/** Origins that payers are led to. Browsers lead no form to an origin that the page does not name. */
function payOriginsOf({ apiUrl, checkoutOrigin }: Pick<StripeSettings, 'apiUrl' | 'checkoutOrigin'>): string[] {
  const origins = apiUrl === null ? [...STRIPE_ORIGINS] : [new URL(apiUrl).origin];
  return checkoutOrigin === null ? origins : [...origins, checkoutOrigin];
}

/** Checkout, and the customer portal. */
const STRIPE_ORIGINS: readonly string[] = ['https://checkout.stripe.com', 'https://billing.stripe.com'];
