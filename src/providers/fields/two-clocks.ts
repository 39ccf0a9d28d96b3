/** One moment, where a provider prints it by the wall clock and by UTC. */

import { readIso } from './dates.ts';

/**
 * The wall clock with the offset that lies between the two: it needs no zone, and holds on days when the clock changes. With one of them
 * missing, the other: UTC with its `Z` (which some leave out), the wall clock without offset. Where the two cannot be the same moment,
 * the wall clock counts, as it is what people read. A wall clock that is a day alone stays a day.
 */
export function momentOf(local: string | null, utc: string | null): string | null {
  const wall = local === null ? null : readIso(local);
  const absolute = utc === null ? null : readUtc(utc);
  if (wall === null) return absolute;
  if (absolute === null || wall.length === DAY_CHARS || HAS_OFFSET.test(wall)) return wall;
  const minutes = (Date.parse(`${wall}Z`) - Date.parse(absolute)) / MS_PER_MINUTE;
  return minutes % OFFSET_STEP === 0 && minutes >= MIN_OFFSET && minutes <= MAX_OFFSET ? wall + printed(minutes) : wall;
}

/** The day of a date-time as it is written, for printed hours that mean nothing. */
export function dayOf(text: string | null): string | null {
  return text === null ? null : (readIso(text)?.slice(0, DAY_CHARS) ?? null);
}

/** Start and end of an event; the days alone if it lasts whole days. */
export function spanOf(start: string | null, end: string | null, isAllDay: boolean) {
  return isAllDay ? { start: dayOf(start), end: dayOf(end), isAllDay } : { start, end, isAllDay };
}

function readUtc(text: string): string | null {
  const iso = readIso(text);
  if (iso === null || iso.length === DAY_CHARS) return null;
  return HAS_OFFSET.test(iso) ? iso : `${iso}Z`;
}

function printed(minutes: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.trunc(size / 60))}:${two(size % 60)}`;
}

const HAS_OFFSET = /(?:Z|[+-]\d\d:\d\d)$/;
const MS_PER_MINUTE = 60_000;
/** Offsets in force anywhere, in minutes: quarters of hours from Baker Island to Kiribati (IANA tzdata). */
const [OFFSET_STEP, MIN_OFFSET, MAX_OFFSET] = [15, -12 * 60, 14 * 60];
/** Of `YYYY-MM-DD`. */
const DAY_CHARS = 10;
