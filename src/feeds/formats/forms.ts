/** The forms of a list of events and of a list of venues, by extension, and those of them that are written in few lines. */

import { type Cell, eventCells, listedVenueCells, priceOf } from '../../records/index.ts';
import { writeCsvCell } from '../../values/csv-cell.ts';
import { icalendar } from './icalendar.ts';
import { eventJsonld, venueJsonld } from './jsonld.ts';
import { type Form, type ListFacts, REFRESH_MINUTES, type ServedEvent, type ServedVenue } from './model.ts';
import { describeEvent, formatGeorss } from './news-text.ts';
import { rss } from './rss.ts';
import { cleanText, cleanUrl, describeList, escapeXml, formatInstant, xmlElement } from './text.ts';

/** Atom (RFC 4287) with the links of a paged feed (RFC 5005) and GeoRSS points. */
const atom: Form<ServedEvent> = {
  extension: 'atom',
  mediaType: 'application/atom+xml',
  contentType: 'application/atom+xml; charset=utf-8',
  separator: '',

  open(list) {
    const pages = Object.entries(list.pages ?? {}).map(([rel, url]) => link(rel === 'prev' ? 'previous' : rel, url));
    return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:georss="http://www.georss.org/georss" xml:lang="${escapeXml(list.language)}">
${xmlElement('id', cleanUrl(list.selfUrl))}${xmlElement('title', list.title)}${xmlElement('subtitle', describeList(list))}\
<updated>${formatInstant(list.updatedAt)}</updated>
<generator>Marquee</generator>
<author><name>Marquee</name></author>
${link('self', list.selfUrl)}${link('alternate', list.homeUrl)}${pages.join('')}`;
  },

  record(record, list) {
    const { event, updatedAt } = record;
    return `<entry>
<id>urn:uuid:${event.id}</id>
${xmlElement('title', event.title)}<updated>${formatInstant(updatedAt)}</updated>
${link('alternate', event.url)}<category term="${escapeXml(event.category)}"/>
${xmlElement('content', describeEvent(record, list).map(cleanText).join('\n\n'), ' type="text"')}\
${formatGeorss(record)}</entry>
`;
  },

  close: () => '</feed>\n',
};

const link = (rel: string, url: string): string => `<link rel="${rel}" href="${escapeXml(cleanUrl(url))}"/>\n`;

/** JSON Feed 1.1 (jsonfeed.org), with the facts of an event in an extension object. */
const jsonFeed: Form<ServedEvent> = {
  extension: 'feed.json',
  mediaType: 'application/feed+json',
  contentType: 'application/feed+json; charset=utf-8',
  separator: ',\n',

  open(list) {
    const head = JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title: list.title,
      home_page_url: list.homeUrl,
      feed_url: list.selfUrl,
      ...(list.pages?.next !== undefined && { next_url: list.pages.next }),
      description: describeList(list),
      language: list.language,
      authors: [{ name: 'Marquee' }],
      _marquee: { refreshMinutes: REFRESH_MINUTES },
    });
    return `${head.slice(0, -1)},"items":[\n`;
  },

  record(record, list) {
    const { event, status, startPrecision, updatedAt, isInArea } = record;
    const { venue } = isInArea ? withoutPoint({ ...event }) : event;
    const { startDatetime, endDatetime } = event;
    return JSON.stringify({
      id: event.id,
      url: event.url,
      title: event.title,
      content_text: describeEvent(record, list).join('\n\n'),
      ...(event.imageUrl !== null && { image: event.imageUrl }),
      date_modified: formatInstant(updatedAt),
      tags: [event.category],
      _marquee: { startDatetime, endDatetime, startPrecision, status, ...priceOf(event), venue },
    });
  },

  close: () => '\n]}\n',
};

/* GeoJSON (RFC 7946): one point for each record, none (§3.2) where only an area is known; the record as the JSON list serves it in `properties`. */

const eventGeojson: Form<ServedEvent> = {
  ...pointForm(),
  record: ({ event: { id, venue }, json, isInArea }) => writeFeature(id, isInArea ? null : venue, json),
};

const venueGeojson: Form<ServedVenue> = {
  ...pointForm(),
  record: ({ venue, json, isInArea }) => writeFeature(venue.id, isInArea ? null : venue, json),
};

function pointForm() {
  return {
    extension: 'geojson',
    mediaType: 'application/geo+json',
    contentType: 'application/geo+json',
    separator: ',\n',
    open: () => '{"type":"FeatureCollection","features":[\n',
    close: ({ meta }: ListFacts) => `\n]${meta === undefined ? '' : `,"meta":${meta}`}}\n`,
  };
}

/** Longitude comes first (§3.1.1). */
function writeFeature(id: string, point: { latitude: number; longitude: number } | null, properties: string): string {
  const geometry = point && `{"type":"Point","coordinates":[${point.longitude},${point.latitude}]}`;
  return `{"type":"Feature","id":${JSON.stringify(id)},"geometry":${geometry},"properties":${properties}}`;
}

/** Newline-delimited JSON: each line is one record as the JSON list serves it. */
const ndjson: Form<{ json: string }> = {
  extension: 'ndjson',
  mediaType: 'application/x-ndjson',
  contentType: 'application/x-ndjson; charset=utf-8',
  separator: '',
  open: () => '',
  // JSON escapes line feeds, so a record never has a line break of its own.
  record: ({ json }) => `${json}\n`,
  close: () => '',
};

/* CSV (RFC 4180): a header, then one row for each record. */

const eventCsv = csvForm<ServedEvent>(eventCells(), ({ event, status, startPrecision, updatedAt, organizer, isInArea }) => ({
  ...(isInArea ? withoutPoint({ ...event }) : event),
  status,
  startPrecision,
  updatedAt: formatInstant(updatedAt),
  organizer: organizer(),
}));
const venueCsv = csvForm<ServedVenue>(listedVenueCells(), ({ venue, isInArea }) =>
  isInArea ? withoutPoint({ ...venue }) : { ...venue },
);

/**
 * A record of an event or a venue of which only the area is known, for forms that do not say how sure a point is: the point stands for
 * the area, and would be taken for that of the house.
 */
export function withoutPoint(record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const none = { latitude: null, longitude: null };
  if (typeof record.venue === 'object') return { ...record, venue: { ...record.venue, ...none } };
  return 'latitude' in record ? { ...record, ...none } : record;
}

/** `toRecord`: the record as the cells read it. */
function csvForm<R>(cells: readonly Cell[], toRecord: (served: R) => Readonly<Record<string, unknown>>): Form<R> {
  return {
    extension: 'csv',
    mediaType: 'text/csv',
    contentType: 'text/csv; charset=utf-8; header=present',
    separator: '',
    open: () => writeRow(cells.map(({ name }) => name)),
    record(served) {
      const record = toRecord(served);
      return writeRow(cells.map(({ read }) => read(record)));
    },
    close: () => '',
  };
}

const writeRow = (cells: readonly unknown[]): string => `${cells.map(writeCell).join(',')}\r\n`;

/** Null is an empty cell. Lists are joined by `|`, as in exports. Only texts can be formulas: a negative number is a number. */
function writeCell(cell: unknown): string {
  if (cell === null) return '';
  if (Array.isArray(cell)) return writeCell(cell.join('|'));
  return typeof cell === 'string' ? writeCsvCell(cleanText(cell)) : String(cell);
}

export type EventFormName = keyof typeof EVENT_FORMS;

export type VenueFormName = keyof typeof VENUE_FORMS;

/** The whole document, as UTF-8. Records beyond `list.maxRecords` are left out. */
export function writeForm<R>(form: Form<R>, list: ListFacts, records: readonly R[]): Buffer {
  const written = records.slice(0, list.maxRecords).map((record, position) => form.record(record, list, position));
  return Buffer.from(form.open(list) + written.join(form.separator) + form.close(list));
}

/** U+FEFF, by which spreadsheets know UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff';
/** In order of preference, where a client likes several as much. */
export const EVENT_FORMS = {
  ics: icalendar,
  rss,
  atom,
  'feed.json': jsonFeed,
  geojson: eventGeojson,
  csv: eventCsv,
  ndjson,
  jsonld: eventJsonld,
} as const satisfies Record<string, Form<ServedEvent>>;
export const VENUE_FORMS = {
  geojson: venueGeojson,
  csv: venueCsv,
  ndjson,
  jsonld: venueJsonld,
} as const satisfies Record<string, Form<ServedVenue>>;
