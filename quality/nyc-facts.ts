/** The listings of New York's published files as a run reads them: the mapping of the source, the same rules, the same facts. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type EventFacts, type NormalEvent, normalizeEvent } from '../src/facts/index.ts';
import { diffListings } from '../src/ingest/run/diff.ts';
import { areasOf } from '../src/ingest/run/find-place.ts';
import { resolveVenues } from '../src/ingest/run/resolve-venues.ts';
import { compileMapping, type Mapping } from '../src/providers/index.ts';
import type { Neighborhood } from '../src/records/index.ts';
import { NYC, NYC_CITY, nycAreas } from '../test/nyc/load.ts';

const FOLDER = new URL('../../shared/data/events/nyc-dashboard/', import.meta.url).pathname;

export const NYC_FACTS = {
  missing: !existsSync(FOLDER),
  /** Sixteen providers in one file, before anybody merged anything. */
  main: join(FOLDER, '2026-06-16T1548_before-dedup.json'),
  day: (day: string): string => join(FOLDER, `daily/${day}.json.gz`),
} as const;

export interface NycFacts {
  listings: number;
  facts: EventFacts[];
  /** The whole events that the facts are of, in the same order. */
  events: NormalEvent[];
  /** By id: why it is no event. */
  refused: Map<string, string>;
}

/** Of a file of the dashboard, plain or gzipped. Later files hold the whole state; `isNyc` takes the city's alone. */
export function readNycFacts(file: string, isWanted: (row: Row) => boolean = () => true): NycFacts {
  const bytes = readFileSync(file);
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  const rows = (JSON.parse(text) as { events: Row[] }).events.filter(isWanted);
  const mapping = readMapping();
  const events: NormalEvent[] = [];
  const refused = new Map<string, string>();
  for (const row of rows) {
    const read = mapping.read(row);
    const listing = read !== null && !('refused' in read) ? read[0] : undefined;
    if (listing?.target !== 'events') {
      refused.set(row.id, 'unreadable');
      continue;
    }
    const normalized = normalizeEvent(listing.event, { city: CITY, sourceName: SOURCE });
    if (normalized.ok) events.push(normalized.event);
    else refused.set(row.id, normalized.code);
  }
  const factsOf = new Map(recordsOf(events).map(({ externalId, facts, startsAt }) => [externalId, { facts, startsAt }]));
  const facts = events.flatMap(({ externalId }): EventFacts[] => {
    const record = factsOf.get(externalId);
    if (!record) return [];
    const { venueKey: _, ...known } = record.facts;
    return [{ ...known, id: externalId, startsAt: record.startsAt }];
  });
  return { listings: rows.length, facts, events, refused };
}

/** As the first run of a source makes them, in a city that knows no place yet. */
function recordsOf(events: readonly NormalEvent[]) {
  const known = {
    places: [],
    neighborhood: () => null,
    areas: areasOf(readCity(), readNeighborhoods()),
    locate: () => null,
    placeText: () => null,
    houseNamed: () => null,
    answerOf: () => null,
    unnamed: null,
    earlier: [],
  };
  const { events: resolved, venues } = resolveVenues(events, [], known, SOURCE);
  const listed = { events: resolved, venues, unreadable: new Set<string>(), isComplete: true };
  return diffListings(listed, { source: { id: SOURCE, name: SOURCE }, now: 0, held: { events: new Map(), venues: new Map() } })
    .events;
}

const readCity = () => ({ ...NYC_CITY, ...NYC_CITY.center });

/** Names and parts are what facts of events need; a corner of each stands for its point. */
function readNeighborhoods(): Neighborhood[] {
  return nycAreas().features.map(({ properties, geometry }) => {
    const [longitude, latitude] = geometry.coordinates[0]?.[0]?.[0] ?? [0, 0];
    return { id: properties.slug, ...properties, geometry, longitude, latitude };
  });
}

function readMapping(): Mapping {
  const compiled = compileMapping(JSON.parse(readFileSync(NYC.events.mapping, 'utf8')));
  if (!compiled.ok) throw new Error(`the mapping of New York is wrong: ${compiled.field}: ${compiled.reason}`);
  return compiled.mapping;
}

export const isNyc = ({ city = NYC_CITY.name }: Row): boolean => city === NYC_CITY.name;

/** What is read of a row beside the mapping. */
export interface Row {
  id: string;
  title: string;
  venue: string;
  start: string;
  source: string;
  city?: string;
  borough?: string;
}

const CITY = { timezone: NYC_CITY.timezone, name: NYC_CITY.name, locale: NYC_CITY.locale };
const SOURCE = 'dashboard';
