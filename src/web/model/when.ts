/** Moments as people say them. */

import type { StartPrecision } from '../../records/index.ts';
import { dateFormat } from './format.ts';

/** Of a local time with its offset, as the API writes it: the day and hour on the city's own clocks. */
export function formatLocal(datetime: string): { day: string; hour: string } {
  const wall = new Date(`${datetime.slice(0, 19)}Z`);
  return { day: DAY.format(wall), hour: HOUR.format(wall).replace(':00', '') };
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

const DAY = dateFormat({ weekday: 'short', month: 'short', day: 'numeric', timeZone: 'UTC' });
const HOUR = dateFormat({ hour: 'numeric', minute: '2-digit', timeZone: 'UTC' });
const UNITS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;
