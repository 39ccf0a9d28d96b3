/** When an item of a feed takes place: its own elements, their attributes, and last the labeled lines of its description. */

import { plainText } from '../../fields/clean-text.ts';
import { readClock } from '../../fields/clock-text.ts';
import type { DatedSpan, ReadDateText } from '../../fields/date-text/date-text.ts';
import { readIso } from '../../fields/dates.ts';
import { formatIso } from '../../fields/iso.ts';
import { readIsoSpan } from '../../fields/iso-span.ts';
import { readLabels } from '../../fields/labels.ts';
import { dayBefore, dayOf, isDay, readWholeDays } from '../../fields/whole-days.ts';
import type { EventListing } from '../../listing.ts';
import type { FeedField } from './field.ts';
import { FEED_WORDS } from './words.ts';

/** How a feed's text is read: dates in words of the city's languages, on the day `today`. */
export interface FeedDates {
  readText: ReadDateText;
  /** `YYYY-MM-DD`. */
  today: string;
}

type ItemTimes = Pick<EventListing, 'start' | 'end' | 'isAllDay'>;

/** Several where a text lists several days. */
export type ReadItemTimes = { ok: true; times: ItemTimes[] } | { ok: false; reason: string };

/** `description`: markup or text, '' without one. */
export function readTimes(fields: readonly FeedField[], description: string, dates: FeedDates): ReadItemTimes {
  const said = saidFields(fields);
  const start = readStart(said, dates) ?? readDescription(description, dates);
  if (start === null) return { ok: false, reason: 'the item does not say when it takes place' };
  if (!start.ok) return start;
  const [first, ...others] = start.occurrences;
  if (first === undefined || others.length > 0) {
    return { ok: true, times: start.occurrences.map((each) => readWholeDays(each.start, each.end)) };
  }
  const end = readEnd(said, first, dates) ?? first.end;
  if (!EXCLUSIVE_ENDS.has(start.space) || !isDay(first.start)) return { ok: true, times: [readWholeDays(first.start, end)] };
  // RFC 5545 §3.6.1: a date without time is a whole day, and such an end is the day after the last.
  const last = end !== null && isDay(end) ? (end > first.start ? dayBefore(end) : null) : end;
  return { ok: true, times: [{ start: first.start, end: last, isAllDay: true }] };
}

type FoundStart = { ok: true; occurrences: DatedSpan[]; space: string } | { ok: false; reason: string };

/** Of the elements that name a start, the first that can be read. Null when there is none. */
function readStart(said: readonly FeedField[], dates: FeedDates): FoundStart | null {
  const candidates = FEED_WORDS.start
    .flatMap((name) => said.filter((each) => each.name === name && isDateOf(each)))
    .slice(0, MAX_VALUES);
  const times = textsOf(said, FEED_WORDS.startTime);
  let refusal: FoundStart | null = null;
  for (const { text, space } of candidates) {
    const read = readOne(text, times, dates);
    if (read.ok) return { ...read, space };
    refusal ??= read;
  }
  return refusal;
}

/** `date` of RSS, Atom and Dublin Core is when something was published. */
const isDateOf = ({ name, space }: FeedField): boolean => name !== 'date' || (space !== 'core' && space !== 'dc');

/** A date with what is said of its hour beside it: one value or two, with an end or without. */
function readOne(text: string, times: readonly string[], dates: FeedDates): ReturnType<ReadDateText> {
  const iso = readWhen(text);
  // Programs whose dates have a time whatever happens write midnight, and the hour beside it.
  const isMidnight = iso !== null && MIDNIGHT.test(iso);
  if (iso !== null && !isDay(iso) && !isMidnight) return { ok: true, occurrences: [{ start: iso, end: null }] };
  const plain = iso === null ? plainText(text) : isMidnight ? dayOf(iso) : iso;
  const hours = times.filter((time) => time !== text).flatMap(hourOf);
  const timed = hours.map((time) => readHour(plain, time, dates)).find((found) => found !== null);
  if (timed) return { ok: true, occurrences: timed };
  if (iso !== null) return { ok: true, occurrences: [{ start: iso, end: null }] };
  const span = readIsoSpan(plain);
  if (span !== null) return { ok: true, occurrences: [{ start: formatIso(span.start), end: span.end }] };
  const read = dates.readText(plain, dates.today);
  if (read.ok) return read;
  const printed = JSON.stringify(plain.slice(0, MAX_PRINTED));
  return { ok: false, reason: `wanted a date or date-time, got ${printed}: ${read.reason}` };
}

/** A date-time is none, but for days on which programs count no days: those of empty dates. */
function hourOf(time: string): string[] {
  const iso = readWhen(time);
  if (iso === null) return [time];
  const [, clock] = EMPTY_DATE.exec(iso) ?? [];
  return clock === undefined ? [] : [clock];
}

/** Null for what is no hour, or none of that date. */
function readHour(date: string, time: string, { readText, today }: FeedDates): DatedSpan[] | null {
  const isIso = ISO_DAY.test(date);
  const clock = isIso ? readClock(time) : null;
  if (clock !== null) return [{ start: `${date}T${clock}`, end: null }];
  if (isIso && PLAIN_CLOCK.test(time)) return null;
  const both = readText(`${date}, ${plainText(time)}`, today);
  return both.ok ? both.occurrences : null;
}

/** An hour of ending without a day is on the day of the start; the normalizer moves it past midnight. */
function readEnd(said: readonly FeedField[], { start }: DatedSpan, dates: FeedDates): string | null {
  const clocks = textsOf(said, FEED_WORDS.endTime);
  for (const text of textsOf(said, FEED_WORDS.end)) {
    const read = readOne(text, clocks, dates);
    if (read.ok) return read.occurrences.at(-1)?.end ?? read.occurrences.at(-1)?.start ?? null;
  }
  if (isDay(start)) return null;
  for (const text of clocks) {
    const read = readOne(dayOf(start), [text], dates);
    const [found] = read.ok ? read.occurrences : [];
    if (found && !isDay(found.start)) return found.end ?? found.start;
  }
  return null;
}

/** Machine-readable markup in the description, else lines whose label leaves no doubt. */
function readDescription(description: string, dates: FeedDates): FoundStart | null {
  const markup = readMarkup(description);
  const start = markup === null ? null : readWhen(markup.start);
  if (start !== null) return { ok: true, occurrences: [{ start, end: readWhen(markup?.end ?? '') }], space: 'core' };
  const { date, time } = readLabels(description);
  if (date === null) return null;
  const read = readOne(date, time === null ? [] : [time], dates);
  return read.ok ? { ...read, space: 'core' } : null;
}

/** What the item says itself, in elements, in elements named for a type inside them, or in attributes of empty ones. */
export function saidFields(fields: readonly FeedField[]): FeedField[] {
  return fields.flatMap((field) => {
    if (field.parent !== '') return VALUE_NAMES.has(field.name) ? [{ ...field, name: field.parent, parent: '' }] : [];
    if (field.text !== '') return [field];
    return Object.entries(field.attributes).flatMap(([key, text]) => {
      const name = key.slice(key.indexOf(':') + 1).toLowerCase();
      if (name === 'valuestring') return [{ ...field, text }];
      return WHEN_NAMES.has(name) && field.space !== 'media' ? [{ ...field, name, text }] : [];
    });
  });
}

function textsOf(said: readonly FeedField[], names: readonly string[]): string[] {
  return names
    .flatMap((name) => said.filter((each) => each.name === name && isDateOf(each)).map(({ text }) => text))
    .slice(0, MAX_VALUES);
}

/**
 * Times that the markup of a description says to machines: hCalendar, microdata, and Drupal's fields. Values as written; null without a
 * start. A plain `<time>` says as often when something was published.
 */
function readMarkup(description: string): { start: string; end: string | null } | null {
  const values: { start: string | null; end: string | null } = { start: null, end: null };
  for (const [tag] of description.slice(0, MAX_CHARS).matchAll(TAG)) {
    const value = VALUE.exec(tag)?.[1];
    if (value === undefined) continue;
    for (const [, names = ''] of tag.matchAll(NAMES)) {
      if (START.test(names)) values.start ??= value;
      else if (END.test(names)) values.end ??= value;
    }
  }
  return values.start === null ? null : { start: values.start, end: values.end };
}

/**
 * Dates and times as feeds write them. Only what has one meaning is read: 07/04/2026 is two days. ISO 8601, or RFC 822 §5, whose years may
 * have two digits before a time; the listing's form, null for anything else.
 */
function readWhen(text: string): string | null {
  return readIso(text) ?? readZoned(text.trim()) ?? readMail(text.trim());
}

/** `2026-07-04 20:00 America/Chicago`, whose zone should be in brackets. */
function readZoned(text: string): string | null {
  const [, local, zone] = ZONED.exec(text) ?? [];
  return local === undefined ? null : readIso(`${local}[${zone}]`);
}

function readMail(text: string): string | null {
  const [, day, name, year, clock, zone] = MAIL.exec(text) ?? [];
  const month = MONTHS.indexOf(name?.slice(0, 3).toLowerCase() ?? '') + 1;
  if (day === undefined || month === 0) return null;
  const date = `${year?.length === 2 ? '20' : ''}${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (clock === undefined) return readIso(date);
  const offset = zone === undefined ? '' : (OFFSETS[zone.toUpperCase()] ?? zone);
  return readIso(`${date} ${clock.indexOf(':') === 1 ? '0' : ''}${clock}${offset}`);
}

/** iCalendar in XML, and Google's feeds, which have its days. */
const EXCLUSIVE_ENDS: ReadonlySet<string> = new Set(['xcal', 'gd']);
const WHEN_NAMES: ReadonlySet<string> = new Set([
  ...FEED_WORDS.start,
  ...FEED_WORDS.startTime,
  ...FEED_WORDS.end,
  ...FEED_WORDS.endTime,
]);
const VALUE_NAMES: ReadonlySet<string> = new Set(['datetime', 'date', 'local', 'localdatetime', 'iso', 'value']);
const MIDNIGHT = /T00:00:00(?:\.0+)?(?:Z|[+-]\d\d:\d\d)?$/;
const EMPTY_DATE = /^(?:0001-01-01|1899-12-3[01]|1900-01-01|1970-01-01)T(\d\d:\d\d:\d\d)/;
const ISO_DAY = /^\d{4}-\d\d-\d\d$/;
/** One that `readClock` does not read is none, such as `13:00 pm`. */
const PLAIN_CLOCK = /^\s*\d{1,2}(?::\d\d){0,2}\s*(?:[ap]\.?m\.?)?\s*$/i;
const MAX_PRINTED = 64;
/** Of one kind in an item; text takes longer to read than anything else. */
const MAX_VALUES = 6;
const TAG = /<(?:time|abbr|span|meta|div|p)\s[^<>]{1,600}>/gi;
const NAMES = /\b(?:class|itemprop)\s?=\s?["']([^"'<>]{1,200})["']/gi;
const VALUE = /\b(?:datetime|content|title)\s?=\s?["']([^"'<>]{4,64})["']/i;
const START = /(?:^|\s)(?:dtstart|dt-start|startDate|date-display-start|date-display-single)(?:\s|$)/i;
const END = /(?:^|\s)(?:dtend|dt-end|endDate|date-display-end)(?:\s|$)/i;
const MAX_CHARS = 20_000;
const ZONED = /^(\d{4}-\d\d-\d\d[T\s]\d\d:\d\d[\d:.]*)\s?([a-z]{2,20}\/[\w/+-]{2,40})$/i;
const MAIL =
  /^(?:[a-z]{3,9},?\s+)?(\d{1,2})\s+([a-z]{3,9})\.?\s+(\d{4}|\d\d(?=\s+\d{1,2}:))(?:\s+(\d{1,2}:\d\d(?::\d\d)?)(?:\s*(Z|UTC?|GMT|[ECMP][SD]T|[+-]\d\d:?\d\d))?)?$/i;
const MONTHS: readonly string[] = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** RFC 822 §5.1. */
const OFFSETS: Readonly<Record<string, string>> = {
  __proto__: null as never,
  UT: 'Z',
  UTC: 'Z',
  GMT: 'Z',
  EST: '-05:00',
  EDT: '-04:00',
  CST: '-06:00',
  CDT: '-05:00',
  MST: '-07:00',
  MDT: '-06:00',
  PST: '-08:00',
  PDT: '-07:00',
};
