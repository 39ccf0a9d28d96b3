/** Somebody with a hundred keys, or as many as told, that were used on every day of a year. */

import { type Kysely, sql } from 'kysely';
import { cleanUpUsage } from '../../../src/accounts/index.ts';
import type { Database } from '../../../src/store/index.ts';

export async function seedHundredKeys(db: Kysely<Database>, accountId: string, now: number, keys = 100): Promise<void> {
  const moment = sql`${new Date(now)}::timestamptz`;
  await sql`with made as (
      insert into subscription (id, account_id, tier, status, created_at)
      select gen_random_uuid(), ${accountId}, 'enterprise', 'active', ${moment} from generate_series(1, ${keys}::int) returning id
    )
    insert into api_key (id, subscription_id, name, secret_hash, last4, created_at)
    select right(replace(id::text, '-', ''), 12), id, 'a key', sha256(id::text::bytea), 'last', ${moment} from made`.execute(db);
  const own = sql`(select api_key.id, subscription_id from api_key join subscription on subscription.id = subscription_id
    where account_id = ${accountId})`;
  await sql`insert into usage_day select subscription_id, day::date, 900 from ${own} as own,
    generate_series(${moment} - interval '364 days', ${moment}, '1 day') as day`.execute(db);
  await sql`insert into usage_hour select own.id, date_trunc('hour', hour), '/api/v1/' || part, 200, 100 from ${own} as own,
    generate_series(${moment} - interval '89 days', ${moment}, '1 day') as hour, generate_series(1, 3) as part`.execute(db);
  await cleanUpUsage({ db, now: () => now });
}
