/** Dates and times as feeds write them. Only what has one meaning is read: 07/04/2026 is two days. */

import { readIso } from '../../fields/dates.ts';

/** ISO 8601 in its long and its short form, or RFC 822 §5 with a full year; the listing's form, null for anything else. */
export function readWhen(text: string): string | null {
  return readIso(text) ?? readShort(text.trim()) ?? readMail(text.trim());
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

/** `20260704T200000Z`, as iCalendar writes it. */
function readShort(text: string): string | null {
  const [, year, month, day, hour, minute, second = '00', zone = ''] = SHORT.exec(text) ?? [];
  if (year === undefined) return null;
  const date = `${year}-${month}-${day}`;
  return readIso(hour === undefined ? date : `${date}T${hour}:${minute}:${second}${zone}`);
}

function readMail(text: string): string | null {
  const [, day, name, year, clock, zone] = MAIL.exec(text) ?? [];
  const month = MONTHS.indexOf(name?.slice(0, 3).toLowerCase() ?? '') + 1;
  if (day === undefined || month === 0) return null;
  const date = `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (clock === undefined) return readIso(date);
  const offset = zone === undefined ? '' : (OFFSETS[zone.toUpperCase()] ?? zone);
  return readIso(`${date} ${clock.indexOf(':') === 1 ? '0' : ''}${clock}${offset}`);
}

const CLOCK = /^([01]?\d|2[0-3])(?::([0-5]\d)(?::([0-5]\d))?)?\s*([ap]\.?m\.?)?$/i;
const SHORT = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)?(Z|[+-]\d{4})?)?$/i;
const MAIL =
  /^(?:[a-z]{3,9},?\s+)?(\d{1,2})\s+([a-z]{3,9})\.?\s+(\d{4})(?:\s+(\d{1,2}:\d\d(?::\d\d)?)(?:\s*(Z|UTC?|GMT|[ECMP][SD]T|[+-]\d\d:?\d\d))?)?$/i;
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
