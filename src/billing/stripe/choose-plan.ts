/** What a person, or the operator for them, does about a plan that is paid for: choose, end, keep, assign. */

import type Stripe from 'stripe';
import { lockSubscription, recordAudit, TIERS, type TierName } from '../../accounts/index.ts';
import { transact } from '../../store/index.ts';
import type { Refusal } from '../../values/refusal.ts';
import { actorOf, assign } from '../assign.ts';
import type { Billing, BillingInput, BillingOutcome } from '../model.ts';
import { type BillingReason, refuse } from '../refusal.ts';
import { withdrawRequest } from '../requests.ts';
import { openCheckout } from './checkout.ts';
import { refuseCharge, type StripeContext } from './client.ts';
import { LIVE, loadPaidPlan } from './state.ts';

type Answer = BillingOutcome | Refusal<BillingReason>;
type TierInput = BillingInput & { tier: TierName };

export const choosePlan = (context: StripeContext, input: TierInput): Promise<Answer> =>
  answer(context, () => choose(context, input, input.by.accountId));

export const endPlan = (context: StripeContext, input: BillingInput): Promise<Answer> =>
  answer(context, async () => {
    const found = await loadPaidPlan(context.db, input.subscriptionId, input.by.accountId);
    if (!found) return refuse('unknown_subscription');
    if (found.stripeId === null) return refuse('nothing_to_end');
    const ended = await endPaid(context, found.stripeId, input.token);
    await note(context, input, found.accountId, 'plan.end', {});
    return ended;
  });

export const keepPlan = (context: StripeContext, input: BillingInput): Promise<Answer> =>
  answer(context, async () => {
    const found = await loadPaidPlan(context.db, input.subscriptionId, input.by.accountId);
    if (!found) return refuse('unknown_subscription');
    if (await withdraw(context, input)) return { ok: true, outcome: 'unchanged' };
    if (found.stripeId === null) return refuse('nothing_to_keep');
    const kept = await keepPaid(context, found.stripeId, input.token);
    if (kept.ok) await note(context, input, found.accountId, 'plan.keep', {});
    return kept;
  });

export const assignPlan = (context: StripeContext, input: Parameters<Billing['assign']>[0]): Promise<Answer> =>
  answer(context, async () => {
    const found = await loadPaidPlan(context.db, input.subscriptionId, null);
    if (!found) return refuse('unknown_subscription');
    if (found.stripeId === null) return assign(context.db, input, context.now);
    if (found.tier !== input.expect.tier || found.status !== input.expect.status) return refuse('changed_meanwhile');
    return choose(context, input, null);
  });

const answer = ({ log }: StripeContext, work: () => Promise<Answer>): Promise<Answer> =>
  work().catch((error: unknown) => refuseCharge(error, log));

/** Puts what was done on the audit list. */
async function note(
  { db, now }: StripeContext,
  input: BillingInput,
  accountId: string,
  action: string,
  detail: Record<string, string>,
): Promise<void> {
  const about = { subject: 'account', subjectId: accountId, detail: { subscription: input.subscriptionId, ...detail } };
  await recordAudit(db, { ...actorOf(input.by), action, ...about }, { now });
}

/** A change of what is paid for, or a first payment. `accountId` is null for the operator, who pays for nobody. */
async function choose(context: StripeContext, input: TierInput, accountId: string | null): Promise<Answer> {
  for (let look = 0; look < MAX_LOOKS; look++) {
    const outcome = await attempt(context, input, accountId);
    if (outcome) return outcome;
  }
  return refuse('payment_pending');
}

/** Null: something has changed, so look again. */
async function attempt(context: StripeContext, input: TierInput, accountId: string | null): Promise<Answer | null> {
  const changed = await changePlan(context, input, accountId);
  if (typeof changed === 'object') return changed;
  if (changed === 'ended') return null;
  // The operator pays for nobody.
  if (accountId === null) return refuse('changed_meanwhile');
  const opened = await openCheckout(context, input);
  if (opened === 'paid') return null;
  if (opened.ok) await note(context, input, input.by.accountId, 'plan.checkout', { tier: input.tier });
  return opened;
}

/** `unpaid`: nothing is paid for it. `ended`: nothing is paid for it any more. */
async function changePlan(
  context: StripeContext,
  input: TierInput,
  accountId: string | null,
): Promise<Answer | 'unpaid' | 'ended'> {
  const found = await loadPaidPlan(context.db, input.subscriptionId, accountId);
  if (!found) return refuse('unknown_subscription');
  const { accountStatus, stripeId } = found;
  // Nothing may be charged for: what is changed now would be free.
  if (accountStatus !== 'active') return refuse('closed_account');
  if (stripeId === null) return 'unpaid';
  const changed = await changePaid(context, stripeId, input);
  if (changed !== 'ended' && changed.ok && changed.outcome === 'changed')
    await note(context, input, found.accountId, 'plan.choose', { tier: input.tier });
  return changed;
}

/**
 * Changes what is paid for already: once per form that was sent, and what it led to is fetched afterwards. Rejects with Stripe's error when
 * the difference cannot be charged: then nothing changed. `ended`: there is nothing to change any more.
 */
async function changePaid(
  { db, stripe, prices, sync }: StripeContext,
  stripeId: string,
  { subscriptionId, tier, token }: TierInput,
): Promise<Answer | 'ended'> {
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
  await stripe.subscriptions.update(stripeId, params, { idempotencyKey: `plan-${stripeId}-${tier}-${token}` });
  await sync(stripeId);
  // The same form sent again is answered from Stripe's memory, and others may have chosen something else since.
  if ((await loadPaidPlan(db, subscriptionId, null))?.tier !== tier) return refuse('changed_meanwhile');
  return { ok: true, outcome: 'changed', tier };
}

async function endPaid({ stripe, sync }: StripeContext, stripeId: string, token: string): Promise<BillingOutcome> {
  const options = { idempotencyKey: `end-${stripeId}-${token}` };
  await stripe.subscriptions.update(stripeId, { cancel_at_period_end: true }, options);
  await sync(stripeId);
  return { ok: true, outcome: 'ending', endsAt: endOf(await stripe.subscriptions.retrieve(stripeId)) };
}

async function keepPaid({ stripe, sync }: StripeContext, stripeId: string, token: string): Promise<Answer> {
  const current = await stripe.subscriptions.retrieve(stripeId);
  if (!LIVE.has(current.status) || !endOf(current)) {
    await sync(stripeId);
    return refuse('nothing_to_keep');
  }
  await stripe.subscriptions.update(stripeId, goOn(current), { idempotencyKey: `keep-${stripeId}-${token}` });
  await sync(stripeId);
  return { ok: true, outcome: 'unchanged' };
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

/** A request from the time before Stripe was set up. */
const withdraw = ({ db, now }: StripeContext, { subscriptionId, by }: BillingInput): Promise<boolean> =>
  transact(db, async (trx) => {
    const subscription = await lockSubscription(trx, subscriptionId);
    return subscription !== null && withdrawRequest(trx, subscription, by, new Date(now()));
  });

/** Between two looks, somebody else may pay, or a payment may end. */
const MAX_LOOKS = 4;
