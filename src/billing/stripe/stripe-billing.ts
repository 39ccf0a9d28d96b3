/** Billing by Stripe: Checkout for the first payment, changes and ends of what is paid for, and the portal for cards and invoices. */

import type Stripe from 'stripe';
import { loadOwnedSubscription, lockSubscription, ownedSubscriptions, recordAudit, type TierName } from '../../accounts/index.ts';
import { openOutbound } from '../../outbound/index.ts';
import { transact } from '../../store/index.ts';
import { isUuid } from '../../values/uuid.ts';
import { actorOf, assign } from '../assign.ts';
import type { Actor, Billing, BillingInput, BillingOutcome } from '../model.ts';
import { readPlans } from '../plan-views.ts';
import { type BillingRefusal, refuse } from '../refusal.ts';
import { withdrawRequest } from '../requests.ts';
import { createChanges } from './changes.ts';
import { checkPrices } from './check-prices.ts';
import { createCheckout } from './checkout.ts';
import { createClient, describeFault, isDeclined, STRIPE_LIMITS } from './client.ts';
import { createHousekeeping } from './maintenance.ts';
import type { StripeOptions } from './open-stripe.ts';
import { LIVE } from './state.ts';
import { createSync } from './sync.ts';
import { createWebhook } from './webhook.ts';

export function createStripeBilling(options: StripeOptions): Billing {
  const { db, settings, publicUrl, log, now = Date.now, wall = Date.now } = options;
  const allowedHosts = settings.apiUrl === null ? [] : [new URL(settings.apiUrl).host];
  const outbound = openOutbound({ allowedHosts, limits: STRIPE_LIMITS });
  const { secretKey, apiUrl, prices } = settings;
  const stripe: Stripe = createClient({ secretKey, apiUrl, outbound });
  const payOrigins = apiUrl === null ? [...STRIPE_ORIGINS] : [new URL(apiUrl).origin];
  if (settings.checkoutOrigin !== null) payOrigins.push(settings.checkoutOrigin);
  /** Browsers lead no form to an origin that the page does not name. */
  const warnOfUnnamed = (url: string | null): void => {
    if (url !== null && !payOrigins.includes(new URL(url).origin))
      log.error({ origin: new URL(url).origin }, 'Stripe sends payers to a domain other than STRIPE_CHECKOUT_ORIGIN');
  };
  const sync = createSync({ db, stripe, prices, now: wall, log });
  const checkout = createCheckout({ db, stripe, prices, publicUrl, sync, now: wall, opened: warnOfUnnamed });
  const changes = createChanges({ stripe, prices, sync });
  const housekeeping = createHousekeeping({ db, stripe, sync, checkout, now: wall, log });

  /** The subscription's tier, and the subscription at Stripe that is paid for it, if there is one. */
  async function paidOf(subscriptionId: string, accountId: string | null) {
    if (!isUuid(subscriptionId)) return null;
    const owned = await loadOwnedSubscription(db, subscriptionId);
    if (!owned || (accountId !== null && owned.accountId !== accountId)) return null;
    const paid = await db
      .selectFrom('stripe_subscription')
      .select('id')
      .where('subscription_id', '=', subscriptionId)
      .where('status', 'in', [...LIVE])
      .orderBy('created_at', 'desc')
      .executeTakeFirst();
    return { ...owned, stripeId: paid?.id ?? null };
  }

  const customerOf = (accountId: string) =>
    db.selectFrom('stripe_customer').select('id').where('account_id', '=', accountId).executeTakeFirst();

  const tierOf = async (subscriptionId: string) => (await paidOf(subscriptionId, null))?.tier;

  /** A request from the time before Stripe was set up. */
  const withdraw = (subscriptionId: string, by: Actor): Promise<boolean> =>
    transact(db, async (trx) => {
      const subscription = await lockSubscription(trx, subscriptionId);
      return subscription !== null && withdrawRequest(trx, subscription, by, new Date(now()));
    });

  async function heed(work: () => Promise<BillingOutcome | BillingRefusal>): Promise<BillingOutcome | BillingRefusal> {
    try {
      return await work();
    } catch (error) {
      if (isDeclined(error)) return refuse('payment_declined');
      log.error(describeFault(error), 'a request to Stripe failed');
      return refuse('stripe_unavailable');
    }
  }

  async function note(input: BillingInput, accountId: string, action: string, detail: Record<string, string>): Promise<void> {
    const about = { subject: 'account', subjectId: accountId, detail: { subscription: input.subscriptionId, ...detail } };
    await recordAudit(db, { ...actorOf(input.by), action, ...about }, { now });
  }

  async function choose(
    input: BillingInput & { tier: TierName },
    accountId: string | null,
  ): Promise<BillingOutcome | BillingRefusal> {
    for (let round = 0; round < 2; round++) {
      const found = await paidOf(input.subscriptionId, accountId);
      if (!found) return refuse('unknown_subscription');
      // Nothing may be charged for: what is changed now would be free.
      if (found.accountStatus !== 'active') return refuse('closed_account');
      if (found.stripeId === null) break;
      const changed = await changes.change({ ...input, stripeId: found.stripeId, reached: () => tierOf(input.subscriptionId) });
      if (changed === 'ended') continue;
      if (changed.ok && changed.outcome === 'changed') await note(input, found.accountId, 'plan.choose', { tier: input.tier });
      return changed;
    }
    // The operator pays for nobody.
    if (accountId === null) return refuse('changed_meanwhile');
    const opened = await checkout.open(input);
    if (opened.ok) await note(input, input.by.accountId, 'plan.checkout', { tier: input.tier });
    return opened;
  }

  return {
    kind: 'stripe',
    plansOf: (accountId) => readPlans(db, accountId, now()),
    choose: (input) => heed(() => choose(input, input.by.accountId)),

    end: (input) =>
      heed(async () => {
        const found = await paidOf(input.subscriptionId, input.by.accountId);
        if (!found) return refuse('unknown_subscription');
        if (found.stripeId === null) return refuse('nothing_to_end');
        const ended = await changes.end(found.stripeId, input.token);
        if (ended.ok) await note(input, found.accountId, 'plan.end', {});
        return ended;
      }),

    keep: (input) =>
      heed(async () => {
        const found = await paidOf(input.subscriptionId, input.by.accountId);
        if (!found) return refuse('unknown_subscription');
        const { by, subscriptionId } = input;
        if (await withdraw(subscriptionId, by)) return { ok: true, outcome: 'unchanged' };
        if (found.stripeId === null) return refuse('nothing_to_keep');
        const kept = await changes.keep(found.stripeId, input.token);
        if (kept.ok) await note(input, found.accountId, 'plan.keep', {});
        return kept;
      }),

    assign: (input) =>
      heed(async () => {
        const found = await paidOf(input.subscriptionId, null);
        if (!found) return refuse('unknown_subscription');
        if (found.stripeId === null) return assign(db, input, now);
        if (found.tier !== input.expect.tier || found.status !== input.expect.status) return refuse('changed_meanwhile');
        return choose(input, null);
      }),

    hasInvoices: async (accountId) => (await customerOf(accountId)) !== undefined,

    async portal({ by }) {
      const customer = await customerOf(by.accountId);
      if (!customer) return refuse('no_invoices');
      try {
        const return_url = `${publicUrl()}/dashboard/plans`;
        const { url } = await stripe.billingPortal.sessions.create({ customer: customer.id, return_url });
        warnOfUnnamed(url);
        return { ok: true, url };
      } catch (error) {
        log.error(describeFault(error), 'a request to Stripe failed');
        return refuse('stripe_unavailable');
      }
    },

    async settle({ by, session }) {
      const row = await db
        .selectFrom('stripe_checkout')
        .innerJoin(ownedSubscriptions(db).as('owned'), 'owned.id', 'stripe_checkout.subscription_id')
        .where('stripe_checkout.session', '=', session)
        .where('owned.accountId', '=', by.accountId)
        .selectAll('stripe_checkout')
        .executeTakeFirst();
      if (!row) return refuse('unknown_checkout');
      try {
        const seen = await checkout.look(row);
        const status = (await paidOf(row.subscription_id, by.accountId))?.status;
        const states = { open: 'open', complete: status === 'active' ? 'paid' : 'waiting', expired: 'expired' } as const;
        const state = states[seen?.status as keyof typeof states] ?? 'expired';
        return { ok: true, state, subscriptionId: row.subscription_id, tier: row.tier as TierName };
      } catch (error) {
        log.error(describeFault(error), 'a request to Stripe failed');
        return refuse('stripe_unavailable');
      }
    },

    async check() {
      try {
        return await checkPrices(stripe, prices);
      } catch (error) {
        log.warn(describeFault(error), 'Stripe does not respond');
        return ['Stripe does not respond, or it rejects STRIPE_SECRET_KEY.'];
      }
    },

    ...housekeeping,
    routes: createWebhook({ db, stripe, secret: settings.webhookSecret, sync, look: checkout.look, now: wall, log }),
    payOrigins,
    close: outbound.close,
  };
}

/** Checkout, and the customer portal. */
const STRIPE_ORIGINS = ['https://checkout.stripe.com', 'https://billing.stripe.com'] as const;
