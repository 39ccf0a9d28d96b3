/**
 * The builder's copy of the directory: every record rendered once, kept by slot, changed in place. From it snapshots are built.
 * A slot is a number that an id keeps for ever. Nothing here is an object for each event.
 *
 *     row ─► slot ─┬─► columns         numbers to filter and sort by
 *                  ├─► JSON arena      the bytes that are answered
 *                  └─► sequence arena  the words that are searched
 */

import type { Peers } from '../../ranking/index.ts';
import type { City } from '../../records/index.ts';
import { createCityTime } from '../../values/city-time.ts';
import type { NeighborhoodRow } from '../rows.ts';
import { Arena } from '../structures/arena.ts';
import { createDictionaryBuilder, type DictionaryParts } from '../text/dictionary.ts';
import { compactArenas, type DirectoryArenas } from './arenas.ts';
import type { DirectoryChanges } from './directory-changes.ts';
import { createEventRecords } from './event-records.ts';
import { createNeighborhoodNumbers } from './neighborhood-numbers.ts';
import { EVENT_COLUMNS, VENUE_COLUMNS } from './record-columns.ts';
import { createRecordTable, type HeldRecords } from './record-table.ts';
import { rewriteUrls } from './rewrite-urls.ts';
import { createTermSequences } from './term-sequences.ts';
import { createVenueRecords } from './venue-records.ts';

/** What outlives a process: see `snapshot-file.ts`. */
export interface HeldDirectory {
  seq: number;
  history: string;
  publicUrl: string;
  neighborhoods: NeighborhoodRow[];
  neighborhoodSlugs: string[];
  events: HeldRecords;
  venues: HeldRecords;
  json: Arena;
  sequences: Arena;
  dictionary: DictionaryParts;
}

export type Directory = ReturnType<typeof createDirectory>;

/** `publicUrl` without a slash at its end. A city's zone is in every rendered date: another city needs another directory. */
export function createDirectory(city: City | null, publicUrl: string, held?: HeldDirectory) {
  const cityTime = createCityTime(city?.timezone ?? 'UTC');
  const eventTable = createRecordTable(EVENT_COLUMNS, held?.events);
  const venueTable = createRecordTable(VENUE_COLUMNS, held?.venues);
  const arenas: DirectoryArenas = { json: held?.json ?? new Arena(), sequences: held?.sequences ?? new Arena() };
  if (held && held.publicUrl !== publicUrl)
    arenas.json = rewriteUrls(arenas.json, eventTable.columns, venueTable.columns, held.publicUrl, publicUrl);
  const dictionary = createDictionaryBuilder(held?.dictionary);
  const sequences = createTermSequences(dictionary, arenas);
  const numbers = createNeighborhoodNumbers(held?.neighborhoodSlugs);
  const changes: DirectoryChanges = { venues: 0, trendsAt: new Set() };
  const kept = { arenas, sequences, changes, publicUrl };
  const venues = createVenueRecords({ table: venueTable, neighborhoods: numbers, ...kept });
  const events = createEventRecords({ table: eventTable, venueIds: venueTable.ids, venues, cityTime, ...kept });
  let neighborhoods: readonly NeighborhoodRow[] = held?.neighborhoods ?? [];

  return {
    seq: held?.seq ?? 0,
    /** See `LogState`. */
    history: held?.history ?? '',
    /** What is usual in each category, as of when all trends were last computed. */
    peers: new Map() as Peers,
    city,
    cityTime,
    publicUrl,
    events: eventTable.columns,
    venues: venueTable.columns,
    eventIds: eventTable.ids,
    venueIds: venueTable.ids,
    venueNames: venues.names,
    venueAddress: venues.address,
    venueAliases: venues.aliases,
    venueTerms: venues.terms,
    neighborhoodSlugs: numbers.slugs,
    dictionary,
    get neighborhoods() {
      return neighborhoods;
    },
    get json() {
      return arenas.json;
    },
    get sequences() {
      return arenas.sequences;
    },
    setNeighborhoods(rows: readonly NeighborhoodRow[]) {
      neighborhoods = rows;
      for (const { slug } of rows) numbers.claim(slug);
    },
    hasVenue: (id: string) => venues.card(venueTable.ids.find(id)) !== undefined,
    putVenue: venues.put,
    forgetVenue: venues.forget,
    putEvent: events.put,
    forgetEvent: events.forget,
    compact() {
      if (compactArenas(arenas, eventTable, venueTable)) changes.venues += 1;
    },
    changes,
    sums: { event: events.sums, venue: venues.sums },
  };
}
