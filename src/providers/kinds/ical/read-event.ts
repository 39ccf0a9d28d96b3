/** One VEVENT (RFC 5545 §3.6.1) as what recurrence needs to know of it; what it says to people is read by `ical.ts`. */

import { createHash } from 'node:crypto';
import type { RawEvent } from './components.ts';
import type { ContentLine } from './content-lines.ts';
import { countingStart } from './expand-rule.ts';
import { type CalendarTime, type MomentReader, type Period, readDuration, type Span } from './moments.ts';
import { type Property, readProperty, textOf } from './property.ts';
import { type RecurrenceRule, readRule } from './rule.ts';
import { formatBasic, readWall } from './wall.ts';

export interface CalendarEvent {
  raw: RawEvent;
  uid: string;
  sequence: number;
  /** `LAST-MODIFIED`, else `DTSTAMP`, as written; empty without them. */
  revised: string;
  start: CalendarTime;
  end: CalendarTime | null;
  duration: Span | null;
  rules: readonly RecurrenceRule[];
  /** `EXRULE` of RFC 2445 §4.8.5.2, which old calendars still have. */
  exceptRules: readonly RecurrenceRule[];
  dates: readonly Period[];
  exceptDates: readonly CalendarTime[];
  recurrence: { of: CalendarTime; isThisAndFuture: boolean } | null;
}

export type ReadCalendarEvent =
  | { ok: true; event: CalendarEvent }
  | { ok: false; uid: string | null; field: string | null; reason: string };

export function readEvent(raw: RawEvent, read: MomentReader): ReadCalendarEvent {
  const lines = Map.groupBy(raw.lines, ({ name }) => name);
  const uid = textOf(lines.get('UID')?.[0])?.slice(0, MAX_UID_CHARS) ?? null;
  try {
    if (raw.flaw !== null) throw new BadProperty(null, raw.flaw);
    return { ok: true, event: eventOf(raw, lines, uid, read) };
  } catch (error) {
    if (error instanceof BadProperty) return { ok: false, uid, field: error.field, reason: error.message };
    throw error;
  }
}

/** The lines of one name, wherever they stand in the event. */
export function linesOf({ raw }: CalendarEvent, name: string): ContentLine[] {
  return raw.lines.filter((line) => line.name === name);
}

class BadProperty extends Error {
  readonly field: string | null;

  constructor(field: string | null, message: string) {
    super(message);
    this.field = field;
  }
}

type Lines = ReadonlyMap<string, readonly ContentLine[]>;

function eventOf(raw: RawEvent, lines: Lines, uid: string | null, read: MomentReader): CalendarEvent {
  const [start] = momentsOf(lines, 'DTSTART', read);
  if (!start) throw new BadProperty('DTSTART', 'the event has no start');
  return {
    raw,
    uid: uid ?? madeUpId(lines, start),
    ...revisionOf(lines),
    start,
    ...endOf(lines, read),
    rules: countingStart(rulesOf(lines, 'RRULE'), start),
    exceptRules: rulesOf(lines, 'EXRULE'),
    dates: dateLists(lines, 'RDATE', (text, params) => read.period(text, params)),
    exceptDates: dateLists(lines, 'EXDATE', (text, params) => read.moment(text, params)),
    recurrence: recurrenceOf(lines, read),
  };
}

function revisionOf(lines: Lines): Pick<CalendarEvent, 'sequence' | 'revised'> {
  return {
    sequence: Number.parseInt(textOf(lines.get('SEQUENCE')?.[0]) ?? '0', 10) || 0,
    revised: textOf(lines.get('LAST-MODIFIED')?.[0]) ?? textOf(lines.get('DTSTAMP')?.[0]) ?? '',
  };
}

function recurrenceOf(lines: Lines, read: MomentReader): CalendarEvent['recurrence'] {
  const [id] = momentsOf(lines, 'RECURRENCE-ID', read);
  if (!id) return null;
  const [params = ''] = lines.get('RECURRENCE-ID')?.[0]?.text.split(':', 1) ?? [];
  return { of: id, isThisAndFuture: /;RANGE="?THISANDFUTURE/i.test(params) };
}

/** An end that cannot be read is unknown; so is one of an event that lasts less than nothing. */
function endOf(lines: Lines, read: MomentReader): Pick<CalendarEvent, 'end' | 'duration'> {
  const line = lines.get('DTEND')?.[0];
  const property = line && !line.isCutOff ? readProperty(line) : null;
  const { params, list } = withWholeZone(property ?? { params: {}, values: [] });
  const end = read.moment(list, params);
  if (typeof end !== 'string') return { end, duration: null };
  // `DTEND;VALUE=DURATION` is written as well.
  return { end: null, duration: readDuration(list) ?? readDuration(textOf(lines.get('DURATION')?.[0])) };
}

function momentsOf(lines: Lines, name: string, read: MomentReader): CalendarTime[] {
  return dateLists(lines, name, (text, params) => read.moment(text, params));
}

function dateLists<Value>(
  lines: Lines,
  name: string,
  readOne: (text: string, params: Readonly<Record<string, string>>) => Value | string,
): Value[] {
  const found: Value[] = [];
  for (const line of lines.get(name) ?? []) {
    const { params, list } = datesOf(line, name);
    // Empty lists, which some programs write, say nothing.
    for (const text of list.split(',').filter((each) => each.trim() !== '')) {
      const value = readOne(text, params);
      if (typeof value === 'string') throw new BadProperty(name, value);
      if (found.length === MAX_DATES) throw new BadProperty(name, `more than ${MAX_DATES} dates`);
      found.push(value as Value);
    }
  }
  return found;
}

function datesOf(line: ContentLine, name: string): ReturnType<typeof withWholeZone> {
  const property = line.isCutOff ? null : readProperty(line);
  if (!property) throw new BadProperty(name, line.isCutOff ? 'the property is too long' : 'the property cannot be read');
  return withWholeZone(property);
}

/** A zone's name with a colon must stand in quotes (§3.2); where it does not, a part of it is taken for the value. */
function withWholeZone({ params, values }: Property): { params: Property['params']; list: string } {
  const list = values[0] ?? '';
  const colon = list.lastIndexOf(':');
  if (params.tzid === undefined || colon === -1 || readWall(list)) return { params, list };
  return { params: { ...params, tzid: `${params.tzid}:${list.slice(0, colon)}` }, list: list.slice(colon + 1) };
}

function rulesOf(lines: Lines, name: string): RecurrenceRule[] {
  const written = (lines.get(name) ?? []).slice(0, MAX_RULES + 1);
  if (written.length > MAX_RULES) throw new BadProperty(name, `more than ${MAX_RULES} rules`);
  return written.flatMap((line) => {
    const text = line.isCutOff ? null : (readProperty(line)?.values[0] ?? null);
    if (text === '') return [];
    const rule = text === null ? 'the rule cannot be read' : readRule(text);
    if (typeof rule === 'string') throw new BadProperty(name, rule);
    return [rule];
  });
}

/** §3.8.4.7 asks for a UID. Without one an event is known by what it is, where and when, so the same file gives the same ids. */
function madeUpId(lines: Lines, start: CalendarTime): string {
  const said = ['SUMMARY', 'LOCATION'].map((name) => lines.get(name)?.[0]?.text ?? '');
  const words = [formatBasic(start.wall, start.isDate), ...said].join('\n');
  return `no-uid-${createHash('sha256').update(words).digest('hex').slice(0, MADE_UP_CHARS)}`;
}

const MAX_UID_CHARS = 2_000;
/** Of one list of dates of an event. */
const MAX_DATES = 10_000;
/** §3.8.5.3 says that there SHOULD be one. */
const MAX_RULES = 10;
/** 64 bits: no two events of a feed have the same one by chance. */
const MADE_UP_CHARS = 16;
