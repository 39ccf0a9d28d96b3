/** iCalendar (RFC 5545): calendars that programs and sites publish as .ics, with series, changes of them, and time zones. */

import { addressOf } from '../api-request.ts';
import type { ReadListing } from '../listing.ts';
import type { ListingPage, Provider, SourceFacts, SourceResponse } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { READER_LIMITS } from '../reading/reader-limits.ts';
import { type RawCalendar, type RawEvent, readComponents } from './ical/components.ts';
import { calendarText } from './ical/content-lines.ts';
import { createListings, isPrivate } from './ical/listing-of.ts';
import { createMomentReader, type MomentReader } from './ical/moments.ts';
import type { CalendarOccurrence } from './ical/occurrence.ts';
import { type CalendarEvent, readEvent } from './ical/read-event.ts';
import { recordOf } from './ical/record-of.ts';
import { titleOf } from './ical/revisions.ts';
import { seriesOf } from './ical/series.ts';
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
