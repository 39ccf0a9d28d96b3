/** How many messages an account gets on a day (UTC). Beyond that its endpoints wait for the next day. */

import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { Database } from '../store/index.ts';
import { DAY_MS } from '../values/duration.ts';

/** Within the transaction that writes the deliveries. `sums`: how many are new, by endpoint. */
export async function countMessages(
  trx: Transaction<Database>,
  sums: ReadonlyMap<string, { counted: number }>,
  now: number,
): Promise<void> {
  // In the order of accounts, as everybody who locks several.
  await sql`
    insert into webhook_day (account_id, starts_at, messages)
    select account_id, ${new Date(dayOf(now))}, sum(number)
    from unnest(${[...sums.keys()]}::uuid[], ${[...sums.values()].map(({ counted }) => counted)}::int[]) as sum (endpoint_id, number)
    join webhook_endpoint on webhook_endpoint.id = sum.endpoint_id
    group by account_id order by account_id
    on conflict (account_id, starts_at) do update set messages = webhook_day.messages + excluded.messages`.execute(trx);
}

/** Whether the account of a row of `webhook_endpoint` has had its messages of the day. */
export const isOverDayLimit = (now: number): RawBuilder<boolean> => sql<boolean>`exists (
  select from webhook_day where account_id = webhook_endpoint.account_id
    and starts_at = ${new Date(dayOf(now))} and messages > ${MAX_MESSAGES_A_DAY})`;

/** The accounts that have had their messages of the day. */
export async function loadOverDayLimit(db: Kysely<Database>, now: number): Promise<string[]> {
  const rows = await db
    .selectFrom('webhook_day')
    .select('account_id')
    .where('starts_at', '=', new Date(dayOf(now)))
    .where('messages', '>', MAX_MESSAGES_A_DAY)
    .execute();
  return rows.map(({ account_id }) => account_id);
}

export const nextDay = (now: number): number => dayOf(now) + DAY_MS;
const dayOf = (now: number): number => Math.floor(now / DAY_MS) * DAY_MS;

const MAX_MESSAGES_A_DAY = 1_000_000;
