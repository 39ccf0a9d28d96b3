/** Writes made-up records into a store, as ingest would. */

import {
  type Change,
  type City,
  recordChanges,
  removeEvents,
  writeCity,
  writeEvents,
  writeNeighborhoods,
  writeScores,
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

/** One transaction; gives the number of its last change. States and histories of the rows are not looked at. */
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
    if (scores) changes.push(...(await writeScores(trx, scores, now, '2026-03-08')));
    await recordChanges(trx, changes, now);
  });
  return listHead(store.db, 'change');
}
