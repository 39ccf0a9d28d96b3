/** Events scored as they are given, whatever the directory holds of them. */

import type { Kysely } from 'kysely';
import { type Event, type EventWrite, loadSignals, loadVenueScoreFacts } from '../catalog/index.ts';
import { scoreFacts } from '../ranking/index.ts';
import { readTrusts } from '../sources/index.ts';
import type { Database } from '../store/index.ts';
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
  const venues = await loadVenueScoreFacts(
    db,
    events.map(({ record }) => record.venueId),
  );
  const trusts = await readTrusts(db);
  const signals = await loadSignals(db, ids);
  const shown = events.flatMap(({ record, isHidden }) => (isHidden ? [] : [record]));
  const showing = await readShowings(db, shown, now, { without: ids });
  return events.map(({ record, isHidden }) => {
    const venue = venues.get(record.venueId) ?? { capacityTier: null, isVerified: false };
    const facts = scoreFacts(record, venue, trusts, showing(record.id), signals.get(record.id) ?? []);
    return { ...record, ...scoreOf(facts, now), ...(isHidden ? { isHidden } : {}) };
  });
}
