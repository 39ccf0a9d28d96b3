/** Whole days as calendars write them. */

/**
 * Days without hours are whole days when there are several (an exhibition), else a day whose hour is unknown. From 00:00 to 23:59, or to
 * 00:00 of a later day, is how calendar software writes whole days. The texts are ISO 8601, as listings have them; a day as the end is
 * the last.
 */
export function readWholeDays(start: string, end: string | null): { start: string; end: string | null; isAllDay: boolean } {
  if (isDay(start)) return { start, end, isAllDay: end !== null && isDay(end) && end > start };
  if (end === null || !MIDNIGHT.test(start)) return { start, end, isAllDay: false };
  const [first, last] = [dayOf(start), dayOf(end)];
  if (LAST_MINUTE.test(end)) return { start: first, end: last, isAllDay: true };
  if (!MIDNIGHT.test(end) || last <= first) return { start, end, isAllDay: false };
  return { start: first, end: dayBefore(last), isAllDay: true };
}

export const dayBefore = (day: string): string => Temporal.PlainDate.from(day).subtract({ days: 1 }).toString();
export const isDay = (iso: string): boolean => !iso.includes('T');
export const dayOf = (iso: string): string => iso.slice(0, DAY_CHARS);

const MIDNIGHT = /T00:00:00(?:\.0+)?(?:Z|[+-]\d\d:\d\d)?$/i;
const LAST_MINUTE = /T23:59:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?$/i;
/** Of `YYYY-MM-DD`. */
const DAY_CHARS = 10;
