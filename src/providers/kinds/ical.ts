/** iCalendar (RFC 5545): calendars that programs and sites publish as .ics, with series, changes of them, and time zones. */

import { DAY_MS } from '../../values/duration.ts';
import { addressOf } from '../api-request.ts';
import { webAddress } from '../fields/web-address.ts';
import { readWholeDays } from '../fields/whole-days.ts';
import { type EventListing, eventListing, type ReadListing } from '../listing.ts';
import type { ListingPage, Provider, SourceFacts, SourceResponse } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { READER_LIMITS } from '../reading/reader-limits.ts';
import { type RawCalendar, type RawEvent, readComponents } from './ical/components.ts';
import { type ContentLine, calendarText } from './ical/content-lines.ts';
import { createMomentReader, type MomentReader } from './ical/moments.ts';
import type { CalendarOccurrence } from './ical/occurrence.ts';
import { placeOf } from './ical/place.ts';
import { priceOf } from './ical/price.ts';
import { readProperty, textOf } from './ical/property.ts';
import { type CalendarEvent, linesOf, readEvent } from './ical/read-event.ts';
import { seriesOf, titleOf } from './ical/series.ts';
import { formatDay, formatWall } from './ical/wall.ts';
import { createZones, type KnownZones } from './ical/zones.ts';

export const ical: Provider = {
  kind: 'ical',
  mapping: 'over',
  keySetting: null,
  // Calendar programs write webcal: for an address that is to be subscribed to.
  request: ({ location }) => ({ url: addressOf(location.replace(/^webcals?:/i, 'https:')).href, accept: 'text/calendar' }),
  read: (answer, source) => ({ listings: readCalendar(answer, source), next: [] }) satisfies ListingPage,
};

function readCalendar(answer: SourceResponse, source: SourceFacts): ReadListing[] {
  const components = readComponents(calendarText(answer));
  if (!components) throw new ProviderError('not_of_the_kind', 'the response is not a calendar: it has no BEGIN:VCALENDAR');
  const { events, listings } = readEvents(components.events, source);
  /** Those that gave something, be it a reason why not; the others are none of the window's, private, or out of date. */
  const told = new Set<CalendarEvent>();
  const open = events.filter((event) => !isPrivate(event));
  for (const same of Map.groupBy(open, ({ uid }) => uid).values()) {
    const series = seriesOf(same, source.window);
    for (const { event, field, reason } of series.flaws) listings.push(refused(event.raw, field, reason, event.uid));
    for (const { event } of [...series.occurrences, ...series.flaws]) told.add(event);
    listings.push(...listed(series.occurrences));
    if (listings.length > READER_LIMITS.listings)
      throw new ProviderError('too_large', `the calendar gives more than ${READER_LIMITS.listings} times of events`);
  }
  for (const event of events)
    if (!told.has(event)) listings.push({ ok: 'dropped', index: event.raw.index, bytes: event.raw.size });
  const end = { index: components.events.length + 1, size: 0 };
  if (components.isCutOff) listings.push(refused(end, null, 'a calendar has no END: the file is cut off', null));
  return listings.sort((a, b) => a.index - b.index);
}

/** Events, and the refusals of those that cannot be read. */
function readEvents(raws: readonly RawEvent[], source: SourceFacts): { events: CalendarEvent[]; listings: ReadListing[] } {
  const events: CalendarEvent[] = [];
  const listings: ReadListing[] = [];
  const readers = createReaders(source);
  for (const raw of raws) {
    const read = readEvent(raw, readers(raw.calendar));
    if (read.ok) events.push(read.event);
    else listings.push(refused(raw, read.field, read.reason, read.uid));
  }
  return { events, listings };
}

function createReaders(source: SourceFacts): (calendar: RawCalendar) => MomentReader {
  const known: KnownZones = new Map();
  const readers = new Map<RawCalendar, MomentReader>();
  return (calendar) => {
    const reader = readers.get(calendar) ?? createMomentReader(createZones(calendar, source, known));
    readers.set(calendar, reader);
    return reader;
  };
}

/** Events that share UID and start are told apart by their titles; those that share these too are one. */
function listed(occurrences: readonly CalendarOccurrence[]): ReadListing[] {
  const toListing = createListings();
  const sizes = new Map(occurrences.map(({ event }) => [event, event.raw.size]));
  return [...Map.groupBy(occurrences, ({ key }) => key)].flatMap(([key, same]) => {
    const titled = new Map(same.map((occurrence) => [titleOf(occurrence.event), occurrence]));
    return [...titled].map(([title, occurrence]): ReadListing => {
      const { event } = occurrence;
      const id = key === null ? event.uid : `${event.uid}@${key}`;
      const listing = toListing(occurrence, titled.size > 1 ? `${id} ${title}` : id);
      // The bytes of an event are counted with the first of its times.
      const bytes = sizes.get(event) ?? 0;
      sizes.set(event, 0);
      return {
        ...{ ok: true, index: event.raw.index, bytes, listing: { target: 'events', event: listing } },
        record: () => recordOf(event.raw),
      };
    });
  });
}

function refused(
  { index, size }: Pick<RawEvent, 'index' | 'size'>,
  field: string | null,
  reason: string,
  externalId: string | null,
): ReadListing {
  return { ok: false, index, bytes: size, field, reason, externalId };
}

/**
 * What an event says to people (RFC 5545 §3.8.1, RFC 7986 §5), at one of its times, as a listing. The words of an event are read once,
 * however often it takes place.
 */
function createListings(): (occurrence: CalendarOccurrence, externalId: string) => EventListing {
  const words = new Map<CalendarEvent, ReturnType<typeof wordsOf>>();
  return (occurrence, externalId) => {
    const { event } = occurrence;
    const said = words.get(event) ?? wordsOf(event);
    words.set(event, said);
    const seriesId = occurrence.key === null ? null : event.uid;
    return eventListing({ ...said, ...timesOf(occurrence), externalId, seriesId });
  };
}

/** §3.8.1.3: what is private or confidential is not for a directory. */
function isPrivate(event: CalendarEvent): boolean {
  return ['PRIVATE', 'CONFIDENTIAL'].includes(textOf(linesOf(event, 'CLASS')[0])?.toUpperCase() ?? '');
}

function wordsOf(event: CalendarEvent) {
  const text = (name: string): string | null => textOf(linesOf(event, name)[0]);
  const { venue, link, isKnown } = placeOf(event);
  const categories = linesOf(event, 'CATEGORIES').flatMap((line) => readProperty(line)?.values ?? []);
  // HTML where there is nothing plainer; the normalizer makes text of it.
  const description = text('DESCRIPTION') ?? text('X-ALT-DESC');
  return {
    title: text('SUMMARY'),
    description,
    priceText: priceOf(event, description),
    categoryWords: [...new Set(categories.filter((word) => word !== ''))],
    url: webAddress(text('URL')) ?? link,
    image: imageOf(event),
    status: statusOf(event),
    organizer: organizerOf(event),
    isOnline: !isKnown && (link !== null || linesOf(event, 'CONFERENCE').length > 0),
    venue: isKnown ? venue : {},
  };
}

function imageOf(event: CalendarEvent): string | null {
  const attached = [...linesOf(event, 'IMAGE'), ...linesOf(event, 'ATTACH')].flatMap((line) => {
    const property = line.isCutOff ? null : readProperty(line);
    const address = webAddress(property?.values[0] ?? null);
    if (!property || address === null) return [];
    const isImage = /^image\//i.test(property.params.fmttype ?? '') || IMAGE_PATH.test(new URL(address).pathname);
    return isImage || line.name === 'IMAGE' ? [address] : [];
  });
  return attached[0] ?? null;
}

/** `METHOD:CANCEL` (RFC 5546 §3.2.5) is a whole calendar of cancellations. */
function statusOf(event: CalendarEvent): string | null {
  const method = textOf(event.raw.calendar.lines.find(({ name }) => name === 'METHOD'));
  if (method?.toUpperCase() === 'CANCEL') return 'cancelled';
  return STATUSES[textOf(linesOf(event, 'STATUS')[0])?.toUpperCase() ?? ''] ?? null;
}

/** The name alone: what stands in its place is often a person's e-mail address. */
function organizerOf(event: CalendarEvent): string | null {
  const line = linesOf(event, 'ORGANIZER')[0];
  const name = (line && readProperty(line)?.params.cn) ?? '';
  return name === '' || name.includes('@') ? null : name;
}

function timesOf({ start, end }: CalendarOccurrence): Pick<EventListing, 'start' | 'end' | 'zone' | 'isAllDay'> {
  const { zone, wall } = start;
  if (start.isDate) {
    const lastDay = end === null ? null : formatDay(end - DAY_MS);
    return { start: formatDay(wall), end: lastDay, zone: null, isAllDay: true };
  }
  if (zone.kind === 'utc') return { ...clocks(wall, end, formatUtc), zone: null, isAllDay: false };
  if (zone.kind === 'own') {
    const first = zone.instantOf(wall);
    // Told with the offset of its own zone, as the zone has no name that others would know.
    return { ...clocks(first, end, (instant) => formatOffset(zone.wallOf(instant), instant)), zone: null, isAllDay: false };
  }
  const formatEnd = (instant: number): string => {
    const local = zone.wallOf(instant);
    // A wall clock cannot tell the second of two equal hours.
    return zone.instantOf(local) === instant ? formatWall(local) : formatOffset(local, instant);
  };
  return { ...readWholeDays(formatWall(wall), end === null ? null : formatEnd(end)), zone: zone.name };
}

function clocks(start: number, end: number | null, print: (instant: number) => string): { start: string; end: string | null } {
  return { start: print(start), end: end === null ? null : print(end) };
}

function formatUtc(instant: number): string {
  return `${formatWall(instant)}Z`;
}

function formatOffset(wall: number, instant: number): string {
  const minutes = Math.round(Math.abs(wall - instant) / MS_PER_MINUTE);
  const two = (n: number) => String(n).padStart(2, '0');
  return `${formatWall(wall)}${wall < instant ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/**
 * An event of a calendar as a mapping finds it: its properties by their names, in small letters or in capitals. Texts are unescaped (RFC
 * 5545 §3.3.11), dates are as they are written. What has several values is a list. A property is read when a path asks for it: most never
 * are, and a calendar has very many.
 */
function recordOf({ lines, others }: RawEvent): object {
  const known = new Map<string, string | string[] | undefined>();
  const read = (property: string | symbol): unknown => {
    const name = String(property).toUpperCase();
    if (!known.has(name)) known.set(name, valuesOf(lines, name, asRead) ?? valuesOf(others, name, unescaped));
    return known.get(name);
  };
  return new Proxy(
    {},
    {
      get: (_, property) => read(property),
      getOwnPropertyDescriptor(_, property) {
        const value = read(property);
        return value === undefined ? undefined : { value, enumerable: true, configurable: true };
      },
    },
  );
}

function valuesOf(lines: readonly ContentLine[], name: string, finish: (text: string) => string): string | string[] | undefined {
  const same = lines.filter((line) => line.name === name && !line.isCutOff);
  const texts = same.flatMap((line) => readProperty(line)?.values ?? []).map(finish);
  const said = texts.filter((text) => text !== '');
  return said.length > 1 ? said : said[0];
}

const asRead = (text: string): string => text;

/** Names that the reader does not know are text (§3.8.8.2). */
function unescaped(text: string): string {
  return text.replace(/\\([\\;,nN])/g, (_, sign: string) => (sign.toLowerCase() === 'n' ? '\n' : sign));
}

const IMAGE_PATH = /\.(?:jpe?g|png|gif|webp|avif)$/i;
/** §3.8.1.11. A tentative event is announced all the same. */
const STATUSES: Readonly<Record<string, string>> = {
  __proto__: null as never,
  CONFIRMED: 'scheduled',
  TENTATIVE: 'scheduled',
  CANCELLED: 'cancelled',
  CANCELED: 'cancelled',
};
const MS_PER_MINUTE = 60_000;
