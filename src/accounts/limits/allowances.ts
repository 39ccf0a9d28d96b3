/** What is left to subscriptions right now, for people: read from the counters that decide, so it is what the headers would say. */

import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../store/index.ts';
import { DAY_MS } from '../../values/duration.ts';
import { isTierName, type TierName } from '../tiers.ts';
import { dateOfDay } from '../usage/usage-ledger.ts';
import type { Allowance } from '../verdict.ts';
import { type AllowanceWatch, createAllowanceWatch } from './allowance-watch.ts';
import type { Counters } from './counters.ts';

export interface Allowances extends AllowanceWatch {
  /** By subscription; those that do not exist are missing. Rejects with the store's error. */
  read(subscriptionIds: readonly string[]): Promise<Map<string, Allowance>>;
}

export interface AllowancesOptions {
  db: Kysely<Database>;
  counters: Counters;
  /** Of the limits: which day it is. */
  wall: Clock;
}

export function createAllowances({ db, counters, wall }: AllowancesOptions): Allowances {
  async function readTiers(ids: readonly string[]): Promise<Map<string, TierName>> {
    const day = Math.floor(wall() / DAY_MS);
    const rows = await db
      .selectFrom('subscription')
      .leftJoin('usage_day', (join) =>
        join.onRef('usage_day.subscription_id', '=', 'subscription.id').on('usage_day.day', '=', dateOfDay(day)),
      )
      .where(sql<boolean>`subscription.id = any(${[...ids]}::uuid[])`)
      .select(['subscription.id', 'subscription.tier', 'usage_day.requests'])
      .execute();
    const tiers = new Map<string, TierName>();
    for (const { id, tier, requests } of rows) {
      if (!isTierName(tier)) continue;
      // A counter that has not met the subscription yet would start the day at nothing.
      await counters.restore(id, day, Number(requests ?? 0));
      tiers.set(id, tier);
    }
    return tiers;
  }

  const { watch, close } = createAllowanceWatch({ counters, readTiers });

  return {
    async read(subscriptionIds) {
      const allowances = new Map<string, Allowance>();
      for (const [id, tier] of await readTiers(subscriptionIds)) allowances.set(id, await counters.peek(id, tier));
      return allowances;
    },

    watch,
    close,
  };
}
