/** Reads the ends of a date range: a strict piece of RFC 3339, with the city's wall clock where no offset is given. */

import type { CityTime } from '../../city/index.ts';

export type DateEdge = 'start' | 'end';
export type DateBound = { ok: true; at: number } | { ok: false; code: 'not_a_date' | 'impossible_date' };

/**
 * `YYYY-MM-DD` (the whole local day: its first millisecond as a start, its last as an end) or `YYYY-MM-DDThh:mm[:ss[.fraction]]` with
 * `Z`, an offset `±hh:mm` or nothing (local time). A space where a `+` stood is read as `+`: it is what an unescaped offset becomes.
 * Leap seconds, `24:00`, the year 0000 and every other form of ISO 8601 are refused. `at` is in milliseconds, fractions cut.
 */
export function readDateBound(text: string, edge: DateEdge, city: CityTime): DateBound {
  const match = text.length <= MAX_DATE_LENGTH ? DATE_TIME.exec(text) : null;
  if (!match) return { ok: false, code: 'not_a_date' };
  const [
    ,
    year = '',
    month = '',
    day = '',
    time,
    hour = '',
    minute = '',
    second = '00',
    fraction = '',
    zone,
    sign,
    offHour,
    offMinute,
  ] = match;
  const date = `${year}-${month}-${day}`;
  if (!isDate(Number(year), Number(month), Number(day))) return { ok: false, code: 'impossible_date' };
  if (time === undefined) {
    const bounds = city.dayBounds(date);
    return { ok: true, at: edge === 'start' ? bounds.first : bounds.last };
  }
  const inDay = Number(hour) <= 23 && Number(minute) <= 59 && Number(second) <= 59;
  const offsetFits = zone === undefined || sign === undefined || (Number(offHour) <= 23 && Number(offMinute) <= 59);
  if (!inDay || !offsetFits) return { ok: false, code: 'impossible_date' };

  const clock = `${date}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}`;
  if (zone === undefined) return { ok: true, at: city.resolveBound(clock) };
  const utc = Date.parse(`${clock}Z`);
  const offset = sign === undefined ? 0 : (Number(offHour) * 60 + Number(offMinute)) * MS_PER_MINUTE;
  return { ok: true, at: sign === '-' ? utc + offset : utc - offset };
}

/** Whether the day exists (Gregorian, proleptic); `Date` would roll 30 February over to March. */
function isDate(year: number, month: number, day: number): boolean {
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return day <= (month === 2 && leap ? 29 : (DAYS_OF_MONTH[month - 1] ?? 0));
}

/** Groups: year, month, day, time, hour, minute, second, fraction, zone, sign, offset hour, offset minute. Linear: nothing repeats twice. */
const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})([Tt](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?(?:([Zz]|([+ -])(\d{2}):(\d{2})))?)?$/;
const DAYS_OF_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const MS_PER_MINUTE = 60_000;
/** Longer than any date-time of use; bounds the fraction. */
export const MAX_DATE_LENGTH = 64;
