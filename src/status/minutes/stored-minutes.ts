/** The table of minutes. */

import type { Kysely } from 'kysely';
import type { Database } from '../../store/index.ts';
import { MINUTE_MS, type MinuteTallies, minuteOf, NOTHING, sumOf } from './recorder.ts';

/** A minute that this writer has stored already stays as it is: a batch may be sent twice. */
export async function writeMinutes(
  db: Kysely<Database>,
  writer: string,
  minutes: ReadonlyMap<number, MinuteTallies>,
): Promise<void> {
  if (minutes.size === 0) return;
  const rows = [...minutes].map(([minute, { api, pages, mcp }]) => ({
    minute: new Date(minute * MINUTE_MS),
    writer,
    api: [...api],
    pages: [...pages],
    mcp: [...mcp],
  }));
  await db
    .insertInto('service_minute')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Of all processes together, by number; from `from` on and before `to`. */
export async function loadMinutes(db: Kysely<Database>, from: number, to: number): Promise<Map<number, MinuteTallies>> {
  const rows = await db
    .selectFrom('service_minute')
    .select(['minute', 'api', 'pages', 'mcp'])
    .where('minute', '>=', new Date(from * MINUTE_MS))
    .where('minute', '<', new Date(to * MINUTE_MS))
    .execute();
  const minutes = new Map<number, MinuteTallies>();
  for (const { minute, ...tallies } of rows) {
    const number = minuteOf(minute.getTime());
    minutes.set(number, sumOf(minutes.get(number) ?? NOTHING, tallies));
  }
  return minutes;
}

/** Null: nothing is stored. */
export async function loadFirstMinute(db: Kysely<Database>): Promise<number | null> {
  const row = await db.selectFrom('service_minute').select('minute').orderBy('minute').limit(1).executeTakeFirst();
  return row ? minuteOf(row.minute.getTime()) : null;
}
