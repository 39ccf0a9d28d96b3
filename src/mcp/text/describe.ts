/** Facts of events and venues in words: local times, prices, places. */

import type { EventStatus, OpeningHours, StartPrecision } from '../../catalog/index.ts';
import { DAY_CHARS, lastDayOf } from '../../values/duration.ts';

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
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
