/** What was used, on its way to the store: counted in memory, written as increments, each batch once. */

import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { createDeadline, type Database, NO_LIST_MARK } from '../../store/index.ts';
import { DAY_MS } from '../../values/duration.ts';
import { createBatches } from './batches.ts';

export interface UsageLedger {
  /** Adds requests (−1 for one given back) to a UTC day, in days since 1970. */
  add(subscriptionId: string, day: number, requests: number): void;
  /** Notes how a request of a UTC hour (hours since 1970) was answered. */
  recordOutcome(keyId: string, hour: number, endpoint: string, status: number): void;
  /** Notes that a key was used. */
  touch(keyId: string, at: number): void;
  /**
   * Writes what was counted since the last flush; when keys were used too, unless `requestsOnly`. Rejects with the store's error, and
   * then keeps it all for the next. Calls made while a flush runs share one that begins after it.
   */
  flush(options?: { requestsOnly: boolean }): Promise<void>;
  /** UTC days with requests of these subscriptions, from `firstDay` on, in no order. Rejects with the store's error. */
  read(subscriptionIds: readonly string[], firstDay: number): Promise<SubscriptionCount[]>;
}

export function createUsageLedger(db: Kysely<Database>): UsageLedger {
  const writer = randomUUID();
  const inTime = createDeadline(PATIENCE);
  let counting = new UsageBatch();
  /** A batch as it was when it was first sent: one that failed or is late may be written all the same, and is sent again unchanged. */
  let sending: { number: number; batch: UsageBatch } | null = null;
  let lastNumber = 0;
  const touches = createKeyTouches(db, inTime);
  let touchesAreDue = false;
  let running: Promise<void> | null = null;
  let following: Promise<void> | null = null;

  const writeRequests = async (): Promise<void> => {
    await send();
    if (counting.isEmpty) return;
    lastNumber += 1;
    sending = { number: lastNumber, batch: counting };
    counting = new UsageBatch();
    await send();
  };

  const send = async (): Promise<void> => {
    if (!sending) return;
    const sent = { writer, ...sending };
    await inTime(() => writeBatch(db, sent));
    sending = null;
  };

  const write = async (): Promise<void> => {
    await writeRequests();
    if (!touchesAreDue) return;
    touchesAreDue = false;
    await touches.write().catch((error: unknown) => {
      touchesAreDue = true;
      throw error;
    });
  };

  const flush = ({ requestsOnly } = { requestsOnly: false }): Promise<void> => {
    touchesAreDue ||= !requestsOnly;
    if (running) {
      following ??= running
        .catch(() => undefined)
        .then(() => {
          following = null;
          return flush({ requestsOnly: true });
        });
      return following;
    }
    running = write().finally(() => {
      running = null;
    });
    return running;
  };

  return {
    add: (subscriptionId, day, requests) => counting.admit(subscriptionId, day, requests),
    recordOutcome: (keyId, hour, endpoint, status) => counting.recordOutcome(keyId, hour, endpoint, status),
    touch: touches.touch,
    flush,

    async read(subscriptionIds, firstDay) {
      const query = db
        .selectFrom('usage_day')
        .select(['subscription_id', 'day', 'requests'])
        .where(sql<boolean>`subscription_id = any(${subscriptionIds}::uuid[])`)
        .where('day', '>=', dateOfDay(firstDay))
        .where('requests', '>', '0');
      const rows = await inTime(() => query.execute());
      return rows.map(({ subscription_id, day, requests }) => ({
        subscriptionId: subscription_id,
        day: Date.parse(day) / DAY_MS,
        requests: Number(requests),
      }));
    },
  };
}

/** `YYYY-MM-DD` of a day counted from 1970. */
export const dateOfDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/**
 * One statement, all or nothing: the day's exact counts and how the requests were answered never differ by a batch. `usage_writer`
 * knows the number of the last batch of each writer, so one that was written though nobody heard of it is passed over. A subscription
 * or a key that is gone is passed over too, or its rows would hold back all others for ever. A negative sum (given back after it was
 * written) can only correct a row.
 */
async function writeBatch(
  db: Kysely<Database>,
  { writer, number, batch }: { writer: string; number: number; batch: UsageBatch },
): Promise<void> {
  const subscriptions = batch.subscriptions();
  const keys = batch.keys();
  if (subscriptions.length === 0 && keys.length === 0) return;
  const column = <T>(rows: readonly T[], read: (row: T) => string | number) => sql`${rows.map(read)}`;
  // The planner would reckon with the corrections even where there are none.
  const corrected = subscriptions.some(({ requests }) => requests < 0)
    ? sql`, corrected as (
        update usage_day set requests = greatest(0, usage_day.requests + increment.requests)
        from increment
        where increment.requests < 0 and usage_day.subscription_id = increment.id and usage_day.day = increment.day
      )`
    : sql``;
  await sql`${NO_LIST}
    with mark as (
      insert into usage_writer (id, batch, at) values (${writer}, ${number}, now())
      on conflict (id) do update set batch = excluded.batch, at = excluded.at where usage_writer.batch < excluded.batch
      returning id
    ), increment as (
      select i.id, i.day, i.requests
      from mark, unnest(
        ${column(subscriptions, ({ subscriptionId }) => subscriptionId)}::uuid[],
        ${column(subscriptions, ({ day }) => dateOfDay(day))}::date[],
        ${column(subscriptions, ({ requests }) => requests)}::bigint[]) as i (id, day, requests)
      join subscription on subscription.id = i.id
    ), answered as (
      insert into usage_hour (key_id, hour, endpoint, status, requests)
      select i.key_id, to_timestamp(i.hour::bigint * 3600), i.endpoint, i.status, i.requests
      from mark, unnest(
        ${column(keys, ({ keyId }) => keyId)}::text[],
        ${column(keys, ({ hour }) => hour)}::int[],
        ${column(keys, ({ endpoint }) => endpoint)}::text[],
        ${column(keys, ({ status }) => status)}::smallint[],
        ${column(keys, ({ requests }) => requests)}::int[]) as i (key_id, hour, endpoint, status, requests)
      join api_key on api_key.id = i.key_id
      order by i.key_id, i.hour, i.endpoint, i.status
      on conflict (key_id, hour, endpoint, status) do update set requests = usage_hour.requests + excluded.requests
    )${corrected}
    insert into usage_day (subscription_id, day, requests)
    select id, day, requests from increment where requests > 0 order by id, day
    on conflict (subscription_id, day) do update set requests = usage_day.requests + excluded.requests`.execute(db);
}

interface KeyTouches {
  /** `at`: milliseconds. */
  touch(keyId: string, at: number): void;
  /** Rejects with the store's error, and then keeps it all for the next. */
  write(): Promise<void>;
}

/** When keys were last used, on its way to the store. `inTime` gives up on a store that does not answer. */
function createKeyTouches(db: Kysely<Database>, inTime: <T>(work: () => Promise<T>) => Promise<T>): KeyTouches {
  let touched = new Map<string, number>();
  return {
    touch: (keyId, at) => void touched.set(keyId, at),
    async write() {
      const taken = touched;
      touched = new Map();
      try {
        await inTime(() => markUsed(db, taken));
      } catch (error) {
        touched = new Map([...taken, ...touched]);
        throw error;
      }
    },
  };
}

async function markUsed(db: Kysely<Database>, touched: ReadonlyMap<string, number>): Promise<void> {
  if (touched.size === 0) return;
  const rows = [...touched].sort(([left], [right]) => (left < right ? -1 : 1));
  const ids = rows.map(([id]) => id);
  const moments = rows.map(([, at]) => new Date(at).toISOString());
  await sql`${NO_LIST}
    update api_key set last_used_at = touch.at
    from unnest(${ids}::text[], ${moments}::timestamptz[]) as touch (id, at)
    where api_key.id = touch.id and (api_key.last_used_at is null or api_key.last_used_at < touch.at)`.execute(db);
}

/**
 * What the ledger has of a day, for counters that have lost it or were alone: many single questions, few queries. What this process has
 * counted is written first. `day`: UTC, days since 1970. Rejects with the store's error.
 */
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

interface SubscriptionCount {
  subscriptionId: string;
  /** UTC, days since 1970. */
  day: number;
  /** Negative when more were given back than admitted. */
  requests: number;
}

interface KeyCount {
  keyId: string;
  /** UTC, hours since 1970. */
  hour: number;
  endpoint: string;
  status: number;
  requests: number;
}

/** Adding allocates nothing once a key, and each way its requests are answered, has been seen since the last flush. */
class UsageBatch {
  #days = new Map<number, Map<string, number>>();
  #keys = new Map<string, Cells>();

  admit(subscriptionId: string, day: number, requests: number): void {
    let counts = this.#days.get(day);
    if (!counts) {
      counts = new Map();
      this.#days.set(day, counts);
    }
    counts.set(subscriptionId, (counts.get(subscriptionId) ?? 0) + requests);
  }

  recordOutcome(keyId: string, hour: number, endpoint: string, status: number): void {
    let cells = this.#keys.get(keyId);
    if (!cells) {
      cells = { codes: [], counts: [] };
      this.#keys.set(keyId, cells);
    }
    const code = (hour * MAX_ENDPOINTS + numberOf(endpoint)) * STATUSES + status;
    const { codes, counts } = cells;
    for (let at = 0; at < codes.length; at += 1) {
      if (codes[at] !== code) continue;
      counts[at] = (counts[at] ?? 0) + 1;
      return;
    }
    codes.push(code);
    counts.push(1);
  }

  get isEmpty(): boolean {
    return this.#days.size === 0 && this.#keys.size === 0;
  }

  /** Without those that came to nothing; sorted, so that two writers lock rows in one order. */
  subscriptions(): SubscriptionCount[] {
    const rows: SubscriptionCount[] = [];
    for (const [day, counts] of this.#days) {
      for (const [subscriptionId, requests] of counts) if (requests !== 0) rows.push({ subscriptionId, day, requests });
    }
    return rows.sort((left, right) => compare(left.subscriptionId, right.subscriptionId) || left.day - right.day);
  }

  keys(): KeyCount[] {
    const rows: KeyCount[] = [];
    for (const [keyId, { codes, counts }] of this.#keys) {
      codes.forEach((code, at) => {
        const place = Math.floor(code / STATUSES);
        const endpoint = ENDPOINTS[place % MAX_ENDPOINTS] ?? '';
        const hour = Math.floor(place / MAX_ENDPOINTS);
        rows.push({ keyId, hour, endpoint, status: code % STATUSES, requests: counts[at] ?? 0 });
      });
    }
    return rows;
  }
}

/** Ways in which the requests of one key were answered, as numbers beside each other: seldom more than five. */
interface Cells {
  /** Hour, endpoint and status in one number. */
  codes: number[];
  counts: number[];
}

/** Templates of tables, numbered as they are first met. */
function numberOf(endpoint: string): number {
  const known = numbers.get(endpoint);
  if (known !== undefined) return known;
  if (ENDPOINTS.length === MAX_ENDPOINTS) return 0;
  numbers.set(endpoint, ENDPOINTS.length);
  return ENDPOINTS.push(endpoint) - 1;
}

/** A connection that has gone silent is left behind: what waits goes over another. */
const PATIENCE = { deadlineMs: 3_000, mostHanging: 3 } as const;
export const HOUR_MS = 3_600_000;
/** What is written while requests come in must not send the followers of lists to look. */
const NO_LIST = sql.raw(NO_LIST_MARK);
const READS = { size: 500, waiting: 20_000, deadlineMs: 4_000, mostHanging: 2, poolWaitMs: 100 } as const;
const ENDPOINTS: string[] = [''];
const numbers = new Map<string, number>([['', 0]]);

const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

const MAX_ENDPOINTS = 256;
const STATUSES = 1_000;
