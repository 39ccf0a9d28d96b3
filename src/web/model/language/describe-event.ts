/** When an event is and what it costs, as people say it in a language. */

import { DAY_CHARS, lastDayOf } from '../../../values/duration.ts';
import type { ComingEvent, PublicEvent } from '../records.ts';
import type { PageLanguage } from './page-language.ts';

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

/** What ends sooner belongs to the evening of its start. */
const NIGHT_MS = 12 * 3_600_000;
