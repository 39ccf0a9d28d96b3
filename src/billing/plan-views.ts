/** The plans of an account as its pages show them. */

import { type Kysely, type Selectable, sql } from 'kysely';
import { isTierName, loadKeysOf, loadSubscriptions, type Plan, type TierName } from '../accounts/index.ts';
import type { Database } from '../store/index.ts';
import type { Payment, PlanView } from './model.ts';
import { foremost, LIVE, PAYMENT_STATES } from './stripe/state.ts';

/** Oldest subscription first. `now`: instant, ms. */
export async function readPlans(db: Kysely<Database>, accountId: string, now: number): Promise<PlanView[]> {
  const subscriptions = await loadSubscriptions(db, accountId);
  const ids = subscriptions.map(({ id }) => id);
  if (ids.length === 0) return [];
  const keys = await loadKeysOf(db, ids);
  const requests = await db
    .selectFrom('plan_request')
    .where('subscription_id', 'in', ids)
    .where('state', '<>', 'withdrawn')
    .distinctOn(['subscription_id', sql`state = 'open'`])
    .selectAll()
    .orderBy('subscription_id')
    .orderBy(sql`state = 'open'`)
    .orderBy('asked_at', 'desc')
    .execute();
  const payments = await db.selectFrom('stripe_subscription').where('subscription_id', 'in', ids).selectAll().execute();
  const checkouts = await db
    .selectFrom('stripe_checkout')
    .where('subscription_id', 'in', ids)
    .where('state', '=', 'open')
    .where('url', 'is not', null)
    .select(['subscription_id', 'tier', 'url'])
    .execute();

  return subscriptions.map((row): PlanView => {
    const isOf = (other: { subscription_id: string }) => other.subscription_id === row.id;
    const planRequests = requests.filter(isOf);
    const open = planRequests.find(({ state }) => state === 'open');
    const settled = planRequests.find(({ state }) => state !== 'open');
    const checkout = checkouts.find(isOf);
    return {
      subscriptionId: row.id,
      ...({ tier: row.tier, status: row.status } as Plan),
      trialEndsAt: row.trial_ends_at,
      createdAt: row.created_at,
      keys: keys.filter(isOf).map(({ id, name, last4, revoked_at, expires_at }) => {
        const isLive = !revoked_at && !(expires_at && now >= expires_at.getTime());
        return { id, name, last4, isLive };
      }),
      request: open ? { id: open.id, tier: tierOf(open.tier), askedAt: open.asked_at } : null,
      answer: settled?.settled_at
        ? {
            state: settled.state as 'approved' | 'declined',
            tier: tierOf(settled.tier),
            settledAt: settled.settled_at,
            note: settled.note,
          }
        : null,
      payment: paymentOf(payments.filter(isOf)),
      checkout: checkout?.url ? { tier: tierOf(checkout.tier) ?? 'starter', url: checkout.url } : null,
    };
  });
}

function paymentOf(rows: readonly Selectable<Database['stripe_subscription']>[]): Payment | null {
  const live = rows.filter(({ status }) => LIVE.has(status));
  const row = foremost(live.map(({ created_at, ...rest }) => ({ ...rest, createdAt: created_at })));
  if (!row) return null;
  const state = PAYMENT_STATES[row.status as keyof typeof PAYMENT_STATES];
  return { state, periodEndsAt: row.period_ends_at, endsAt: row.ends_at, pausedBy: row.paused_by };
}

const tierOf = (text: string | null): TierName | null => (text !== null && isTierName(text) ? text : null);
