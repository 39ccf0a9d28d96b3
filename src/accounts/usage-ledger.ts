/** What was used, on its way to the store: counted in memory, written as increments. */

import { type Kysely, sql } from 'kysely';
import { type Database, NO_LIST_MARK } from '../store/index.ts';

export interface UsageLedger {
  /** Adds requests (−1 for one given back) to a UTC day, in days since 1970. */
  add(subscriptionId: string, day: number, requests: number): void;
  /** Notes that a key was used. */
  touch(keyId: string, at: number): void;
  /**
   * Writes what was counted since the last flush; when keys were used too, unless `requestsOnly`. Rejects with the store's error, and
   * then keeps it all for the next. Calls made while a flush runs share one that begins after it.
   */
  flush(options?: { requestsOnly: boolean }): Promise<void>;
  /** UTC days with requests, oldest first, from `firstDay` on. Rejects with the store's error. */
  read(subscriptionId: string, firstDay: number): Promise<DayCount[]>;
}

export interface DayCount {
  day: number;
  requests: number;
}

export function createUsageLedger(db: Kysely<Database>): UsageLedger {
  /** Day → subscription → requests not written yet. */
  let days = new Map<number, Map<string, number>>();
  let touched = new Map<string, number>();
  let touchesAreDue = false;
  let running: Promise<void> | null = null;
  let following: Promise<void> | null = null;

  const add = (subscriptionId: string, day: number, requests: number): void => {
    let counts = days.get(day);
    if (!counts) {
      counts = new Map();
      days.set(day, counts);
    }
    counts.set(subscriptionId, (counts.get(subscriptionId) ?? 0) + requests);
  };

  const writeRequests = async (): Promise<void> => {
    const taken = days;
    days = new Map();
    const rows = [...taken].flatMap(([day, counts]) => [...counts].map(([id, requests]) => ({ id, day, requests })));
    try {
      await addRequests(db, rows);
    } catch (error) {
      for (const { id, day, requests } of rows) add(id, day, requests);
      throw error;
    }
  };

  const writeTouches = async (): Promise<void> => {
    const taken = touched;
    touched = new Map();
    try {
      await markUsed(db, taken);
    } catch (error) {
      touched = new Map([...taken, ...touched]);
      touchesAreDue = true;
      throw error;
    }
  };

  const write = async (): Promise<void> => {
    await writeRequests();
    if (!touchesAreDue) return;
    touchesAreDue = false;
    await writeTouches();
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
    add,
    touch: (keyId, at) => void touched.set(keyId, at),
    flush,

    async read(subscriptionId, firstDay) {
      const rows = await db
        .selectFrom('usage_day')
        .select(['day', 'requests'])
        .where('subscription_id', '=', subscriptionId)
        .where('day', '>=', dateOfDay(firstDay))
        .where('requests', '>', '0')
        .orderBy('day')
        .execute();
      return rows.map(({ day, requests }) => ({ day: Date.parse(day) / DAY_MS, requests: Number(requests) }));
    },
  };
}

/** `YYYY-MM-DD` of a day counted from 1970. */
export const dateOfDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

interface Increment {
  id: string;
  day: number;
  requests: number;
}

/**
 * One statement for any number of rows. Rows are sorted so that two writers lock them in one order; a subscription that is gone is
 * passed over, or its rows would hold back all others for ever. A negative sum (given back after it was written) can only correct a row.
 */
async function addRequests(db: Kysely<Database>, increments: readonly Increment[]): Promise<void> {
  const rows = increments.filter(({ requests }) => requests !== 0);
  if (rows.length === 0) return;
  rows.sort((left, right) => (left.id < right.id ? -1 : left.id > right.id ? 1 : left.day - right.day));
  const ids = rows.map(({ id }) => id);
  const dates = rows.map(({ day }) => dateOfDay(day));
  const requests = rows.map((row) => row.requests);
  // The planner would reckon with the corrections even where there are none.
  const corrected = rows.some((row) => row.requests < 0)
    ? sql`, corrected as (
        update usage_day set requests = greatest(0, usage_day.requests + increment.requests)
        from increment
        where increment.requests < 0 and usage_day.subscription_id = increment.id and usage_day.day = increment.day
      )`
    : sql``;
  await sql`${NO_LIST}
    with increment as (
      select i.id, i.day, i.requests
      from unnest(${ids}::uuid[], ${dates}::date[], ${requests}::bigint[]) as i (id, day, requests)
      join subscription on subscription.id = i.id
    )${corrected}
    insert into usage_day (subscription_id, day, requests)
    select id, day, requests from increment where requests > 0 order by id, day
    on conflict (subscription_id, day) do update set requests = usage_day.requests + excluded.requests`.execute(db);
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

export const DAY_MS = 86_400_000;
/** What is written while requests come in must not send the followers of lists to look. */
const NO_LIST = sql.raw(NO_LIST_MARK);
