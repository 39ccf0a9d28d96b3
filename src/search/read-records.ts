/** Records as they are in the store, in the bytes that snapshots answer with: for readers that cannot wait for the next snapshot. */

import { type Kysely, sql } from 'kysely';
import { LISTED_STATUSES, mayStart, readCity } from '../records/index.ts';
import type { Database } from '../store/index.ts';
import { type CityTime, createCityTime } from '../values/city-time.ts';
import { readEventsById, readVenuesById } from './directory/load.ts';
import { EVENT_CLOSINGS, renderEvent } from './directory/render-event.ts';
import { renderVenue, renderVenueCard, venueCount } from './directory/render-venue.ts';
import type { EventRow, Lifecycle, VenueRow } from './rows.ts';

/** What the detail endpoint would answer now. `json`: the record alone, without `{"data":…}`. */
export type RecordNow =
  | { found: 'published'; json: string }
  | { found: 'merged'; into: string }
  | { found: 'removed' }
  | { found: 'unknown' };

export interface RecordReader {
  /** At most some thousand ids at once. Every id is in the answer. */
  events(db: Kysely<Database>, ids: readonly string[]): Promise<Map<string, RecordNow>>;
  /** `now`: directory time in milliseconds, from which on `upcomingEventCount` counts. */
  venues(db: Kysely<Database>, ids: readonly string[], now: number): Promise<Map<string, RecordNow>>;
}

/** `publicUrl` without a trailing slash. Give a transaction as `db` to read several kinds at one moment. */
export function createRecordReader(publicUrl: string): RecordReader {
  return {
    async events(db, ids) {
      if (ids.length === 0) return new Map();
      const rows = await readEventsById(db, ids);
      const cityTime = await readClock(db);
      const venues = byId(await readVenuesById(db, [...new Set(rows.map(({ venueId }) => venueId))]));
      const survivors = byId(await readEventsById(db, survivorsOf(rows)));
      const survivorVenues = byId(
        await readVenuesById(
          db,
          [...survivors.values()].map(({ venueId }) => venueId),
        ),
      );
      const isShown = (event: EventRow | undefined, at: ReadonlyMap<string, VenueRow>) =>
        isOpen(event) && at.get(event?.venueId ?? '')?.state !== 'hidden';
      return answerEach(ids, byId(rows), (event) => {
        if (event.mergedInto !== null) return leadTo(event.mergedInto, isShown(survivors.get(event.mergedInto), survivorVenues));
        const venue = venues.get(event.venueId);
        if (!venue || !isShown(event, venues)) return { found: 'removed' };
        const { compact, list, detail } = renderEvent(event, renderVenueCard(venue), cityTime, publicUrl);
        return { found: 'published', json: compact + list + detail + EVENT_CLOSINGS.detail };
      });
    },

    async venues(db, ids, now) {
      if (ids.length === 0) return new Map();
      const rows = await readVenuesById(db, ids);
      const survivors = byId(await readVenuesById(db, survivorsOf(rows)));
      const counts = await countUpcomingAt(db, ids, now);
      return answerEach(ids, byId(rows), (venue) => {
        if (venue.mergedInto !== null) return leadTo(venue.mergedInto, isOpen(survivors.get(venue.mergedInto)));
        if (!isOpen(venue)) return { found: 'removed' };
        const { base, metadata } = renderVenue(venue, publicUrl);
        return { found: 'published', json: base + metadata + venueCount(counts.get(venue.id) ?? 0) };
      });
    },
  };
}

function answerEach<Row>(
  ids: readonly string[],
  rows: ReadonlyMap<string, Row>,
  answer: (row: Row) => RecordNow,
): Map<string, RecordNow> {
  return new Map(
    ids.map((id) => {
      const row = rows.get(id);
      return [id, row ? answer(row) : { found: 'unknown' }];
    }),
  );
}

const byId = <Row extends { id: string }>(rows: readonly Row[]): Map<string, Row> => new Map(rows.map((row) => [row.id, row]));
const survivorsOf = (rows: readonly Lifecycle[]): string[] => [...new Set(rows.flatMap(({ mergedInto }) => mergedInto ?? []))];
const isOpen = (row: Lifecycle | undefined): boolean => row?.state === 'published' || row?.state === 'unlisted';
const leadTo = (into: string, isThere: boolean): RecordNow => (isThere ? { found: 'merged', into } : { found: 'removed' });

async function readClock(db: Kysely<Database>): Promise<CityTime> {
  return createCityTime((await readCity(db))?.timezone ?? 'UTC');
}

/** As `upcoming.ts` counts them. */
async function countUpcomingAt(db: Kysely<Database>, venueIds: readonly string[], now: number): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('event')
    .select(['venue_id', sql<number>`count(*)::int`.as('count')])
    .where('venue_id', '=', sql<string>`any(${venueIds}::uuid[])`)
    .where('state', '=', 'published')
    .where('status', 'in', LISTED_STATUSES)
    .where(mayStart(now))
    .groupBy('venue_id')
    .execute();
  return new Map(rows.map(({ venue_id, count }) => [venue_id, count]));
}
