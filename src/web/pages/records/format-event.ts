/** When an event is and what it costs, as people say it. */

import type { ComingEvent, PublicEvent } from '../../model/records.ts';
import { formatLocal, formatLocalDay } from '../../model/when.ts';

/** On the city's own clocks. */
export function formatTimes({
  startDatetime,
  endDatetime,
  startPrecision,
}: Pick<PublicEvent, 'startDatetime' | 'endDatetime' | 'startPrecision'>): { day: string; hours: string } {
  const day = formatLocalDay(startDatetime);
  const isOneDay = endDatetime?.slice(0, 10) === startDatetime.slice(0, 10);
  if (startPrecision !== 'time') {
    const until = endDatetime !== null && !isOneDay ? ` to ${formatLocalDay(endDatetime)}` : '';
    return { day: day + until, hours: startPrecision === 'all_day' ? 'all day' : 'time to be announced' };
  }
  const { hour } = formatLocal(startDatetime);
  if (endDatetime === null) return { day, hours: hour };
  const end = formatLocal(endDatetime);
  const isSameNight = Date.parse(endDatetime) - Date.parse(startDatetime) < NIGHT_MS;
  return { day, hours: `${hour} to ${isOneDay || isSameNight ? '' : `${end.day}, `}${end.hour}` };
}

export function formatStart({ startDatetime, startPrecision }: Pick<ComingEvent, 'startDatetime' | 'startPrecision'>): string {
  const { day, hour } = formatLocal(startDatetime);
  return startPrecision === 'time' ? `${day}, ${hour}` : day;
}

/** Null where nobody says. */
export function formatPrice({
  isFree,
  priceMin,
  priceMax,
  currency,
}: Pick<PublicEvent, 'isFree' | 'priceMin' | 'priceMax' | 'currency'>): string | null {
  if (isFree) return 'Free';
  const amount = (value: number) =>
    new Intl.NumberFormat('en-US', { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' }).format(value);
  if (priceMin === null) return priceMax === null ? null : `up to ${amount(priceMax)}`;
  if (priceMax === null) return `from ${amount(priceMin)}`;
  return priceMin === priceMax ? amount(priceMin) : `${amount(priceMin)} to ${amount(priceMax)}`;
}

/** What ends sooner belongs to the evening of its start. */
const NIGHT_MS = 12 * 3_600_000;
