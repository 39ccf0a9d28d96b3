/** Writes what Stripe said of a subscription, and changes the plan that it pays for. */

import type { Kysely, Transaction } from 'kysely';
import type Stripe from 'stripe';
import { isTierName, lockSubscription, type Subscription, type TierName } from '../../accounts/index.ts';
import type { Clock } from '../../clock.ts';
import type { Log } from '../../log.ts';
import type { Database } from '../../store/index.ts';
import { changePlan } from '../assign.ts';
import { LIVE, planOf, type Seen } from './state.ts';
import { pausedBy } from './suspension.ts';

export interface FetchedSubscription {
  /** Stripe's. */
  id: string;
  subscriptionId: string;
  /** Of the row when the fetch began; 0 without one. */
  version: number;
  /** Null: Stripe does not have it. */
  fetched: Stripe.Subscription | null;
}

export interface StoreSubscriptionOptions {
  /** Ids of prices. */
  prices: Readonly<Record<TierName, string>>;
  now: Clock;
  log: Log;
}

/** False: somebody wrote meanwhile, and may have looked later than we did. */
export type StoreSubscription = (trx: Transaction<Database>, seen: FetchedSubscription) => Promise<boolean>;

export function createStoreSubscription({ prices, now, log }: StoreSubscriptionOptions): StoreSubscription {
  /** Prices change over the years while old subscriptions keep theirs: such a price says its tier itself. */
  function tierOf(price: Stripe.Price | undefined, id: string): TierName | null {
    const known = Object.entries(prices).find(([, priceId]) => priceId === price?.id)?.[0] ?? price?.metadata.marquee_tier;
    if (known !== undefined && isTierName(known)) return known;
    log.error({ stripeSubscription: id, price: price?.id }, 'a Stripe price belongs to no tier; the plan keeps its tier');
    return null;
  }

  /** Whether the row may be written: a new one only for the customer whose plan it names. */
  async function isTrusted(
    trx: Transaction<Database>,
    { id, fetched }: FetchedSubscription,
    subscription: Subscription,
  ): Promise<boolean> {
    if (!fetched) return false;
    if (await isCustomerOf(trx, fetched, subscription)) return true;
    log.warn({ stripeSubscription: id }, 'a subscription at Stripe names a plan that is not its customer\u2019s');
    return false;
  }

  return async (trx, seen) => {
    const { id, subscriptionId, version } = seen;
    // One writer per subscription at a time, whichever subscription of it is written.
    const subscription = await lockSubscription(trx, subscriptionId);
    if (!subscription) return true;
    const known = await findKnown(trx, id);
    if ((known?.version ?? 0) !== version) return false;
    if (!known && !(await isTrusted(trx, seen, subscription))) return true;
    const before = await loadSeen(trx, subscriptionId);
    const at = new Date(now());
    await save(trx, seen, tierOf, at);
    const after = await loadSeen(trx, subscriptionId);
    const live = after.filter(({ status }) => LIVE.has(status));
    if (live.length > 1) log.error({ subscriptionId, live: live.map((each) => each.id) }, 'a plan has two Stripe subscriptions');
    const next = nextPlan(subscription, before, after);
    if (next) await changePlan(trx, subscription, next, { actor: { id: null, name: 'Stripe' }, detail: { stripe: id } }, at);
    return true;
  };
}

/** Null: the plan stays as it is. */
function nextPlan({ tier, status }: Subscription, before: readonly Seen[], after: readonly Seen[]) {
  const plan = planOf(after);
  // The operator's word about a subscription holds until Stripe has something new to say.
  if (!plan || JSON.stringify(plan) === JSON.stringify(planOf(before))) return null;
  const next = { tier: plan.tier ?? tier, status: plan.status };
  return next.tier === tier && next.status === status ? null : next;
}

async function save(
  trx: Transaction<Database>,
  { id, subscriptionId, version, fetched }: FetchedSubscription,
  tierOf: (price: Stripe.Price | undefined, id: string) => TierName | null,
  at: Date,
): Promise<void> {
  const next = version + 1;
  if (!fetched) {
    const gone = { status: 'canceled', ends_at: null, version: next, seen_at: at };
    await trx.updateTable('stripe_subscription').set(gone).where('id', '=', id).execute();
    return;
  }
  const [item] = fetched.items.data;
  const periodEnds = item?.current_period_end ?? null;
  const endsAt = fetched.cancel_at ?? (fetched.cancel_at_period_end ? periodEnds : null);
  const row = {
    status: fetched.status,
    tier: tierOf(item?.price, id),
    period_ends_at: instant(periodEnds),
    ends_at: instant(endsAt),
    paused_by: pausedBy(fetched),
    version: next,
    created_at: new Date(fetched.created * 1_000),
    seen_at: at,
  };
  await trx
    .insertInto('stripe_subscription')
    .values({ id, subscription_id: subscriptionId, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
}

/** The row of a subscription at Stripe. */
export function findKnown(db: Kysely<Database>, id: string) {
  return db.selectFrom('stripe_subscription').select(['subscription_id', 'version']).where('id', '=', id).executeTakeFirst();
}

async function loadSeen(trx: Transaction<Database>, subscriptionId: string): Promise<Seen[]> {
  const rows = await trx
    .selectFrom('stripe_subscription')
    .select(['id', 'status', 'tier', 'created_at'])
    .where('subscription_id', '=', subscriptionId)
    .execute();
  return rows.map(({ id, status, tier, created_at }) => ({
    id,
    status,
    createdAt: created_at,
    tier: tier !== null && isTierName(tier) ? tier : null,
  }));
}

async function isCustomerOf(
  trx: Transaction<Database>,
  { customer }: Stripe.Subscription,
  subscription: Subscription,
): Promise<boolean> {
  const id = typeof customer === 'string' ? customer : customer.id;
  const known = await trx.selectFrom('stripe_customer').select('account_id').where('id', '=', id).executeTakeFirst();
  return known?.account_id === subscription.accountId;
}

const instant = (seconds: number | null): Date | null => (seconds === null ? null : new Date(seconds * 1_000));
