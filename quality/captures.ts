/** How much of the recorded answers of providers' APIs becomes listings, and whether it is what others expect of them. */

import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type EventListing, PROVIDERS, plainText } from '../src/providers/index.ts';
import type { Figure } from './figure.ts';
import type { Comparison } from './jsonld.ts';

const EVENTS = new URL('../../shared/data/events/', import.meta.url).pathname;

export const CAPTURES = { missing: !existsSync(EVENTS) } as const;

interface CaptureCount {
  kind: string;
  file: string;
  /** Events, or dates of events, that the answer has by a count of its own. */
  wanted: number;
  /** Different listings: the same id counts once. */
  listed: number;
  difference: string | null;
}

/** Each recorded answer read by its provider. */
async function countCaptures(): Promise<CaptureCount[]> {
  return Promise.all(
    RECORDED.map(async ([kind, file, wanted]) => {
      const listings = await read(kind, file);
      const ids = new Set(eventsOf(listings).map(({ externalId }) => externalId));
      return { kind, file, wanted, listed: ids.size, difference: DIFFERENCES[file] ?? null };
    }),
  );
}

/** The events of a calendar of nature in Washington, which are Eventbrite's, field by field as its reader's authors expect them. */
export async function compareFriends(): Promise<Comparison[]> {
  const events = eventsOf(await read('eventbrite', FRIENDS));
  const rows = JSON.parse(readFileSync(join(EVENTS, FRIENDS_EXPECTED), 'utf8')) as Record<string, unknown>[];
  return rows.flatMap((row) => {
    const event = events.find(({ url }) => url === row['Event Website']);
    if (!event) return [{ where: `${String(row['Event Website'])} (the event)`, holds: false }];
    return Object.entries(FIELDS).map(([field, value]) => ({ where: field, holds: value(event) === sought(row[field]) }));
  });
}

export async function captureFigures(): Promise<Figure[]> {
  if (CAPTURES.missing) return [];
  const [counts, fields] = [await countCaptures(), await compareFriends()];
  const different = [...new Set(fields.filter(({ holds }) => !holds).map(({ where }) => where))];
  const sum = (of: (count: CaptureCount) => number) => counts.reduce((total, count) => total + of(count), 0);
  return [
    figure(
      'recorded answers of APIs: dates listed',
      sum(({ listed }) => listed),
      sum(({ wanted }) => wanted),
    ),
    ...counts.map(({ kind, file, listed, wanted, difference }) =>
      figure(`${kind}: ${basename(file)}`, listed, wanted, difference ?? undefined),
    ),
    figure(
      "fields of Eventbrite's events as another reader expects them",
      fields.filter(({ holds }) => holds).length,
      fields.length,
      different.map((field) => `${field}: ${DIFFERENCES[field] ?? 'not explained'}`).join('; '),
    ),
  ];
}

function figure(name: string, found: number, wanted: number, note?: string): Figure {
  return { name, value: `${found} of ${wanted}`, command: 'npm run quality', ...(note ? { note } : {}) };
}

async function read(kind: string, file: string) {
  const provider = PROVIDERS.find((each) => each.kind === kind);
  if (!provider) throw new Error(`no provider of kind ${kind}`);
  const url = `file://${join(EVENTS, file)}`;
  const source = {
    name: kind,
    location: url,
    mapping: null,
    key: null,
    zone: 'America/New_York',
    locales: ['en-US'],
    window: ALWAYS,
  };
  const page = await provider.read({ url, body: readFileSync(join(EVENTS, file)), contentType: null }, source);
  return page.listings;
}

function eventsOf(listings: Awaited<ReturnType<typeof read>>): EventListing[] {
  return listings.flatMap((each) => (each.ok === true && each.listing.target === 'events' ? [each.listing.event] : []));
}

/** Blanks aside, which the other reader's texts have elsewhere. */
function sought(value: unknown): string {
  return String(value ?? '').replace(/\s+/g, '');
}

const clockOf = (iso: string | null) => {
  const hour = Number(iso?.slice(11, 13));
  return iso && `${String(hour % 12 || 12).padStart(2, '0')}:${iso.slice(14, 16)}${hour < 12 ? 'AM' : 'PM'}`;
};
const FIELDS: Readonly<Record<string, (event: EventListing) => string | null>> = {
  'Event Name': ({ title }) => sought(title),
  'Event Description': ({ description }) => sought(plainText(description ?? '')),
  'Event Start Date': ({ start }) => start?.slice(0, 10) ?? null,
  'Event Start Time': ({ start }) => clockOf(start),
  'Event End Date': ({ end }) => end?.slice(0, 10) ?? null,
  'Event End Time': ({ end }) => clockOf(end),
  Timezone: ({ zone }) => zone,
  'Event Venue Name': ({ venue }) => venue.name,
  'Event Website': ({ url }) => url,
  'Event Featured Image': ({ image }) => image,
};

const FRIENDS = 'dc-capital-nature/friends__api_content.json';
const FRIENDS_EXPECTED = 'dc-capital-nature/friends__events_list.expected.json';
const TCHEQUE = 'openagenda/pdf-exports__agenda__test__fixtures__tcheque__events.json';
const ALWAYS = { from: 0, until: Date.parse('2100-01-01T00:00:00Z') };

/** Kind, file, and how many events or dates it has: counted in the file without reading their fields. */
const RECORDED: readonly (readonly [kind: string, file: string, wanted: number])[] = [
  ['ticketmaster', 'ticketmaster/discovery_v2_2017_one_event.json', 1],
  ['ticketmaster', 'ticketmaster/discovery_v2_2020-03_resale.json', 20],
  ['ticketmaster', 'ticketmaster/discovery_v2_2022_empty_page.json', 0],
  ['ticketmaster', 'ticketmaster/discovery_v2_2022_page1.json', 10],
  ['ticketmaster', 'ticketmaster/documented_get-event.json', 1],
  ['ticketmaster', 'ticketmaster/documented_search-events.json', 1],
  ['seatgeek', 'seatgeek/event_2017.json', 1],
  ['seatgeek', 'seatgeek/events_v2_2020-03.json', 10],
  ['eventbrite', 'eventbrite/destination_search_2023-09.json', 150],
  ['eventbrite', FRIENDS, 3],
  ['bandsintown', 'bandsintown/beach_boys_2018.json', 25],
  ['openagenda', TCHEQUE, 663],
  ['openagenda', 'openagenda/pdf-exports__agenda__test__fixtures__albi__events.json', 97],
  ['openagenda', 'openagenda/pdf-exports__agenda__test__fixtures__tcheque__events2.json', 241],
  ['openagenda', 'openagenda/sdk-js__test__fixtures__events.json', 2],
  ['linkedevents', 'ec2u-provider-samples/EventsTurkuCity.1.json', 1],
  ['socrata', 'nyc-socrata/NYC_Permitted_Event_Information_2022.csv', 8501],
];

/** Why a capture gives another number than it has, and why a field is not what another reader expects. */
const DIFFERENCES: Readonly<Record<string, string>> = {
  [TCHEQUE]: 'one date stands twice in its record',
  'Event Start Time': 'their reader takes the UTC hour for the local one; the record says 09:00 in New York',
  'Event End Time': 'as the start: the record says 12:00 in New York',
  'Event Venue Name': 'the answer has the id of the venue alone; Marquee asks for the venue in the same request',
};
