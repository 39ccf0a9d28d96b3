/** Events scored as they are given, with what was last known of the rest of the directory. */

import type { Kysely } from 'kysely';
import { type Event, type EventWrite, loadEventScoreFacts, loadSignals, loadVenueScoreFacts } from '../catalog/index.ts';
import { decodeContext, scoreFacts } from '../ranking/index.ts';
import type { Database } from '../store/index.ts';
import { listedContexts } from './listed-events.ts';
import { contextAlone, scoreOf } from './score-event.ts';

/** An event before it is scored. */
export type UnscoredEvent = Omit<Event, 'slug' | 'discoveryScore'>;

/** Their venues must be in the directory. `settleScores` compares them with the other events afterwards. */
export async function scoreAll(
  db: Kysely<Database>,
  events: readonly { record: UnscoredEvent; isHidden: boolean }[],
  now: number,
): Promise<EventWrite[]> {
  const ids = events.map(({ record }) => record.id);
  const stored = await loadEventScoreFacts(db, ids);
  const venues = await loadVenueScoreFacts(
    db,
    events.map(({ record }) => record.venueId),
  );
  const signals = await loadSignals(db, ids);
  const own = listedContexts(
    events.map(({ record }) => record),
    venues,
    now,
  );
  return events.map(({ record, isHidden }) => {
    const held = stored.get(record.id);
    const alone = isHidden ? undefined : own.get(record.id);
    const context = alone && held?.context ? decodeContext(held.showing, held.context) : (alone ?? contextAlone());
    const facts = scoreFacts(record, context, signals.get(record.id) ?? []);
    return { ...record, ...scoreOf(facts, now), ...(isHidden ? { isHidden } : {}) };
  });
}
