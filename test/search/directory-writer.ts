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
  scores?: readonly { id: string; discoveryScore: number }[];
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
    const rows = events?.map((event) => ({ showing: 1, coverage: 0, ...event })) ?? [];
    changes.push(...(await writeEvents(trx, rows, now)));
    if (removed) changes.push(...(await removeEvents(trx, removed, now)));
    const signals = events?.flatMap((event) => event.signals.map((signal) => ({ ...signal, eventId: event.id }))) ?? [];
    await writeSignals(trx, signals);
    for (const { id, discoveryScore, scores: days } of events ?? []) {
      for (const { day, score } of days) await writeScoreHistory(trx, day, [{ id, discoveryScore, coverage: score }]);
    }
    const scored = scores?.map((score) => ({ showing: 1, coverage: 0, ...score })) ?? [];
    changes.push(...(await writeScores(trx, scored, now, '2026-03-08')));
    await recordChanges(trx, changes, now);
  });
  return listHead(store.db, 'change');
}
