/** The tier of a whole account: what belongs to the account, and not to one of its keys, is opened by its best plan. */

import type { Kysely } from 'kysely';
import type { Database } from '../store/index.ts';
import { isTierName, TIERS, type TierName } from './tiers.ts';

/** The highest tier of the account's live plans at `now` (milliseconds); null without one, or while the account is suspended or closed. */
export async function loadAccountTier(db: Kysely<Database>, accountId: string, now: number): Promise<TierName | null> {
  const plans = await db
    .selectFrom('subscription')
    .innerJoin('account', 'account.id', 'subscription.account_id')
    .where('account.id', '=', accountId)
    .where('account.status', '=', 'active')
    .where(({ or, eb, and }) =>
      or([
        eb('subscription.status', '=', 'active'),
        and([eb('subscription.status', '=', 'trialing'), eb('subscription.trial_ends_at', '>', new Date(now))]),
      ]),
    )
    .select('subscription.tier')
    .execute();
  const tiers = plans.map(({ tier }) => tier).filter(isTierName);
  return tiers.reduce<TierName | null>((best, tier) => (best && TIERS[best].rank >= TIERS[tier].rank ? best : tier), null);
}
