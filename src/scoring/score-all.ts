/** Events scored as they are given, whatever the directory holds of them. */

import { type Kysely, sql } from 'kysely';
import type { CapacityTier, Event, EventWrite } from '../catalog/index.ts';
import { scoreFacts } from '../ranking/index.ts';
import { readTrusts } from '../sources/index.ts';
import type { Database } from '../store/index.ts';
import { readSignals } from './read-score-facts.ts';
import { readShowings, scoreOf } from './score-event.ts';

/** An event before it is scored. */
export type UnscoredEvent = Omit<Event, 'slug' | 'discoveryScore'>;

/** Their venues must be in the directory. */
export async function scoreAll(
  db: Kysely<Database>,
  events: readonly { record: UnscoredEvent; isHidden: boolean }[],
  now: number,
): Promise<EventWrite[]> {
  const ids = events.map(({ record }) => record.id);
  const venues = await readVenueScores(
    db,
    events.map(({ record }) => record.venueId),
  );
  const trusts = await readTrusts(db);
  const signals = await readSignals(db, ids);
  const shown = events.flatMap(({ record, isHidden }) => (isHidden ? [] : [record]));
  const showing = await readShowings(db, shown, now, { without: ids });
  return events.map(({ record, isHidden }) => {
    const venue = venues.get(record.venueId) ?? { capacityTier: null, isVerified: false };
    const facts = scoreFacts(record, venue, trusts, showing(record.id), signals.get(record.id) ?? []);
    return { ...record, ...scoreOf(facts, now), ...(isHidden ? { isHidden } : {}) };
  });
}

async function readVenueScores(
  db: Kysely<Database>,
  ids: readonly string[],
): Promise<Map<string, { capacityTier: CapacityTier | null; isVerified: boolean }>> {
  const rows = await db
    .selectFrom('venue')
    .select(['id', 'capacity_tier', 'is_verified'])
    .where('id', '=', sql<string>`any(${[...new Set(ids)]}::uuid[])`)
    .execute();
  return new Map(
    rows.map((row) => [row.id, { capacityTier: row.capacity_tier as CapacityTier | null, isVerified: row.is_verified }]),
  );
}
