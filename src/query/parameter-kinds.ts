/** The kinds of query parameters: each a small factory of one `Parameter`. */

import { Type } from 'typebox';
import type { ParameterFault } from '../http/index.ts';
import type { SearchBox } from '../search/index.ts';
import type { CityTime } from '../values/city-time.ts';
import { NAMED_WINDOWS, namedWindow, type TimeWindow } from '../values/named-window.ts';
import { isUuid } from '../values/uuid.ts';
import type { Parameter, Read } from './parameter.ts';

const good = <T>(value: T): Read<T> => ({ ok: true, value });
const bad = (code: ParameterFault, detail: string): Read<never> => ({ ok: false, code, detail });

/** Page size. Above `maximum` it is clamped (`meta.limit` says so where it is `echoed`), unless the caller asked for strictness. */
export function pageLimit(fallback: number, maximum: number, { echoed = true } = {}): Parameter<number> {
  return {
    // No maximum in the request's schema: a larger value is answered, not refused, as far as the digits go.
    schema: Type.Integer({ minimum: 1, exclusiveMaximum: TOO_LARGE, default: fallback }),
    description: `Page size. Above ${maximum} it is read as ${maximum}${echoed ? '; `meta.limit` echoes what was applied' : ''}.`,
    absent: fallback,
    read(text, { strict }) {
      if (!DIGITS.test(text)) return bad('not_an_integer', 'must be a whole number from 1');
      const value = Number(text);
      if (value < 1) return bad('out_of_range', 'must be a whole number from 1');
      if (text.length > MAX_DIGITS) return bad('out_of_range', 'must be a whole number of at most ten digits');
      if (value > maximum && strict) return bad('out_of_range', `must be at most ${maximum}`);
      return good(Math.min(value, maximum));
    },
  };
}

export function pageOffset(): Parameter<number> {
  return {
    schema: Type.Integer({ minimum: 0, maximum: MAX_OFFSET, default: 0 }),
    description: 'How many records to skip. Past the end the page is empty.',
    absent: 0,
    read(text) {
      if (!DIGITS.test(text)) return bad('not_an_integer', `must be a whole number from 0 to ${MAX_OFFSET}`);
      const value = Number(text);
      if (value > MAX_OFFSET) return bad('out_of_range', `must be at most ${MAX_OFFSET}`);
      return good(value);
    },
  };
}

export function wholeNumber(minimum: number, maximum: number, fallback: number, description: string): Parameter<number> {
  const wanted = `must be a whole number from ${minimum} to ${maximum}`;
  return {
    schema: Type.Integer({ minimum, maximum, default: fallback }),
    description,
    absent: fallback,
    read(text) {
      if (!DIGITS.test(text)) return bad('not_an_integer', wanted);
      const value = Number(text);
      return value >= minimum && value <= maximum ? good(value) : bad('out_of_range', wanted);
    },
  };
}

/** Words to search for: trimmed, NFC. */
export function searchText(description: string): Parameter<string | undefined> {
  return {
    schema: Type.String({ maxLength: MAX_TEXT_LENGTH, pattern: NO_CONTROLS }),
    description,
    absent: undefined,
    read(text) {
      const words = text.trim().normalize('NFC');
      if (isTooLong(words)) return TOO_LONG;
      return good(words === '' ? undefined : words);
    },
  };
}

/** An open set: whatever it names, an unknown one finds nothing. No slug is longer than a text to search for, and links repeat it. */
export function slug(description: string): Parameter<string | undefined> {
  return {
    schema: Type.String({ maxLength: MAX_TEXT_LENGTH, pattern: NO_CONTROLS }),
    description,
    absent: undefined,
    read: (text) => (isTooLong(text) ? TOO_LONG : good(text)),
  };
}

export function uuid(description: string): Parameter<string | undefined> {
  return {
    schema: Type.String({ format: 'uuid' }),
    description,
    absent: undefined,
    read(text) {
      const id = readUuid(text);
      return id === null ? bad('not_a_uuid', 'must be a UUID') : good(id);
    },
  };
}

/** One of a closed set, case-sensitive. */
export function oneOf<T extends string>(allowed: readonly T[], fallback: T, description: string): Parameter<T> {
  return {
    schema: Type.Enum([...allowed], { default: fallback }),
    description,
    absent: fallback,
    read: (text) => (isIn(allowed, text) ? good(text) : unknownValue(allowed)),
  };
}

/** A comma list of a closed set, meaning "any of"; repetitions count once. `all` is one more value that stands for every other. */
export function anyOf<T extends string>(
  allowed: readonly T[],
  description: string,
  all?: string,
): Parameter<readonly T[] | undefined> {
  const words: readonly string[] = all === undefined ? allowed : [...allowed, all];
  return {
    schema: Type.Array(Type.Enum([...words]), { minItems: 1 }),
    description,
    absent: undefined,
    read(text) {
      const chosen = new Set<T>();
      for (const word of text.split(',')) {
        if (word === all) for (const every of allowed) chosen.add(every);
        else if (isIn(allowed, word)) chosen.add(word);
        else return unknownValue(words);
      }
      return good([...chosen]);
    },
  };
}

/** `true`, `1`, `false` or `0`. `emptyMeans` is what a bare name says, if anything. */
export function flag(description: string, emptyMeans?: boolean): Parameter<boolean> {
  return {
    schema: Type.Enum(['true', 'false', '1', '0', ...(emptyMeans === undefined ? [] : [''])]),
    description,
    absent: false,
    ...(emptyMeans !== undefined && { empty: emptyMeans }),
    read(text) {
      if (text === 'true' || text === '1') return good(true);
      if (text === 'false' || text === '0') return good(false);
      return bad('not_a_boolean', 'must be true, 1, false or 0');
    },
  };
}

/** An end of a date range, in milliseconds. */
export function dateBound(edge: DateEdge, description: string): Parameter<number | undefined> {
  return {
    schema: Type.String({
      pattern: DATE_PATTERN,
      maxLength: MAX_DATE_LENGTH,
      examples: ['2026-11-20', '2026-11-20T19:30:00-06:00'],
    }),
    description,
    absent: undefined,
    read(text, { city }) {
      const bound = readDateBound(text, edge, city);
      if (bound.ok) return good(bound.at);
      if (bound.code === 'impossible_date') return bad(bound.code, 'names a day or a time that does not exist');
      return bad(bound.code, 'must be YYYY-MM-DD or YYYY-MM-DDThh:mm[:ss] with an offset, Z or nothing (local time)');
    },
  };
}

/** A span of time by its name. What it means depends on the moment it is asked, in milliseconds. */
export function timeWindow(description: string): Parameter<((now: number) => TimeWindow) | undefined> {
  return {
    schema: Type.Enum([...NAMED_WINDOWS]),
    description,
    absent: undefined,
    read: (text, { city }) =>
      isIn(NAMED_WINDOWS, text) ? good((now: number) => namedWindow(text, now, city)) : unknownValue(NAMED_WINDOWS),
  };
}

/** An open set of words, meaning "any of"; repetitions and empty ones between commas do not count. */
export function tagList(description: string): Parameter<readonly string[] | undefined> {
  return {
    schema: Type.Array(Type.String({ maxLength: MAX_TEXT_LENGTH, pattern: NO_CONTROLS }), { minItems: 1, examples: [['jazz']] }),
    description,
    absent: undefined,
    read(text) {
      if (isTooLong(text)) return TOO_LONG;
      const tags = new Set(
        text
          .normalize('NFC')
          .split(',')
          .map((tag) => tag.trim()),
      );
      tags.delete('');
      return good(tags.size === 0 ? undefined : [...tags]);
    },
  };
}

/** An amount of the city's currency. */
export function amount(description: string): Parameter<number | undefined> {
  return {
    schema: Type.Number({ minimum: 0, maximum: MAX_AMOUNT }),
    description,
    absent: undefined,
    read(text) {
      const wanted = `must be an amount from 0 to ${MAX_AMOUNT}, such as 25 or 12.50`;
      if (!DECIMAL.test(text)) return bad('not_a_number', wanted);
      const value = Number(text);
      return value >= 0 && value <= MAX_AMOUNT ? good(value) : bad('out_of_range', wanted);
    },
  };
}

/** `latitude,longitude` in WGS84 degrees. */
export function point(description: string): Parameter<{ latitude: number; longitude: number } | undefined> {
  return {
    schema: Type.String({ pattern: `^${LATITUDE}, ?${LONGITUDE}$`, examples: ['40.7128,-74.006'] }),
    description,
    absent: undefined,
    read(text) {
      const numbers = readDegrees(text, 2);
      if (!numbers) return bad('not_coordinates', `must be latitude,longitude in decimal degrees${DECIMALS}`);
      const [latitude = 0, longitude = 0] = numbers;
      if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) {
        return bad('out_of_range', 'must be a latitude from -90 to 90 and a longitude from -180 to 180');
      }
      return good({ latitude, longitude });
    },
  };
}

/** `west,south,east,north` in WGS84 degrees (RFC 7946 §5); west beyond east crosses the antimeridian. */
export function boundingBox(description: string): Parameter<SearchBox | undefined> {
  return {
    schema: Type.String({
      pattern: `^${LONGITUDE}, ?${LATITUDE}, ?${LONGITUDE}, ?${LATITUDE}$`,
      examples: ['-74.02,40.70,-73.93,40.80'],
    }),
    description,
    absent: undefined,
    read(text) {
      const numbers = readDegrees(text, 4);
      if (!numbers) return bad('not_coordinates', `must be west,south,east,north in decimal degrees${DECIMALS}`);
      const [west = 0, south = 0, east = 0, north = 0] = numbers;
      const fits = [west, east].every((x) => Math.abs(x) <= 180) && [south, north].every((y) => Math.abs(y) <= 90);
      if (!fits || south > north) {
        return bad('out_of_range', 'must have longitudes from -180 to 180, latitudes from -90 to 90, and south not above north');
      }
      return good({ west, south, east, north });
    },
  };
}

/** Meters. Refused, not clamped, above its maximum: no answer would echo what was applied. */
export function meters(maximum: number, description: string): Parameter<number | undefined> {
  return {
    schema: Type.Number({ minimum: 1, maximum }),
    description,
    absent: undefined,
    read(text) {
      const wanted = `must be a number of meters from 1 to ${maximum}`;
      if (!DECIMAL.test(text)) return bad('not_a_number', wanted);
      const value = Number(text);
      return value >= 1 && value <= maximum ? good(value) : bad('out_of_range', wanted);
    },
  };
}

/** The UUID in lower case, or null. Any version; no braces, no `urn:`. */
export function readUuid(text: string): string | null {
  return isUuid(text) ? text.toLowerCase() : null;
}

function isTooLong(text: string): boolean {
  // A code point is at most two units: longer text need not be counted.
  return text.length > MAX_TEXT_LENGTH * 2 || (text.length > MAX_TEXT_LENGTH && Array.from(text).length > MAX_TEXT_LENGTH);
}

function readDegrees(text: string, count: number): number[] | null {
  if (text.length > MAX_COORDINATES_LENGTH) return null;
  const parts = text.split(/, ?/);
  return parts.length === count && parts.every((part) => DEGREES_ALONE.test(part)) ? parts.map(Number) : null;
}

function isIn<T extends string>(allowed: readonly T[], text: string): text is T {
  return (allowed as readonly string[]).includes(text);
}

function unknownValue(allowed: readonly string[]): Read<never> {
  return bad('unknown_value', `must be one of ${allowed.join(', ')}`);
}

type DateEdge = 'start' | 'end';
type DateBound = { ok: true; at: number } | { ok: false; code: 'not_a_date' | 'impossible_date' };

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

const MAX_OFFSET = 2_147_483_647;
/** Code points (decisions §1). */
const MAX_TEXT_LENGTH = 200;
/** More than any ticket. */
const MAX_AMOUNT = 1_000_000;
const MAX_COORDINATES_LENGTH = 120;
const TOO_LONG = bad('too_long', `must be at most ${MAX_TEXT_LENGTH} characters`);
/** ASCII alone; leading zeros are welcome. */
const DIGITS = /^[0-9]+$/;
const MAX_DIGITS = 10;
/** The first number of more digits. */
const TOO_LARGE = 10 ** MAX_DIGITS;
const DECIMAL = /^-?[0-9]{1,12}(?:\.[0-9]{1,17})?$/;
const DECIMALS = ' with at most 17 decimals';
const DEGREES = '-?[0-9]{1,3}(?:\\.[0-9]{1,17})?';
/** What remains of `DEGREES` within the globe; for the document. */
const LATITUDE = '-?(90(\\.0{1,17})?|[0-8]?[0-9](\\.[0-9]{1,17})?)';
const LONGITUDE = '-?(180(\\.0{1,17})?|(1[0-7][0-9]|[0-9]{1,2})(\\.[0-9]{1,17})?)';
const DEGREES_ALONE = new RegExp(`^${DEGREES}$`);
const NO_CONTROLS = '^[^\\u0000-\\u001f\\u007f]*$';
/** What the reader takes, short of the calendar. */
const DATE_PATTERN =
  '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])([Tt]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]+)?)?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])?)?$';
/** Groups: year, month, day, time, hour, minute, second, fraction, zone, sign, offset hour, offset minute. Linear: nothing repeats twice. */
const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})([Tt](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?(?:([Zz]|([+ -])(\d{2}):(\d{2})))?)?$/;
const DAYS_OF_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const MS_PER_MINUTE = 60_000;
/** Longer than any date-time of use; bounds the fraction. */
const MAX_DATE_LENGTH = 64;
