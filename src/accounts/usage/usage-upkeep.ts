/** Keeps the figures of usage small: hours that are over become days and sums. Those go as docs/retention.md says. */

import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../clock.ts';
import { type Database, NO_LIST_MARK } from '../../store/index.ts';
import { HOUR_MS } from './usage-ledger.ts';

/**
 * One statement moves each hour, so that it is counted once at every moment. Safe to run at any time, in any number of processes. What is
 * written late for an hour that was moved is moved by the next call. `now`: the limits' clock. Rejects with the store's error.
 */
export async function cleanUpUsage({ db, now }: { db: Kysely<Database>; now: Clock }): Promise<void> {
  const hour = Math.floor(now() / HOUR_MS) * HOUR_MS;
  const shown = new Date(hour - SUMMARY_HOURS * HOUR_MS);
  const add = sql.raw(
    'requests = usage_summary.requests + excluded.requests, refused = usage_summary.refused + excluded.refused',
  );
  await sql`${NO_LIST}
    with moved as (
      delete from usage_hour where hour < ${new Date(hour - HOURS_KEPT * HOUR_MS)} returning *
    ), dated as (
      select moved.key_id, moved.hour, (moved.hour at time zone 'UTC')::date as day, moved.endpoint, moved.status, moved.requests,
        subscription.account_id, subscription.status = 'test' as is_test
      from moved join api_key on api_key.id = moved.key_id join subscription on subscription.id = api_key.subscription_id
    ), detailed as (
      insert into usage_detail (key_id, day, endpoint, status, requests)
      select key_id, day, endpoint, status, sum(requests) from dated
      group by key_id, day, endpoint, status order by key_id, day, endpoint, status
      on conflict (key_id, day, endpoint, status) do update set requests = usage_detail.requests + excluded.requests
    ), by_key as (
      insert into usage_key_hour (key_id, hour, requests, refused)
      select key_id, hour, coalesce(sum(requests) filter (where status <> ${REFUSED}), 0),
        coalesce(sum(requests) filter (where status = ${REFUSED}), 0)
      from dated where hour >= ${shown} group by key_id, hour order by key_id, hour
      on conflict (key_id, hour) do update set
        requests = usage_key_hour.requests + excluded.requests, refused = usage_key_hour.refused + excluded.refused
    ), part as (
      select account_id, hour as at, 'hour' as kind, '' as label, status, requests from dated where not is_test
      union all
      select account_id, day::timestamp at time zone 'UTC', kind, label, status, requests
      from dated cross join lateral (values ('endpoint', endpoint), ('status', status::text), ('key', key_id)) as of (kind, label)
      where not is_test
    )
    insert into usage_summary (account_id, at, kind, label, requests, refused)
    select account_id, at, kind, label,
      coalesce(sum(requests) filter (where status <> ${REFUSED}), 0), coalesce(sum(requests) filter (where status = ${REFUSED}), 0)
    from part group by account_id, at, kind, label order by account_id, at, kind, label
    on conflict (account_id, at, kind, label) do update set ${add}`.execute(db);
}

const NO_LIST = sql.raw(NO_LIST_MARK);
const REFUSED = 429;
/** Whole hours before this one: the forecast asks for the last 60 minutes. */
const HOURS_KEPT = 1;
/** More than the 48 that are shown, so that none is missing while this runs late. */
const SUMMARY_HOURS = 72;
