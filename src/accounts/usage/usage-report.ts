/**
 * What an account has used, for people (test keys by themselves): by day, hour, endpoint, status and key. Days are the exact counts that are billed; the finer
 * figures add up to them, but for requests that were never seen answered (`unexplained`).
 */

import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../store/index.ts';
import { DAY_MS } from '../../values/duration.ts';
import type { Allowance, Gate } from '../verdict.ts';
import { dateOfDay, HOUR_MS } from './usage-ledger.ts';

export interface UsageInput {
  accountId: string;
  /** First and last UTC day, `YYYY-MM-DD`, both included. */
  from: string;
  to: string;
  /** Of this key alone: nothing when it is not of the account. Its days are sums of the finer figures, so nothing is unexplained. */
  keyId?: string;
}

export interface UsageDetail {
  /** Sum of the days. */
  requests: number;
  /** Answered 429: not used. */
  refused: number;
  /** Every day from first to last. */
  days: { date: string; requests: number; refused: number }[];
  /** The last 48 hours, oldest first; `start` is an instant, ms. */
  hours: { start: number; requests: number; refused: number }[];
  /** Most first, then by name. `endpoint` is a template such as `/api/v1/events/{id}`; `/api/v1/*` stands for addresses where nothing is. */
  endpoints: { endpoint: string; requests: number }[];
  /** Lowest first; 499: the caller left before the answer. */
  statuses: { status: number; requests: number }[];
  /** Most first; keys that were never used in these days are missing. */
  keys: { keyId: string; requests: number; refused: number }[];
  /** Counted, but not in the finer figures: on their way, cut off by a crash, or older than these figures. */
  unexplained: number;
}

export interface SubscriptionUsage {
  allowance: Allowance;
  /** Requests of the last 60 minutes: those of this hour, and of the one before in proportion. */
  lastHour: number;
  /** When the day's requests will be used up at the pace of the last hour, ms; null: not today. Now or earlier when they are. */
  endsAt: number | null;
}

export interface UsageReports {
  /** Rejects with the store's error. */
  report(input: UsageInput): Promise<UsageDetail>;
  /** By subscription of the account. */
  now(accountId: string): Promise<Map<string, SubscriptionUsage>>;
  /** One subscription of the account; null when it has no such one. */
  nowOf(accountId: string, subscriptionId: string): Promise<SubscriptionUsage | null>;
}

/** `now`: the limits' clock. */
export function createUsageReports(db: Kysely<Database>, gate: Pick<Gate, 'flush' | 'allowancesOf'>, now: Clock): UsageReports {
  async function subscriptionIds(accountId: string): Promise<string[]> {
    const own = db.selectFrom('subscription').select('id').where('account_id', '=', accountId);
    const rows = await own.where('status', '<>', 'test').orderBy('id').execute();
    return rows.map(({ id }) => id);
  }

  async function usageOfSubscriptions(ids: readonly string[]): Promise<Map<string, SubscriptionUsage>> {
    if (ids.length === 0) return new Map();
    await gate.flush();
    const moment = now();
    const pace = await readPace(db, ids, moment);
    const found = new Map<string, SubscriptionUsage>();
    for (const [id, allowance] of await gate.allowancesOf(ids)) {
      const lastHour = pace.get(id) ?? 0;
      found.set(id, { allowance, lastHour, endsAt: forecastDay(allowance, lastHour, moment) });
    }
    return found;
  }

  async function reportKey(input: UsageInput & { keyId: string }, moment: number): Promise<UsageDetail> {
    const first = firstHour(moment);
    const [rows, hourRows] = await Promise.all([
      readKeyDays(db, input),
      readKeyHours(db, input.accountId, input.keyId, new Date(first)),
    ]);
    const counted = new Map<string, number>();
    const fine = createFine();
    for (const { day, endpoint, status, requests } of rows) {
      const isRefused = status === REFUSED;
      const counts = { requests: isRefused ? '0' : requests, refused: isRefused ? requests : '0', day: null };
      if (!isRefused) counted.set(day, (counted.get(day) ?? 0) + Number(requests));
      fine.add({ ...counts, kind: 'endpoint', label: endpoint });
      fine.add({ ...counts, kind: 'status', label: String(status), day: new Date(day) });
      fine.add({ ...counts, kind: 'key', label: input.keyId });
    }
    return describe({ ...input, counted, fine, hours: fillHours(first, hourRows) });
  }

  return {
    async report({ accountId, from, to, keyId }) {
      await gate.flush();
      const moment = now();
      if (keyId !== undefined) return reportKey({ accountId, from, to, keyId }, moment);
      const ids = await subscriptionIds(accountId);
      const allowances = await gate.allowancesOf(ids);
      const [counted, fine, hours] = await Promise.all([
        readDays(db, ids, from, to),
        readFine(db, accountId, from, to),
        readHours(db, accountId, moment),
      ]);
      const today = dateOfDay(Math.floor(moment / DAY_MS));
      // The counters of this process may be a batch ahead of the store; the store knows those of others.
      const usedToday = sum([...allowances.values()].map(({ day }) => day.used));
      if (from <= today && today <= to) counted.set(today, Math.max(usedToday, counted.get(today) ?? 0));
      return describe({ from, to, counted, fine, hours });
    },

    now: async (accountId) => usageOfSubscriptions(await subscriptionIds(accountId)),

    async nowOf(accountId, subscriptionId) {
      const ids = (await subscriptionIds(accountId)).filter((id) => id === subscriptionId);
      return (await usageOfSubscriptions(ids)).get(subscriptionId) ?? null;
    },
  };
}

interface Figures {
  from: string;
  to: string;
  /** By day. */
  counted: ReadonlyMap<string, number>;
  fine: Fine;
  hours: UsageDetail['hours'];
}

function describe({ from, to, counted, fine, hours }: Figures): UsageDetail {
  const days = datesBetween(from, to).map((date) => ({
    date,
    requests: counted.get(date) ?? 0,
    refused: fine.refusedByDay.get(date) ?? 0,
  }));
  const requests = sum(days.map((day) => day.requests));
  const statuses = used(fine.by.status).map(([label, each]) => ({ status: Number(label), requests: each.requests }));
  return {
    requests,
    refused: sum(days.map((day) => day.refused)),
    days,
    hours,
    endpoints: used(fine.by.endpoint)
      .map(([endpoint, each]) => ({ endpoint, requests: each.requests }))
      .sort((left, right) => right.requests - left.requests || (left.endpoint < right.endpoint ? -1 : 1)),
    statuses: statuses.sort((left, right) => left.status - right.status),
    keys: [...fine.by.key]
      .map(([keyId, each]) => ({ keyId, ...each }))
      .sort((left, right) => right.requests - left.requests || (left.keyId < right.keyId ? -1 : 1)),
    unexplained: Math.max(0, requests - sum(statuses.map((row) => row.requests))),
  };
}

async function readDays(db: Kysely<Database>, ids: readonly string[], from: string, to: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('usage_day')
    .where(sql<boolean>`subscription_id = any(${[...ids]}::uuid[])`)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .groupBy('day')
    .select(['day', (select) => select.fn.sum('requests').as('requests')])
    .execute();
  return new Map(rows.map(({ day, requests }) => [day, Number(requests)]));
}

/** Sums of what is over, and what is going on: the same requests are never in both. */
async function readFine(db: Kysely<Database>, accountId: string, from: string, to: string): Promise<Fine> {
  const fine = createFine();
  const begin = new Date(from);
  const end = new Date(Date.parse(to) + DAY_MS);
  // One statement, so that an hour that moves meanwhile is seen once.
  const { rows } = await sql<FineRow>`
    select kind, label, null as day, sum(requests) as requests, sum(refused) as refused from usage_summary
    where account_id = ${accountId} and at >= ${begin} and at < ${end} and kind <> 'hour'
    group by kind, label
    union all
    select 'day', '', at, 0, refused from usage_summary
    where account_id = ${accountId} and at >= ${begin} and at < ${end} and kind = 'status' and label = ${String(REFUSED)}
    union all
    select kind, label, case when kind = 'status' then date_trunc('day', hour, 'UTC') end,
      coalesce(sum(requests) filter (where usage_hour.status <> ${REFUSED}), 0),
      coalesce(sum(requests) filter (where usage_hour.status = ${REFUSED}), 0)
    from usage_hour
    join api_key on api_key.id = key_id
    join subscription on subscription.id = api_key.subscription_id and subscription.status <> 'test'
    cross join lateral (values ('endpoint', endpoint), ('status', usage_hour.status::text), ('key', key_id)) as of (kind, label)
    where account_id = ${accountId} and hour >= ${begin} and hour < ${end}
    group by 1, 2, 3`.execute(db);
  for (const row of rows) fine.add(row);
  return fine;
}

interface FineRow {
  kind: 'endpoint' | 'status' | 'key' | 'day';
  label: string;
  /** Of refusals alone. */
  day: Date | null;
  requests: string;
  refused: string;
}

interface Sum {
  requests: number;
  refused: number;
}

interface Fine {
  by: Record<'endpoint' | 'status' | 'key', Map<string, Sum>>;
  refusedByDay: Map<string, number>;
  add(row: FineRow): void;
}

function createFine(): Fine {
  const by = { endpoint: new Map<string, Sum>(), status: new Map<string, Sum>(), key: new Map<string, Sum>() };
  const refusedByDay = new Map<string, number>();
  return {
    by,
    refusedByDay,
    add({ kind, label, day, requests, refused }) {
      if (day) {
        const date = day.toISOString().slice(0, 10);
        refusedByDay.set(date, (refusedByDay.get(date) ?? 0) + Number(refused));
      }
      if (kind === 'day') return;
      const sum = by[kind].get(label) ?? { requests: 0, refused: 0 };
      by[kind].set(label, { requests: sum.requests + Number(requests), refused: sum.refused + Number(refused) });
    },
  };
}

async function readHours(db: Kysely<Database>, accountId: string, moment: number): Promise<UsageDetail['hours']> {
  const first = firstHour(moment);
  const { rows } = await sql<HourRow>`
    select at, requests, refused from usage_summary
    where account_id = ${accountId} and at >= ${new Date(first)} and kind = 'hour'
    union all
    select hour, coalesce(sum(requests) filter (where usage_hour.status <> ${REFUSED}), 0),
      coalesce(sum(requests) filter (where usage_hour.status = ${REFUSED}), 0)
    from usage_hour
    join api_key on api_key.id = key_id
    join subscription on subscription.id = api_key.subscription_id and subscription.status <> 'test'
    where account_id = ${accountId} and hour >= ${new Date(first)}
    group by hour`.execute(db);
  return fillHours(first, rows);
}

const firstHour = (moment: number): number => (Math.floor(moment / HOUR_MS) - (HOURS_SHOWN - 1)) * HOUR_MS;

function fillHours(first: number, rows: readonly HourRow[]): UsageDetail['hours'] {
  const hours = Array.from({ length: HOURS_SHOWN }, (_, index) => ({ start: first + index * HOUR_MS, requests: 0, refused: 0 }));
  for (const row of rows) {
    const hour = hours[(row.at.getTime() - first) / HOUR_MS];
    if (!hour) continue;
    hour.requests += Number(row.requests);
    hour.refused += Number(row.refused);
  }
  return hours;
}

/** Requests of the last 60 minutes by subscription. */
async function readPace(db: Kysely<Database>, ids: readonly string[], moment: number): Promise<Map<string, number>> {
  const hour = Math.floor(moment / HOUR_MS) * HOUR_MS;
  const rows = await db
    .selectFrom('usage_hour')
    .innerJoin('api_key', 'api_key.id', 'usage_hour.key_id')
    .where(sql<boolean>`api_key.subscription_id = any(${[...ids]}::uuid[])`)
    .where('hour', '>=', new Date(hour - HOUR_MS))
    .where('status', '<>', REFUSED)
    .groupBy(['api_key.subscription_id', 'hour'])
    .select(['api_key.subscription_id as id', 'hour', (select) => select.fn.sum('requests').as('requests')])
    .execute();
  const pace = new Map<string, number>();
  for (const row of rows) {
    const share = row.hour.getTime() < hour ? 1 - (moment - hour) / HOUR_MS : 1;
    pace.set(row.id, (pace.get(row.id) ?? 0) + Number(row.requests) * share);
  }
  return pace;
}

function datesBetween(from: string, to: string): string[] {
  const first = Date.parse(from) / DAY_MS;
  const length = Math.max(0, Date.parse(to) / DAY_MS - first + 1);
  return Array.from({ length }, (_, index) => dateOfDay(first + index));
}

const used = (sums: ReadonlyMap<string, Sum>) => [...sums].filter(([, each]) => each.requests > 0);

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/**
 * When a day's requests will be used up. The instant (ms) at which the day's requests end at the pace of the last hour; null when that is
 * not before the day is over. A day that is used up ended before: `now`. `lastHour`: requests of the last 60 minutes.
 */
export function forecastDay({ day }: Pick<Allowance, 'day'>, lastHour: number, now: number): number | null {
  if (day.remaining === 0) return now;
  if (lastHour <= 0) return null;
  const endsAt = now + (day.remaining / lastHour) * HOUR_MS;
  return endsAt < day.resetsAt ? endsAt : null;
}

/* What one key was used for: its own part of the account's figures. */

/** Requests with one answer on one day. */
interface KeyDayRow {
  /** `YYYY-MM-DD`, UTC. */
  day: string;
  endpoint: string;
  status: number;
  requests: string;
}

/** First and last UTC day, both included. Nothing for a key that is not of the account. Rejects with the store's error. */
async function readKeyDays(db: Kysely<Database>, { accountId, keyId, from, to }: KeyUsageInput): Promise<KeyDayRow[]> {
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
async function readKeyHours(db: Kysely<Database>, accountId: string, keyId: string, first: Date): Promise<HourRow[]> {
  const { rows } = await sql<HourRow>`
    with own as (${ownKey(accountId, keyId)})
    select hour as at, requests, refused from usage_key_hour where key_id = (select id from own) and hour >= ${first}
    union all
    select hour, coalesce(sum(requests) filter (where status <> ${REFUSED}), 0),
      coalesce(sum(requests) filter (where status = ${REFUSED}), 0)
    from usage_hour where key_id = (select id from own) and hour >= ${first} group by hour`.execute(db);
  return rows;
}

interface HourRow {
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

const REFUSED = 429;
const HOURS_SHOWN = 48;
