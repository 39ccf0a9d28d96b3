/** The tier of a whole account: what belongs to the account, and not to one of its keys, is opened by its best plan. */

import { type Kysely, sql } from 'kysely';
import type { Database } from '../store/index.ts';
import { isTierName, TIERS, type TierName } from './tiers.ts';

/** The highest tier of the account's live plans at `now` (milliseconds); null without one, or while the account is suspended or closed. */
export async function loadAccountTier(db: Kysely<Database>, accountId: string, now: number): Promise<TierName | null> {
  return (await loadAccountTiers(db, [accountId], now)).get(accountId) ?? null;
}

/** The same for many accounts; those without a tier are missing. */
export async function loadAccountTiers(
  db: Kysely<Database>,
  accountIds: readonly string[],
  now: number,
): Promise<Map<string, TierName>> {
  const plans = await db
    .selectFrom('subscription')
    .innerJoin('account', 'account.id', 'subscription.account_id')
    .where('account.id', '=', sql<string>`any(${accountIds}::uuid[])`)
    .where('account.status', '=', 'active')
    .where(({ or, eb, and }) =>
      or([
        eb('subscription.status', '=', 'active'),
        and([eb('subscription.status', '=', 'trialing'), eb('subscription.trial_ends_at', '>', new Date(now))]),
      ]),
    )
    .select(['account.id', 'subscription.tier'])
    .execute();
  const best = new Map<string, TierName>();
  for (const { id, tier } of plans) {
    const known = best.get(id);
    if (isTierName(tier) && (!known || TIERS[known].rank < TIERS[tier].rank)) best.set(id, tier);
  }
  return best;
}
