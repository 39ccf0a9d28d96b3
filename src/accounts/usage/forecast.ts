/** When a day's requests will be used up. */

import type { Allowance } from '../verdict.ts';

/**
 * The instant (ms) at which the day's requests end at the pace of the last hour; null when that is not before the day is over. A day that
 * is used up ended before: `now`. `lastHour`: requests of the last 60 minutes.
 */
export function forecastDay({ day }: Pick<Allowance, 'day'>, lastHour: number, now: number): number | null {
  if (day.remaining === 0) return now;
  if (lastHour <= 0) return null;
  const endsAt = now + (day.remaining / lastHour) * HOUR_MS;
  return endsAt < day.resetsAt ? endsAt : null;
}

const HOUR_MS = 3_600_000;
