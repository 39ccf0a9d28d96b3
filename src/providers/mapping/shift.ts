/** A clock that is wrong by a known time: `shift` of a mapping. */

import { MappingError } from './rules.ts';

export type Shift = (time: string | null) => string | null;

/** ISO 8601-1 §5.5.2: weeks to seconds, with a sign in front. A month has no fixed length, so it cannot be taken back. */
export function compileShift(value: unknown): Shift {
  if (value === undefined) return (time) => time;
  const seconds = typeof value === 'string' && DURATION.test(value) ? secondsOf(value) : Number.NaN;
  if (!(Math.abs(seconds) <= MAX_SECONDS))
    throw new MappingError('shift', 'wanted a duration such as -PT4H or PT90M, at most 366 days');
  return (time) => (time === null ? null : moved(time, seconds));
}

/** A day is 24 hours, as on a clock without changes. */
function secondsOf(duration: string): number {
  return Temporal.Duration.from(duration).total({ unit: 'seconds', relativeTo: '1970-01-01' });
}

/** A day without a time has no clock. The offset stays as it is written, as does what is outside the years 0001 to 9999 afterwards. */
function moved(time: string, seconds: number): string {
  const [, clock, rest] = TIME.exec(time) ?? [];
  if (clock === undefined || rest === undefined) return time;
  const later = clockAt(clock)?.add({ seconds });
  return later === undefined || later.year < 1 || later.year > MAX_YEAR
    ? time
    : later.toString({ smallestUnit: 'second' }) + rest;
}

function clockAt(text: string): Temporal.PlainDateTime | null {
  try {
    return Temporal.PlainDateTime.from(text);
  } catch {
    return null;
  }
}

const DURATION = /^[+-]?P(?=\d|T\d)(?:\d{1,3}W)?(?:\d{1,3}D)?(?:T(?:\d{1,4}H)?(?:\d{1,5}M)?(?:\d{1,7}S)?)?$/;
const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(.*)$/;
const MAX_SECONDS = 366 * 86_400;
const MAX_YEAR = 9999;
