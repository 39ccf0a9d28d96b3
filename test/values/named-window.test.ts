import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCityTime } from '../../src/values/city-time.ts';
import { NAMED_WINDOWS, type NamedWindow, namedWindow, WEEKDAYS } from '../../src/values/named-window.ts';

const HOUR = 3_600_000;
const newYork = createCityTime('America/New_York');
const windowAt = (name: NamedWindow, now: string) => {
  const { from, to } = namedWindow(name, Date.parse(now), newYork);
  return [newYork.format(from).slice(0, 16), newYork.format(to).slice(0, 19)];
};

describe('a span of time by its name', () => {
  test.each<[NamedWindow, string, string, string]>([
    // Tuesday, 16 June 2026.
    ['tonight', '2026-06-16T12:00-04:00', '2026-06-16T17:00', '2026-06-17T04:59:59'],
    ['tonight', '2026-06-16T21:30-04:00', '2026-06-16T21:30', '2026-06-17T04:59:59'],
    ['tonight', '2026-06-17T02:00-04:00', '2026-06-17T02:00', '2026-06-17T04:59:59'],
    ['tonight', '2026-06-17T05:00-04:00', '2026-06-17T17:00', '2026-06-18T04:59:59'],
    ['tomorrow', '2026-06-17T02:00-04:00', '2026-06-17T05:00', '2026-06-18T04:59:59'],
    ['tomorrow', '2026-06-17T05:00-04:00', '2026-06-18T05:00', '2026-06-19T04:59:59'],
    ['this_weekend', '2026-06-16T12:00-04:00', '2026-06-19T17:00', '2026-06-22T04:59:59'],
    ['this_weekend', '2026-06-19T16:59-04:00', '2026-06-19T17:00', '2026-06-22T04:59:59'],
    ['this_weekend', '2026-06-20T10:00-04:00', '2026-06-20T10:00', '2026-06-22T04:59:59'],
    ['this_weekend', '2026-06-22T04:00-04:00', '2026-06-22T04:00', '2026-06-22T04:59:59'],
    ['this_weekend', '2026-06-22T05:00-04:00', '2026-06-26T17:00', '2026-06-29T04:59:59'],
    ['next_weekend', '2026-06-16T12:00-04:00', '2026-06-26T17:00', '2026-06-29T04:59:59'],
    ['next_weekend', '2026-06-21T12:00-04:00', '2026-06-26T17:00', '2026-06-29T04:59:59'],
    ['this_week', '2026-06-16T12:00-04:00', '2026-06-16T12:00', '2026-06-22T04:59:59'],
    ['friday', '2026-06-16T12:00-04:00', '2026-06-19T05:00', '2026-06-20T04:59:59'],
    ['friday', '2026-06-19T21:00-04:00', '2026-06-19T21:00', '2026-06-20T04:59:59'],
    ['friday', '2026-06-20T02:00-04:00', '2026-06-20T02:00', '2026-06-20T04:59:59'],
    ['friday', '2026-06-20T05:00-04:00', '2026-06-26T05:00', '2026-06-27T04:59:59'],
    ['sunday', '2026-10-30T12:00-04:00', '2026-11-01T05:00', '2026-11-02T04:59:59'],
    // Clocks go forward on Sunday, 8 March, and back on Sunday, 1 November.
    ['this_weekend', '2026-03-07T12:00-05:00', '2026-03-07T12:00', '2026-03-09T04:59:59'],
    ['tonight', '2026-10-31T23:00-04:00', '2026-10-31T23:00', '2026-11-01T04:59:59'],
    ['next_7_days', '2026-03-07T12:00-05:00', '2026-03-07T12:00', '2026-03-14T13:00:00'],
    ['now', '2026-06-16T23:30-04:00', '2026-06-16T23:30', '2026-06-17T01:30:00'],
  ])('%s at %s is from %s to %s', (name, now, from, to) => {
    expect(windowAt(name, now)).toEqual([from, to]);
  });

  test('holds exactly the moments that a person would count to it, in every zone and over every change of clocks', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        fc.constantFrom(...NAMED_WINDOWS),
        fc.integer({ min: Date.UTC(2026, 0, 1) / HOUR, max: Date.UTC(2027, 11, 31) / HOUR }),
        fc.integer({ min: 0, max: HOUR - 1 }),
        (timezone, name, hour, within) => {
          const now = hour * HOUR + within;
          const { from, to } = namedWindow(name, now, createCityTime(timezone));
          // Every half hour of three weeks, and the moments beside the bounds.
          const moments = Array.from({ length: 24 * 21 * 2 }, (_, step) => hour * HOUR + (step - 96) * (HOUR / 2));
          for (const moment of [...moments, from - 1, from, to, to + 1]) {
            const isIn = moment >= from && moment <= to;
            expect([new Date(moment).toISOString(), isIn]).toEqual([
              new Date(moment).toISOString(),
              belongs(name, moment, now, timezone),
            ]);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test('stands, or moves with the clock, until the moment it names', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        fc.constantFrom(...NAMED_WINDOWS),
        fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 11, 31) }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (timezone, name, now, part) => {
          const city = createCityTime(timezone);
          const before = namedWindow(name, now, city);
          const later = Math.floor(now + (Math.min(before.changesAt - 1, now + 40 * 24 * HOUR) - now) * part);
          const after = namedWindow(name, later, city);
          expect(after.from).toBe(before.moves.from ? before.from + (later - now) : before.from);
          expect(after.to).toBe(before.moves.to ? before.to + (later - now) : before.to);
        },
      ),
    );
  });
});

/** What the name means, hour by hour, without the arithmetic of the real one. */
function belongs(name: NamedWindow, moment: number, now: number, timezone: string): boolean {
  if (name === 'now') return moment >= now && moment <= now + 2 * HOUR;
  if (name === 'next_7_days') return moment >= now && moment <= now + 168 * HOUR;
  if (name === 'next_30_days') return moment >= now && moment <= now + 720 * HOUR;
  const [then, today] = [serviceDayOf(moment, timezone), serviceDayOf(now, timezone)];
  const isEvening = then.hour >= 17 || then.hour < 5;
  const isWeekend = then.weekday >= 6 || (then.weekday === 5 && isEvening);
  if (name === 'tonight') return moment >= now && then.day === today.day && isEvening;
  if (name === 'tomorrow') return then.day === today.day + 1;
  const weekday = (WEEKDAYS as readonly string[]).indexOf(name) + 1;
  if (weekday > 0) return moment >= now && then.weekday === weekday && then.day - today.day < 7;
  if (name === 'this_week') return moment >= now && then.week === today.week;
  if (name === 'this_weekend') return moment >= now && then.week === today.week && isWeekend;
  return then.week === today.week + 1 && isWeekend;
}

/** Days and weeks counted from Monday, 5 January 1970; the wall clock by way of `Intl`. */
function serviceDayOf(moment: number, timezone: string): { day: number; week: number; weekday: number; hour: number } {
  const held = FORMATS.get(timezone) ?? new Intl.DateTimeFormat('en-CA', FIELDS(timezone));
  FORMATS.set(timezone, held);
  const part = Object.fromEntries(held.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 0, day: date = 0, hour = 0 } = part;
  const calendarDay = Date.UTC(year, month - 1, date) / (24 * HOUR) - 4;
  const day = hour < 5 ? calendarDay - 1 : calendarDay;
  return { day, week: Math.floor(day / 7), weekday: (day % 7) + 1, hour };
}

const FORMATS = new Map<string, Intl.DateTimeFormat>();
const FIELDS = (timeZone: string): Intl.DateTimeFormatOptions => ({
  timeZone,
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
});
const ZONES = ['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Pacific/Chatham', 'America/St_Johns', 'UTC'];
