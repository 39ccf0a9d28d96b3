/**
 * Texts of sources are data. They may hold what a reader does not see and a model follows: control characters, tags of the block U+E0000,
 * selectors that carry bytes. All of them are dropped, and nothing of a source begins a line of ours.
 */

import type { EventStatus, OpeningHours, StartPrecision } from '../records/index.ts';
import { DAY_CHARS, lastDayOf } from '../values/duration.ts';

/** Keeps line breaks. */
export const cleanText = (text: string): string =>
  SUSPICIOUS.test(text) ? text.replace(CONTROLS, keepBreak).replace(INVISIBLE, keepJoiner) : text;

/** On one line, and without the character that separates the parts of a line. */
export const cleanLine = (text: string): string => cleanText(text).replace(/\s+/g, ' ').replaceAll('|', '/').trim();

/** Words of a source inside a sentence of ours: short, in quotes, and without a quote that would end them. */
export const quote = (text: string): string => `"${cutText(cleanLine(text), MAX_QUOTED_CHARS).replaceAll('"', "'")}"`;

/** At most `max` characters, cut between them. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 2);
  const end = last >= 0xd800 && last <= 0xdbff ? max - 2 : max - 1;
  return `${text.slice(0, Math.max(0, end)).trimEnd()}…`;
}

/** All strings of a value, deep. */
export function cleanValue<T>(value: T): T {
  if (typeof value === 'string') return cleanText(value) as T;
  if (Array.isArray(value)) return value.map(cleanValue) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cleanValue(each)])) as T;
}

const keepBreak = (character: string): string => (character === '\n' ? character : ' ');
const keepJoiner = (character: string): string => (JOINERS.includes(character) ? character : '');

/** `local`: as the API prints it, `2026-11-27T20:00:00-08:00`. `Fri, Nov 27, 2026, 8:00 PM`. */
export function describeStart(local: string, precision: StartPrecision): string {
  const day = describeDay(local);
  if (precision === 'date') return `${day}, time not announced`;
  if (precision === 'all_day') return `${day}, all day`;
  return `${day}, ${describeClock(local.slice(11, 16))}`;
}

interface TimedEvent {
  /** As the API prints it. */
  startDatetime: string;
  endDatetime: string | null;
  startPrecision: StartPrecision;
}

/** `Sat, Nov 28, 2026, all day until Mon, Nov 30, 2026`: an end has no hour where the start has none. */
export function describeTimes({ startDatetime, endDatetime, startPrecision }: TimedEvent): string {
  const start = describeStart(startDatetime, startPrecision);
  if (endDatetime === null) return start;
  if (startPrecision === 'time') return `${start} until ${describeStart(endDatetime, startPrecision)}`;
  const lastDay = lastDayOf(endDatetime);
  return lastDay > startDatetime.slice(0, DAY_CHARS) ? `${start} until ${describeDay(lastDay)}` : start;
}

/** `local`: a date, or a date-time of which the day counts. */
export function describeDay(local: string): string {
  const [year, month, day] = [Number(local.slice(0, 4)), Number(local.slice(5, 7)), Number(local.slice(8, 10))];
  const weekday = WEEKDAYS[new Date(Date.UTC(year, month - 1, day)).getUTCDay()] ?? '';
  return `${weekday}, ${MONTHS[month - 1] ?? ''} ${day}, ${year}`;
}

/** `20:00` → `8:00 PM`. */
export function describeClock(time: string): string {
  const hour = Number(time.slice(0, 2));
  return `${hour % 12 === 0 ? 12 : hour % 12}:${time.slice(3, 5)} ${hour < 12 ? 'AM' : 'PM'}`;
}

export interface PricedEvent {
  isFree: boolean;
  priceMin: number | null;
  priceMax: number | null;
}

/** `currency`: ISO 4217. */
export function describePrice({ isFree, priceMin, priceMax }: PricedEvent, currency: string): string {
  if (isFree) return 'free';
  if (priceMin === null) return priceMax === null ? 'price unknown' : `up to ${describeAmount(priceMax, currency)}`;
  const least = describeAmount(priceMin, currency);
  if (priceMax === null) return `from ${least}`;
  return priceMin === priceMax ? least : `${least} to ${describeAmount(priceMax, currency)}`;
}

const describeAmount = (amount: number, currency: string): string => {
  const figures = Number.isInteger(amount) ? String(amount) : amount.toFixed(2);
  return currency === 'USD' ? `$${figures}` : `${figures} ${currency}`;
};

export const describeStatus = (status: EventStatus): string => (status === 'scheduled' ? '' : status.replaceAll('_', ' '));

export function describeHours({ weekly, exceptions }: OpeningHours): string {
  const days = weekly.map(({ days, opens, closes }) => `${days.map(capitalize).join(', ')} ${span(opens, closes)}`);
  const other = exceptions.map(({ from, to, closed, opens, closes, reason }) => {
    const when = from === to ? from : `${from} to ${to}`;
    const what = closed || opens === null || closes === null ? 'closed' : span(opens, closes);
    return `${when} ${what}${reason === null ? '' : ` (${reason})`}`;
  });
  return [...days, ...other].join('; ');
}

const span = (opens: string, closes: string): string => `${describeClock(opens)} to ${describeClock(closes)}`;
const capitalize = (day: string): string => day.charAt(0).toUpperCase() + day.slice(1);

const MAX_QUOTED_CHARS = 60;
/** Most texts have none of what is dropped. */
const SUSPICIOUS = /[^\n\x20-\x7e\u00a0-\u00ac\u00ae-\u024f\u2010-\u2027\u2030-\u205e]/;
/** Line breaks stay: U+2028 and U+2029 do not, they break lines for some readers alone. */
const CONTROLS = /[\p{Cc}\u2028\u2029]/gu;
/** The selector of emoji, U+FE0F, stays. */
const INVISIBLE = /[\p{Cf}\p{Co}\p{Cs}\u{e0000}-\u{e0fff}]|[\ufe00-\ufe0e]/gu;
/** Parts of words and signs. */
const JOINERS = '\u200c\u200d';
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
