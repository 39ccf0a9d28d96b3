/** Ways to pay for a subscription that is not paid for yet. There is one at a time per subscription, so nobody pays twice. */

import { randomUUIDv7 } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import type Stripe from 'stripe';
import { lockSubscription, type TierName } from '../../accounts/index.ts';
import type { Clock } from '../../clock.ts';
import { type Database, transact } from '../../store/index.ts';
import type { Refusal } from '../../values/refusal.ts';
import type { Actor, BillingOutcome } from '../model.ts';
import { type BillingReason, refuse } from '../refusal.ts';
import { isMissing, isRefused } from './client.ts';
import type { Customers } from './customers.ts';
import { loadPaidId } from './paid-plans.ts';
import type { Sync } from './sync.ts';

export interface CheckoutOptions {
  db: Kysely<Database>;
  stripe: Pick<Stripe, 'checkout'>;
  customers: Customers;
  prices: Readonly<Record<TierName, string>>;
  /** Without a trailing slash. */
  publicUrl: () => string;
  sync: Sync;
  now: Clock;
  /** Told of the address of each that is opened. */
  opened?: (url: string | null) => void;
}

export interface CheckoutInput {
  by: Actor;
  subscriptionId: string;
  tier: TierName;
}

export interface Checkout {
  /** Where to pay; the same place while it is open. `paid`: the subscription is paid for by now, so there is nothing to open. */
  open(input: CheckoutInput): Promise<BillingOutcome | Refusal<BillingReason> | 'paid'>;
  /** Looks what became of an opened one, and takes note. */
  look(row: CheckoutRow): Promise<Stripe.Checkout.Session | null>;
  /** Closes an opened one for good, unless it was paid just now. */
  close(row: CheckoutRow): Promise<void>;
}

export type CheckoutRow = Selectable<Database['stripe_checkout']>;

export function createCheckout(options: CheckoutOptions): Checkout {
  const { db, stripe, customers, sync, now } = options;
  const beginSession = createSessionStart(options);

  async function look(row: CheckoutRow): Promise<Stripe.Checkout.Session | null> {
    if (row.session === null) return null;
    const session = await stripe.checkout.sessions.retrieve(row.session).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
      return null;
    });
    if (!session) await mark(db, row, 'dropped');
    if (!session) return null;
    if (session.status === 'expired') await mark(db, row, 'dropped');
    if (session.status !== 'complete') return session;
    const { subscription } = session;
    if (subscription) await sync(typeof subscription === 'string' ? subscription : subscription.id);
    await mark(db, row, 'done');
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

  /** The first look at a row that has no session yet. */
  async function begin(row: CheckoutRow, by: Actor, tier: TierName): Promise<BillingOutcome | null> {
    const { url, tier: ofRow } = await beginSession(row, by);
    return ofRow === tier && url ? { ok: true, outcome: 'pay', url } : null;
  }

  async function goOn(row: CheckoutRow, tier: TierName): Promise<BillingOutcome | null> {
    const session = await look(row);
    if (session?.status === 'complete') return { ok: true, outcome: 'changed', tier: row.tier as TierName };
    if (session?.status !== 'open') return null;
    if (row.tier === tier && row.url) return { ok: true, outcome: 'pay', url: row.url };
    // Another tier: the first way must be closed for good before there is a second.
    await close(row);
    return null;
  }

  /** Null: something has changed, so look again. */
  async function attempt({ by, subscriptionId, tier }: CheckoutInput): Promise<BillingOutcome | 'paid' | null> {
    const row = await findOpen(db, subscriptionId);
    if (!row) return (await insertOpen(db, subscriptionId, tier, new Date(now()))) ? null : 'paid';
    try {
      return row.session === null ? await begin(row, by, tier) : await goOn(row, tier);
    } catch (error) {
      if (!isMissing(error, 'customer')) throw error;
      await customers.forget(by.accountId);
      await mark(db, row, 'dropped');
      return null;
    }
  }

  return {
    look,
    close,

    async open(input) {
      for (let round = 0; round < MAX_ROUNDS; round++) {
        const outcome = await attempt(input);
        if (outcome) return outcome;
      }
      return refuse('payment_pending');
    },
  };
}

/** Begins the session of a row at Stripe. Anybody may finish what another began, even one that died: the key makes it one session. */
function createSessionStart({ db, stripe, customers, prices, publicUrl, opened }: CheckoutOptions) {
  const starting = new Map<string, Promise<CheckoutRow>>();

  async function create(row: CheckoutRow, by: Actor): Promise<CheckoutRow> {
    const customer = await customers.ensure(by, row.id);
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

  return (row: CheckoutRow, by: Actor): Promise<CheckoutRow> => {
    const already = starting.get(row.id);
    if (already) return already;
    const work = create(row, by).finally(() => starting.delete(row.id));
    starting.set(row.id, work);
    return work;
  };
}

function findOpen(db: Kysely<Database>, subscriptionId: string): Promise<CheckoutRow | undefined> {
  return db
    .selectFrom('stripe_checkout')
    .selectAll()
    .where('subscription_id', '=', subscriptionId)
    .where('state', '=', 'open')
    .executeTakeFirst();
}

/**
 * Another process may have opened one meanwhile. False where the subscription is paid for: whoever opened and paid the last one may have
 * done so since we looked. Payments are written under the same lock, and before their row is done.
 */
function insertOpen(db: Kysely<Database>, subscriptionId: string, tier: TierName, at: Date): Promise<boolean> {
  return transact(db, async (trx) => {
    await lockSubscription(trx, subscriptionId);
    if (await loadPaidId(trx, subscriptionId)) return false;
    await trx
      .insertInto('stripe_checkout')
      .values({ id: randomUUIDv7(), subscription_id: subscriptionId, tier, created_at: at })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return true;
  });
}

async function mark(db: Kysely<Database>, { id }: CheckoutRow, state: 'done' | 'dropped'): Promise<void> {
  await db.updateTable('stripe_checkout').set({ state }).where('id', '=', id).where('state', '=', 'open').execute();
}

/** Others may open and close one between two looks of ours. */
const MAX_ROUNDS = 6;
