/** Dates and date-times as calendars write them (RFC 5545 §3.3.4, §3.3.5), on a wall clock. */

export interface Wall {
  /** Milliseconds since 1970 that UTC would have when its clocks show this. */
  wall: number;
  isDate: boolean;
  /** Written with `Z`, or with an offset, which the standard does not know: then `wall` is that of UTC. */
  isUtc: boolean;
}

/**
 * Also with the hyphens and colons of ISO 8601, which some programs leave in. Null for what is no date or no time of day, and for the
 * years with which programs write "never" (0000, 9999).
 */
export function readWall(text: string): Wall | null {
  const match = WRITTEN.exec(text);
  if (!match) return null;
  const [, year, month, day, hour, minute = '0', second = '0', utc, sign, hours, minutes = '0'] = match;
  const [years, months, days] = [Number(year), Number(month), Number(day)];
  if (years < 1 || years > LAST_YEAR) return null;
  const midnight = new Date(0).setUTCFullYear(years, months - 1, days);
  if (new Date(midnight).getUTCDate() !== days || new Date(midnight).getUTCMonth() !== months - 1) return null;
  const isNextDay = hour === '24' && Number(minute) + Number(second) === 0;
  if ((Number(hour ?? 0) > 23 && !isNextDay) || Number(minute) > 59 || Number(second) > 60) return null;
  const offset = sign === undefined ? 0 : Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * MS_PER_MINUTE;
  // A leap second is the second before it (§3.3.12).
  const seconds = (Number(hour ?? 0) * 60 + Number(minute)) * 60 + Math.min(59, Number(second));
  return { wall: midnight + seconds * 1_000 - offset, isDate: hour === undefined, isUtc: utc !== undefined };
}

/** `2026-07-01`. */
export function formatDay(wall: number): string {
  return new Date(wall).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

/** `2026-07-01T19:00:00`. */
export function formatWall(wall: number): string {
  return new Date(wall).toISOString().slice(0, 'YYYY-MM-DDThh:mm:ss'.length);
}

/** As calendars write it: `20260701` or `20260701T190000`. */
export function formatBasic(wall: number, isDate: boolean): string {
  return (isDate ? formatDay(wall) : formatWall(wall)).replace(/[-:]/g, '');
}

const WRITTEN =
  /^\s*(\d{4})-?(\d{2})-?(\d{2})(?:[Tt ](\d{2}):?(\d{2})(?::?(\d{2}))?(?:\.\d{1,9})?([Zz]|([+-])([01]\d):?([0-5]\d)?)?)?\s*$/;
const MS_PER_MINUTE = 60_000;
const LAST_YEAR = 9_000;
