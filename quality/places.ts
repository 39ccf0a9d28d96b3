/** How well places are told apart: on labeled pairs of two kinds, and on the venues of one city. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { comparePlaces, groupPlaces, type PlaceFacts, type PlaceGroups, type PlaceListing } from '../src/facts/index.ts';
import { plainText } from '../src/providers/index.ts';
import type { Figure } from './figure.ts';

const DATA = new URL('../../shared/data/', import.meta.url).pathname;
const PAIRS = join(DATA, 'matching/geo-er');

export const PLACES = { missing: !existsSync(PAIRS) } as const;

/** OpenStreetMap against Foursquare, and against Yelp. */
export const PAIR_SETS = ['osm_fsq', 'osm_yelp'] as const;
export type PairSet = (typeof PAIR_SETS)[number];
/** The rules were made and the weights fitted on `train` and `valid` alone. */
export type Split = 'train' | 'valid' | 'test';

export interface LabelledPair {
  left: PlaceFacts;
  right: PlaceFacts;
  isSame: boolean;
}

export interface Measure {
  pairs: number;
  precision: number;
  recall: number;
  f1: number;
}

/** A pair counts as found only where the answer is `same`: neither `unknown` nor a room and its house. */
export function measurePlaces(set: PairSet, split: Split): Measure {
  const pairs = readPairs(set, split);
  const said = pairs.map(({ left, right, isSame }) => ({ isSame, saysSame: comparePlaces(left, right).relation === 'same' }));
  const count = (saysSame: boolean, isSame: boolean) =>
    said.filter((pair) => pair.saysSame === saysSame && pair.isSame === isSame).length;
  const [right, wrong, missed] = [count(true, true), count(true, false), count(false, true)];
  const [precision, recall] = [right / (right + wrong), right / (right + missed)];
  return { pairs: pairs.length, precision, recall, f1: (2 * precision * recall) / (precision + recall) };
}

/** One pair a line: two records and a label, separated by tabs. */
export function readPairs(set: PairSet, split: Split): LabelledPair[] {
  const text = gunzipSync(readFileSync(join(PAIRS, set, 'pit', `${split}.txt.gz`))).toString('utf8');
  return text.split(/\r?\n/).flatMap((line) => {
    const [left, right, label] = line.split('\t');
    return left && right && label ? [{ left: readRecord(left), right: readRecord(right), isSame: label === '1' }] : [];
  });
}

/** `COL name VAL … COL latitude VAL … COL longitude VAL … COL address VAL … COL postalCode VAL …`. */
function readRecord(text: string): PlaceFacts {
  const values = text.split(/\s*COL \w+ VAL ?/).map((value) => value.trim());
  const [, name = '', latitude, longitude, address = '', postcode = ''] = values;
  return {
    name,
    latitude: Number(latitude),
    longitude: Number(longitude),
    address: [address, postcode].filter((part) => part !== '').join(', ') || null,
  };
}

/** The venues that sixteen providers name in New York; each name, provider and point once. */
export function readNycVenues(): PlaceListing[] {
  const { events } = JSON.parse(readFileSync(NYC.events, 'utf8')) as { events: DashboardEvent[] };
  const venues = new Map<string, PlaceListing>();
  for (const { venue, source, lat = null, lon = null } of events) {
    const id = [source, venue, lat, lon].join('\n');
    venues.set(id, { id, provider: source, name: plainText(venue), address: null, latitude: lat, longitude: lon });
  }
  return [...venues.values()];
}

interface DashboardEvent {
  venue: string;
  source: string;
  lat?: number | null;
  lon?: number | null;
}

/** 963 venues of a later day, a fifth of them without a point. */
export function readNycList(): PlaceListing[] {
  const rows = parse(readFileSync(NYC.list), { columns: true, delimiter: '\t', quote: null }) as Record<string, string>[];
  return rows.map(({ venue = '', lat, lon, sources = '' }, number) => {
    const [latitude, longitude] = [lat, lon].map((degrees) => (degrees ? Number(degrees) : null));
    return {
      id: `list ${number}`,
      provider: sources,
      name: venue,
      address: null,
      latitude: latitude ?? null,
      longitude: longitude ?? null,
    };
  });
}

/** The city's own list of 20 568 places, from playgrounds to bridges. */
export function readNycPoints(): PlaceListing[] {
  const rows = parse(readFileSync(NYC.points), { columns: true, relax_quotes: true }) as Record<string, string>[];
  return rows.flatMap(({ geometry = '', NAME: name = '' }, number) => {
    const [, longitude, latitude] = /^POINT \((\S+) (\S+)\)$/.exec(geometry) ?? [];
    if (!longitude || !latitude || name === '') return [];
    return [
      { id: `city ${number}`, provider: 'city', name, address: null, latitude: Number(latitude), longitude: Number(longitude) },
    ];
  });
}

const NYC = {
  events: join(DATA, 'events/nyc-dashboard/2026-06-16T1548_before-dedup.json'),
  list: join(DATA, 'venues/nyc/venues_in_nyc_dashboard_2026-07-02.tsv'),
  points: join(DATA, 'venues/nyc/Point_Of_Interest_CommonPlace.csv'),
} as const;

export function placeFigures(): Figure[] {
  if (PLACES.missing) return [];
  const venues = readNycVenues();
  return [
    ...PAIR_SETS.map((set) => pairFigure(set)),
    groupFigure('venues of sixteen providers in New York', venues),
    groupFigure('venues of a later day in New York, a fifth without a point', readNycList()),
    groupFigure('venues in New York with the 20 568 places of the city', [...venues, ...readNycPoints()]),
  ];
}

function pairFigure(set: PairSet): Figure {
  const { pairs, precision, recall, f1 } = measurePlaces(set, 'test');
  return {
    name: `pairs of places, ${SET_NAMES[set]}, test split`,
    value: `F1 ${f1.toFixed(3)} (precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)})`,
    command: COMMAND,
    note: `${pairs} pairs by name, address and distance; a room and its house do not count as one; rules and weights come from the other splits`,
  };
}

function groupFigure(name: string, places: readonly PlaceListing[]): Figure {
  const startedAt = process.cpuUsage().user;
  const { groups, rooms, asks }: PlaceGroups = groupPlaces(places, { decisions: [] });
  const seconds = (process.cpuUsage().user - startedAt) / MICROSECONDS_PER_SECOND;
  return {
    name,
    value: `${places.length} listings become ${groups.length} places, ${rooms.length} of them rooms; ${asks.length} questions`,
    command: COMMAND,
    note: `${seconds.toFixed(1)} s of one core`,
  };
}

const COMMAND = 'npm run quality';
const SET_NAMES = { osm_fsq: 'OpenStreetMap and Foursquare', osm_yelp: 'OpenStreetMap and Yelp' } as const;
const MICROSECONDS_PER_SECOND = 1_000_000;
