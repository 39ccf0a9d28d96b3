/** What one key was used for: its own part of the account's figures. */

import { type Kysely, sql } from 'kysely';
import type { Database } from '../../store/index.ts';

/** Requests with one answer on one day. */
export interface KeyDayRow {
  /** `YYYY-MM-DD`, UTC. */
  day: string;
  endpoint: string;
  status: number;
  requests: string;
}

/** First and last UTC day, both included. Nothing for a key that is not of the account. Rejects with the store's error. */
export async function readKeyDays(db: Kysely<Database>, { accountId, keyId, from, to }: KeyUsageInput): Promise<KeyDayRow[]> {
  // One statement, so that an hour that moves meanwhile is seen once.
  const { rows } = await sql<KeyDayRow>`
    with own as (${ownKey(accountId, keyId)}), used as (
      select day, endpoint, status, requests from usage_detail
      where key_id = (select id from own) and day between ${from}::date and ${to}::date
      union all
      select (hour at time zone 'UTC')::date, endpoint, status, requests from usage_hour
      where key_id = (select id from own)
        and hour >= ${from}::date::timestamp at time zone 'UTC' and hour < (${to}::date + 1)::timestamp at time zone 'UTC'
    )
    select day::text, endpoint, status, sum(requests)::text as requests from used group by day, endpoint, status`.execute(db);
  return rows;
}

/** Hours from `first` on. */
export async function readKeyHours(db: Kysely<Database>, accountId: string, keyId: string, first: Date): Promise<HourRow[]> {
  const { rows } = await sql<HourRow>`
    with own as (${ownKey(accountId, keyId)})
    select hour as at, requests, refused from usage_key_hour where key_id = (select id from own) and hour >= ${first}
    union all
    select hour, coalesce(sum(requests) filter (where status <> ${REFUSED}), 0),
      coalesce(sum(requests) filter (where status = ${REFUSED}), 0)
    from usage_hour where key_id = (select id from own) and hour >= ${first} group by hour`.execute(db);
  return rows;
}

export interface HourRow {
  at: Date;
  requests: string;
  refused: string;
}

interface KeyUsageInput {
  accountId: string;
  keyId: string;
  from: string;
  to: string;
}

const ownKey = (accountId: string, keyId: string) => sql`
  select api_key.id from api_key join subscription on subscription.id = api_key.subscription_id
  where api_key.id = ${keyId} and subscription.account_id = ${accountId}`;

/** Answered 429: not used. */
const REFUSED = 429;
