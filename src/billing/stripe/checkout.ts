/** Ways to pay for a subscription that is not paid for yet. There is one at a time per subscription, so nobody pays twice. */

import { randomUUIDv7 } from 'node:crypto';
import type { Kysely } from 'kysely';
import type Stripe from 'stripe';
import { lockSubscription, type TierName } from '../../accounts/index.ts';
import { type Database, transact } from '../../store/index.ts';
import type { Refusal } from '../../values/refusal.ts';
import type { Actor, BillingOutcome } from '../model.ts';
import { type BillingReason, refuse } from '../refusal.ts';
import { type CheckoutRow, isMissing, isRefused, type StripeContext } from './client.ts';
import { loadPaidId } from './state.ts';

interface CheckoutInput {
  by: Actor;
  subscriptionId: string;
  tier: TierName;
}

/** Where to pay; the same place while it is open. `paid`: the subscription is paid for by now, so there is nothing to open. */
export async function openCheckout(
  context: StripeContext,
  input: CheckoutInput,
): Promise<BillingOutcome | Refusal<BillingReason> | 'paid'> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const outcome = await attempt(context, input);
    if (outcome) return outcome;
  }
  return refuse('payment_pending');
}

/** Null: something has changed, so look again. */
async function attempt(
  context: StripeContext,
  { by, subscriptionId, tier }: CheckoutInput,
): Promise<BillingOutcome | 'paid' | null> {
  const { db, wall } = context;
  const row = await findOpen(db, subscriptionId);
  if (!row) return (await insertOpen(db, subscriptionId, tier, new Date(wall()))) ? null : 'paid';
  try {
    return row.session === null ? await begin(context, row, by, tier) : await goOn(context, row, tier);
  } catch (error) {
    if (!isMissing(error, 'customer')) throw error;
    // The customer was removed at Stripe by hand.
    await db.deleteFrom('stripe_customer').where('account_id', '=', by.accountId).execute();
    await mark(db, row, 'dropped');
    return null;
  }
}

/** The first look at a row that has no session yet. */
async function begin(context: StripeContext, row: CheckoutRow, by: Actor, tier: TierName): Promise<BillingOutcome | null> {
  const { url, tier: ofRow } = await startSession(context, row, by);
  return ofRow === tier && url ? { ok: true, outcome: 'pay', url } : null;
}

async function goOn(context: StripeContext, row: CheckoutRow, tier: TierName): Promise<BillingOutcome | null> {
  const session = await lookAtCheckout(context, row);
  if (session?.status === 'complete') return { ok: true, outcome: 'changed', tier: row.tier as TierName };
  if (session?.status !== 'open') return null;
  if (row.tier === tier && row.url) return { ok: true, outcome: 'pay', url: row.url };
  // Another tier: the first way must be closed for good before there is a second.
  await closeCheckout(context, row);
  return null;
}

/** Looks what became of an opened one, and takes note. */
export async function lookAtCheckout(
  { db, stripe, sync }: StripeContext,
  row: CheckoutRow,
): Promise<Stripe.Checkout.Session | null> {
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

/** Closes an opened one for good, unless it was paid just now. */
export async function closeCheckout(context: StripeContext, row: CheckoutRow): Promise<void> {
  if (row.session === null) return;
  await context.stripe.checkout.sessions.expire(row.session).catch((error: unknown) => {
    // It was paid or closed just now; the look tells.
    if (!isRefused(error)) throw error;
  });
  await lookAtCheckout(context, row);
}

/** Begins the session of a row at Stripe. Anybody may finish what another began, even one that died: the key makes it one session. */
function startSession(context: StripeContext, row: CheckoutRow, by: Actor): Promise<CheckoutRow> {
  const { starting } = context;
  const already = starting.get(row.id);
  if (already) return already;
  const work = createSession(context, row, by).finally(() => starting.delete(row.id));
  starting.set(row.id, work);
  return work;
}

async function createSession(context: StripeContext, row: CheckoutRow, by: Actor): Promise<CheckoutRow> {
  const { db, stripe, prices, publicUrl, opened } = context;
  const customer = await ensureCustomer(context, by, row.id);
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
  opened(session.url);
  const made = { session: session.id, url: session.url };
  await db.updateTable('stripe_checkout').set(made).where('id', '=', row.id).execute();
  return { ...row, ...made };
}

/** Stripe's id of the account as a customer; undefined without one. An account has at most one. */
export async function findCustomer(db: Kysely<Database>, accountId: string): Promise<string | undefined> {
  const row = await db.selectFrom('stripe_customer').select('id').where('account_id', '=', accountId).executeTakeFirst();
  return row?.id;
}

/** Finds the customer of the payer, or makes one. `checkoutId`: of the row that needs it. */
async function ensureCustomer(
  { db, stripe, wall }: StripeContext,
  { accountId, email }: Actor,
  checkoutId: string,
): Promise<string> {
  const found = await findCustomer(db, accountId);
  if (found !== undefined) return found;
  const made = await stripe.customers.create(
    { email, metadata: { marquee_account: accountId } },
    // Of the row, not of the account: a customer who was removed must not come back from Stripe's memory.
    { idempotencyKey: `customer-${checkoutId}` },
  );
  await db
    .insertInto('stripe_customer')
    .values({ id: made.id, account_id: accountId, created_at: new Date(wall()) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const customer = (await findCustomer(db, accountId)) ?? made.id;
  // Two plans were chosen at once, and the other one's customer was noted first.
  if (customer !== made.id) await stripe.customers.del(made.id);
  return customer;
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
