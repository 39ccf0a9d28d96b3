/** Writes made-up records into a store, as ingest would. */

import {
  type Change,
  type City,
  recordChanges,
  removeEvents,
  writeCity,
  writeEvents,
  writeNeighborhoods,
  writeScoreHistory,
  writeScores,
  writeSignals,
  writeVenues,
} from '../../src/catalog/index.ts';
import type { EventRow, NeighborhoodRow, VenueRow } from '../../src/search/index.ts';
import { listHead, type Store, transact } from '../../src/store/index.ts';

export interface Written {
  city?: City;
  neighborhoods?: readonly NeighborhoodRow[];
  venues?: readonly VenueRow[];
  events?: readonly EventRow[];
  /** Ids. */
  removed?: readonly string[];
  scores?: readonly { eventId: string; score: number }[];
}

/** One transaction; gives the number of its last change. The states of the rows are not looked at. */
export async function write(
  store: Store,
  { city, neighborhoods, venues, events, removed, scores }: Written,
  now: number,
): Promise<number> {
  await transact(store.db, async (trx) => {
    const changes: Change[] = [];
    if (city) changes.push(...(await writeCity(trx, city)));
    const geometry = { type: 'Polygon', coordinates: [] } as const;
    if (neighborhoods)
      changes.push(
        ...(await writeNeighborhoods(
          trx,
          neighborhoods.map((row) => ({ ...row, geometry, isNew: true })),
          now,
        )),
      );
    if (venues) changes.push(...(await writeVenues(trx, venues, now)));
    if (events) changes.push(...(await writeEvents(trx, events, now)));
    if (removed) changes.push(...(await removeEvents(trx, removed, now)));
    const signals = events?.flatMap((event) => event.signals.map((signal) => ({ ...signal, eventId: event.id }))) ?? [];
    await writeSignals(trx, signals);
    for (const { id, scores: days } of events ?? []) {
      for (const { day, score } of days) await writeScoreHistory(trx, day, [{ eventId: id, score }]);
    }
    if (scores) changes.push(...(await writeScores(trx, scores, now, '2026-03-08')));
    await recordChanges(trx, changes, now);
  });
  return listHead(store.db, 'change');
}
