/** CSV (RFC 4180): a header, then one row for each record. */

import { writeCsvCell } from '../../values/csv-cell.ts';
import type { Form, ServedEvent, ServedVenue } from './model.ts';
import { cleanText, formatInstant } from './text.ts';

type Cell = string | number | boolean | null;
type Columns<R> = Readonly<Record<string, (record: R) => Cell>>;

const EVENT_COLUMNS: Columns<ServedEvent> = {
  id: ({ event }) => event.id,
  title: ({ event }) => event.title,
  slug: ({ event }) => event.slug,
  category: ({ event }) => event.category,
  status: ({ status }) => status,
  startDatetime: ({ event }) => event.startDatetime,
  endDatetime: ({ event }) => event.endDatetime,
  startPrecision: ({ startPrecision }) => startPrecision,
  description: ({ event }) => event.description,
  imageUrl: ({ event }) => event.imageUrl,
  isFree: ({ event }) => event.isFree,
  priceMin: ({ event }) => event.priceMin,
  priceMax: ({ event }) => event.priceMax,
  discoveryScore: ({ event }) => event.discoveryScore,
  venueId: ({ event }) => event.venue.id,
  venueName: ({ event }) => event.venue.name,
  venueSlug: ({ event }) => event.venue.slug,
  venueNeighborhood: ({ event }) => event.venue.neighborhood,
  venueAddress: ({ event }) => event.venue.address,
  latitude: ({ event }) => event.venue.latitude,
  longitude: ({ event }) => event.venue.longitude,
  url: ({ event }) => event.url,
  updatedAt: ({ updatedAt }) => formatInstant(updatedAt),
};

const VENUE_COLUMNS: Columns<ServedVenue> = {
  id: ({ venue }) => venue.id,
  name: ({ venue }) => venue.name,
  slug: ({ venue }) => venue.slug,
  type: ({ venue }) => venue.type,
  neighborhood: ({ venue }) => venue.neighborhood,
  address: ({ venue }) => venue.address,
  latitude: ({ venue }) => venue.latitude,
  longitude: ({ venue }) => venue.longitude,
  capacityTier: ({ venue }) => venue.capacityTier,
  isVerified: ({ venue }) => venue.isVerified,
  upcomingEventCount: ({ venue }) => venue.upcomingEventCount,
  url: ({ venue }) => venue.url,
};

export const eventCsv = form(EVENT_COLUMNS);
export const venueCsv = form(VENUE_COLUMNS);

function form<R>(columns: Columns<R>): Form<R> {
  const readers = Object.values(columns);
  return {
    extension: 'csv',
    mediaType: 'text/csv',
    contentType: 'text/csv; charset=utf-8; header=present',
    separator: '',
    open: () => writeRow(Object.keys(columns)),
    record: (record) => writeRow(readers.map((read) => read(record))),
    close: () => '',
  };
}

const writeRow = (cells: readonly Cell[]): string => `${cells.map(writeCell).join(',')}\r\n`;

/** Only texts can be formulas: a negative number is a number. */
function writeCell(cell: Cell): string {
  if (cell === null) return '';
  return typeof cell === 'string' ? writeCsvCell(cleanText(cell)) : String(cell);
}

/** U+FEFF, by which spreadsheets know UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff';
