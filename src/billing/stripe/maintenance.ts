/** What is done by the clock: customers who left are removed at Stripe, payments follow suspensions, and what no message told of is looked at. */

import { sql } from 'kysely';
import type Stripe from 'stripe';
import { ownedSubscriptions, recordAudit, statusOfAccount } from '../../accounts/index.ts';
import { closeCheckout, lookAtCheckout } from './checkout.ts';
import { describeFault, isMissing, type StripeContext } from './client.ts';
import { LIVE, PAUSE_MARK } from './state.ts';

export async function release(context: StripeContext, accountId: string): Promise<void> {
  const known = await context.db.selectFrom('stripe_customer').select('id').where('account_id', '=', accountId).execute();
  await each(context, known, ({ id }) => removeCustomer(context, id));
}

export async function releaseClosed(context: StripeContext): Promise<void> {
  const left = await context.db
    .selectFrom('stripe_customer')
    .where(sql<boolean>`coalesce(${statusOfAccount('stripe_customer.account_id')}, 'closed') = 'closed'`)
    .select('stripe_customer.id')
    .execute();
  await each(context, left, ({ id }) => removeCustomer(context, id));
}

/** Ends all subscriptions of the customer at once, and what is open to be paid. */
async function removeCustomer({ db, stripe }: StripeContext, id: string): Promise<void> {
  await stripe.customers.del(id).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
  await db.deleteFrom('stripe_customer').where('id', '=', id).execute();
}

export async function reconcile(context: StripeContext): Promise<void> {
  const { db, sync, wall } = context;
  const before = (ms: number): Date => new Date(wall() - ms);
  await followSuspension(context);
  const forgotten = await db
    .selectFrom('stripe_checkout')
    .selectAll()
    .where('state', '=', 'open')
    .where('session', 'is not', null)
    .where('created_at', '<', before(CHECKOUT_AGE_MS))
    .orderBy('created_at')
    .limit(ROWS_AT_ONCE)
    .execute();
  await each(context, forgotten, (row) => lookAtCheckout(context, row));
  const overdue = await db
    .selectFrom('stripe_subscription')
    .select('id')
    .where('status', 'in', [...LIVE])
    .where((where) =>
      where.or([
        where('seen_at', '<', before(SEEN_AGE_MS)),
        where.and([where('period_ends_at', '<', before(0)), where('seen_at', '<', before(OVERDUE_AGE_MS))]),
      ]),
    )
    .orderBy('seen_at')
    .limit(ROWS_AT_ONCE)
    .execute();
  await each(context, overdue, ({ id }) => sync(id));
}

/**
 * Brings payments to what the account's state asks for; without an id those of all accounts. Never rejects for what Stripe does.
 *
 * Nobody pays for an account that is suspended: its subscriptions go on, and each of their invoices is voided until the account goes on
 * (https://docs.stripe.com/billing/subscriptions/pause-payment). The mark beside the pause tells ours from one that was set at Stripe.
 */
export async function followSuspension(context: StripeContext, accountId?: string): Promise<void> {
  const { db } = context;
  const open = await db
    .selectFrom('stripe_checkout')
    .innerJoin(ownedSubscriptions(db).as('owned'), 'owned.id', 'stripe_checkout.subscription_id')
    .where('owned.accountStatus', '=', 'suspended')
    .where('stripe_checkout.state', '=', 'open')
    .where('stripe_checkout.session', 'is not', null)
    .$if(accountId !== undefined, (some) => some.where('owned.accountId', '=', accountId ?? ''))
    .selectAll('stripe_checkout')
    .limit(ROWS_AT_ONCE)
    .execute();
  await each(context, open, (row) => closeCheckout(context, row));
  const otherwise = await db
    .selectFrom('stripe_subscription')
    .innerJoin(ownedSubscriptions(db).as('owned'), 'owned.id', 'stripe_subscription.subscription_id')
    .where('stripe_subscription.status', 'in', CHARGED)
    .where((where) =>
      where.or([
        where.and([where('owned.accountStatus', '=', 'suspended'), where('paused_by', 'is', null)]),
        where.and([where('owned.accountStatus', '=', 'active'), where('paused_by', '=', 'marquee')]),
      ]),
    )
    .$if(accountId !== undefined, (some) => some.where('owned.accountId', '=', accountId ?? ''))
    .select(['stripe_subscription.id', 'owned.accountId', 'owned.accountStatus as state'])
    .limit(ROWS_AT_ONCE)
    .execute();
  await each(context, otherwise, (subscription) => turn(context, subscription));
}

async function turn(
  { db, stripe, sync, wall }: StripeContext,
  { id, accountId, state }: { id: string; accountId: string; state: string },
): Promise<void> {
  const pauses = state === 'suspended';
  const pause: Stripe.SubscriptionUpdateParams = pauses
    ? { pause_collection: { behavior: 'void' }, metadata: { [PAUSE_MARK]: 'yes' } }
    : { pause_collection: '', metadata: { [PAUSE_MARK]: '' } };
  await stripe.subscriptions.update(id, pause).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
  await sync(id);
  const entry = { actor: { id: null, name: 'billing' }, action: pauses ? 'payment.pause' : 'payment.resume' };
  const about = { subject: 'account', subjectId: accountId, detail: { stripe: id } };
  await recordAudit(db, { ...entry, ...about }, { now: wall });
}

/** One that fails is logged and tried again the next time; the others go on. */
async function each<T>({ log }: StripeContext, rows: readonly T[], work: (row: T) => Promise<unknown>): Promise<void> {
  for (const row of rows) {
    await work(row).catch((error: unknown) => log.warn(describeFault(error), 'Stripe did not respond; trying again'));
  }
}

const HOUR_MS = 3_600_000;
/** Most people who pay do so within minutes. */
const CHECKOUT_AGE_MS = HOUR_MS / 6;
const OVERDUE_AGE_MS = HOUR_MS;
const SEEN_AGE_MS = 24 * HOUR_MS;
const ROWS_AT_ONCE = 50;
/** Those that have invoices and may be changed. */
const CHARGED = ['active', 'trialing', 'past_due', 'unpaid'];
