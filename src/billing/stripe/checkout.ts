/** Ways to pay for a subscription that is not paid for yet. There is one at a time per subscription, so nobody pays twice. */

import { randomUUIDv7 } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import type Stripe from 'stripe';
import type { TierName } from '../../accounts/index.ts';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../store/index.ts';
import type { Actor, BillingOutcome } from '../model.ts';
import { type BillingRefusal, refuse } from '../refusal.ts';
import { isMissing, isRefused } from './client.ts';
import type { Sync } from './sync.ts';

export interface CheckoutOptions {
  db: Kysely<Database>;
  stripe: Pick<Stripe, 'checkout' | 'customers'>;
  prices: Readonly<Record<TierName, string>>;
  /** Without a trailing slash. */
  publicUrl: () => string;
  sync: Sync;
  now: Clock;
  /** Told of the address of each that is opened. */
  opened?: (url: string | null) => void;
}

export interface Checkout {
  /** Where to pay; the same place while it is open. */
  open(input: { by: Actor; subscriptionId: string; tier: TierName }): Promise<BillingOutcome | BillingRefusal>;
  /** Looks what became of an opened one, and takes note. */
  look(row: CheckoutRow): Promise<Stripe.Checkout.Session | null>;
  /** Closes an opened one for good, unless it was paid just now. */
  close(row: CheckoutRow): Promise<void>;
}

export type CheckoutRow = Selectable<Database['stripe_checkout']>;

export function createCheckout({ db, stripe, prices, publicUrl, sync, now, opened }: CheckoutOptions): Checkout {
  const finishing = new Map<string, Promise<CheckoutRow>>();

  const openRowOf = (subscriptionId: string) =>
    db
      .selectFrom('stripe_checkout')
      .selectAll()
      .where('subscription_id', '=', subscriptionId)
      .where('state', '=', 'open')
      .executeTakeFirst();

  async function mark({ id }: CheckoutRow, state: 'done' | 'dropped'): Promise<void> {
    await db.updateTable('stripe_checkout').set({ state }).where('id', '=', id).where('state', '=', 'open').execute();
  }

  /** Anybody may finish what another began, even one that died: the key makes it one session. */
  function finish(row: CheckoutRow, by: Actor): Promise<CheckoutRow> {
    const already = finishing.get(row.id);
    if (already) return already;
    const work = create(row, by).finally(() => finishing.delete(row.id));
    finishing.set(row.id, work);
    return work;
  }

  async function create(row: CheckoutRow, by: Actor): Promise<CheckoutRow> {
    const customer = await customerOf(by, row);
    const back = `${publicUrl()}/dashboard/plans`;
    const session = await stripe.checkout.sessions.create(
      {
        mode: 'subscription',
        customer,
        client_reference_id: row.subscription_id,
        line_items: [{ price: prices[row.tier as TierName], quantity: 1 }],
        subscription_data: { metadata: { marquee_subscription: row.subscription_id } },
        success_url: `${back}/return?session={CHECKOUT_SESSION_ID}`,
        cancel_url: back,
      },
      { idempotencyKey: `checkout-${row.id}` },
    );
    opened?.(session.url);
    const made = { session: session.id, url: session.url };
    await db.updateTable('stripe_checkout').set(made).where('id', '=', row.id).execute();
    return { ...row, ...made };
  }

  async function customerOf({ accountId, email }: Actor, row: CheckoutRow): Promise<string> {
    const known = () => db.selectFrom('stripe_customer').select('id').where('account_id', '=', accountId).executeTakeFirst();
    const found = await known();
    if (found) return found.id;
    const made = await stripe.customers.create(
      { email, metadata: { marquee_account: accountId } },
      // Of the row, not of the account: a customer who was removed must not come back from Stripe's memory.
      { idempotencyKey: `customer-${row.id}` },
    );
    await db
      .insertInto('stripe_customer')
      .values({ id: made.id, account_id: accountId, created_at: new Date(now()) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const customer = (await known())?.id ?? made.id;
    // Two plans were chosen at once, and the other one's customer was noted first.
    if (customer !== made.id) await stripe.customers.del(made.id);
    return customer;
  }

  async function look(row: CheckoutRow): Promise<Stripe.Checkout.Session | null> {
    if (row.session === null) return null;
    const session = await stripe.checkout.sessions.retrieve(row.session).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
      return null;
    });
    if (!session) await mark(row, 'dropped');
    if (!session) return null;
    if (session.status === 'expired') await mark(row, 'dropped');
    if (session.status !== 'complete') return session;
    const { subscription } = session;
    if (subscription) await sync(typeof subscription === 'string' ? subscription : subscription.id);
    await mark(row, 'done');
    return session;
  }

  async function close(row: CheckoutRow): Promise<void> {
    if (row.session === null) return;
    await stripe.checkout.sessions.expire(row.session).catch((error: unknown) => {
      // It was paid or closed just now; the look tells.
      if (!isRefused(error)) throw error;
    });
    await look(row);
  }

  return {
    look,
    close,

    async open({ by, subscriptionId, tier }) {
      for (let round = 0; round < MAX_ROUNDS; round++) {
        const row = await openRowOf(subscriptionId);
        if (!row) {
          await db
            .insertInto('stripe_checkout')
            .values({ id: randomUUIDv7(), subscription_id: subscriptionId, tier, created_at: new Date(now()) })
            .onConflict((conflict) => conflict.doNothing())
            .execute();
          continue;
        }
        try {
          if (row.session === null) {
            const { url, tier: ofRow } = await finish(row, by);
            if (ofRow === tier && url) return { ok: true, outcome: 'pay', url };
            continue;
          }
          const session = await look(row);
          if (session?.status === 'complete') return { ok: true, outcome: 'changed', tier: row.tier as TierName };
          if (session?.status !== 'open') continue;
          if (row.tier === tier && row.url) return { ok: true, outcome: 'pay', url: row.url };
          // Another tier: the first way must be closed for good before there is a second.
          await close(row);
        } catch (error) {
          if (!isMissing(error, 'customer')) throw error;
          // Removed at Stripe by hand.
          await db.deleteFrom('stripe_customer').where('account_id', '=', by.accountId).execute();
          await mark(row, 'dropped');
        }
      }
      return refuse('payment_pending');
    },
  };
}

/** Others may open and close one between two looks of ours. */
const MAX_ROUNDS = 6;
