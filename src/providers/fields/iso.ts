/** Dates and times of day by ISO 8601 and RFC 9557, in every form: the one reader of all kinds. */

import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../values/duration.ts';

export interface IsoMoment {
  /** `YYYY-MM-DD`. */
  day: string;
  /** `hh:mm:ss[.fff]`; null: the day alone. */
  time: string | null;
  /** `Z` or `±hh:mm`; null: a wall clock. A zone gives a wall clock its offset. */
  offset: string | null;
  /** IANA name of the zone in brackets. */
  zone: string | null;
}

/**
 * ISO 8601-1: long and short forms, dates by month, week or day of the year, reduced times, fractions of any last part, 24:00 (the
 * next day's 00:00) and leap seconds (the second before them). Beside the letter: a blank or a small letter in place of the T, a blank
 * before the offset, `UTC` for `Z`, and hyphens for minus signs. RFC 9557 §4: a zone and other suffixes in brackets.
 *
 * Null for anything else, and for what has two meanings: a zone that contradicts the offset (§3.4 leaves that to the reader), a wall
 * clock in an unknown zone, and `20.30`, which is 20:18 by the standard and 20:30 in half of Europe.
 */
export function readIsoMoment(text: string): IsoMoment | null {
  if (text.length > MAX_CHARS) return null;
  const [, head = '', tags = ''] = HEAD.exec(text.trim().replace(MINUS_SIGNS, '-')) ?? [];
  const date = DATE.exec(head);
  const day = date && readDay(date);
  const tagged = readTags(tags);
  if (!date || day === null || tagged === null) return null;
  const rest = head.slice(date[0].length);
  if (rest === '') return { day, time: null, offset: null, zone: tagged.zone };
  const separator = SEPARATOR.exec(rest);
  const clock = separator && readIsoClock(rest.slice(separator[0].length));
  if (!clock) return null;
  const start = clock.isNextDay ? dayAfter(day) : day;
  const moment = start === null ? null : inZone({ day: start, time: clock.time, offset: clock.offset }, tagged);
  return moment && withoutSeconds(moment);
}

/** The form of a listing: `YYYY-MM-DDThh:mm:ss[.fff]` with `Z`, `±hh:mm` or nothing, or `YYYY-MM-DD`. */
export function formatIso({ day, time, offset }: Omit<IsoMoment, 'zone'>): string {
  return time === null ? day : `${day}T${time}${offset ?? ''}`;
}

export interface IsoClock {
  time: string;
  /** `Z` or `±hh:mm[:ss]`. */
  offset: string | null;
  /** It is 24:00. */
  isNextDay: boolean;
}

/** A time of day alone, perhaps with its offset (ISO 8601-1 §5.3). */
export function readIsoClock(text: string): IsoClock | null {
  const match = LONG_CLOCK.exec(text) ?? SHORT_CLOCK.exec(text);
  if (!match) return null;
  const [, hours = '', minutes, seconds, fraction, sign] = match;
  const time = readTime([hours, minutes, seconds], fraction ?? '');
  const offset = sign === undefined ? null : readOffset(sign);
  if (time === null || (sign !== undefined && offset === null)) return null;
  return { time: time === END_OF_DAY ? '00:00:00' : time, offset, isNextDay: time === END_OF_DAY };
}

/** `hh:mm:ss[.fff]`, or the end of the day; the fraction is of the last part that is given. */
function readTime(parts: readonly (string | undefined)[], fraction: string): string | null {
  const [hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0));
  if (hours > 24 || minutes > 59 || seconds > 60) return null;
  const given = parts.filter((part) => part !== undefined).length;
  if (given === 1 && TWO_MEANINGS.test(fraction)) return null;
  if (hours === 24) return minutes === 0 && seconds === 0 && /^0*$/.test(fraction) ? END_OF_DAY : null;
  const clock = [hours, minutes, Math.min(59, seconds)].map(twoDigits).join(':');
  if (fraction === '') return clock;
  if (given === 3) return `${clock}.${fraction.slice(0, MAX_FRACTION_DIGITS)}`;
  const unit = given === 1 ? HOUR_MS : MINUTE_MS;
  const past = Math.min(unit - 1, Math.round(Number(`0.${fraction}`) * unit));
  const date = new Date((hours * 60 + minutes) * MINUTE_MS + past).toISOString();
  return date.slice('YYYY-MM-DDT'.length, -1).replace(/\.000$/, '');
}

function readOffset(text: string): string | null {
  if (/^(?:z|utc)$/i.test(text)) return 'Z';
  const { sign, hours = '', minutes = '00', seconds = '00' } = OFFSET.exec(text)?.groups ?? {};
  if (sign === undefined || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null;
  return `${sign}${hours}:${minutes}${seconds === '00' ? '' : `:${seconds}`}`;
}

/** An offset with seconds, of times before clocks were set by zones, is one that no listing has: it becomes UTC. */
function withoutSeconds(moment: IsoMoment): IsoMoment {
  const { day, time, offset } = moment;
  if (offset === null || offset.length <= OFFSET_CHARS) return moment;
  const [utcDay = '', utcTime = ''] = Temporal.Instant.from(`${day}T${time}${offset}`).toString().slice(0, -1).split('T');
  return { ...moment, day: utcDay, time: utcTime, offset: 'Z' };
}

/** Of a wall clock the zone gives the offset; of a moment with an offset it must not say another. */
function inZone(moment: Omit<IsoMoment, 'zone'>, { zone, isUnknown }: ZoneTag): IsoMoment | null {
  const { day, time, offset } = moment;
  if (zone === null || time === null) return isUnknown && time !== null && offset === null ? null : { ...moment, zone };
  const local = `${day}T${time}`;
  // An offset in place of a name is no zone of a listing.
  const named = /^[+-]/.test(zone) ? null : zone;
  if (offset === null) {
    const told = Temporal.PlainDateTime.from(local).toZonedDateTime(zone);
    const shown = told.toPlainDateTime();
    const [toldDay = day, toldTime = time] = shown.equals(local) ? [day, time] : shown.toString().split('T');
    return { day: toldDay, time: toldTime, offset: told.offset, zone: named };
  }
  const said = Temporal.Instant.from(local + offset).toZonedDateTimeISO(zone);
  // RFC 9557 §2: `Z` and `-00:00` say that the offset of the place is not known.
  const agrees = ['Z', '-00:00', said.offset, said.offset.slice(0, OFFSET_CHARS)].includes(offset);
  return agrees ? { ...moment, zone: named } : null;
}

interface ZoneTag {
  zone: string | null;
  /** There is a zone, and nobody knows it. */
  isUnknown: boolean;
}

/** RFC 9557 §4.1: the zone first, then `key=value`. What is marked as critical and not known here makes the whole unreadable. */
function readTags(text: string): ZoneTag | null {
  const tags = text.match(TAG) ?? [];
  if (tags.join('') !== text) return null;
  const [first, ...others] = tags.map((tag) => ({ isCritical: tag.startsWith('[!'), value: tag.replace(/[[\]!]/g, '') }));
  if (first === undefined) return { zone: null, isUnknown: false };
  const hasZone = !PAIR.test(first.value);
  const pairs = hasZone ? others : [first, ...others];
  // A calendar says how to show a date, which is written in the Gregorian one all the same.
  if (!pairs.every(({ isCritical, value }) => PAIR.test(value) && (!isCritical || value.startsWith('u-ca=')))) return null;
  if (!hasZone) return { zone: null, isUnknown: false };
  if (!ZONE.test(first.value)) return null;
  const isUnknown = !isZone(first.value);
  return isUnknown && first.isCritical ? null : { zone: isUnknown ? null : first.value, isUnknown };
}

function isZone(name: string): boolean {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name) !== undefined;
  } catch {
    return false;
  }
}

function readDay({ groups = {} }: RegExpExecArray): string | null {
  const [year, week, ordinal] = [groups.year, groups.week, groups.ordinal].map((part) => Number(part ?? -1));
  if (year === undefined || week === undefined || ordinal === undefined) return null;
  if (week >= 0) {
    const monday = firstMonday(year) + (week - 1) * WEEK_MS;
    return week > 0 && monday < firstMonday(year + 1) ? dayOf(monday + (Number(groups.weekday) - 1) * DAY_MS) : null;
  }
  const [month, date] = ordinal >= 0 ? [1, ordinal] : [Number(groups.month), Number(groups.date)];
  const instant = instantOf(year, month, date);
  const found = new Date(instant);
  const isThere = found.getUTCFullYear() === year && (ordinal >= 0 ? ordinal > 0 : found.getUTCMonth() === month - 1);
  return isThere && date > 0 ? dayOf(instant) : null;
}

/** ISO 8601-1 §3.1.1.23: week 1 is the one with January 4. */
function firstMonday(year: number): number {
  const fourth = instantOf(year, 1, 4);
  return fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY_MS;
}

function dayAfter(day: string): string | null {
  const next = dayOf(Date.parse(day) + DAY_MS);
  return next.length === day.length ? next : null;
}

const instantOf = (year: number, month: number, date: number): number => new Date(0).setUTCFullYear(year, month - 1, date);
const dayOf = (instant: number): string => new Date(instant).toISOString().split('T')[0] ?? '';
const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** Minus (ISO 8601-1 §3.2.1 wants U+2212 where it can be had) and the hyphens of typographers. A dash would part two times. */
const MINUS_SIGNS = /[\u2010\u2011\u2212\uff0d]/g;
const HEAD = /^([^[\]]*)(.*)$/s;
const DATE =
  /^(?<year>\d{4})(?:-(?<month>\d\d)-(?<date>\d\d)|(?<month>\d\d)(?<date>\d\d)|-W(?<week>\d\d)-(?<weekday>[1-7])|W(?<week>\d\d)(?<weekday>[1-7])|-?(?<ordinal>\d{3}))(?!\d)/i;
const SEPARATOR = /^(?:\s?T\s?|\s{1,3})/i;
const LONG_CLOCK = /^(\d\d)(?::(\d\d)(?::(\d\d))?)?(?:[.,](\d{1,20}))?\s?(z|utc|[+-][\d:]{2,8})?$/i;
const SHORT_CLOCK = /^(\d\d)(\d\d)(\d\d)?(?:[.,](\d{1,20}))?\s?(z|utc|[+-][\d:]{2,8})?$/i;
const OFFSET = /^(?<sign>[+-])(?<hours>\d\d)(?::(?<minutes>\d\d)(?::(?<seconds>\d\d))?|(?<minutes>\d\d)(?<seconds>\d\d)?)?$/;
const TAG = /\[[^[\]]*\]/g;
const PAIR = /^[a-z_][a-z0-9_-]*=[a-z0-9-]+$/i;
const ZONE = /^(?:[a-z._][\w.+/-]*|[+-]\d\d(?::?\d\d)?)$/i;
/** Of an hour, in two digits that may be minutes as well. */
const TWO_MEANINGS = /^[0-5]\d$/;
const END_OF_DAY = '24:00:00';
const OFFSET_CHARS = '+hh:mm'.length;
const MAX_FRACTION_DIGITS = 9;
const MAX_CHARS = 200;
const WEEK_MS = 7 * DAY_MS;
