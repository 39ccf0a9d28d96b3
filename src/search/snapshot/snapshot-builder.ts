/** Makes snapshots of a directory as it stands, and keeps what the next one can use again. */

import type { City } from '../../records/index.ts';
import { createDirectory, type Directory } from '../directory/directory.ts';
import { openSnapshot } from '../open-snapshot.ts';
import type { Search, Snapshot } from '../query.ts';
import type { RelayedReport } from '../read-search.ts';
import type { DirectoryRows } from '../rows.ts';
import type { SnapshotData, TrendData, VenuesData } from '../snapshot-data.ts';
import { countUpcoming, listedOf } from '../structures/upcoming.ts';
import { inIdOrder, type UuidTable } from '../structures/uuid-table.ts';
import { buildEvents } from './build-events.ts';
import { buildVenues, sortByName } from './build-venues.ts';
import { buildTrends, refreshTrends } from './trends.ts';

export interface SnapshotBuilder {
  /** `trendsAt`: as of when the directory's trends were computed, milliseconds. */
  build(now: number, trendsAt: number): SnapshotData;
  /** New trends for the snapshot that was built last. */
  trends(trendsAt: number): TrendData;
}

export function createSnapshotBuilder(directory: Directory): SnapshotBuilder {
  const eventsById = createIdOrder(directory.eventIds);
  const venuesById = createIdOrder(directory.venueIds);
  let venues: { change: number; data: VenuesData } | null = null;
  let built: { slotOfRank: Uint32Array; data: SnapshotData } | null = null;

  const currentVenues = (): VenuesData => {
    const change = directory.changes.venues;
    if (venues?.change !== change) {
      const byId = venuesById();
      venues = { change, data: buildVenues(directory, byId, sortByName(directory, byId)) };
    }
    return venues.data;
  };

  return {
    build(now, trendsAt) {
      const { data: events, slotOfRank } = buildEvents(directory, eventsById());
      const shape = { slots: directory.venues.count, neighborhoods: directory.neighborhoodSlugs.length };
      const data: SnapshotData = {
        seq: directory.seq,
        history: directory.history,
        city: directory.city ?? NO_CITY,
        neighborhoods: directory.neighborhoods,
        neighborhoodSlugs: [...directory.neighborhoodSlugs],
        events,
        venues: currentVenues(),
        checksums: { event: directory.sums.event.read(), venue: directory.sums.venue.read() },
        upcoming: countUpcoming(events, listedOf(events), shape, now),
        trends: buildTrends(directory, slotOfRank, events.lookup, trendsAt),
        dictionary: directory.dictionary.freeze(),
        json: [...directory.json.chunks],
        sequences: [...directory.sequences.chunks],
      };
      built = { slotOfRank, data };
      return data;
    },
    trends(trendsAt) {
      if (!built) throw new Error('no snapshot was built yet');
      return buildTrends(directory, built.slotOfRank, built.data.events.lookup, trendsAt);
    },
  };
}

/** A snapshot made here and now, without database and worker: for tests, benches and tools. `now`: milliseconds. */
export function buildSnapshot(rows: DirectoryRows, now: number, publicUrl: string): Snapshot {
  return buildSearch(rows, now, publicUrl).current();
}

/** The same as a read model that other threads can read, too. */
export function buildSearch(rows: DirectoryRows, now: number, publicUrl: string): Pick<Search, 'current' | 'relay'> {
  const directory = fillDirectory(rows, publicUrl);
  for (const _ of refreshTrends(directory, now));
  const data = createSnapshotBuilder(directory).build(now, now);
  const snapshot = openSnapshot(data);
  return {
    current: () => snapshot,
    relay(reader) {
      const report: RelayedReport = { kind: 'snapshot', data, buildMs: 0, sharedBytes: 0 };
      reader.postMessage(report);
    },
  };
}

export function fillDirectory(rows: DirectoryRows, publicUrl: string): Directory {
  const directory = createDirectory(rows.city, publicUrl);
  directory.seq = rows.seq;
  directory.setNeighborhoods(rows.neighborhoods);
  for (const venue of rows.venues) directory.putVenue(venue);
  for (const event of rows.events) directory.putEvent(event);
  return directory;
}

/** Ids are only ever added, so their order holds while their number does. */
function createIdOrder(table: UuidTable): () => Uint32Array {
  let order: Uint32Array = new Uint32Array(0);
  return () => {
    if (order.length !== table.count) order = inIdOrder(table.words);
    return order;
  };
}

/** Before a city is loaded. ISO 4217: XXX is "no currency". */
const NO_CITY: City = { slug: '', name: '', timezone: 'UTC', currency: 'XXX', locale: 'en', latitude: 0, longitude: 0 };
