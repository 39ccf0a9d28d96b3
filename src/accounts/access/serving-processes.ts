/** The processes that answer requests on this database, as their signs of life in the store tell. */

import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Log } from '../../log.ts';
import { createDeadline, type Database, describeFailure, NO_LIST_MARK } from '../../store/index.ts';

export interface ServingProcesses {
  /**
   * How many there are, this one included, and which of them it is: the oldest has the place 0. The number is the largest of the last
   * minute, because requests of one that ended still count.
   */
  read(): { count: number; place: number };
  close(): Promise<void>;
}

/**
 * Rejects with the store's error if the first sign of life cannot be written, time and again. `sharesLimits`: whether this process counts
 * in Redis.
 */
export async function openServingProcesses(
  db: Kysely<Database>,
  log: Log,
  sharesLimits: boolean,
  everyMs: number = BEAT_EVERY_MS,
): Promise<ServingProcesses> {
  const id = randomUUID();
  const inTime = createDeadline(PATIENCE);
  const write = () => writeBeat(db, id, sharesLimits);
  let others: OthersOfOne = { all: 0, counting: 0, older: 0 };
  const counts: { count: number; at: number }[] = [];
  let beats = 0;
  let isWarned = false;
  let timer: NodeJS.Timeout | undefined;
  let beating: Promise<void> = Promise.resolve();

  async function beat(written: Promise<OthersOfOne>): Promise<void> {
    others = await written;
    const now = performance.now();
    counts.push({ count: others.all + 1, at: now });
    while ((counts[0]?.at ?? now) < now - REMEMBERED_MS) counts.shift();
    const isInexact = others.all > 0 && (!sharesLimits || others.counting > 0);
    if (isInexact && !isWarned) log.warn({ processes: others.all + 1 }, sharesLimits ? OTHERS_COUNT_ALONE : EACH_COUNTS_ALONE);
    isWarned = isInexact;
  }

  function beatLater(): void {
    const waitMs = (sharesLimits ? SOON_MS[beats++] : undefined) ?? everyMs;
    timer = setTimeout(() => {
      // The store's trouble is in the log already; the number stays as it was.
      beating = beat(inTime(write))
        .catch(() => undefined)
        .finally(() => timer && beatLater());
    }, waitMs).unref();
  }

  /** At the start nobody waits for an answer, and a busy machine has time. */
  async function beatFirst(): Promise<void> {
    for (const waitMs of FIRST_PAUSES_MS) {
      const isWritten = await beat(write()).then(
        () => true,
        () => false,
      );
      if (isWritten) return;
      await pause(waitMs);
    }
    await beat(write());
  }

  await beatFirst();
  beatLater();

  return {
    read: () => ({ count: Math.max(...counts.map(({ count }) => count)), place: others.older }),
    async close() {
      clearTimeout(timer);
      timer = undefined;
      await beating;
      await inTime(() => deleteBeat(db, id)).catch((error: unknown) => {
        log.warn({ error: describeFailure(error) }, 'cannot sign off; other processes count this one for 15 seconds more');
      });
    },
  };
}

/** How many processes answer requests now, and how many of them count by themselves. Rejects with the store's error. */
export async function countServingProcesses(db: Kysely<Database>): Promise<Others> {
  const { rows } = await sql<Others>`select ${COUNTS} from serving_process where ${IS_ALIVE}`.execute(db);
  return rows[0] ?? { all: 0, counting: 0 };
}

interface Others {
  all: number;
  /** By themselves, without Redis. */
  counting: number;
}

interface OthersOfOne extends Others {
  older: number;
}

async function writeBeat(db: Kysely<Database>, id: string, sharesLimits: boolean): Promise<OthersOfOne> {
  const { rows } = await sql<OthersOfOne>`${NO_LIST}
    with beat as (
      insert into serving_process (id, started_at, seen_at, shares_limits) values (${id}, now(), now(), ${sharesLimits})
      on conflict (id) do update set seen_at = excluded.seen_at returning id, started_at
    )
    select ${COUNTS},
      (count(*) filter (where (process.started_at, process.id) < (select started_at, id from beat)))::int as older
      from serving_process as process where ${IS_ALIVE} and id <> ${id}`.execute(db);
  return rows[0] ?? { all: 0, counting: 0, older: 0 };
}

async function deleteBeat(db: Kysely<Database>, id: string): Promise<void> {
  await sql`${NO_LIST} delete from serving_process where id = ${id}`.execute(db);
}

const COUNTS = sql.raw('count(*)::int as "all", (count(*) filter (where not shares_limits))::int as counting');
/** Three signs of life may be missed. */
const IS_ALIVE = sql.raw("seen_at > now() - interval '15 seconds'");
const NO_LIST = sql.raw(NO_LIST_MARK);
const EACH_COUNTS_ALONE =
  'another process answers requests on this database; without REDIS_URL each process counts limits by itself, so callers get a multiple';
const OTHERS_COUNT_ALONE = 'another process answers requests on this database without REDIS_URL; it counts limits by itself';
const BEAT_EVERY_MS = 5_000;
/** Those that start together must soon see each other, where they divide what Redis does not say. */
const SOON_MS = [250, 750];
/** A store that restarts, or that a busy machine holds up, is back by then. */
const FIRST_PAUSES_MS = [250, 750, 2_000, 4_000, 8_000];
const REMEMBERED_MS = 60_000;
const PATIENCE = { deadlineMs: 3_000, mostHanging: 2 } as const;
