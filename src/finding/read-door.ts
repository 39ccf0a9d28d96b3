/** `readDoor`: what a source would list, were it added: asked and read by its own provider. */

import { normalizeEvent } from '../facts/index.ts';
import {
  type EventListing,
  type ListingPage,
  type OutgoingRequest,
  PROVIDERS,
  ProviderError,
  type ReadListing,
  type SourceFacts,
} from '../providers/index.ts';
import { DAY_MS } from '../values/duration.ts';
import type { Asker } from './ask-politely.ts';
import { isCalendarWalk } from './event-words.ts';
import type { CityOfSources, FindingContext } from './model.ts';
import type { Door } from './platforms/platform.ts';

export interface ReadDoor {
  door: Door;
  /** Upcoming ones, by their start. */
  events: UpcomingEvent[];
  /** Over by now. */
  past: number;
  /** The day of the last of them, `YYYY-MM-DD`; null where there is none, or it was not read. */
  last: string | null;
  /** There is more than was read here. */
  isCut: boolean;
  /** One of them has a place. */
  hasPlaces: boolean;
}

export interface UpcomingEvent {
  title: string;
  /** With the offset of the city at that time, or a day alone. */
  start: string;
  /** Milliseconds since 1970 UTC; of a day its beginning in the city. */
  at: number;
  venue: string | null;
  address: string | null;
}

/** Null where the answer is not of the kind, or cannot be had. Without upcoming events, those of the last year are looked for. */
export async function readDoor(door: Door, asker: Asker, context: FindingContext): Promise<ReadDoor | null> {
  const provider = PROVIDERS.find(({ kind }) => kind === door.kind);
  if (!provider || provider.keySetting !== null) return null;
  const { city, now } = context;
  const listingsIn = (window: SourceFacts['window']) => {
    const { platform: name, location } = door;
    const facts = { name, location, mapping: null, key: null, zone: city.zone, locales: [city.locale], window };
    return readListings(provider, facts, { door, asker, context });
  };
  const coming = await listingsIn({ from: now() - DAY_MS, until: now() + LOOK_AHEAD_MS });
  if (coming === null) return null;
  const found = { door, isCut: coming.isCut, ...judgeListings(coming.listings, city, now()) };
  if (found.events.length > 0 || found.past > 0) return found;
  const before = await listingsIn({ from: now() - LOOK_BACK_MS, until: now() });
  const { past, last } = judgeListings(before?.listings ?? [], city, now());
  return { ...found, past, last: before?.isCut ? null : last };
}

interface DoorReading {
  door: Door;
  asker: Asker;
  context: FindingContext;
}

/** Of the first pages of a list. Null where the first cannot be read. */
async function readListings(
  provider: (typeof PROVIDERS)[number],
  facts: SourceFacts,
  reading: DoorReading,
): Promise<{ listings: ReadListing[]; isCut: boolean } | null> {
  const first = requestOf(provider, facts);
  if (!first) return null;
  const listings: ReadListing[] = [];
  let isCut = false;
  const queue = [first];
  for (const [at, request] of queue.entries()) {
    if (at >= MAX_ANSWERS || (at > 0 && reading.asker.left() < RESERVED)) return { listings, isCut: true };
    const page = await readAnswer(request, facts, reading);
    if (page === null && at === 0) return null;
    isCut ||= page === null || page.isCut;
    listings.push(...(page?.listings ?? []));
    const known = new Set(queue.map(({ url }) => url));
    queue.push(...(page?.next.filter(({ url }) => !known.has(url)) ?? []));
  }
  return { listings, isCut };
}

/** Null where the page names what the provider cannot ask for. */
function requestOf(provider: (typeof PROVIDERS)[number], facts: SourceFacts): OutgoingRequest | null {
  try {
    return provider.request(facts);
  } catch (error) {
    if (error instanceof ProviderError) return null;
    throw error;
  }
}

/** Null where there is none. */
async function readAnswer(
  request: OutgoingRequest,
  facts: SourceFacts,
  { door, asker, context }: DoorReading,
): Promise<(ListingPage & { isCut: boolean }) | null> {
  const answered = await asker.ask(request.url, request.accept);
  if (!answered.ok) return null;
  try {
    const { listings, next } = await context.reader.read(door.kind, answered.response, facts);
    // A list of pages may name next month, which names the month after.
    return { listings, next: next.filter(({ url, isPage = false }) => !isPage || !isCalendarWalk(url)), isCut: answered.isCut };
  } catch (error) {
    if (error instanceof ProviderError) return null;
    throw error;
  }
}

function judgeListings(listings: readonly ReadListing[], city: CityOfSources, now: number): Omit<ReadDoor, 'door' | 'isCut'> {
  const events = new Map<string, UpcomingEvent>();
  const over: string[] = [];
  for (const read of listings) {
    const event = read.ok === true && read.listing.target === 'events' ? read.listing.event : null;
    const start = event && momentOf(event.start, event, city);
    if (!event || !start) continue;
    if (overOf(start, momentOf(event.end, event, city)) < now) over.push(start.text.slice(0, 'YYYY-MM-DD'.length));
    else
      events.set(event.externalId ?? `${start.text} ${event.title}`, {
        start: start.text,
        at: start.at,
        ...shownAs(event, city),
      });
  }
  const sorted = [...events.values()].sort((a, b) => a.at - b.at);
  return {
    events: sorted,
    past: over.length,
    last: over.sort().at(-1) ?? null,
    hasPlaces: sorted.some(({ venue, address }) => venue !== null || address !== null),
  };
}

/** When an event is over at the earliest; a day lasts until it ends. */
function overOf(start: Moment, end: Moment | null): number {
  const last = ({ at, isDay }: Moment) => at + (isDay ? DAY_MS - 1 : 0);
  return Math.max(last(start), end ? last(end) : 0);
}

/** As the directory would show it; one that it would refuse as it came. */
function shownAs(event: EventListing, { name, zone, locale }: CityOfSources): Pick<UpcomingEvent, 'title' | 'venue' | 'address'> {
  const clean = normalizeEvent(event, { city: { name, timezone: zone, locale }, sourceName: 'a source' });
  if (clean.ok) return { title: clean.event.title, venue: clean.event.place.name || null, address: clean.event.place.address };
  const { title, venue } = event;
  return { title: (title ?? '').replace(/\s+/g, ' ').trim(), venue: venue.name, address: venue.address };
}

interface Moment {
  text: string;
  /** Milliseconds since 1970 UTC. */
  at: number;
  isDay: boolean;
}

/** Null for what is no date that exists. */
function momentOf(
  text: string | null,
  { zone }: EventListing,
  city: CityOfSources,
): { text: string; at: number; isDay: boolean } | null {
  if (text === null) return null;
  try {
    if (/^\d{4}-\d{2}-\d{2}$/.test(text)) {
      const day = Temporal.PlainDate.from(text).toZonedDateTime(city.zone);
      return { text, at: day.epochMilliseconds, isDay: true };
    }
    const moment = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(text)
      ? Temporal.Instant.from(text).toZonedDateTimeISO(city.zone)
      : Temporal.PlainDateTime.from(text).toZonedDateTime(zoneOf(zone, city)).withTimeZone(city.zone);
    return {
      text: moment.toString({ timeZoneName: 'never', smallestUnit: 'second' }),
      at: moment.epochMilliseconds,
      isDay: false,
    };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function zoneOf(zone: string | null, city: CityOfSources): string {
  if (zone === null) return city.zone;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return city.zone;
  }
}

const LOOK_AHEAD_MS = 400 * DAY_MS;
const LOOK_BACK_MS = 400 * DAY_MS;
/** Of one door: pages of a list, or pages of events. */
const MAX_ANSWERS = 12;
/** Kept for other doors while one is read page by page. */
const RESERVED = 8;
