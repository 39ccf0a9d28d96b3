/** Small checks of untrusted values. Each gives the parsed value or a rejection that says what was wanted and what was got. */

import type { CityTime } from '../values/city-time.ts';
import { parseHttpUrl } from '../values/http-url.ts';
import { isUuid } from '../values/uuid.ts';
import { LIMITS } from './limits.ts';

export interface ValueRejection {
  readonly refused: true;
  /** Where inside the value, such as `[2].kind`; '' for the value itself. */
  readonly path: string;
  readonly reason: string;
}
export type Check<T> = (value: unknown) => T | ValueRejection;
export type Checked<T> = { ok: true; value: T } | { ok: false; field: string | null; reason: string };

/** The fields of a thing, each with its check. A key that the table does not name is ignored. */
export type Fields<T> = { readonly [K in keyof T]-?: Check<T[K]> };

export function refuse(reason: string, path = ''): ValueRejection {
  return { refused: true, path, reason };
}

export function isRefusal(value: unknown): value is ValueRejection {
  return typeof value === 'object' && value !== null && (value as Partial<ValueRejection>).refused === true;
}

/** Reads the fields of an untrusted object in the order of the table; the first bad one decides. Reads own keys only. */
export function readFields<T>(fields: Fields<T>, value: unknown): Checked<T> {
  if (!isPlainObject(value)) return { ok: false, field: null, reason: `wanted an object, got ${print(value)}` };
  const result: Partial<T> = {};
  for (const name of Object.keys(fields) as (keyof T & string)[]) {
    const checked = fields[name](Object.hasOwn(value, name) ? value[name] : undefined);
    if (isRefusal(checked)) return { ok: false, field: name + checked.path, reason: checked.reason };
    result[name] = checked;
  }
  return { ok: true, value: result as T };
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object inside a value. */
export function object<T>(fields: Fields<T>): Check<T> {
  return (value) => {
    const read = readFields(fields, value);
    if (read.ok) return read.value;
    return refuse(read.reason, read.field === null ? '' : `.${read.field}`);
  };
}

/** Absent, null or empty counts as `fallback`. */
export function optional<T, F>(check: Check<T>, fallback: F): Check<T | F> {
  return (value) => (value === undefined || value === null || value === '' ? fallback : check(value));
}

export function list<T>(check: Check<T>, most: number): Check<T[]> {
  return (value) => {
    if (value === undefined || value === null) return [];
    if (!Array.isArray(value)) return wanted('a list', value);
    if (value.length > most) return refuse(`wanted at most ${most} entries, got ${value.length}`);
    const result: T[] = [];
    for (const [index, entry] of value.entries()) {
      const checked = check(entry);
      if (isRefusal(checked)) return refuse(checked.reason, `[${index}]${checked.path}`);
      result.push(checked);
    }
    return result;
  };
}

/** Text in NFC, kept as given otherwise. `lines` allows line breaks and tabs. Lengths count code points. */
export function text(most: number, { lines = false } = {}): Check<string> {
  const forbidden = lines ? CONTROLS_BUT_BREAKS : CONTROLS;
  return (value) => {
    if (typeof value !== 'string') return wanted('text', value);
    if (!value.isWellFormed()) return refuse('wanted well-formed Unicode, got half of a surrogate pair');
    const control = forbidden.exec(value)?.[0];
    if (control !== undefined) return refuse(`wanted no control characters, got U+${hex(control)}`);
    const normal = value.normalize('NFC');
    if (normal.trim() === '') return wanted('text', value);
    const length = normal.length <= most ? normal.length : [...normal].length;
    if (length > most) return refuse(`wanted at most ${most} characters, got ${length}`);
    return normal;
  };
}

/** Text where an empty or blank one says nothing. */
export function textOrNull(most: number, options = {}): Check<string | null> {
  const check = text(most, options);
  return (value) =>
    value === undefined || value === null || (typeof value === 'string' && value.trim() === '') ? null : check(value);
}

/** Of a person who decides or corrects: why. As many characters as the store keeps. */
export const checkNote: Check<string | null> = (value) => textOrNull(MAX_NOTE_CHARS, { lines: true })(value);

export function oneOf<const T extends string>(words: readonly T[]): Check<T> {
  return (value) => words.find((word) => word === value) ?? wanted(`one of ${words.join(', ')}`, value);
}

export const flag: Check<boolean> = (value) => (typeof value === 'boolean' ? value : wanted('true or false', value));

export function numberWithin(least: number, most: number): Check<number> {
  return (value) =>
    typeof value === 'number' && Number.isFinite(value) && value >= least && value <= most
      ? value + 0
      : wanted(most >= MAX_FINITE ? `a number of at least ${least}` : `a number from ${least} to ${most}`, value);
}

/** A decimal amount in the city's currency, to four places, as the store keeps it. */
export const amount: Check<number> = (value) => {
  const checked = numberWithin(0, MAX_AMOUNT)(value);
  return isRefusal(checked) ? checked : Math.round(checked * AMOUNT_PARTS) / AMOUNT_PARTS;
};

/** RFC 9562 §4, in either case; read as lower case. The nil and the max UUID name nothing. */
export const uuid: Check<string> = (value) => {
  if (typeof value !== 'string' || !isUuid(value)) return wanted('a UUID', value);
  const lower = value.toLowerCase();
  return /^[0-]+$|^[f-]+$/.test(lower) ? wanted('a UUID that names something', value) : lower;
};

/** An absolute http or https address. */
export const webUrl: Check<string> = (value) => {
  const checked = text(LIMITS.url)(value);
  if (isRefusal(checked)) return checked;
  return parseHttpUrl(checked) ? checked : wanted('an http or https address', value);
};

/** An address of a picture: absolute, or a path of this service. */
export const imageUrl: Check<string> = (value) => {
  if (typeof value === 'string' && /^\/(?![/\\])[^\s\\]*$/.test(value)) return text(LIMITS.url)(value);
  const checked = webUrl(value);
  return isRefusal(checked) ? refuse(checked.reason.replace('address', 'address or a path that starts with /')) : checked;
};

/** An instant in milliseconds as answers say it. */
export const wholeSecond = (instant: number): number => Math.floor(instant / 1000) * 1000;

/** An instant of RFC 3339 §5.6, or a date-time without offset, which is the city's. In milliseconds since 1970 UTC, a whole second. */
export function dateTime(cityTime: CityTime): Check<number> {
  return (value) => {
    const match = typeof value === 'string' ? DATE_TIME.exec(value) : null;
    if (!match) return wanted('a date-time such as 2026-11-21T20:00:00-06:00 or, in the city’s time, 2026-11-21T20:00', value);
    const [whole, year, offset] = match;
    try {
      const upper = whole.toUpperCase();
      const instant = offset ? Temporal.Instant.from(upper).epochMilliseconds : cityTime.resolve(upper);
      const wrongYear = Number(year) < FIRST_YEAR || Number(year) > LAST_YEAR;
      return wrongYear ? wanted(`a year from ${FIRST_YEAR} to ${LAST_YEAR}`, value) : wholeSecond(instant);
    } catch {
      return wanted('a date that exists', value);
    }
  };
}

export function wanted(what: string, got: unknown): ValueRejection {
  return refuse(`wanted ${what}, got ${print(got)}`);
}

/** An untrusted value, short enough for a report. Lists and objects may be of any depth, so they are only named. */
export function print(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (isPlainObject(value)) return 'an object';
  if (typeof value !== 'string') return String(value);
  return value.length > MAX_PRINTED ? `${quote(value.slice(0, MAX_PRINTED))}…` : quote(value);
}

/** An untrusted text as a whole. */
export function quote(value: string): string {
  return printable(JSON.stringify(value));
}

const hex = (character: string): string => (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');

const CONTROLS = /\p{Cc}/u;
const CONTROLS_BUT_BREAKS = /(?![\t\n\r])\p{Cc}/u;
const DATE_TIME = /^(\d{4})-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?$/i;

/** 1970 is what an empty clock prints, 9999 what an empty end does; neither is a date of an event. */
const FIRST_YEAR = 1971;
const LAST_YEAR = 2199;
const MAX_NOTE_CHARS = 1000;
const MAX_FINITE = Number.MAX_VALUE;
const MAX_AMOUNT = 1_000_000_000;
const AMOUNT_PARTS = 10_000;
const MAX_PRINTED = 64;

/**
 * Reasons are printed on terminals, which act on control characters, and show what follows a mark of direction in another order. Both are
 * written as the \u escapes of JSON, as are the line ends of Unicode.
 */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (mark) => mark.split('').map(escaped).join(''));
}

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
