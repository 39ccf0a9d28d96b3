/** What the ledger has of a day, for counters that have lost it or were alone: many single questions, few queries. */

import { type Kysely, sql } from 'kysely';
import type { Database } from '../../store/index.ts';
import { DAY_MS } from '../../values/duration.ts';
import { createBatches } from './batches.ts';
import { dateOfDay, type UsageLedger } from './usage-ledger.ts';

/** What this process has counted is written first. `day`: UTC, days since 1970. Rejects with the store's error. */
export function createReadUse(
  db: Kysely<Database>,
  ledger: Pick<UsageLedger, 'flush'>,
): (subscriptionId: string, day: number) => Promise<number> {
  const ask = createBatches<number>({
    async read(questions) {
      await ledger.flush({ requestsOnly: true });
      const ids = questions.map((question) => question.split(' ')[0] ?? '');
      const days = questions.map((question) => Number(question.split(' ')[1]));
      const rows = await db
        .selectFrom('usage_day')
        .where(sql<boolean>`subscription_id = any(${[...new Set(ids)]}::uuid[])`)
        .where(sql<boolean>`day = any(${[...new Set(days)].map(dateOfDay)}::date[])`)
        .select(['subscription_id', 'day', 'requests'])
        .execute();
      return new Map(rows.map((row) => [`${row.subscription_id} ${Date.parse(row.day) / DAY_MS}`, Number(row.requests)]));
    },
    ...READS,
  });
  return async (subscriptionId, day) => (await ask(`${subscriptionId} ${day}`)) ?? 0;
}

const READS = { size: 500, waiting: 20_000, deadlineMs: 4_000, mostHanging: 2, poolWaitMs: 100 } as const;
