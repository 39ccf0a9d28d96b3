/** Events scored as they are given, whatever the directory holds of them. */

import { type Kysely, sql } from 'kysely';
import type { CapacityTier, EventWrite } from '../../catalog/index.ts';
import { scoreFacts } from '../../ranking/index.ts';
import type { Database } from '../../store/index.ts';
import { readSignals } from '../read-score-facts.ts';
import { readShowings, scoreOf } from '../score-event.ts';
import { readTrusts } from '../sources.ts';
import type { EventFacts } from './event-fields.ts';
import type { Obeyed } from './obey.ts';

/** Their venues must be in the directory. */
export async function scoreAll(db: Kysely<Database>, obeyed: readonly Obeyed<EventFacts>[], now: number): Promise<EventWrite[]> {
  const ids = obeyed.map(({ record }) => record.id);
  const venues = await readVenueScores(
    db,
    obeyed.map(({ record }) => record.venueId),
  );
  const trusts = await readTrusts(db);
  const signals = await readSignals(db, ids);
  const shown = obeyed.flatMap(({ record, isHidden }) => (isHidden ? [] : [record]));
  const showing = await readShowings(db, shown, now, { without: ids });
  return obeyed.map(({ record, isHidden }) => {
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
