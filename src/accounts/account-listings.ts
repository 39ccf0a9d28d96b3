/** Accounts as an operator sees them: with their plans, their keys and what they use. */

import type { Kysely } from 'kysely';
import type { Database } from '../store/index.ts';
import { DAY_MS } from '../values/duration.ts';
import type { TierName } from './tiers.ts';

export interface AccountListing {
  id: string;
  email: string;
  status: 'active' | 'suspended' | 'closed';
  isOperator: boolean;
  verifiedAt: Date | null;
  createdAt: Date;
  /** One per subscription, oldest first. */
  plans: { tier: TierName; status: 'trialing' | 'active' | 'inactive'; trialEndsAt: Date | null }[];
  /** Keys that work now: neither revoked nor expired, of a plan that is active, of an account that is. */
  liveKeys: number;
  /** UTC. */
  requestsToday: number;
  /** With today. */
  requests30Days: number;
}

export const ACCOUNT_COLUMNS = ['id', 'email', 'status', 'is_operator', 'email_verified_at', 'created_at'] as const;

export interface ListedAccount {
  id: string;
  email: string;
  status: string;
  is_operator: boolean;
  email_verified_at: Date | null;
  created_at: Date;
}

/** In the order given. `now`: instant, ms. */
export async function describeAccounts(
  db: Kysely<Database>,
  accounts: readonly ListedAccount[],
  now: number,
): Promise<AccountListing[]> {
  const ids = accounts.map(({ id }) => id);
  if (ids.length === 0) return [];
  // Each for all of them at once: an account may have hundreds of subscriptions.
  const [subscriptions, liveKeys, usage] = await Promise.all([
    loadPlans(db, ids),
    countLiveKeys(db, ids, new Date(now)),
    sumUsage(db, ids, now),
  ]);
  const liveOf = new Map(liveKeys.map(({ account_id, live }) => [account_id, Number(live)]));
  const usageOf = new Map(usage.map((each) => [each.account_id, each]));
  return accounts.map((account) => {
    const own = subscriptions.filter(({ account_id }) => account_id === account.id);
    const used = usageOf.get(account.id);
    return {
      id: account.id,
      email: account.email,
      isOperator: account.is_operator,
      // The tables' checks hold these to their words.
      status: account.status as AccountListing['status'],
      verifiedAt: account.email_verified_at,
      createdAt: account.created_at,
      plans: own.map(({ tier, status, trial_ends_at }) => ({
        tier,
        status,
        trialEndsAt: trial_ends_at,
      })) as AccountListing['plans'],
      liveKeys: liveOf.get(account.id) ?? 0,
      requestsToday: Number(used?.today ?? 0),
      requests30Days: Number(used?.month ?? 0),
    };
  });
}

const loadPlans = (db: Kysely<Database>, ids: readonly string[]) =>
  db
    .selectFrom('subscription')
    .where('account_id', 'in', ids)
    .where('status', '<>', 'test')
    .select(['account_id', 'tier', 'status', 'trial_ends_at'])
    .orderBy('created_at')
    .orderBy('id')
    .execute();

const countLiveKeys = (db: Kysely<Database>, ids: readonly string[], at: Date) =>
  db
    .selectFrom('api_key')
    .innerJoin('subscription', 'subscription.id', 'api_key.subscription_id')
    .innerJoin('account', 'account.id', 'subscription.account_id')
    .where('account_id', 'in', ids)
    .where('account.status', '=', 'active')
    // The end of a trial stays with a plan that was paid after it.
    .where((where) =>
      where.or([
        where('subscription.status', '=', 'active'),
        where.and([where('subscription.status', '=', 'trialing'), where('trial_ends_at', '>', at)]),
      ]),
    )
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', at)]))
    .select((live) => ['account_id', live.fn.countAll<string>().as('live')])
    .groupBy('account_id')
    .execute();

function sumUsage(db: Kysely<Database>, ids: readonly string[], now: number) {
  const today = new Date(now).toISOString().slice(0, 10);
  const first = new Date(now - 29 * DAY_MS).toISOString().slice(0, 10);
  return db
    .selectFrom('usage_day')
    .innerJoin('subscription', 'subscription.id', 'usage_day.subscription_id')
    .where('account_id', 'in', ids)
    .where('subscription.status', '<>', 'test')
    .where('day', '>=', first)
    .select((used) => [
      'account_id',
      used.fn.sum<string | null>('requests').filterWhere('day', '=', today).as('today'),
      used.fn.sum<string>('requests').as('month'),
    ])
    .groupBy('account_id')
    .execute();
}
