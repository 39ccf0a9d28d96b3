/** Between instants and a city's wall clock. Source of zone rules: the runtime's `Temporal` (IANA tzdata). */

export interface CityTime {
  readonly timezone: string;
  /** `2026-11-21T20:00:00-06:00`: local time with the offset in force at that instant, seconds precision. */
  format(instant: number): string;
  /** The local calendar day, `YYYY-MM-DD`. */
  day(instant: number): string;
  /**
   * The instant of a local date-time, `YYYY-MM-DDThh:mm[:ss[.fraction]]`. A local time that happens twice is the earlier instant;
   * one that does not exist takes the offset before the gap (RFC 5545 §3.3.5): 02:30 is 03:30. Throws `RangeError` when it is no
   * date-time.
   */
  resolve(local: string): number;
  /** As `resolve`, for a bound of a range: one that does not exist is the first instant after the gap (Decisions §1). */
  resolveBound(local: string): number;
  /** First and last millisecond of a local day `YYYY-MM-DD`; days of 23 and 25 hours included. Throws `RangeError` for no date. */
  dayBounds(day: string): { first: number; last: number };
}

/** Throws `RangeError` for an unknown zone. */
export function createCityTime(timezone: string): CityTime {
  Temporal.Now.instant().toZonedDateTimeISO(timezone);
  /** The span of constant offset that was asked about last: listings cluster in time, so nearly every call hits. */
  let span = offsetSpan(timezone, 0);
  /** Those before it: around the night when clocks change, calls go to and fro. */
  const spans = [span];

  /** Callers ask for the same few days again and again, and a zone's arithmetic is slow. */
  const bounds = new Map<string, { first: number; last: number }>();

  const offsetAt = (instant: number): number => {
    if (instant < span.from || instant >= span.to) {
      const held = spans.find(({ from, to }) => instant >= from && instant < to);
      span = held ?? offsetSpan(timezone, instant);
      if (!held) spans.unshift(span);
      spans.length = Math.min(spans.length, MAX_HELD_SPANS);
    }
    return span.offset;
  };
  const local = (instant: number): string => new Date(instant + offsetAt(instant)).toISOString();

  return {
    timezone,
    format: (instant) => local(instant).slice(0, -5) + formatOffset(offsetAt(instant)),
    day: (instant) => local(instant).split('T', 1)[0] ?? '',
    resolve: (text) => readLocal(text).toZonedDateTime(timezone, { disambiguation: 'compatible' }).epochMilliseconds,
    resolveBound(text) {
      const plain = readLocal(text);
      const earlier = plain.toZonedDateTime(timezone, { disambiguation: 'earlier' });
      if (earlier.toPlainDateTime().equals(plain)) return earlier.epochMilliseconds;
      return earlier.getTimeZoneTransition('next')?.epochMilliseconds ?? earlier.epochMilliseconds;
    },
    dayBounds(text) {
      const held = bounds.get(text);
      if (held) return held;
      const date = Temporal.PlainDate.from(text, { overflow: 'reject' });
      const first = date.toZonedDateTime(timezone).epochMilliseconds;
      const found = { first, last: date.add({ days: 1 }).toZonedDateTime(timezone).epochMilliseconds - 1 };
      if (bounds.size >= MAX_HELD_DAYS) bounds.clear();
      bounds.set(text, found);
      return found;
    },
  };
}

function readLocal(text: string): Temporal.PlainDateTime {
  return Temporal.PlainDateTime.from(text, { overflow: 'reject' });
}

function offsetSpan(timezone: string, instant: number): { from: number; to: number; offset: number } {
  const zoned = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timezone);
  // A transition exactly at `instant` has happened: look back from one millisecond later.
  const before = zoned.add({ milliseconds: 1 }).getTimeZoneTransition('previous');
  const after = zoned.getTimeZoneTransition('next');
  return {
    from: before?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    to: after?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offset: zoned.offsetNanoseconds / NANOSECONDS_PER_MILLISECOND,
  };
}

/** RFC 3339 knows whole minutes only; older local mean times are rounded towards zero. */
function formatOffset(milliseconds: number): string {
  const minutes = Math.trunc(Math.abs(milliseconds) / MS_PER_MINUTE);
  const two = (n: number) => String(n).padStart(2, '0');
  return `${milliseconds < 0 ? '-' : '+'}${two(Math.trunc(minutes / 60))}:${two(minutes % 60)}`;
}

const NANOSECONDS_PER_MILLISECOND = 1_000_000;
const MS_PER_MINUTE = 60_000;
/** Three years of days. */
const MAX_HELD_DAYS = 1_096;
/** Two years. */
const MAX_HELD_SPANS = 4;
