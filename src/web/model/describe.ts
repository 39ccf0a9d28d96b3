/** Events, hours and ages in the words of a language. */

import type { OpeningHours, Weekday } from '../../records/index.ts';
import { DAY_CHARS, lastDayOf } from '../../values/duration.ts';
import type { PageLanguage, Text } from './page-language.ts';
import type { ComingEvent, PublicEvent } from './records.ts';

type Words = Pick<PageLanguage, 'text' | 'formats'>;

/** On the city's own clocks. */
export function describeTimes(
  { text, formats }: Words,
  { startDatetime, endDatetime, startPrecision }: Pick<PublicEvent, 'startDatetime' | 'endDatetime' | 'startPrecision'>,
): { day: string; hours: string } {
  const day = formats.longDay(startDatetime);
  const firstDay = startDatetime.slice(0, DAY_CHARS);
  if (startPrecision !== 'time') {
    const lastDay = endDatetime === null ? firstDay : lastDayOf(endDatetime);
    const days = lastDay > firstDay ? text('time.range', { from: day, to: formats.longDay(lastDay) }) : day;
    return { day: days, hours: text(startPrecision === 'all_day' ? 'time.allDay' : 'time.unknown') };
  }
  const from = formats.hour(startDatetime);
  if (endDatetime === null) return { day, hours: from };
  const isOneDay = endDatetime.startsWith(firstDay);
  const isSameNight = Date.parse(endDatetime) - Date.parse(startDatetime) < NIGHT_MS;
  const end = formats.hour(endDatetime);
  const to = isOneDay || isSameNight ? end : `${formats.day(endDatetime)}, ${end}`;
  return { day, hours: text('time.range', { from, to }) };
}

/** `Sat, Nov 21, 8 PM` */
export function describeStart(
  { formats }: Words,
  { startDatetime, startPrecision }: Pick<ComingEvent, 'startDatetime' | 'startPrecision'>,
): string {
  const day = formats.day(startDatetime);
  return startPrecision === 'time' ? `${day}, ${formats.hour(startDatetime)}` : day;
}

/** Null where nobody says. */
export function describePrice(
  { text, formats }: Words,
  { isFree, priceMin, priceMax, currency }: Pick<PublicEvent, 'isFree' | 'priceMin' | 'priceMax' | 'currency'>,
): string | null {
  if (isFree) return text('price.free');
  const amount = (value: number) => formats.money(value, currency);
  if (priceMin === null) return priceMax === null ? null : text('price.upTo', { price: amount(priceMax) });
  if (priceMax === null) return text('price.from', { price: amount(priceMin) });
  if (priceMin === priceMax) return amount(priceMin);
  return text('price.range', { from: amount(priceMin), to: amount(priceMax) });
}

/** `Mon–Thu, Sun: 5 PM to 2 AM`, `Dec 24: closed (Christmas)` */
export function describeHours(words: Words, { weekly, exceptions }: OpeningHours): string[] {
  const { text, formats } = words;
  const span = (opens: string, closes: string) =>
    text('time.range', { from: formats.hour(`${A_MONDAY}T${opens}:00`), to: formats.hour(`${A_MONDAY}T${closes}:00`) });
  return [
    ...weekly.map(({ days, opens, closes }) => `${describeDays(words, days)}: ${span(opens, closes)}`),
    ...exceptions.map(({ from, to, closed, opens, closes, reason }) => {
      const first = formats.date(from, DATE);
      const days = from === to ? first : text('time.range', { from: first, to: formats.date(to, DATE) });
      const hours = closed || opens === null || closes === null ? text('venue.closed') : span(opens, closes);
      return `${days}: ${hours}${reason === null ? '' : ` (${reason})`}`;
    }),
  ];
}

/** Days that follow each other become a span. */
function describeDays({ formats }: Words, days: readonly Weekday[]): string {
  const numbers = days.map((day) => WEEK.indexOf(day)).sort((a, b) => a - b);
  const spans: [first: number, last: number][] = [];
  for (const number of numbers) {
    const span = spans.at(-1);
    if (span && span[1] === number - 1) span[1] = number;
    else spans.push([number, number]);
  }
  const name = (number: number) => formats.date(`2024-01-0${number + 1}`, { weekday: 'short' });
  return spans.map(([first, last]) => (first === last ? name(first) : `${name(first)}–${name(last)}`)).join(', ');
}

export function describeAge(text: Text, seconds: number): string {
  const minutes = Math.max(0, Math.floor(seconds / 60));
  if (minutes < HOUR_MINUTES) return text('age.minutes', { count: minutes });
  if (minutes < 2 * DAY_MINUTES) return text('age.hours', { count: Math.floor(minutes / HOUR_MINUTES) });
  return text('age.days', { count: Math.floor(minutes / DAY_MINUTES) });
}

/** What ends sooner belongs to the evening of its start. */
const NIGHT_MS = 12 * 3_600_000;
const WEEK: readonly Weekday[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const A_MONDAY = '2024-01-01';
const DATE = { month: 'short', day: 'numeric' } as const;
const HOUR_MINUTES = 60;
const DAY_MINUTES = 1_440;
