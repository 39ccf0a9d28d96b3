/** Numbers, dates and times in the one locale of the pages. The server and every browser give the same text. */

import type { StartPrecision } from '../../records/index.ts';

const LOCALE = 'en-US';

/** `1,234`, or `0.25` with fraction digits. */
export const formatNumber = (value: number, maximumFractionDigits = 0): string =>
  maximumFractionDigits === 0 ? WHOLE.format(value) : value.toLocaleString(LOCALE, { maximumFractionDigits });

/** `12%` */
export const formatPercent = (share: number): string => PERCENT.format(share);

export interface Formatter {
  format(instant: Date | number): string;
}

/** `sold out` of `sold_out`, and `canceled` as American English spells the API's `cancelled`. */
export const formatWord = (value: string): string => value.replaceAll('_', ' ').replace('cancelled', 'canceled');

/** Newer libraries put a narrow space before PM, browsers do not. */
export function dateFormat(options: Intl.DateTimeFormatOptions): Formatter {
  const format = new Intl.DateTimeFormat(LOCALE, options);
  return { format: (instant) => format.format(instant).replaceAll('\u202f', ' ') };
}

/** `Nov 21` of `2026-11-21` */
export const formatDate = (date: string): string => SHORT_DAY.format(new Date(`${date}T00:00:00Z`));
/** `Nov 21, 2026` of `2026-11-21` */
export const formatDay = (date: string): string => DAY.format(new Date(`${date}T00:00:00Z`));
/** `Nov 21, 2:00 PM` in UTC */
export const formatHour = (instant: number): string => HOUR.format(instant);
/** Below the bar of an hour: at midnight the day, at noon the hour. */
export function formatTick(instant: number): string {
  const hour = new Date(instant).getUTCHours();
  return hour === 0 ? SHORT_DAY.format(instant) : hour === 12 ? '12 PM' : '';
}

/** `day`: without the time. `time`: without the day. */
export type MomentParts = 'whole' | 'day' | 'time';

/** `shown` is empty where it would say the same as UTC. */
export function formatMoment(at: Date, as: MomentParts, zone: string | null): { utc: string; shown: string } {
  const text = formats(as, 'UTC').format(at);
  const utc = as === 'day' ? text : `${text} UTC`;
  const local = zone === null ? text : formats(as, zone).format(at);
  if (zone === null || local === text) return { utc, shown: '' };
  // A day alone is that of the reader.
  if (as === 'day') return { utc: `${text} UTC`, shown: local };
  const isSameDay = formats('day', 'UTC').format(at) === formats('day', zone).format(at);
  return { utc: isSameDay ? `${formats('time', 'UTC').format(at)} UTC` : utc, shown: local };
}

/** Making a format takes longer than a page full of moments. */
function formats(as: MomentParts, timeZone: string): Formatter {
  const name = `${as} ${timeZone}`;
  const format = known.get(name) ?? dateFormat({ ...PARTS[as], timeZone });
  known.set(name, format);
  return format;
}
const known = new Map<string, Formatter>();

/** Of a local time with its offset, as the API writes it: the day and hour on the city's own clocks. */
export function formatLocal(datetime: string): { day: string; hour: string } {
  const wall = new Date(`${datetime.slice(0, 19)}Z`);
  return { day: LOCAL_DAY.format(wall), hour: LOCAL_HOUR.format(wall).replace(':00', '') };
}

/** `Sat, Nov 21, 8 PM`; the day alone where nobody knows the hour. */
export function formatStart({
  startDatetime,
  startPrecision,
}: {
  startDatetime: string;
  startPrecision: StartPrecision;
}): string {
  const { day, hour } = formatLocal(startDatetime);
  return startPrecision === 'time' ? `${day}, ${hour}` : day;
}

/** How long ago, in one unit: `2 minutes`. */
export function formatAge(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const [size, unit] = UNITS.find(([size]) => seconds >= size) ?? [1, 'second'];
  const count = Math.floor(seconds / size);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

const WHOLE = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 0 });
const PERCENT = new Intl.NumberFormat(LOCALE, { style: 'percent' });
const DATE = { month: 'short', day: 'numeric', year: 'numeric' } as const;
const TIME = { hour: 'numeric', minute: '2-digit' } as const;
const PARTS = { day: DATE, time: TIME, whole: { ...DATE, ...TIME } } as const;
const SHORT = { month: 'short', day: 'numeric', timeZone: 'UTC' } as const;
const DAY = dateFormat({ ...DATE, timeZone: 'UTC' });
const SHORT_DAY = dateFormat(SHORT);
const HOUR = dateFormat({ ...SHORT, hour: 'numeric', minute: '2-digit' });
const LOCAL_DAY = dateFormat({ weekday: 'short', month: 'short', day: 'numeric', timeZone: 'UTC' });
const LOCAL_HOUR = dateFormat({ hour: 'numeric', minute: '2-digit', timeZone: 'UTC' });
const UNITS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;
