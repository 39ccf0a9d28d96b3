/**
 * Brings what we know of a subscription to what Stripe says of it now, with the plan that it pays for. Messages only say which one to look
 * at, so late, repeated and reordered ones do no harm: whatever is written was fetched after all that was written before it.
 */

import type { Kysely, Transaction } from 'kysely';
import type Stripe from 'stripe';
import { isTierName, lockSubscription, type Subscription, type TierName } from '../../accounts/index.ts';
import { type Database, transact } from '../../store/index.ts';
import { isUuid } from '../../values/uuid.ts';
import { changePlan } from '../assign.ts';
import { isMissing, type StripeContext } from './client.ts';
import { LIVE, pausedBy, planOf, type Seen } from './state.ts';

type SyncContext = Pick<StripeContext, 'db' | 'stripe' | 'prices' | 'wall' | 'log'>;

/** `sync` resolves when the store says what Stripe said after the call. */
export function createSync(context: SyncContext): StripeContext['sync'] {
  const { db, stripe } = context;
  /** Looks of this process at one subscription, one after the other; who comes while one runs shares the next. */
  const looks = new Map<string, { running: Promise<void>; next: Promise<void> | null }>();

  async function look(id: string): Promise<void> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const known = await findKnown(db, id);
      const fetched = await fetch(id);
      const subscriptionId = known?.subscription_id ?? fetched?.metadata.marquee_subscription;
      // Other products may use the same account at Stripe.
      if (!subscriptionId || !isUuid(subscriptionId)) return;
      const done = await transact(db, (trx) =>
        store(context, trx, { id, subscriptionId, version: known?.version ?? 0, fetched }),
      );
      if (done) return;
    }
    throw new Error('concurrent writes to this subscription do not end');
  }

  async function fetch(id: string): Promise<Stripe.Subscription | null> {
    try {
      return await stripe.subscriptions.retrieve(id);
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  return function sync(id): Promise<void> {
    const current = looks.get(id);
    if (current) {
      current.next ??= current.running.then(
        () => sync(id),
        () => sync(id),
      );
      return current.next;
    }
    const running = look(id).finally(() => looks.delete(id));
    looks.set(id, { running, next: null });
    return running;
  };
}

/** A subscription at Stripe as it was fetched. */
interface FetchedSubscription {
  /** Stripe's. */
  id: string;
  subscriptionId: string;
  /** Of the row when the fetch began; 0 without one. */
  version: number;
  /** Null: Stripe does not have it. */
  fetched: Stripe.Subscription | null;
}

/** False: somebody wrote meanwhile, and may have looked later than we did. */
async function store(context: SyncContext, trx: Transaction<Database>, seen: FetchedSubscription): Promise<boolean> {
  const { wall, log } = context;
  const { id, subscriptionId, version } = seen;
  // One writer per subscription at a time, whichever subscription of it is written.
  const subscription = await lockSubscription(trx, subscriptionId);
  if (!subscription) return true;
  const known = await findKnown(trx, id);
  if ((known?.version ?? 0) !== version) return false;
  if (!known && !(await isTrusted(context, trx, seen, subscription))) return true;
  const before = await loadSeen(trx, subscriptionId);
  const at = new Date(wall());
  await save(context, trx, seen, at);
  const after = await loadSeen(trx, subscriptionId);
  const live = after.filter(({ status }) => LIVE.has(status));
  if (live.length > 1) log.error({ subscriptionId, live: live.map((each) => each.id) }, 'a plan has two Stripe subscriptions');
  const next = nextPlan(subscription, before, after);
  if (next) await changePlan(trx, subscription, next, { actor: { id: null, name: 'Stripe' }, detail: { stripe: id } }, at);
  return true;
}

/** Whether the row may be written: a new one only for the customer whose plan it names. */
async function isTrusted(
  { log }: SyncContext,
  trx: Transaction<Database>,
  { id, fetched }: FetchedSubscription,
  subscription: Subscription,
): Promise<boolean> {
  if (!fetched) return false;
  if (await isCustomerOf(trx, fetched, subscription)) return true;
  log.warn({ stripeSubscription: id }, 'a subscription at Stripe names a plan that is not its customer\u2019s');
  return false;
}

/** Prices change over the years while old subscriptions keep theirs: such a price says its tier itself. */
function tierOf({ prices, log }: SyncContext, price: Stripe.Price | undefined, id: string): TierName | null {
  const known = Object.entries(prices).find(([, priceId]) => priceId === price?.id)?.[0] ?? price?.metadata.marquee_tier;
  if (known !== undefined && isTierName(known)) return known;
  log.error({ stripeSubscription: id, price: price?.id }, 'a Stripe price belongs to no tier; the plan keeps its tier');
  return null;
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
  context: SyncContext,
  trx: Transaction<Database>,
  { id, subscriptionId, version, fetched }: FetchedSubscription,
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
    tier: tierOf(context, item?.price, id),
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
function findKnown(db: Kysely<Database>, id: string) {
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

/** Each failed one is another writer's success. */
const MAX_ATTEMPTS = 10;
