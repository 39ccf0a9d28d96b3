/**
 * The rolling minutes of processes, for one that begins: each process writes again and again what it has admitted since it last wrote. A
 * row is of one subscription and one write, and is over after a minute. Whoever begins counts the rows of all others once, and writes none
 * of them again: so it never counts more than was admitted, whoever of the others still lives.
 */

import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../clock.ts';
import { type Database, NO_LIST_MARK } from '../../store/index.ts';
import type { Counters, RequestMinute } from './counters.ts';
import { MINUTE_US } from './rolling-minute.ts';

export interface KeptMinutes {
  /**
   * Writes what was admitted since the last write. Rejects with the store's error, and then the next write has it, too. `isLast`: nothing
   * is admitted any more.
   */
  write(isLast: boolean): Promise<void>;
  /** Deletes what is over. Rejects with the store's error. */
  deleteOld(): Promise<void>;
}

/**
 * Counts what other processes have admitted in the last minute. Rejects with the store's error. `wall`: the limits' wall clock: the one
 * time that two processes share.
 */
export async function openKeptMinutes(db: Kysely<Database>, counters: Counters, wall: Clock): Promise<KeptMinutes> {
  await takeMinutes(db, counters, wall);
  let writtenUntil = counters.moment?.() ?? 0;
  /** One that failed may be written all the same: it is sent again as it was. */
  let sending: { writer: string; at: Date; minutes: RequestMinute[] } | null = null;

  async function send(): Promise<void> {
    const sent = sending;
    if (!sent) return;
    await insertMinutes(db, sent);
    // It may come to its end late, after another one.
    if (sending === sent) sending = null;
  }

  return {
    async write(isLast) {
      await send();
      if (!counters.moment || !counters.minutes) return;
      const until = counters.moment() + (isLast ? 1 : 0);
      const minutes = counters.minutes({ from: writtenUntil, until });
      writtenUntil = until;
      if (minutes.length === 0) return;
      sending = { writer: randomUUID(), at: new Date(wall()), minutes };
      await send();
    },
    async deleteOld() {
      if (!counters.minutes) return;
      const [from, to] = [new Date(wall() - KEPT_MS), new Date(wall() + KEPT_MS)];
      // A clock that was ahead has left times that will not pass.
      await sql`${NO_LIST} delete from request_minute where written_at < ${from} or written_at > ${to}`.execute(db);
    },
  };
}

async function insertMinutes(
  db: Kysely<Database>,
  { writer, at, minutes }: { writer: string; at: Date; minutes: readonly RequestMinute[] },
): Promise<void> {
  for (let from = 0; from < minutes.length; from += ROWS_AT_ONCE) {
    const rows = minutes.slice(from, from + ROWS_AT_ONCE);
    await sql`${NO_LIST}
      insert into request_minute (subscription_id, writer, written_at, ages)
      select row.id, ${writer}, ${at}, row.ages
      from unnest(${rows.map(({ subscriptionId }) => subscriptionId)}::uuid[], ${rows.map(({ agesUs }) => encode(agesUs))}::bytea[]) as row (id, ages)
      join subscription on subscription.id = row.id
      on conflict do nothing`.execute(db);
  }
}

async function takeMinutes(db: Kysely<Database>, counters: Counters, wall: Clock): Promise<void> {
  if (!counters.continueMinutes) return;
  const { rows } = await sql<{ subscription_id: string; written_at: Date; ages: Buffer }>`
    select subscription_id, written_at, ages from request_minute where written_at > ${new Date(wall() - KEPT_MS)}`.execute(db);
  const bySubscription = new Map<string, number[]>();
  for (const { subscription_id, written_at, ages } of rows) {
    // Two whole milliseconds differ by up to one more than the time between them: rather too young than admitted too early. A wall
    // clock that was set back since does not make them younger than they were.
    const since = Math.max(0, Math.floor(wall() - written_at.getTime()) - 1) * US_PER_MS;
    // All are before the moment from which this process writes its own.
    const young = decode(ages).flatMap((age) => (age + since < MINUTE_US ? [Math.max(1, age + since)] : []));
    if (young.length > 0) bySubscription.set(subscription_id, [...(bySubscription.get(subscription_id) ?? []), ...young]);
  }
  counters.continueMinutes([...bySubscription].map(([subscriptionId, agesUs]) => ({ subscriptionId, agesUs })));
}

function encode(ages: readonly number[]): Buffer {
  const bytes = Buffer.alloc(ages.length * AGE_BYTES);
  for (const [index, age] of ages.entries()) bytes.writeUInt32BE(age, index * AGE_BYTES);
  return bytes;
}

const decode = (bytes: Buffer): number[] =>
  Array.from({ length: Math.floor(bytes.length / AGE_BYTES) }, (_, index) => bytes.readUInt32BE(index * AGE_BYTES));

const NO_LIST = sql.raw(NO_LIST_MARK);
const AGE_BYTES = 4;
const US_PER_MS = 1_000;
const ROWS_AT_ONCE = 1_000;
/** A little longer than a minute. */
const KEPT_MS = 61_000;
