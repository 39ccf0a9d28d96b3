/** `readDoor`: what a source would list, were it added: asked and read by its own provider. */

import { normalizeEvent } from '../facts/index.ts';
import { type EventListing, PROVIDERS, ProviderError, type ReadListing, type SourceFacts } from '../providers/index.ts';
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

/** Null where the answer is not of the kind, or cannot be had. */
export async function readDoor(door: Door, asker: Asker, context: FindingContext): Promise<ReadDoor | null> {
  const provider = PROVIDERS.find(({ kind }) => kind === door.kind);
  if (!provider || provider.keySetting !== null) return null;
  const { city, now, reader } = context;
  const facts: SourceFacts = {
    name: door.platform,
    location: door.location,
    mapping: null,
    key: null,
    zone: city.zone,
    locales: [city.locale],
    window: { from: now() - DAY_MS, until: now() + LOOK_AHEAD_MS },
  };
  const listings: ReadListing[] = [];
  let isCut = false;
  try {
    const queue = [provider.request(facts)];
    for (let at = 0; at < queue.length; at++) {
      const request = queue[at];
      if (!request) break;
      if (at >= MAX_ANSWERS || (at > 0 && asker.left() < RESERVED)) {
        isCut = true;
        break;
      }
      const answered = await asker.ask(request.url, request.accept);
      if (!answered.ok && at === 0) return null;
      isCut ||= !answered.ok || answered.isCut;
      if (!answered.ok) continue;
      const page = await reader.read(door.kind, answered.response, facts);
      listings.push(...page.listings);
      for (const next of page.next) if (!isCalendarWalk(next.url) && !queue.some(({ url }) => url === next.url)) queue.push(next);
    }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (listings.length === 0) return null;
    isCut = true;
  }
  return { door, isCut, ...judgeListings(listings, city, now()) };
}

function judgeListings(listings: readonly ReadListing[], city: CityOfSources, now: number): Omit<ReadDoor, 'door' | 'isCut'> {
  const events = new Map<string, UpcomingEvent>();
  let past = 0;
  for (const read of listings) {
    if (read.ok !== true || read.listing.target !== 'events') continue;
    const { event } = read.listing;
    const start = momentOf(event.start, event, city);
    if (!start) continue;
    const end = momentOf(event.end, event, city);
    // A day lasts until it ends.
    const over = Math.max(start.at + (start.isDay ? DAY_MS - 1 : 0), end ? end.at + (end.isDay ? DAY_MS - 1 : 0) : 0);
    if (over < now) past++;
    else
      events.set(event.externalId ?? `${start.text} ${event.title}`, {
        start: start.text,
        at: start.at,
        ...shownAs(event, city),
      });
  }
  const sorted = [...events.values()].sort((a, b) => a.at - b.at);
  return { events: sorted, past, hasPlaces: sorted.some(({ venue, address }) => venue !== null || address !== null) };
}

/** As the directory would show it; one that it would refuse as it came. */
function shownAs(event: EventListing, { name, zone, locale }: CityOfSources): Pick<UpcomingEvent, 'title' | 'venue' | 'address'> {
  const clean = normalizeEvent(event, { city: { name, timezone: zone, locale }, sourceName: 'a source' });
  if (clean.ok) return { title: clean.event.title, venue: clean.event.place.name, address: clean.event.place.address };
  const { title, venue } = event;
  return { title: (title ?? '').replace(/\s+/g, ' ').trim(), venue: venue.name, address: venue.address };
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
/** Of one door: pages of a list, or pages of events. */
const MAX_ANSWERS = 12;
/** Kept for other doors while one is read page by page. */
const RESERVED = 8;
