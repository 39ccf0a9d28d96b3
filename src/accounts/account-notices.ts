/** Facts that accounts are told of by webhooks: requests of the day, keys that expire. */

import { type Kysely, sql } from 'kysely';
import type { Database } from '../store/index.ts';
import { isTierName, TIERS, type TierName } from './tiers.ts';

export interface QuotaUse {
  accountId: string;
  subscriptionId: string;
  tier: TierName;
  used: number;
  limit: number;
}

/** Requests of a UTC day (`YYYY-MM-DD`) by plan, as the store has them: at most a second behind. Plans without requests are missing. */
export async function loadQuotaUse(db: Kysely<Database>, accountIds: readonly string[], day: string): Promise<QuotaUse[]> {
  const rows = await db
    .selectFrom('usage_day')
    .innerJoin('subscription', 'subscription.id', 'usage_day.subscription_id')
    .select(['subscription.id', 'subscription.account_id', 'subscription.tier', 'usage_day.requests'])
    .where('subscription.account_id', '=', sql<string>`any(${accountIds}::uuid[])`)
    .where('usage_day.day', '=', day)
    .where('subscription.status', '<>', 'test')
    .execute();
  return rows.flatMap(({ id, account_id, tier, requests }) =>
    isTierName(tier)
      ? [{ accountId: account_id, subscriptionId: id, tier, used: Number(requests), limit: TIERS[tier].perDay }]
      : [],
  );
}

export interface ExpiringKey {
  accountId: string;
  keyId: string;
  name: string;
  expiresAt: Date;
}

/** Keys that work and expire within a span of time, milliseconds. */
export async function loadExpiringKeys(
  db: Kysely<Database>,
  accountIds: readonly string[],
  { from, to }: { from: number; to: number },
): Promise<ExpiringKey[]> {
  const rows = await db
    .selectFrom('api_key')
    .innerJoin('subscription', 'subscription.id', 'api_key.subscription_id')
    .select(['api_key.id', 'api_key.name', 'api_key.expires_at', 'subscription.account_id'])
    .where('subscription.account_id', '=', sql<string>`any(${accountIds}::uuid[])`)
    .where('subscription.status', '<>', 'test')
    .where('api_key.revoked_at', 'is', null)
    .where('api_key.expires_at', '>', new Date(from))
    .where('api_key.expires_at', '<=', new Date(to))
    .execute();
  return rows.flatMap(({ id, name, expires_at, account_id }) =>
    expires_at ? [{ accountId: account_id, keyId: id, name, expiresAt: expires_at }] : [],
  );
}
