/** What an event says to people (RFC 5545 §3.8.1, RFC 7986 §5), at one of its times, as a listing. */

import { DAY_MS } from '../../../values/duration.ts';
import { webAddress } from '../../fields/web-address.ts';
import { readWholeDays } from '../../fields/whole-days.ts';
import { type EventListing, eventListing } from '../../listing.ts';
import type { CalendarOccurrence } from './occurrence.ts';
import { placeOf } from './place.ts';
import { readProperty, textOf } from './property.ts';
import { type CalendarEvent, linesOf } from './read-event.ts';
import { formatDay, formatWall } from './wall.ts';

/** The words of an event are read once, however often it takes place. */
export function createListings(): (occurrence: CalendarOccurrence, externalId: string) => EventListing {
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
export function isPrivate(event: CalendarEvent): boolean {
  return ['PRIVATE', 'CONFIDENTIAL'].includes(textOf(linesOf(event, 'CLASS')[0])?.toUpperCase() ?? '');
}

function wordsOf(event: CalendarEvent) {
  const text = (name: string): string | null => textOf(linesOf(event, name)[0]);
  const { venue, link, isKnown } = placeOf(event);
  const categories = linesOf(event, 'CATEGORIES').flatMap((line) => readProperty(line)?.values ?? []);
  return {
    title: text('SUMMARY'),
    // HTML where there is nothing plainer; the normalizer makes text of it.
    description: text('DESCRIPTION') ?? text('X-ALT-DESC'),
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
