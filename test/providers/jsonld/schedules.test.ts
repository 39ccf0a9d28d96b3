import { describe, expect, it } from 'vitest';
import { jsonld } from '../../../src/providers/kinds/jsonld.ts';
import type { ListingPage } from '../../../src/providers/provider.ts';
import { cpuMsOf } from '../../support/processes/cpu-time.ts';
import { eventsOf, html, PAGE, reasonsOf, SOURCE, script } from './pages.ts';

/** From June 1, 2026 until July 1, 2027. */
const WINDOW = { from: Date.parse('2026-06-01T00:00:00-04:00'), until: Date.parse('2027-07-01T00:00:00-04:00') };
const CLASS = { '@type': 'Event', url: '/tai-chi', name: 'Tai Chi', location: 'Shed' };
const WEEKLY = {
  '@type': 'Schedule',
  startDate: '2026-06-03',
  repeatFrequency: 'P1W',
  byDay: 'https://schema.org/Wednesday',
  startTime: '19:00',
  endTime: '20:30',
};
function readPage(...documents: unknown[]): ListingPage {
  const body = Buffer.from(html(...documents.map(script)));
  return jsonld.read({ url: PAGE, body, contentType: 'text/html; charset=utf-8' }, { ...SOURCE, window: WINDOW }) as ListingPage;
}
const withSchedule = (...schedules: unknown[]) =>
  readPage({ ...CLASS, eventSchedule: schedules.length === 1 ? schedules[0] : schedules });
const startsOf = (page: ListingPage) => eventsOf(page).map(({ start }) => start);

describe('the schedule of an event', () => {
  it('gives its times inside the window, each with an id of its own', () => {
    const page = withSchedule({
      ...WEEKLY,
      startDate: '2026-05-06',
      endDate: '2026-06-17',
      scheduleTimezone: 'America/New_York',
      exceptDate: '2026-06-10',
    });
    expect(eventsOf(page)).toMatchObject([
      {
        externalId: 'https://harbour.example/tai-chi@2026-06-03T19:00:00',
        seriesId: 'https://harbour.example/tai-chi',
        title: 'Tai Chi',
        start: '2026-06-03T19:00:00',
        end: '2026-06-03T20:30:00',
        zone: 'America/New_York',
        venue: { name: 'Shed' },
      },
      { externalId: 'https://harbour.example/tai-chi@2026-06-17T19:00:00', start: '2026-06-17T19:00:00' },
    ]);
    expect(reasonsOf(page)).toEqual([]);
  });

  const JUNE = { ...WEEKLY, endDate: '2026-06-30' };
  it.each<[string, object, string[]]>([
    ['a word for how often', { ...JUNE, repeatFrequency: 'Weekly' }, ['06-03', '06-10', '06-17', '06-24']],
    ['an address for how often', { ...JUNE, repeatFrequency: 'https://schema.org/Weekly' }, ['06-03', '06-10', '06-17', '06-24']],
    ['a recurring duration', { ...JUNE, repeatFrequency: 'R/P1W' }, ['06-03', '06-10', '06-17', '06-24']],
    ['weeks told as days', { ...JUNE, repeatFrequency: 'P14D' }, ['06-03', '06-17']],
    ['every second week', { ...JUNE, repeatFrequency: 'P2W' }, ['06-03', '06-17']],
    [
      'days alone',
      { ...JUNE, repeatFrequency: undefined, byDay: ['Wed', 'Fridays'] },
      ['06-03', '06-05', '06-10', '06-12', '06-17', '06-19', '06-24', '06-26'],
    ],
    [
      'several days in one text',
      { ...JUNE, byDay: 'MO, https://schema.org/Wednesday', endDate: '2026-06-10' },
      ['06-03', '06-08', '06-10'],
    ],
    [
      'days as objects',
      { ...JUNE, byDay: [{ '@id': 'schema:Monday' }, { name: 'Tuesday' }], endDate: '2026-06-10' },
      ['06-08', '06-09'],
    ],
    ['the weekday of its start', { ...JUNE, byDay: undefined }, ['06-03', '06-10', '06-17', '06-24']],
    ['every day', { ...JUNE, repeatFrequency: 'Daily', byDay: undefined, endDate: '2026-06-05' }, ['06-03', '06-04', '06-05']],
    [
      'working days',
      { ...JUNE, repeatFrequency: 'P1D', byDay: ['MO', 'TU', 'WE', 'TH', 'FR'], endDate: '2026-06-09' },
      ['06-03', '06-04', '06-05', '06-08', '06-09'],
    ],
    ['a number of times', { ...WEEKLY, repeatCount: 2 }, ['06-03', '06-10']],
    ['a number of times as a text', { ...WEEKLY, repeatCount: '3', byDay: ['WE', 'TH'] }, ['06-03', '06-04', '06-10']],
    ['a start that is none of its days', { ...JUNE, startDate: '2026-06-01' }, ['06-03', '06-10', '06-17', '06-24']],
    ['no start', { ...JUNE, startDate: undefined }, ['06-03', '06-10', '06-17', '06-24']],
    ['the first and third week', { ...JUNE, repeatFrequency: 'P1M', byMonthWeek: [1, 3] }, ['06-03', '06-17']],
    ['the last weekday of the month', { ...JUNE, repeatFrequency: 'Monthly', byDay: '-1WE' }, ['06-24']],
    ['weeks beside a weekly frequency', { ...JUNE, byMonthWeek: '2' }, ['06-10']],
    ['the week of its start', { ...JUNE, repeatFrequency: 'P1M', byDay: undefined, byMonthWeek: 2 }, ['06-10']],
    [
      'days of months',
      { ...WEEKLY, repeatFrequency: 'P1M', byDay: undefined, byMonthDay: [15, '1'], byMonth: ['6', 9] },
      ['06-15', '09-01', '09-15', '06-01', '06-15'],
    ],
    ['a day of the year', { ...WEEKLY, repeatFrequency: 'P1Y', byDay: undefined, byMonthDay: 5 }, ['06-05', '06-05']],
    [
      'every third month',
      { ...WEEKLY, repeatFrequency: 'P3M', byDay: undefined, endDate: '2026-12-31' },
      ['06-03', '09-03', '12-03'],
    ],
    ['an end with a time', { ...WEEKLY, endDate: '2026-06-17T18:00:00-04:00' }, ['06-03', '06-10']],
    ['an end at a midnight, which is a day', { ...WEEKLY, endDate: '2026-06-17T00:00:00' }, ['06-03', '06-10', '06-17']],
    ['days without it', { ...JUNE, exceptDate: ['2026-06-03', '2026-06-10T00:00:00', '2026-06-17T19:00:00-04:00'] }, ['06-24']],
    [
      'days without it in one text',
      { ...JUNE, exceptDate: '2026-06-03, 2026-06-10T23:00:00Z,2026-06-17T08:00:00' },
      ['06-17', '06-24'],
    ],
  ])('may have %s', (_, schedule, days) => {
    const page = withSchedule(schedule);
    expect(reasonsOf(page)).toEqual([]);
    expect(startsOf(page).map((start) => start?.slice('YYYY-'.length))).toEqual(days.map((day) => `${day}T19:00:00`));
  });

  it.each<[string, object, object]>([
    [
      'a start with a time',
      { startDate: '2026-06-03T19:00:00', startTime: undefined },
      { start: '2026-06-03T19:00:00', end: '2026-06-03T20:30:00' },
    ],
    ['a start in UTC', { startDate: '2026-06-03T23:00:00Z', startTime: undefined }, { start: '2026-06-03T19:00:00' }],
    [
      'times with seconds and offsets',
      { startTime: '19:00:00-04:00', endTime: '23:30Z' },
      { start: '2026-06-03T19:00:00', end: '2026-06-03T19:30:00' },
    ],
    [
      'times with a day, which does not count',
      { startTime: '2020-01-01T19:00:00', endTime: 'T22:00' },
      { start: '2026-06-03T19:00:00', end: '2026-06-03T22:00:00' },
    ],
    ['an end in the night', { endTime: '02:00' }, { end: '2026-06-04T02:00:00' }],
    ['an end at 24:00', { endTime: '24:00' }, { end: '2026-06-04T00:00:00' }],
    ['a duration', { endTime: undefined, duration: 'PT45M' }, { end: '2026-06-03T19:45:00' }],
    ['neither end nor duration', { endTime: undefined }, { end: null }],
    ['an end that cannot be read', { endTime: 'late' }, { end: null }],
    ['no time', { startTime: undefined, endTime: undefined }, { start: '2026-06-03', end: null, isAllDay: false }],
    ['another zone', { scheduleTimezone: 'Europe/Paris' }, { start: '2026-06-03T19:00:00', zone: 'Europe/Paris' }],
  ])('has %s', (_, said, wanted) => {
    expect(eventsOf(withSchedule({ ...WEEKLY, ...said, repeatCount: 1 }))).toMatchObject([wanted]);
  });

  it('without repetition is one event, whose id is that of the event', () => {
    const once = { '@type': 'Schedule', startDate: '2026-07-03', endDate: '2026-07-05', startTime: '10:00', endTime: '18:00' };
    expect(eventsOf(withSchedule(once))).toMatchObject([
      { externalId: 'https://harbour.example/tai-chi', seriesId: null, start: '2026-07-03T10:00:00', end: '2026-07-05T18:00:00' },
    ]);
    expect(eventsOf(withSchedule({ ...once, startTime: undefined, endTime: undefined }))).toMatchObject([
      { start: '2026-07-03', end: '2026-07-05', isAllDay: true },
    ]);
  });

  it('is one of several, by reference too, and a time that two give is one', () => {
    const page = readPage(
      {
        ...CLASS,
        eventSchedule: [{ '@id': '#a' }, { ...WEEKLY, byDay: ['WE', 'SA'], startTime: '19:00', endDate: '2026-06-10' }],
      },
      { ...WEEKLY, '@id': '#a', endDate: '2026-06-17' },
    );
    expect(startsOf(page)).toEqual(['2026-06-03T19:00:00', '2026-06-06T19:00:00', '2026-06-10T19:00:00', '2026-06-17T19:00:00']);
  });

  it('tells the times, where the event has a start as well', () => {
    const event = { ...CLASS, startDate: '2026-06-10T19:00:00-04:00', endDate: '2026-06-10T20:00:00-04:00' };
    const schedule = { repeatFrequency: 'P1W', repeatCount: 2 };
    expect(startsOf(readPage({ ...event, eventSchedule: schedule }))).toEqual(['2026-06-10T19:00:00', '2026-06-17T19:00:00']);
    const broken = readPage({ ...event, eventSchedule: 'every Wednesday' });
    expect(startsOf(broken)).toEqual(['2026-06-10T19:00:00-04:00']);
    expect(reasonsOf(broken)).toEqual(['eventSchedule: wanted a Schedule, got "every Wednesday"']);
  });

  it('gives way to parts with dates', () => {
    const subEvent = [
      { '@type': 'Event', startDate: '2026-06-05T10:00' },
      { '@type': 'Event', eventSchedule: { ...WEEKLY, repeatCount: 1 } },
    ];
    expect(startsOf(readPage({ ...CLASS, eventSchedule: WEEKLY, subEvent }))).toEqual([
      '2026-06-05T10:00:00',
      '2026-06-03T19:00:00',
    ]);
  });

  it('is left out where none of its times is in the window', () => {
    expect(withSchedule({ ...WEEKLY, startDate: '2020-01-01', endDate: '2020-12-31' }).listings).toMatchObject([
      { ok: 'dropped', index: 1 },
    ]);
  });

  it('lists 750 times at most, and says so', () => {
    const page = withSchedule({ startDate: '2026-06-03', repeatFrequency: 'PT1H', startTime: '00:30' });
    expect(eventsOf(page)).toHaveLength(750);
    expect(reasonsOf(page)).toEqual(['eventSchedule: the schedule gives more than 750 times; the first 750 are listed']);
  });

  it.each<[object, string]>([
    [{ byDay: 'PublicHolidays' }, 'byDay: wanted days of the week, got "PublicHolidays"'],
    [{ repeatFrequency: 'P1W2D' }, 'repeatFrequency: wanted how often it repeats, got "P1W2D"'],
    [{ repeatFrequency: 'biweekly' }, 'repeatFrequency: wanted how often it repeats, got "biweekly"'],
    [{ repeatFrequency: 'P0D' }, 'repeatFrequency: wanted how often it repeats, got "P0D"'],
    [{ repeatFrequency: 'P1M' }, 'byMonthWeek: wanted which week of the month, got nothing'],
    [{ byMonthWeek: 6 }, 'byMonthWeek: wanted weeks from 1 to 5, got "6"'],
    [{ byMonth: 13 }, 'BYMONTH wants a whole number from 1 to 12, got "13"'],
    [{ byMonthDay: 3 }, 'BYMONTHDAY is not for weekly rules'],
    [{ repeatCount: 'some' }, 'repeatCount: wanted a number from 1, got "some"'],
    [{ startTime: '7 pm' }, 'startTime: wanted an ISO 8601 time, got "7 pm"'],
    [{ startDate: 'June' }, 'startDate: wanted an ISO 8601 date, got "June"'],
    [{ startDate: undefined, repeatFrequency: 'P2W' }, 'startDate: wanted a date, got nothing'],
    [{ endDate: 'autumn' }, 'endDate: wanted an ISO 8601 date, got "autumn"'],
    [{ exceptDate: ['2026-06-10', 'July 4'] }, 'exceptDate: wanted ISO 8601 dates, got "July 4"'],
    [{ scheduleTimezone: 'Eastern' }, 'scheduleTimezone: wanted the name of a time zone, got "Eastern"'],
  ])('with %j is refused', (said, reason) => {
    const page = withSchedule({ ...WEEKLY, ...said });
    expect(eventsOf(page)).toEqual([]);
    expect(reasonsOf(page)).toEqual([`eventSchedule: ${reason}`]);
  });

  it('takes little time, however many there are', () => {
    const events = (count: number, schedule: object) =>
      Array.from({ length: count }, (_, at) => ({ ...CLASS, url: `/${at}`, eventSchedule: { ...WEEKLY, ...schedule } }));
    for (const [count, schedule] of [
      [40, {}],
      [40, { startDate: '1970-01-01' }],
      [8, { startDate: '1970-01-01', repeatCount: 5_000 }],
      [8, { repeatFrequency: 'PT1H', byDay: undefined }],
    ] as const)
      expect(cpuMsOf(() => void readPage(events(count, schedule)))).toBeLessThan(2_000);
  });
});
