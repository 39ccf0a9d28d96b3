/** Content lines into the events and time zones of a calendar (RFC 5545 §3.4, §3.6); what other components say is passed over. */

import { ProviderError } from '../../provider-error.ts';
import { type ContentLine, contentLines } from './content-lines.ts';
import { saysPlace, VLOCATION } from './place.ts';

export interface RawEvent {
  /** Its place among the events of the file, from 1. */
  index: number;
  /** Characters of the file that it takes. */
  size: number;
  calendar: RawCalendar;
  lines: readonly ContentLine[];
  /** Of names that only a mapping may ask for, the first of them. */
  others: readonly ContentLine[];
  /** Why it cannot be read at all; null where it can. */
  flaw: string | null;
}

export interface RawCalendar {
  /** `METHOD` and `X-WR-TIMEZONE`, as lines. */
  lines: ContentLine[];
  zones: RawZone[];
}

export interface RawZone {
  lines: ContentLine[];
  observances: ContentLine[][];
}

export interface Components {
  events: RawEvent[];
  /** A calendar has no END: there may have been more events. */
  isCutOff: boolean;
}

/** Null where the text has neither a calendar nor an event. Throws a `ProviderError` where it has more events than anybody reads. */
export function readComponents(text: string): Components | null {
  const events: RawEvent[] = [];
  const at: State = { calendar: newCalendar(), zone: null, observance: null, event: null, inner: null, begun: 0, open: 0 };

  const closeEvent = (flaw: string | null): void => {
    const { event, calendar } = at;
    if (event) events.push({ ...event, index: events.length + 1, calendar, flaw: event.flaw ?? flaw });
    at.event = at.inner = at.zone = at.observance = null;
  };

  function begin(component: string, line: ContentLine): void {
    if (component === 'VEVENT') {
      if (events.length === MAX_EVENTS) throw new ProviderError('too_large', `the calendar has more than ${MAX_EVENTS} events`);
      closeEvent(NO_END);
      at.event = { lines: [], others: [], size: line.text.length, flaw: null };
      at.begun++;
    } else if (component === 'VCALENDAR') {
      closeEvent(NO_END);
      // Each calendar has zones and settings of its own, also where one begins inside another (which none should).
      at.calendar = newCalendar();
      at.begun++;
      at.open++;
    } else if (at.event) at.inner ??= component;
    else beginInCalendar(at, component, line);
  }

  function end(component: string): void {
    if (component === 'VEVENT') closeEvent(null);
    else if (component === 'VCALENDAR') {
      closeEvent(NO_END);
      at.calendar = newCalendar();
      at.open = Math.max(0, at.open - 1);
    } else if (component === at.inner) at.inner = null;
    else if (component === 'VTIMEZONE') at.zone = at.observance = null;
    else if (OBSERVANCES.has(component)) at.observance = null;
  }

  for (const line of contentLines(text)) {
    if (at.event) at.event.size += line.text.length;
    if (line.name === 'BEGIN') begin(componentOf(line), line);
    else if (line.name === 'END') end(componentOf(line));
    else keep(at, line);
  }
  closeEvent(`${NO_END}: the file is cut off`);
  if (at.begun === 0) return null;
  return { events, isCutOff: at.open > 0 };
}

interface State {
  calendar: RawCalendar;
  zone: RawZone | null;
  /** Its first line is `BEGIN:STANDARD` or `BEGIN:DAYLIGHT`. */
  observance: ContentLine[] | null;
  event: { lines: ContentLine[]; others: ContentLine[]; size: number; flaw: string | null } | null;
  /** The component inside an event (an alarm) that is passed over, by name. */
  inner: string | null;
  begun: number;
  open: number;
}

function beginInCalendar(at: State, component: string, line: ContentLine): void {
  if (component === 'VTIMEZONE') {
    at.zone = { lines: [], observances: [] };
    at.observance = null;
    if (at.calendar.zones.length < MAX_ZONES) at.calendar.zones.push(at.zone);
  } else if (OBSERVANCES.has(component) && at.zone) {
    at.observance = [line];
    if (at.zone.observances.length < MAX_OBSERVANCES) at.zone.observances.push(at.observance);
  }
}

function keep({ calendar, zone, observance, event, inner }: State, line: ContentLine): void {
  if (event) {
    keepOfEvent(event, line, inner);
    return;
  }
  const lines = observance ?? zone?.lines ?? (CALENDAR_PROPERTIES.has(line.name) ? calendar.lines : null);
  if (lines && lines.length < MAX_LINES) lines.push(line);
}

function keepOfEvent(event: NonNullable<State['event']>, line: ContentLine, inner: string | null): void {
  const kept = keptLine(line, inner);
  if (kept && event.lines.length < MAX_LINES) event.lines.push(kept);
  else if (kept) event.flaw ??= `the event has more than ${MAX_LINES} properties`;
  else if (inner === null && line.name !== '' && event.others.length < MAX_OTHERS) event.others.push(line);
}

/** Of the components inside an event, only a place (RFC 9073 §7.2) says what the event is. */
function keptLine(line: ContentLine, inner: string | null): ContentLine | null {
  if (inner === null) return EVENT_PROPERTIES.has(line.name) || saysPlace(line.name) ? line : null;
  return inner === 'VLOCATION' ? { ...line, name: `${VLOCATION}${line.name}` } : null;
}

function newCalendar(): RawCalendar {
  return { lines: [], zones: [] };
}

function componentOf({ text }: ContentLine): string {
  return text
    .slice(text.indexOf(':') + 1)
    .trim()
    .toUpperCase();
}

const CALENDAR_PROPERTIES: ReadonlySet<string> = new Set(['METHOD', 'X-WR-TIMEZONE']);
const EVENT_PROPERTIES: ReadonlySet<string> = new Set([
  'ATTACH',
  'CATEGORIES',
  'CLASS',
  'CONFERENCE',
  'DESCRIPTION',
  'DTEND',
  'DTSTAMP',
  'DTSTART',
  'DURATION',
  'EXDATE',
  'EXRULE',
  'IMAGE',
  'LAST-MODIFIED',
  'ORGANIZER',
  'RDATE',
  'RECURRENCE-ID',
  'RRULE',
  'SEQUENCE',
  'STATUS',
  'SUMMARY',
  'UID',
  'URL',
  'X-ALT-DESC',
]);
const NO_END = 'the event has no END';
const OBSERVANCES: ReadonlySet<string> = new Set(['STANDARD', 'DAYLIGHT']);
const MAX_EVENTS = 20_000;
/** Of those that are read, in one event. */
const MAX_LINES = 5_000;
/** Of other properties, in one event. */
const MAX_OTHERS = 100;
/** In one calendar. There are fewer than 600 in the world. */
const MAX_ZONES = 1_000;
const MAX_OBSERVANCES = 500;
