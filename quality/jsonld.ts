/** How true what is read from pages and feeds is, measured on what others recorded and expected. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { plainText } from '../src/providers/fields/clean-text.ts';
import { jsonld, parseScript, readPage } from '../src/providers/kinds/jsonld.ts';
import type { EventListing, ReadListing } from '../src/providers/listing.ts';
import type { ListingPage } from '../src/providers/provider.ts';
import { decodeText } from '../src/providers/reading/decode-text.ts';
import type { Figure } from './figure.ts';

const DATA = new URL('../../shared/data/', import.meta.url).pathname;
const EXTRUCT = join(DATA, 'conformance/extruct-samples');
const EVENTS = join(DATA, 'events');

export const JSONLD_DATA = { missing: !existsSync(DATA) } as const;

/** `where` names the file and, after a blank, what of it was compared. */
export interface Comparison {
  where: string;
  holds: boolean;
}

/** The JSON-LD of each page as another extractor gives it: pages with a result beside them, in a file of the same name. */
export function compareScripts(): Comparison[] {
  return expectedPages().map(({ name, html, expected }) => {
    const values = readPage(html).scripts.flatMap((script) => parseScript(script).documents);
    // That extractor gives the elements of a list one by one and leaves out what is empty.
    return { where: name, holds: isDeepStrictEqual(plain(values.flat().filter(Boolean)), plain(expected)) };
  });
}

/** The events among them, as listings: name, instant, place and performers, one comparison for each event that is expected. */
export function compareEvents(): Comparison[] {
  return expectedPages().flatMap(({ name, html, expected }) => {
    const events = eventsOf(read(html, 'https://www.songkick.com/'));
    return expected.filter(isExpectedEvent).map((wanted, index) => {
      const start = wanted.startDate.replace(/([+-]\d\d)(\d\d)$/, '$1:$2');
      const names = (wanted.performer ?? []).map((each) => each.name.trim());
      const holds = events.some(
        (event) =>
          event.title === wanted.name.trim() &&
          event.start === start &&
          event.venue.name === (wanted.location?.name.trim() ?? null) &&
          isDeepStrictEqual(event.performers, [...new Set(names)]),
      );
      return { where: `${name} event ${index + 1}`, holds };
    });
  });
}

/** Events of two nature calendars as the reader that its authors wrote for each site expects them, field by field. */
export function compareCalendars(): Comparison[] {
  return CALENDARS.flatMap(({ page, expected, url }) => {
    const events = eventsOf(readRecorded(page, url));
    const rows = JSON.parse(readFileSync(join(EVENTS, expected), 'utf8')) as Record<string, string | boolean>[];
    return rows.flatMap((row) => {
      const event = events.find((each) => each.url === row['Event Website']);
      const where = `${basename(expected, '.expected.json')} ${String(row['Event Website']).split('/').at(-2)}`;
      if (!event) return [{ where: `${where} (the event)`, holds: false }];
      return Object.entries(FIELDS).flatMap(([field, value]) =>
        row[field] === undefined ? [] : [{ where: `${where} ${field}`, holds: agrees(field, value(event), row[field]) }],
      );
    });
  });
}

export function jsonldFigures(): Figure[] {
  if (JSONLD_DATA.missing) return [];
  const [scripts, events, calendars] = [compareScripts(), compareEvents(), compareCalendars()];
  const inAll = calendars.filter(({ where }) => !where.endsWith('(the event)'));
  const absent = calendars.length - inAll.length;
  return [
    figure('pages whose JSON-LD is read as extruct reads it', scripts),
    figure('events of these pages with the expected name, start, place and performers', events),
    figure(
      'fields of calendar events as the reader written for their site expects them',
      inAll,
      `${absent} more events are expected from further pages that the set does not hold; differing fields are explained in test/providers/recorded-pages.test.ts`,
    ),
  ];
}

/** The listings of one page in `events`. */
export function readRecorded(path: string, url = 'https://recorded.example/'): ReadListing[] {
  return read(readFileSync(join(EVENTS, path), 'utf8'), url);
}

function figure(name: string, comparisons: readonly Comparison[], note?: string): Figure {
  const value = `${comparisons.filter(({ holds }) => holds).length} of ${comparisons.length}`;
  return { name, value, command: 'npm run quality', ...(note === undefined ? {} : { note }) };
}

interface ExpectedNode {
  '@type': string;
  name: string;
  startDate: string;
  location?: { name: string };
  performer?: { name: string }[];
}

function expectedPages(): { name: string; html: string; expected: unknown[] }[] {
  const files = (readdirSync(EXTRUCT, { recursive: true }) as string[]).filter((file) => file.endsWith('.html')).sort();
  return files.flatMap((name) => {
    const [alone, among] = [name.replace(/html$/, 'jsonld'), name.replace(/html$/, 'json')].map((file) => {
      const path = join(EXTRUCT, file);
      return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as unknown) : null;
    });
    // Older results are a list of one list for each script.
    const said = (alone as { items?: unknown[] } | null)?.items?.flat() ?? alone;
    const expected = said ?? (among as { 'json-ld'?: unknown } | null)?.['json-ld'];
    const html = decodeText({ body: readFileSync(join(EXTRUCT, name)), contentType: 'text/html' });
    return Array.isArray(expected) ? [{ name, html, expected }] : [];
  });
}

function isExpectedEvent(value: unknown): value is ExpectedNode {
  return typeof value === 'object' && value !== null && /Event$/.test((value as ExpectedNode)['@type'] ?? '');
}

function read(html: string, url: string): ReadListing[] {
  const source = {
    name: 'recorded',
    location: url,
    mapping: null,
    key: null,
    zone: 'UTC',
    locales: ['en-US'],
    window: { from: 0, until: 0 },
  };
  return (jsonld.read({ url, body: Buffer.from(html), contentType: 'text/html; charset=utf-8' }, source) as ListingPage).listings;
}

function eventsOf(listings: readonly ReadListing[]): EventListing[] {
  return listings.flatMap((each) => (each.ok === true && each.listing.target === 'events' ? [each.listing.event] : []));
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function agrees(field: string, ours: string | boolean | null, theirs: string | boolean | undefined): boolean {
  // Their description is cut to a length; what is there of it must be ours.
  if (field === 'Event Description') return String(ours).startsWith(String(theirs).replace(/(?:\s?\[?(?:\.\.\.|…)\]?\s*)$/, ''));
  return ours === theirs;
}

const FIELDS: Readonly<Record<string, (event: EventListing) => string | boolean | null>> = {
  'Event Name': ({ title }) => plainText(title ?? ''),
  'Event Website': ({ url }) => url,
  'Event Start Date': ({ start }) => start?.slice(0, 10) ?? null,
  'Event Start Time': ({ start }) => start?.slice(11, 19) ?? null,
  'Event End Date': ({ end }) => end?.slice(0, 10) ?? null,
  'Event End Time': ({ end }) => end?.slice(11, 19) ?? null,
  'Event Venue Name': ({ venue }) => venue.name,
  'Event Featured Image': ({ image }) => image,
  'Event Description': ({ description }) => plainText(description ?? ''),
  'Event Organizers': ({ organizer }) => organizer,
  'Event Cost': ({ priceText, priceMin }) => priceText ?? (priceMin === null ? '' : String(priceMin)),
  'All Day Event': ({ isAllDay }) => isAllDay,
};
const CALENDARS = [
  {
    page: 'dc-capital-nature/casey__event_website_content_trees.html',
    expected: 'dc-capital-nature/casey__expected_events.expected.json',
    url: 'https://caseytrees.org/event/trees-101-2/',
  },
  {
    page: 'dc-capital-nature/casey__event_website_content_feb.html',
    expected: 'dc-capital-nature/casey__expected_events_mocked_desc.expected.json',
    url: 'https://caseytrees.org/event/trees-101-2/',
  },
  {
    page: 'dc-capital-nature/dug__get_event_calendar_soup_0.html',
    expected: 'dc-capital-nature/dug__expected_events.expected.json',
    url: 'http://dugnetwork.org/events/',
  },
] as const;
