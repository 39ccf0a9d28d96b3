/** iCalendar (RFC 5545, with the properties of RFC 7986 that calendar programs read). */

import { addDays, DAY_CHARS, lastDayOf } from '../../values/duration.ts';
import { type Form, type ListFacts, REFRESH_MINUTES, type ServedEvent } from './model.ts';
import { cleanText, cleanUrl, describeList } from './text.ts';

export const icalendar: Form<ServedEvent> = {
  extension: 'ics',
  mediaType: 'text/calendar',
  contentType: 'text/calendar; charset=utf-8',
  separator: '',

  open(list) {
    const title = escapeText(list.title);
    const description = escapeText(describeList(list));
    return lines([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Marquee//Event directory//EN',
      'CALSCALE:GREGORIAN',
      'METHOD:PUBLISH',
      `NAME:${title}`,
      `X-WR-CALNAME:${title}`,
      `DESCRIPTION:${description}`,
      `X-WR-CALDESC:${description}`,
      `X-WR-TIMEZONE:${escapeText(list.timezone)}`,
      `URL:${cleanUrl(list.homeUrl)}`,
      `SOURCE;VALUE=URI:${cleanUrl(list.selfUrl)}`,
      `LAST-MODIFIED:${formatUtc(list.updatedAt)}`,
      `REFRESH-INTERVAL;VALUE=DURATION:${REFRESH}`,
      `X-PUBLISHED-TTL:${REFRESH}`,
    ]);
  },

  record: ({ event, status, startPrecision, updatedAt, revision, isInArea }) => {
    const { venue } = event;
    const place = venue.address === null ? venue.name : `${venue.name}, ${venue.address}`;
    const changed = formatUtc(updatedAt);
    return lines([
      'BEGIN:VEVENT',
      `UID:${event.id}`,
      `DTSTAMP:${changed}`,
      `LAST-MODIFIED:${changed}`,
      `SEQUENCE:${revision}`,
      ...formatTimes(event.startDatetime, event.endDatetime, startPrecision !== 'time'),
      `STATUS:${STATUSES[status]}`,
      'TRANSP:TRANSPARENT',
      `SUMMARY:${escapeText(event.title)}`,
      `DESCRIPTION:${escapeText(describe(event))}`,
      `LOCATION:${escapeText(place)}`,
      ...(isInArea ? [] : [`GEO:${formatDegrees(venue.latitude)};${formatDegrees(venue.longitude)}`]),
      `CATEGORIES:${escapeText(event.category)}`,
      `URL:${cleanUrl(event.url)}`,
      ...(event.imageUrl === null ? [] : [`IMAGE;VALUE=URI;DISPLAY=BADGE:${cleanUrl(event.imageUrl)}`]),
      'END:VEVENT',
    ]);
  },

  close: () => lines(['END:VCALENDAR']),
};

/** One event as a calendar of its own, for "Add to calendar". */
export function describeEventCalendar({ event, updatedAt }: ServedEvent, city: CityWords): ListFacts {
  return {
    title: event.title,
    description: `An event at ${event.venue.name}.`,
    selfUrl: `${event.url}/event.ics`,
    homeUrl: event.url,
    language: city.locale,
    timezone: city.timezone,
    currency: city.currency,
    updatedAt,
    total: 1,
    maxRecords: 1,
  };
}

interface CityWords {
  locale: string;
  timezone: string;
  currency: string;
}

/** With the address of its page, because many calendar programs do not show `URL`. Cleaned first: a trailing `\r` is a line break of its own. */
function describe({ description, url }: ServedEvent['event']): string {
  return description === null ? url : `${cleanText(description)}\n\n${url}`;
}

/** Days alone where the hour is unknown. `DTEND` is not inclusive and must be later than the start (§3.8.2.2); else it is left out. */
function formatTimes(start: string, end: string | null, isDay: boolean): string[] {
  if (!isDay) {
    const startsAt = Date.parse(start);
    const endsAt = end === null ? startsAt : Date.parse(end);
    return [`DTSTART:${formatUtc(startsAt)}`, ...(endsAt > startsAt ? [`DTEND:${formatUtc(endsAt)}`] : [])];
  }
  const first = start.slice(0, DAY_CHARS);
  const after = end === null ? first : addDays(lastDayOf(end), 1);
  return [`DTSTART;VALUE=DATE:${formatDay(first)}`, ...(after > first ? [`DTEND;VALUE=DATE:${formatDay(after)}`] : [])];
}

/** RFC 5545 §3.3.11. */
function escapeText(text: string): string {
  const clean = cleanText(text);
  return NEEDS_ESCAPE.test(clean) ? clean.replace(ESCAPED, '\\$&').replaceAll('\n', '\\n') : clean;
}

function lines(content: readonly string[]): string {
  let text = '';
  for (const line of content) text += `${fold(line)}\r\n`;
  return text;
}

/** Lines of at most 75 octets, cut between characters (§3.1). The blank that begins a continued line counts. */
function fold(line: string): string {
  if (line.length * MAX_OCTETS_PER_UNIT <= LINE_OCTETS || (line.length <= LINE_OCTETS && ASCII.test(line))) return line;
  let folded = '';
  let from = 0;
  let octets = 0;
  for (let at = 0; at < line.length; ) {
    const size = octetsOf(line.codePointAt(at) ?? 0);
    if (octets + size > LINE_OCTETS) {
      folded += `${line.slice(from, at)}\r\n `;
      from = at;
      octets = 1;
    }
    octets += size;
    at += size === 4 ? 2 : 1;
  }
  return folded + line.slice(from);
}

/** Of a code point in UTF-8. */
function octetsOf(code: number): number {
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x1_0000 ? 3 : 4;
}

const formatUtc = (milliseconds: number): string => new Date(milliseconds).toISOString().replace(PUNCTUATION, '');
const formatDay = (day: string): string => day.replaceAll('-', '');
/** `GEO` holds decimal fractions: no exponents (§3.8.1.6). */
const formatDegrees = (degrees: number): string => (Math.abs(degrees) < TINY_DEGREES ? '0' : String(degrees));

const STATUSES = {
  scheduled: 'CONFIRMED',
  rescheduled: 'CONFIRMED',
  sold_out: 'CONFIRMED',
  postponed: 'TENTATIVE',
  cancelled: 'CANCELLED',
} as const satisfies Record<ServedEvent['status'], string>;
const REFRESH = `PT${REFRESH_MINUTES}M`;
/** §3.1. */
const LINE_OCTETS = 75;
/** Of UTF-8, for each unit of UTF-16. */
const MAX_OCTETS_PER_UNIT = 3;
/** Below it JavaScript prints exponents; it is a tenth of a meter. */
const TINY_DEGREES = 1e-6;
const ASCII = /^[\x20-\x7e]*$/;
const PUNCTUATION = /[-:]|\.\d{3}/g;
const NEEDS_ESCAPE = /[\\;,\n]/;
const ESCAPED = /[\\;,]/g;
