/** Times from one to another by ISO 8601-1 §5.5: `2026-06-20T20:00/22:00`, `2026-06-20/2026-06-22`, `2026-06-20T20:00/PT2H`. */

import { formatIso, type IsoMoment, readIsoClock, readIsoMoment } from './iso.ts';
import { isDay } from './whole-days.ts';

/** One moment is a span whose end is not known. Null for anything else, and where one of both cannot be read. */
export function readIsoSpan(text: string): { start: IsoMoment; end: string | null } | null {
  const moment = readIsoMoment(text);
  if (moment !== null) return { start: moment, end: null };
  const [, first, second] = text.length > MAX_CHARS ? [] : (SPAN.exec(text.trim()) ?? []);
  const start = first === undefined ? null : readIsoMoment(first);
  const end = start === null || second === undefined ? null : endOf(start, second);
  return start && end !== null ? { start, end } : null;
}

/** The moment a duration (§5.5.2.3) after another, on the same clock; null for what is no duration, and after a day without a time. */
export function afterDuration(start: string, duration: string): string | null {
  if (isDay(start) || !/^\s*[+-]?P/i.test(duration)) return null;
  const [, local = '', offset = ''] = /^(.*?)(Z|[+-]\d\d:\d\d)?$/i.exec(start) ?? [];
  try {
    const end = Temporal.PlainDateTime.from(local).add(Temporal.Duration.from(duration));
    return end.toString({ smallestUnit: 'second' }) + offset;
  } catch {
    return null;
  }
}

/** An end without a day is on that of the start, and has its offset. */
function endOf(start: IsoMoment, text: string): string | null {
  const whole = readIsoMoment(text);
  if (whole !== null) return formatIso({ ...whole, offset: whole.offset ?? (whole.time === null ? null : start.offset) });
  const clock = start.time === null ? null : readIsoClock(text);
  if (clock === null || clock.isNextDay) return afterDuration(formatIso(start), text);
  return formatIso({ day: start.day, time: clock.time, offset: clock.offset ?? start.offset });
}

const SPAN = /^((?:[^/[]|\[[^\]]{1,64}\])+)\/(.+)$/s;
const MAX_CHARS = 200;
