import { assert, constantFrom, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCityTime } from '../../../src/values/city-time.ts';
import { eventsIn } from '../../support/fakes/provider.ts';
import { calendar, read } from './calendar.ts';

/** Nights on which clocks go forward: zone, the day, the first minute that is skipped, how many minutes. */
const GAPS = [
  ['America/New_York', '2027-03-14', '02:00', 60],
  ['Europe/Berlin', '2027-03-28', '02:00', 60],
  ['Europe/Lisbon', '2027-03-28', '01:00', 60],
  ['Australia/Lord_Howe', '2026-10-04', '02:00', 30],
  ['Africa/Cairo', '2027-04-30', '00:00', 60],
] as const;

const minutes = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));
const clock = (minute: number): string => new Date(minute * 60_000).toISOString().slice(11, 16);
const basic = (day: string, time: string): string => `${day}T${time}00`.replace(/[-:]/g, '');
const dayBefore = (day: string): string => Temporal.PlainDate.from(day).subtract({ days: 1 }).toString();
const dayAfter = (day: string): string => Temporal.PlainDate.from(day).add({ days: 1 }).toString();

/** Starts and ends of the only event, as instants on the clock of the zone. */
function told(zone: string, ...lines: string[]): string[] {
  const city = createCityTime(zone);
  const instantOf = (text: string): number => (/[Z]$|[+-]\d\d:\d\d$/.test(text) ? Date.parse(text) : city.resolve(text));
  return eventsIn(read(calendar(lines), { zone }))
    .map(({ start, end }) =>
      [start, end].flatMap((each) => (each === null ? [] : [city.format(instantOf(each ?? '')).slice(0, 16)])).join('/'),
    )
    .sort();
}

describe('a series on the night when clocks go forward', () => {
  it('moves a time that its clock skips on by the length of the gap, on that day alone', () => {
    assert(
      property(
        constantFrom(...GAPS),
        integer({ min: 0, max: 29 }),
        integer({ min: 1, max: 600 }),
        ([zone, day, from, length], into, lasts) => {
          const at = clock(minutes(from) + into);
          const [before, after] = [dayBefore(day), dayAfter(day)];
          const shown = told(
            zone,
            `DTSTART;TZID=${zone}:${basic(before, at)}`,
            `DURATION:PT${lasts}M`,
            'RRULE:FREQ=DAILY;COUNT=3',
          );
          const ends = (start: string): string =>
            Temporal.PlainDateTime.from(start).add({ minutes: lasts }).toString().slice(0, 16);
          const moved = `${day}T${clock(minutes(from) + into + length)}`;
          expect(shown.map((each) => each.split('/')[0])).toEqual([`${before}T${at}`, moved, `${after}T${at}`]);
          expect(shown[1]).toBe(`${moved}/${ends(moved)}`);
        },
      ),
      { numRuns: 60 },
    );
  });

  const NEW_YORK = 'TZID=America/New_York';
  const around = (...lines: string[]): string[] => told('America/New_York', ...lines);

  it.each([
    [
      'an end that its clock skips',
      [`DTSTART;${NEW_YORK}:20270314T013000`, `DTEND;${NEW_YORK}:20270314T023000`],
      ['2027-03-14T01:30/2027-03-14T03:30'],
    ],
    [
      'an end behind a start that is skipped',
      [`DTSTART;${NEW_YORK}:20270314T023000`, `DTEND;${NEW_YORK}:20270314T031500`],
      ['2027-03-14T03:30/2027-03-14T04:15'],
    ],
    [
      'days of a DURATION, which are days of the calendar',
      [`DTSTART;${NEW_YORK}:20270313T023000`, 'DURATION:P1DT30M'],
      ['2027-03-13T02:30/2027-03-14T04:00'],
    ],
    [
      'an hour that is skipped and the next one as one time',
      [`DTSTART;${NEW_YORK}:20270313T020000`, 'RRULE:FREQ=DAILY;BYHOUR=2,3;COUNT=6'],
      ['2027-03-13T02:00', '2027-03-13T03:00', '2027-03-14T03:00', '2027-03-15T02:00', '2027-03-15T03:00'],
    ],
    [
      'an EXDATE as the clock of the series would have shown it',
      [`DTSTART;${NEW_YORK}:20270313T023000`, 'RRULE:FREQ=DAILY;COUNT=3', `EXDATE;${NEW_YORK}:20270314T023000`],
      ['2027-03-13T02:30', '2027-03-15T02:30'],
    ],
    [
      'an EXDATE of the same moment in UTC',
      [`DTSTART;${NEW_YORK}:20270313T023000`, 'RRULE:FREQ=DAILY;COUNT=3', 'EXDATE:20270314T073000Z'],
      ['2027-03-13T02:30', '2027-03-15T02:30'],
    ],
    [
      'an UNTIL of the same moment in UTC',
      [`DTSTART;${NEW_YORK}:20270313T023000`, 'RRULE:FREQ=DAILY;UNTIL=20270314T073000Z'],
      ['2027-03-13T02:30', '2027-03-14T03:30'],
    ],
    [
      'an hour that comes twice as the first of the two',
      [`DTSTART;${NEW_YORK}:20261031T013000`, 'DURATION:PT30M', 'RRULE:FREQ=DAILY;COUNT=2'],
      ['2026-10-31T01:30/2026-10-31T02:00', '2026-11-01T01:30/2026-11-01T01:00'],
    ],
  ])('reads %s', (_, lines, shown) => {
    expect(around(...lines)).toEqual(shown);
  });
});
