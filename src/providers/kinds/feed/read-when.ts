/** Dates and times as feeds write them. Only what has one meaning is read: 07/04/2026 is two days. */

import { readIso } from '../../fields/dates.ts';

/** ISO 8601, or RFC 822 §5, whose years may have two digits before a time; the listing's form, null for anything else. */
export function readWhen(text: string): string | null {
  return readIso(text) ?? readZoned(text.trim()) ?? readMail(text.trim());
}

/** `3:00 pm`, `3pm`, `15:00`, `15:00:30`: `hh:mm:ss`, null for anything else. */
export function readClock(text: string): string | null {
  const [, hour, minute = '00', second = '00', half] = CLOCK.exec(text.trim()) ?? [];
  if (hour === undefined) return null;
  if (half === undefined) return text.includes(':') ? `${hour.padStart(2, '0')}:${minute}:${second}` : null;
  const twelve = Number(hour);
  if (twelve < 1 || twelve > 12) return null;
  return `${String((twelve % 12) + (/^p/i.test(half) ? 12 : 0)).padStart(2, '0')}:${minute}:${second}`;
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

const CLOCK = /^([01]?\d|2[0-3])(?::([0-5]\d)(?::([0-5]\d))?)?\s*([ap]\.?m\.?)?$/i;
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
