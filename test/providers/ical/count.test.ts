import { assert, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowedRule, ruleParts } from './any-rule.ts';
import { calendar, read, times } from './calendar.ts';
import { printRule, slowSeries } from './slow-recurrence.ts';

const FROM = '2026-06-01T00:00:00';
const UNTIL = '2028-06-01T00:00:00';
const WINDOW = { from: Date.parse(`${FROM}Z`), until: Date.parse(`${UNTIL}Z`) };

/** Starts of a series in UTC. */
function given(start: string, ...lines: string[]): string[] {
  const dtstart = `DTSTART:${start.replace(/[-:]/g, '')}Z`;
  return times(read(calendar([dtstart, ...lines]), { window: WINDOW })).map((text) => text.slice(0, 19));
}

/** `2026-07-01T19:00` where the hour is that of the start. */
const at = (start: string, ...moments: string[]) =>
  moments.map((moment) => (moment.length === 10 ? `${moment}${start.slice(10)}` : moment.padEnd(19, ':00')));

describe('COUNT', () => {
  // 2026-07-01 is a Wednesday.
  it.each([
    ['FREQ=WEEKLY;BYDAY=TH;COUNT=1', '2026-07-01T19:00:00', ['2026-07-01']],
    ['FREQ=WEEKLY;BYDAY=TH;COUNT=3', '2026-07-01T19:00:00', ['2026-07-01', '2026-07-02', '2026-07-09']],
    ['FREQ=WEEKLY;BYDAY=WE;COUNT=3', '2026-07-01T19:00:00', ['2026-07-01', '2026-07-08', '2026-07-15']],
    ['FREQ=WEEKLY;BYDAY=MO,WE;COUNT=3', '2026-07-01T19:00:00', ['2026-07-01', '2026-07-06', '2026-07-08']],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;COUNT=3', '2026-07-01T19:00:00', ['2026-07-01', '2026-07-14', '2026-07-28']],
    ['FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=SU;COUNT=3', '2026-07-01T19:00:00', ['2026-07-01', '2026-07-12', '2026-07-26']],
    ['FREQ=WEEKLY;INTERVAL=2;WKST=MO;BYDAY=SU;COUNT=3', '2026-07-01T19:00:00', ['2026-07-01', '2026-07-05', '2026-07-19']],
    ['FREQ=WEEKLY;BYMONTH=8;COUNT=2', '2026-07-01T19:00:00', ['2026-07-01', '2026-08-05']],
    ['FREQ=WEEKLY;BYDAY=MO,TU,FR;BYSETPOS=-1;COUNT=3', '2026-07-01T19:00:00', ['2026-07-01', '2026-07-03', '2026-07-10']],
    ['FREQ=DAILY;BYDAY=SA,SU;COUNT=3', '2026-07-01T19:00:00', ['2026-07-01', '2026-07-04', '2026-07-05']],
    ['FREQ=DAILY;BYMONTHDAY=1,15;COUNT=3', '2026-07-02T19:00:00', ['2026-07-02', '2026-07-15', '2026-08-01']],
    ['FREQ=DAILY;BYMONTH=9;INTERVAL=10;COUNT=3', '2026-07-01T19:00:00', ['2026-07-01', '2026-09-09', '2026-09-19']],
    ['FREQ=DAILY;BYHOUR=9,20;COUNT=3', '2026-07-01T19:00:00', ['2026-07-01', '2026-07-01T20:00', '2026-07-02T09:00']],
    ['FREQ=HOURLY;BYMINUTE=30;COUNT=3', '2026-07-01T19:00:00', ['2026-07-01', '2026-07-01T19:30', '2026-07-01T20:30']],
    ['FREQ=HOURLY;BYHOUR=9,17;COUNT=3', '2026-07-01T10:00:00', ['2026-07-01', '2026-07-01T17:00', '2026-07-02T09:00']],
    ['FREQ=MINUTELY;INTERVAL=15;BYHOUR=9;COUNT=3', '2026-07-01T08:50:00', ['2026-07-01', '2026-07-01T09:05', '2026-07-01T09:20']],
    ['FREQ=SECONDLY;BYSECOND=10;COUNT=2', '2026-07-01T19:00:00', ['2026-07-01', '2026-07-01T19:00:10']],
    ['FREQ=MONTHLY;BYMONTHDAY=15,-1;COUNT=3', '2026-07-01T19:00:00', ['2026-07-01', '2026-07-15', '2026-07-31']],
    ['FREQ=MONTHLY;BYDAY=2TH;COUNT=3', '2026-07-01T19:00:00', ['2026-07-01', '2026-07-09', '2026-08-13']],
    ['FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=2', '2026-07-01T19:00:00', ['2026-07-01', '2026-11-13']],
    ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=3', '2026-07-01T19:00:00', ['2026-07-01', '2026-07-31', '2026-08-31']],
    ['FREQ=MONTHLY;BYMONTH=1,9;COUNT=3', '2026-07-01T19:00:00', ['2026-07-01', '2026-09-01', '2027-01-01']],
    ['FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=31;COUNT=3', '2026-07-01T19:00:00', ['2026-07-01', '2026-07-31', '2027-01-31']],
    ['FREQ=MONTHLY;COUNT=3', '2026-07-31T19:00:00', ['2026-07-31', '2026-08-31', '2026-10-31']],
    ['FREQ=YEARLY;BYMONTH=8;COUNT=2', '2026-07-01T19:00:00', ['2026-07-01', '2026-08-01']],
    ['FREQ=YEARLY;BYMONTH=7;BYDAY=1SA;COUNT=2', '2026-07-01T19:00:00', ['2026-07-01', '2026-07-04']],
    ['FREQ=YEARLY;BYYEARDAY=200,300;COUNT=3', '2026-07-01T19:00:00', ['2026-07-01', '2026-07-19', '2026-10-27']],
    ['FREQ=YEARLY;BYWEEKNO=30;COUNT=2', '2026-07-01T19:00:00', ['2026-07-01', '2026-07-22']],
    ['FREQ=YEARLY;BYDAY=40TH;COUNT=2', '2026-07-01T19:00:00', ['2026-07-01', '2026-10-01']],
    ['FREQ=YEARLY;BYMONTHDAY=2;COUNT=2', '2026-07-01T19:00:00', ['2026-07-01', '2026-07-02']],
    ['FREQ=YEARLY;BYDAY=MO,TU;BYMONTH=11;BYSETPOS=2;COUNT=2', '2026-07-01T19:00:00', ['2026-07-01', '2026-11-03']],
  ])('counts DTSTART as the first, whether the rule gives it or not: %s', (rule, start, moments) => {
    expect(given(start, `RRULE:${rule}`)).toEqual(at(start, ...moments));
  });

  it('is of each rule alone, and before what EXDATE takes away and RDATE adds', () => {
    const start = '2026-07-01T19:00:00';
    const rule = 'RRULE:FREQ=WEEKLY;BYDAY=TH;COUNT=3';
    expect(given(start, rule, 'EXDATE:20260701T190000Z')).toEqual(at(start, '2026-07-02', '2026-07-09'));
    expect(given(start, rule, 'EXDATE:20260702T190000Z')).toEqual(at(start, '2026-07-01', '2026-07-09'));
    expect(given(start, rule, 'RDATE:20260704T190000Z')).toEqual(
      at(start, '2026-07-01', '2026-07-02', '2026-07-04', '2026-07-09'),
    );
    const daily = 'RRULE:FREQ=DAILY;COUNT=2';
    expect(given(start, rule, daily)).toEqual(at(start, '2026-07-01', '2026-07-02', '2026-07-09', '2026-07-16'));
    expect(given(start, 'RRULE:FREQ=WEEKLY;COUNT=3', 'EXRULE:FREQ=WEEKLY;BYDAY=TH;COUNT=1')).toHaveLength(3);
  });

  it('gives with DTSTART what going through the days one by one gives, in the calendar as a whole', () => {
    const day = integer({ min: 0, max: 300 });
    assert(
      property(ruleParts, day, integer({ min: 0, max: 23 }), (said, days, hour) => {
        const start = Temporal.PlainDateTime.from('2026-06-02T00:15:00').add({ days, hours: hour });
        const rule = allowedRule({ ...said, UNTIL: undefined }, start);
        const text = start.toString({ smallestUnit: 'second' });
        expect(given(text, `RRULE:${printRule(rule)}`)).toEqual(slowSeries(rule, text, UNTIL).slice(0, 750));
      }),
      { numRuns: 150 },
    );
  });
});
