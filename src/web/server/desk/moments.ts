/** Moments as pages of the desk say them: on the city's clocks, and how far from now. */

import { sayAge } from '../../design/when.ts';

/** All of it is text made on the server: a browser in another zone says the same. */
export interface SaidMoment {
  /** RFC 3339, for machines. */
  iso: string;
  /** `Tue 16 Jun 2026, 20:00` in the city. */
  text: string;
  /** `5 minutes ago`, `in 2 hours`, `now`. */
  away: string;
}

export interface Moments {
  say(instant: number): SaidMoment;
  /** Null for what has not happened. */
  maybe(instant: number | null): SaidMoment | null;
  /** `20:00`. */
  clock(instant: number): string;
  /** `Tue 16 Jun`. */
  day(instant: number): string;
}

/** `zone`: the city's; `now`: milliseconds, the directory's clock. */
export function createMoments(zone: string, now: number): Moments {
  const { whole, clock, day } = formatsOf(zone);
  const say = (instant: number): SaidMoment => ({
    iso: new Date(instant).toISOString(),
    text: whole.format(instant).replace(',', ''),
    away: away(instant - now),
  });
  return {
    say,
    maybe: (instant) => (instant === null ? null : say(instant)),
    clock: (instant) => clock.format(instant),
    day: (instant) => day.format(instant).replace(',', ''),
  };
}

/** Making them takes longer than a page full of moments. A city has one zone. */
function formatsOf(zone: string): Formats {
  if (formats?.zone !== zone) {
    const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', { ...options, timeZone: zone });
    formats = { zone, whole: format({ ...DAY, year: 'numeric', ...CLOCK }), clock: format(CLOCK), day: format(DAY) };
  }
  return formats;
}

interface Formats {
  zone: string;
  whole: Intl.DateTimeFormat;
  clock: Intl.DateTimeFormat;
  day: Intl.DateTimeFormat;
}
let formats: Formats | null = null;

function away(difference: number): string {
  if (Math.abs(difference) < NOW_MS) return 'now';
  return difference < 0 ? `${sayAge(-difference)} ago` : `in ${sayAge(difference)}`;
}

const DAY = { weekday: 'short', day: 'numeric', month: 'short' } as const;
const CLOCK = { hour: '2-digit', minute: '2-digit' } as const;
const NOW_MS = 1_000;
