/** Days of events whose hour is unknown, as local dates (`YYYY-MM-DD`). */

import { DAY_MS } from '../../values/duration.ts';

/** The last day that something is on which ends at this local time; midnight ends the day before. */
export function lastDayOf(localEnd: string): string {
  const day = localEnd.slice(0, DAY_CHARS);
  return localEnd.startsWith('T00:00:00', DAY_CHARS) ? addDays(day, -1) : day;
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, DAY_CHARS);
}

/** Of `YYYY-MM-DD`. */
export const DAY_CHARS = 10;
