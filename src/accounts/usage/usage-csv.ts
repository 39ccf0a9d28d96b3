/** Usage as a table for other programs: one row for each day, key, endpoint and status (RFC 4180). */

import { type Kysely, sql } from 'kysely';
import type { Database } from '../../store/index.ts';
import { writeCsvCell } from '../../values/csv-cell.ts';
import { DAY_MS } from '../../values/duration.ts';
import type { UsageInput } from './usage-report.ts';

/**
 * Chunks of text, header first, in the order of days; a few days at a time, so that a long table is never held as a whole. Rejects with the
 * store's error. What is still in memory is not in it: flush the gate first.
 */
export async function* usageCsv(db: Kysely<Database>, { accountId, from, to, keyId }: UsageInput): AsyncGenerator<string> {
  yield line(['date', 'key_id', 'key_name', 'endpoint', 'status', 'requests']);
  const last = Date.parse(to);
  for (let first = Date.parse(from); first <= last; first += DAYS_AT_ONCE * DAY_MS) {
    const end = Math.min(last, first + (DAYS_AT_ONCE - 1) * DAY_MS);
    const rows = await readRows(db, { accountId, from: dateOf(first), to: dateOf(end), ...(keyId !== undefined && { keyId }) });
    if (rows.length > 0)
      yield rows.map((row) => line([row.day, row.key_id, row.name, row.endpoint, row.status, row.requests])).join('');
  }
}

async function readRows(db: Kysely<Database>, { accountId, from, to, keyId }: UsageInput): Promise<Row[]> {
  const onlyOne = keyId === undefined ? sql`and subscription.status <> 'test'` : sql`and api_key.id = ${keyId}`;
  const { rows } = await sql<Row>`
    with own as (
      select api_key.id, api_key.name from api_key join subscription on subscription.id = api_key.subscription_id
      where subscription.account_id = ${accountId} ${onlyOne}
    ), used as (
      select key_id, day, endpoint, status, requests from usage_detail
      where key_id in (select id from own) and day between ${from}::date and ${to}::date
      union all
      select key_id, (hour at time zone 'UTC')::date, endpoint, status, requests from usage_hour
      where key_id in (select id from own)
        and hour >= ${from}::date::timestamp at time zone 'UTC' and hour < (${to}::date + 1)::timestamp at time zone 'UTC'
    )
    select used.day::text, used.key_id, own.name, used.endpoint, used.status::text, sum(used.requests)::text as requests
    from used join own on own.id = used.key_id
    group by used.day, used.key_id, own.name, used.endpoint, used.status
    order by used.day, used.key_id, used.endpoint, used.status`.execute(db);
  return rows;
}

interface Row {
  day: string;
  key_id: string;
  name: string;
  endpoint: string;
  status: string;
  requests: string;
}

const line = (cells: readonly string[]): string => `${cells.map(writeCsvCell).join(',')}\r\n`;

const dateOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10);
const DAYS_AT_ONCE = 7;
