/** The columns of an export of events: what may be chosen, and how each is laid out in formats that have typed columns. */

import { createCityTime } from '../city/index.ts';
import type { Snapshot } from '../search/index.ts';

/** One event as its detail endpoint prints it. */
export interface ExportedEvent {
  id: string;
  title: string;
  category: string;
  startDatetime: string;
  isFree: boolean;
  discoveryScore: number;
  slug: string;
  endDatetime: string | null;
  description: string | null;
  imageUrl: string | null;
  priceMin: number | null;
  priceMax: number | null;
  url: string;
  venue: {
    id: string;
    name: string;
    slug: string;
    neighborhood: string | null;
    latitude: number;
    longitude: number;
    address: string | null;
    capacityTier: string | null;
  };
  performers: string[];
  tags: string[];
  sources: string[];
}

/** In the order of the detail record; those after `sources` are beside it. */
export const EVENT_COLUMNS = [
  'id',
  'title',
  'category',
  'startDatetime',
  'isFree',
  'discoveryScore',
  'slug',
  'endDatetime',
  'description',
  'imageUrl',
  'priceMin',
  'priceMax',
  'url',
  'venue',
  'performers',
  'tags',
  'sources',
  'status',
  'startPrecision',
  'updatedAt',
] as const;
export type ColumnName = (typeof EVENT_COLUMNS)[number];

/** What the detail record lacks and another instance needs to take the event over. */
export const FACT_COLUMNS = ['status', 'startPrecision', 'updatedAt'] as const satisfies readonly ColumnName[];
const DETAIL_COLUMNS: readonly ColumnName[] = EVENT_COLUMNS.filter((name) => !(FACT_COLUMNS as readonly string[]).includes(name));

/** The chosen columns in the order of the table; `id` is always among them. Null for an unknown name. */
export function parseColumns(names: readonly string[]): ColumnName[] | null {
  const known = new Set<string>(EVENT_COLUMNS);
  if (names.some((name) => !known.has(name))) return null;
  return EVENT_COLUMNS.filter((name) => name === 'id' || names.includes(name));
}

export type ExportRecord = Readonly<Partial<Record<ColumnName, unknown>>> & { readonly id: string };

/** Reads events of one snapshot as records of the chosen columns. `lines`: their details, as the snapshot writes them. */
export function createRecordReader(
  snapshot: Snapshot,
  columns: readonly ColumnName[] | null,
): (items: readonly number[], lines: Buffer) => ExportRecord[] {
  const chosen = columns ?? DETAIL_COLUMNS;
  const needsFacts = FACT_COLUMNS.some((name) => chosen.includes(name));
  const cityTime = createCityTime(snapshot.city.timezone);
  return (items, lines) =>
    parseLines<ExportedEvent>(lines).map((event, n) => {
      const all: Record<string, unknown> = { ...event };
      if (needsFacts) {
        const { status, startPrecision, updatedAt } = snapshot.facts(items[n] ?? 0);
        Object.assign(all, { status, startPrecision, updatedAt: cityTime.format(updatedAt) });
      }
      return columns ? pick(all, columns) : (all as unknown as ExportRecord);
    });
}

function pick(all: Record<string, unknown>, columns: readonly ColumnName[]): ExportRecord {
  const picked: Record<string, unknown> = {};
  for (const name of columns) picked[name] = all[name];
  return picked as ExportRecord;
}

export function parseLines<T>(lines: Buffer): T[] {
  const parsed: T[] = [];
  for (let from = 0, to = lines.indexOf(LINE_FEED); to >= 0; from = to + 1, to = lines.indexOf(LINE_FEED, from)) {
    parsed.push(JSON.parse(lines.toString('utf8', from, to)) as T);
  }
  return parsed;
}

const LINE_FEED = 0x0a;

/** A cell of a table: its name, its type in Parquet, and its value in a record. */
export interface Cell {
  name: string;
  type: 'text' | 'instant' | 'flag' | 'whole' | 'number' | 'list' | 'json';
  read(record: Readonly<Record<string, unknown>>): unknown;
}

type VenueOfEvent = ExportedEvent['venue'];
const plain = (name: string, type: Cell['type']): Cell => ({ name, type, read: (record) => record[name] });
const ofVenue = (name: string, field: keyof VenueOfEvent, type: Cell['type']): Cell => ({
  name,
  type,
  read: (record) => (record.venue as VenueOfEvent)[field],
});

/** A venue becomes a cell for each of its fields. */
const CELLS_OF_COLUMN: Record<ColumnName, readonly Cell[]> = {
  id: [plain('id', 'text')],
  title: [plain('title', 'text')],
  category: [plain('category', 'text')],
  startDatetime: [plain('startDatetime', 'instant')],
  isFree: [plain('isFree', 'flag')],
  discoveryScore: [plain('discoveryScore', 'whole')],
  slug: [plain('slug', 'text')],
  endDatetime: [plain('endDatetime', 'instant')],
  description: [plain('description', 'text')],
  imageUrl: [plain('imageUrl', 'text')],
  priceMin: [plain('priceMin', 'number')],
  priceMax: [plain('priceMax', 'number')],
  url: [plain('url', 'text')],
  venue: [
    ofVenue('venueId', 'id', 'text'),
    ofVenue('venueName', 'name', 'text'),
    ofVenue('venueSlug', 'slug', 'text'),
    ofVenue('venueNeighborhood', 'neighborhood', 'text'),
    ofVenue('latitude', 'latitude', 'number'),
    ofVenue('longitude', 'longitude', 'number'),
    ofVenue('venueAddress', 'address', 'text'),
    ofVenue('venueCapacityTier', 'capacityTier', 'text'),
  ],
  performers: [plain('performers', 'list')],
  tags: [plain('tags', 'list')],
  sources: [plain('sources', 'list')],
  status: [plain('status', 'text')],
  startPrecision: [plain('startPrecision', 'text')],
  updatedAt: [plain('updatedAt', 'instant')],
};

export const eventCells = (columns: readonly ColumnName[] | null): Cell[] =>
  (columns ?? DETAIL_COLUMNS).flatMap((name) => CELLS_OF_COLUMN[name]);

const ofMetadata = (name: string, type: Cell['type']): Cell => ({
  name,
  type,
  read: (record) => (record.metadata as Record<string, unknown>)[name],
});

/** Venues are always whole. */
export const VENUE_CELLS: readonly Cell[] = [
  plain('id', 'text'),
  plain('name', 'text'),
  plain('slug', 'text'),
  plain('type', 'text'),
  plain('neighborhood', 'text'),
  plain('address', 'text'),
  plain('latitude', 'number'),
  plain('longitude', 'number'),
  plain('capacityTier', 'text'),
  plain('isVerified', 'flag'),
  plain('url', 'text'),
  ofMetadata('website', 'text'),
  ofMetadata('parking', 'text'),
  ofMetadata('transitNearby', 'list'),
  ofMetadata('openingHours', 'json'),
  plain('upcomingEventCount', 'whole'),
];
