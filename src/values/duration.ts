/** Lengths of time that everybody agrees on, and days of the calendar. A day of a city may be longer or shorter: see `city-time.ts`. */

export const DAY_SECONDS = 86_400;
export const DAY_MS = DAY_SECONDS * 1000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;

/** In seconds: `30s`, `15m`, `1h` or `7d`; null for another text. */
export function parseDuration(text: string): number | null {
  const parts = /^(\d{1,6})([smhd])$/.exec(text);
  return parts ? Number(parts[1]) * SECONDS_PER_UNIT[parts[2] as keyof typeof SECONDS_PER_UNIT] : null;
}

const SECONDS_PER_UNIT = { s: 1, m: 60, h: 3600, d: DAY_SECONDS } as const;

/** Of local dates (`YYYY-MM-DD`): the last day that something is on which ends at this local time; midnight ends the day before. */
export function lastDayOf(localEnd: string): string {
  const day = localEnd.slice(0, DAY_CHARS);
  return localEnd.startsWith('T00:00:00', DAY_CHARS) ? addDays(day, -1) : day;
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, DAY_CHARS);
}

/** Of `YYYY-MM-DD`. */
export const DAY_CHARS = 10;
