/** Dates as providers write them, read by a pattern of the mapping into ISO 8601. */

import { formatIso, readIsoMoment } from './iso.ts';

/**
 * Gives `YYYY-MM-DDThh:mm:ss[.fff]` with `Z`, `±hh:mm` or nothing, or `YYYY-MM-DD` where no time is given; null for text that is
 * not of the format or no date.
 */
export type ReadDate = (text: string) => string | null;

/**
 * `iso` reads ISO 8601 dates and date-times, `epoch` seconds since 1970 and `epoch-ms` milliseconds, `excel` the days of spreadsheets; anything else is a pattern of
 * the tokens YYYY M MM D DD H HH h hh mm ss A (AM or PM) Z (offset) and literal characters. Returns null for a pattern without
 * year, month and day, or with an hour without minutes. `ignoreOffset` is for providers whose offset is known to be wrong: the
 * wall clock counts.
 */
export function createDateReader(format: string, { ignoreOffset = false } = {}): ReadDate | null {
  const finish = (iso: string | null): string | null => (iso && ignoreOffset ? iso.replace(/(?:Z|[+-]\d\d:\d\d)$/, '') : iso);
  if (format === 'epoch') return (text) => epoch(text, 1000);
  if (format === 'epoch-ms') return (text) => epoch(text, 1);
  if (format === 'excel') return readSerialDate;
  if (format === 'iso') return (text) => finish(readIso(text));
  const pattern = compilePattern(format);
  return pattern && ((text) => finish(readPattern(pattern, text)));
}

/** Of ISO 8601 and RFC 9557 the form above; a zone in brackets gives the offset. */
export function readIso(text: string): string | null {
  const moment = readIsoMoment(text);
  return moment && formatIso(moment);
}

function epoch(text: string, milliseconds: number): string | null {
  if (!/^\d{1,15}$/.test(text)) return null;
  const instant = Number(text) * milliseconds;
  return instant <= LAST_INSTANT ? new Date(instant).toISOString() : null;
}

interface Pattern {
  expression: RegExp;
  tokens: string[];
}

function compilePattern(format: string): Pattern | null {
  const tokens: string[] = [];
  const source = format.replace(/YYYY|MM?|DD?|HH?|hh?|mm|ss|A|Z|[\s\S]/g, (part) => {
    const digits = TOKENS[part];
    if (digits === undefined) return part.trim() === '' ? '\\s+' : part.replace(/[^\w]/, '\\$&');
    tokens.push(part);
    return digits;
  });
  const has = (...parts: string[]) => parts.some((part) => tokens.includes(part));
  const complete = has('YYYY') && has('M', 'MM') && has('D', 'DD') && has('H', 'HH', 'h', 'hh') === has('mm');
  if (!complete || new Set(tokens).size !== tokens.length) return null;
  return { expression: new RegExp(`^\\s*${source}\\s*$`, 'i'), tokens };
}

function readPattern({ expression, tokens }: Pattern, text: string): string | null {
  const match = expression.exec(text);
  if (!match) return null;
  const get = (...names: string[]): string | undefined => {
    const index = tokens.findIndex((token) => names.includes(token));
    return index === -1 ? undefined : match[index + 1];
  };
  const two = (value: string | number | undefined) => String(value ?? 0).padStart(2, '0');
  const day = `${get('YYYY')}-${two(get('M', 'MM'))}-${two(get('D', 'DD'))}`;
  if (get('mm') === undefined) return checkedDay(day);
  const hour24 = get('H', 'HH');
  const hour = hour24 === undefined ? fromTwelve(Number(get('h', 'hh')), get('A')) : Number(hour24);
  if (hour === null) return null;
  const offset =
    get('Z')
      ?.toUpperCase()
      .replace(/^([+-]\d\d)(\d\d)$/, '$1:$2') ?? '';
  return checked(`${day}T${two(hour)}:${two(get('mm'))}:${two(get('ss'))}`, offset);
}

/** 12 AM is midnight, 12 PM is noon. */
function fromTwelve(hour: number, half: string | undefined): number | null {
  if (half === undefined || hour < 1 || hour > 12) return null;
  return (hour % 12) + (half.toUpperCase() === 'PM' ? 12 : 0);
}

function checked(local: string, offset: string): string | null {
  try {
    // Rejects February 30; hours and seconds that are none are refused by the formats.
    Temporal.PlainDateTime.from(local, { overflow: 'reject' });
    if (offset) Temporal.Instant.from(local + offset);
    return local + offset;
  } catch {
    return null;
  }
}

function checkedDay(day: string): string | null {
  try {
    return Temporal.PlainDate.from(day, { overflow: 'reject' }).toString();
  } catch {
    return null;
  }
}

/**
 * Dates of spreadsheets: days since the end of 1899, the time of day as a fraction (ECMA-376 §18.17.4). `46193` is a day and
 * `46193.833333` a time of it, on a wall clock; also with a decimal comma. Null for anything else.
 */
function readSerialDate(text: string): string | null {
  const [, days, fraction] = SERIAL.exec(text.trim()) ?? [];
  if (days === undefined || Number(days) < FIRST_DAY) return null;
  const seconds = Math.round(Number(`0.${fraction ?? '0'}`) * DAY_SECONDS);
  const moment = DAY_ZERO.add({ days: Number(days), seconds });
  return fraction === undefined ? moment.toPlainDate().toString() : moment.toString({ smallestUnit: 'second' });
}

const TOKENS: Readonly<Record<string, string>> = {
  YYYY: '(\\d{4})',
  MM: '(\\d{2})',
  M: '(\\d{1,2})',
  DD: '(\\d{2})',
  D: '(\\d{1,2})',
  HH: '(\\d{2})',
  H: '(\\d{1,2})',
  hh: '(\\d{2})',
  h: '(\\d{1,2})',
  mm: '([0-5]\\d)',
  ss: '([0-5]\\d)',
  A: '([AP]M)',
  Z: '(Z|[+-]\\d{2}:?\\d{2})',
};
/** The last moment of the year 9999. */
const LAST_INSTANT = 253_402_300_799_999;
const SERIAL = /^(\d{2,5})(?:[.,](\d{1,15}))?$/;
/** Before it, Excel counts a February 29 that 1900 did not have. */
const FIRST_DAY = 61;
const DAY_ZERO = Temporal.PlainDateTime.from('1899-12-30');
const DAY_SECONDS = 86_400;
