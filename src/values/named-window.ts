/** Spans of time as people name them ("tonight"), on a city's clock. A service day ends at 05:00: a party at 1 a.m. belongs to the evening before. */

import type { CityTime } from './city-time.ts';
import { DAY_MS } from './duration.ts';

/** ISO 8601: Monday is the first. */
export const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export const NAMED_WINDOWS = [
  'now',
  'tonight',
  'tomorrow',
  'this_weekend',
  'next_weekend',
  'this_week',
  'next_7_days',
  'next_30_days',
  ...WEEKDAYS,
] as const;
export type NamedWindow = (typeof NAMED_WINDOWS)[number];

/** Instants in milliseconds. An event is in the window when it starts in [`from`, `to`]. */
export interface TimeWindow {
  from: number;
  to: number;
  /** The same end for events of which only the day is known: the end of the last service day's calendar day. */
  lastDayEnds: number;
  /** Events that run already are in it, too. */
  ongoing: boolean;
  /** Which bounds move with the clock. The others stand until `changesAt`, when the name means another span. */
  moves: { from: boolean; to: boolean };
  changesAt: number;
}

/** What `name` means at the instant `now`. */
export function namedWindow(name: NamedWindow, now: number, city: CityTime): TimeWindow {
  const today = serviceDay(now, city);
  // Of the same week: until Thursday the coming Friday, from then on that of the weekend that is running.
  const friday = dayAfter(today, FRIDAY - weekday(today));
  const weekendStarts = city.resolve(`${friday}T${EVENING}`);
  const sunday = dayAfter(friday, SUNDAY - FRIDAY);
  const weekendEnds = endOf(sunday, city);

  switch (name) {
    case 'now':
      return moving(now, NOW_MS, true);
    case 'next_7_days':
      return moving(now, 7 * DAY_MS, false);
    case 'next_30_days':
      return moving(now, 30 * DAY_MS, false);
    case 'tonight':
      return startingAt(city.resolve(`${today}T${EVENING}`), now, today, city);
    case 'tomorrow': {
      const tomorrow = dayAfter(today, 1);
      return { ...standing(startOf(tomorrow, city), tomorrow, city), changesAt: startOf(tomorrow, city) };
    }
    case 'this_weekend':
      return startingAt(weekendStarts, now, sunday, city);
    case 'next_weekend': {
      const from = city.resolve(`${dayAfter(friday, DAYS_A_WEEK)}T${EVENING}`);
      return { ...standing(from, dayAfter(sunday, DAYS_A_WEEK), city), changesAt: weekendEnds + 1 };
    }
    case 'this_week':
      return startingAt(Number.NEGATIVE_INFINITY, now, sunday, city);
    default: {
      const day = nextWeekday(WEEKDAYS.indexOf(name) + 1, today);
      return startingAt(startOf(day, city), now, day, city);
    }
  }
}

/** Today, or the first such day after it. */
const nextWeekday = (wanted: number, today: string): string =>
  dayAfter(today, (wanted - weekday(today) + DAYS_A_WEEK) % DAYS_A_WEEK);

/** The calendar day, `YYYY-MM-DD`, to which an instant belongs when days end at 05:00 local time. */
export function serviceDay(instant: number, city: CityTime): string {
  const day = city.day(instant);
  return instant < startOf(day, city) ? dayAfter(day, -1) : day;
}

/** A whole service day. Of an event without an hour, the calendar day counts. */
export function serviceDayWindow(day: string, city: CityTime): Pick<TimeWindow, 'from' | 'to' | 'lastDayEnds'> {
  return { from: startOf(day, city), to: endOf(day, city), lastDayEnds: city.dayBounds(day).last };
}

function moving(now: number, length: number, ongoing: boolean): TimeWindow {
  const to = now + length;
  return { from: now, to, lastDayEnds: to, ongoing, moves: { from: true, to: true }, changesAt: Number.POSITIVE_INFINITY };
}

/** From `starts`, or from now on when that is over, to the end of the service day `last`. */
function startingAt(starts: number, now: number, last: string, city: CityTime): TimeWindow {
  const hasBegun = now >= starts;
  const window = standing(hasBegun ? now : starts, last, city);
  return { ...window, moves: { from: hasBegun, to: false }, changesAt: hasBegun ? window.to + 1 : starts };
}

function standing(from: number, last: string, city: CityTime): Omit<TimeWindow, 'changesAt'> {
  const to = endOf(last, city);
  return { from, to, lastDayEnds: city.dayBounds(last).last, ongoing: false, moves: { from: false, to: false } };
}

const startOf = (day: string, city: CityTime): number => city.resolve(`${day}T${NEW_DAY}`);
/** The last millisecond. */
const endOf = (day: string, city: CityTime): number => startOf(dayAfter(day, 1), city) - 1;

function dayAfter(day: string, days: number): string {
  return Temporal.PlainDate.from(day).add({ days }).toString();
}

/** ISO 8601: Monday is 1. */
const weekday = (day: string): number => Temporal.PlainDate.from(day).dayOfWeek;

const NEW_DAY = '05:00';
const EVENING = '17:00';
const FRIDAY = 5;
const SUNDAY = 7;
const DAYS_A_WEEK = 7;
const NOW_MS = 2 * 3_600_000;
