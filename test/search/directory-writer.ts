/** Writes made-up records into a store, as ingest would. */

import type { Transaction } from 'kysely';
import {
  type Change,
  type City,
  recordChanges,
  removeEvents,
  writeCity,
  writeEvents,
  writeNeighborhoods,
  writeScores,
  writeSignals,
  writeVenues,
} from '../../src/records/index.ts';
import type { EventRow, NeighborhoodRow, VenueRow } from '../../src/search/index.ts';
import { type Database, listHead, type Store, transact } from '../../src/store/index.ts';

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
    const rows = events?.map((event) => ({ showing: 1, appeal: 0, ...event, context: event.context ?? [] })) ?? [];
    changes.push(...(await writeEvents(trx, rows, { now, day: TODAY })));
    if (removed) changes.push(...(await removeEvents(trx, removed, now)));
    const signals = events?.flatMap((event) => event.signals.map((signal) => ({ ...signal, eventId: event.id }))) ?? [];
    await writeSignals(trx, signals);
    for (const event of events ?? []) await writeHistory(trx, event);
    const scored = scores?.map((score) => ({ showing: 1, context: [], appeal: 0, ...score })) ?? [];
    changes.push(...(await writeScores(trx, scored, { now, day: TODAY })));
    await recordChanges(trx, changes, now);
  });
  return listHead(store.db, 'change');
}

/** The last of its days is the present. */
async function writeHistory(trx: Transaction<Database>, { id, discoveryScore, scores }: EventRow): Promise<void> {
  const last = scores.at(-1);
  const present = last ? { scored_day: last.day, appeal: last.score } : { appeal: null };
  await trx.updateTable('event').set(present).where('id', '=', id).execute();
  await trx.deleteFrom('score_history').where('event_id', '=', id).execute();
  const past = scores
    .slice(0, -1)
    .map(({ day, score }) => ({ event_id: id, day, discovery_score: discoveryScore, appeal: score }));
  if (past.length > 0) await trx.insertInto('score_history').values(past).execute();
}

const TODAY = '2026-03-08';
