/** Dates, date-times, periods and durations of an event, each with the zone that it is told in (RFC 5545 §3.3, §3.2.19). */

import { DAY_MS } from '../../../values/duration.ts';
import { readWall } from './wall.ts';
import { UTC, type Zone, type Zones } from './zones.ts';

export interface CalendarTime {
  /** As in `wall.ts`, on the clock of `zone`. Midnight for a date. */
  wall: number;
  isDate: boolean;
  zone: Zone;
  /** Written without a zone: on the clock of whatever it stands beside. */
  isLocal: boolean;
}

/** A start of `RDATE`; with an end or a length of its own where it is a period. */
export interface Period {
  start: CalendarTime;
  end: CalendarTime | null;
  duration: Span | null;
}

/** Days are days of the calendar, the rest is exact time (§3.3.6). Milliseconds; both zero or more. */
export interface Span {
  days: number;
  exact: number;
}

type Params = Readonly<Record<string, string>>;

/** Each gives the reason, one sentence, for text that cannot be read. */
export interface MomentReader {
  moment(text: string, params: Params): CalendarTime | string;
  period(text: string, params: Params): Period | string;
}

export function createMomentReader(zones: Zones): MomentReader {
  const moment = (text: string, params: Params): CalendarTime | string => {
    // §3.2.20: a time of day behind a date that is called one means nothing.
    const read = readWall(params.value?.toUpperCase() === 'DATE' ? text.trim().slice(0, dateLength(text)) : text);
    if (!read) return `wanted a date or a date-time, got ${print(text)}`;
    if (read.isUtc) return { wall: read.wall, isDate: false, zone: UTC, isLocal: false };
    // A date has no zone (§3.3.4); the calendar's tells when its day is.
    if (read.isDate || params.tzid === undefined)
      return { wall: read.wall, isDate: read.isDate, zone: zones.floating, isLocal: true };
    const zone = zones.find(params.tzid);
    return zone ? { wall: read.wall, isDate: false, zone, isLocal: false } : `the time zone ${print(params.tzid)} is not known`;
  };
  return {
    moment,
    period(text, params) {
      const [first = '', second] = text.split('/', 2);
      const start = moment(first, params);
      if (typeof start === 'string' || second === undefined) {
        return typeof start === 'string' ? start : { start, end: null, duration: null };
      }
      const duration = readDuration(second);
      const end = duration ? null : moment(second, params);
      return { start, duration, end: typeof end === 'string' ? null : end };
    },
  };
}

/** §3.3.6. Null for what is no duration, or one that runs backwards. */
export function readDuration(text: string | null): Span | null {
  const match = DURATION.exec(text?.trim() ?? '');
  if (!match) return null;
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
  return {
    days: (weeks * 7 + days) * DAY_MS,
    exact: ((hours * 60 + minutes) * 60 + seconds) * 1_000,
  };
}

function dateLength(text: string): number {
  const end = text.trim().search(/[T ]/i);
  return end === -1 ? text.length : end;
}

function print(text: string): string {
  return JSON.stringify(text.slice(0, MAX_PRINTED));
}

const DURATION = /^\+?P(?=[\dT])(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,8})S)?)?$/i;
const MAX_PRINTED = 64;
