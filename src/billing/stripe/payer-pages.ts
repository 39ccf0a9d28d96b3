/** Pages of Stripe that payers are led to: the portal for cards and invoices, and the way back from Checkout. */

import type { Kysely } from 'kysely';
import type Stripe from 'stripe';
import { ownedSubscriptions, type TierName } from '../../accounts/index.ts';
import type { Log } from '../../log.ts';
import type { Database } from '../../store/index.ts';
import type { Billing } from '../model.ts';
import { refuse } from '../refusal.ts';
import type { Checkout } from './checkout.ts';
import type { Customers } from './customers.ts';
import { refuseFault } from './faults.ts';
import type { StripeSettings } from './open-stripe.ts';
import { loadPaidPlan } from './paid-plans.ts';

export interface PayerPagesOptions {
  db: Kysely<Database>;
  stripe: Pick<Stripe, 'billingPortal'>;
  customers: Pick<Customers, 'find'>;
  checkout: Pick<Checkout, 'look'>;
  /** Without a trailing slash. */
  publicUrl: () => string;
  /** Told of the address of each page that is opened. */
  opened(url: string | null): void;
  log: Log;
}

export function createPayerPages(options: PayerPagesOptions): Pick<Billing, 'hasInvoices' | 'portal' | 'settle'> {
  const { db, stripe, customers, checkout, publicUrl, opened, log } = options;

  return {
    hasInvoices: async (accountId) => (await customers.find(accountId)) !== undefined,

    async portal({ by }) {
      const customer = await customers.find(by.accountId);
      if (customer === undefined) return refuse('no_invoices');
      try {
        const return_url = `${publicUrl()}/dashboard/plans`;
        const { url } = await stripe.billingPortal.sessions.create({ customer, return_url });
        opened(url);
        return { ok: true, url };
      } catch (error) {
        return refuseFault(error, log);
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
        const status = (await loadPaidPlan(db, row.subscription_id, by.accountId))?.status;
        const states = { open: 'open', complete: status === 'active' ? 'paid' : 'waiting', expired: 'expired' } as const;
        const state = states[seen?.status as keyof typeof states] ?? 'expired';
        return { ok: true, state, subscriptionId: row.subscription_id, tier: row.tier as TierName };
      } catch (error) {
        return refuseFault(error, log);
      }
    },
  };
}

/** Origins that payers are led to. Browsers lead no form to an origin that the page does not name. */
export function payOriginsOf({ apiUrl, checkoutOrigin }: Pick<StripeSettings, 'apiUrl' | 'checkoutOrigin'>): string[] {
  const origins = apiUrl === null ? [...STRIPE_ORIGINS] : [new URL(apiUrl).origin];
  return checkoutOrigin === null ? origins : [...origins, checkoutOrigin];
}

/** Checkout, and the customer portal. */
const STRIPE_ORIGINS: readonly string[] = ['https://checkout.stripe.com', 'https://billing.stripe.com'];
