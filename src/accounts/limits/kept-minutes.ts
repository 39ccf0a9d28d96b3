/**
 * The rolling minutes of a process that ends in order, for the process that begins next. Each row is taken by one process and is
 * gone then, so two that begin at once count nothing twice.
 */

import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../clock.ts';
import { type Database, NO_LIST_MARK } from '../../store/index.ts';
import type { Counters } from './counters.ts';
import { MINUTE_US } from './rolling-minute.ts';

export interface KeptMinutesOptions {
  db: Kysely<Database>;
  counters: Counters;
  /** The limits' wall clock: the one time that two processes share. */
  wall: Clock;
}

/** Leaves the minutes in the store. To be called when nothing is admitted any more. Rejects with the store's error. */
export async function leaveMinutes({ db, counters, wall }: KeptMinutesOptions): Promise<void> {
  const minutes = counters.minutes?.() ?? [];
  const writer = randomUUID();
  const writtenAt = new Date(wall());
  for (let from = 0; from < minutes.length; from += ROWS_AT_ONCE) {
    const rows = minutes.slice(from, from + ROWS_AT_ONCE);
    await sql`${NO_LIST}
      insert into request_minute (subscription_id, writer, written_at, ages)
      select row.id, ${writer}, ${writtenAt}, row.ages
      from unnest(${rows.map(({ subscriptionId }) => subscriptionId)}::uuid[], ${rows.map(({ agesUs }) => encode(agesUs))}::bytea[]) as row (id, ages)
      join subscription on subscription.id = row.id`.execute(db);
  }
}

/** Takes all that was left and counts what is not older than a minute. Rejects with the store's error. */
export async function takeMinutes({ db, counters, wall }: KeptMinutesOptions): Promise<void> {
  if (!counters.continueMinutes) return;
  const { rows } = await sql<{ subscription_id: string; written_at: Date; ages: Buffer }>`${NO_LIST}
    delete from request_minute returning subscription_id, written_at, ages`.execute(db);
  const bySubscription = new Map<string, number[]>();
  for (const { subscription_id, written_at, ages } of rows) {
    // Two whole milliseconds differ by up to one more than the time between them: rather too young than admitted too early. A wall
    // clock that was set back since does not make them younger than they were.
    const since = Math.max(0, Math.floor(wall() - written_at.getTime()) - 1) * US_PER_MS;
    const young = decode(ages).flatMap((age) => (age + since < MINUTE_US ? [age + since] : []));
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
