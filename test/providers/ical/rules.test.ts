import { assert, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Expanded, expandRule } from '../../../src/providers/kinds/ical/expand-rule.ts';
import { readRule } from '../../../src/providers/kinds/ical/rule.ts';
import { allowedRule, ruleParts } from './any-rule.ts';
import { printRule, slowRecurrence } from './slow-recurrence.ts';

const LIMITS = { instances: 750, periods: 10_000, candidates: 100_000 };
const wallOf = (text: string) => Date.parse(`${text}Z`);

function expand(text: string, start: string, from: string, until: string): Expanded {
  const rule = readRule(text);
  if (typeof rule === 'string') return { ok: false, reason: rule };
  const last = rule.until === null ? null : wallOf(rule.until.replace(/^(....)(..)(..T..)(..)/, '$1-$2-$3:$4:'));
  return expandRule(rule, { wall: wallOf(start), isDate: false }, { from: wallOf(from), until: wallOf(until), last }, LIMITS);
}
const moments = (expanded: Expanded) =>
  expanded.ok ? expanded.walls.map((wall) => new Date(wall).toISOString().slice(0, 19)) : [expanded.reason];

describe('a recurrence rule', () => {
  it('gives what going through the days one by one gives, from any moment on', () => {
    const day = integer({ min: 0, max: 1_500 });
    assert(
      property(ruleParts, day, integer({ min: 0, max: 23 }), integer({ min: 0, max: 300 }), (said, days, hour, later) => {
        const start = Temporal.PlainDateTime.from('2023-01-01T00:15:00').add({ days, hours: hour });
        const rule = allowedRule(said, start);
        const from = start.add({ days: later });
        const [begin, end] = [from, from.add({ days: 300 })].map((each) => each.toString({ smallestUnit: 'second' })) as [
          string,
          string,
        ];
        const slow = slowRecurrence(rule, start.toString({ smallestUnit: 'second' }), end).filter((each) => each >= begin);
        expect(moments(expand(printRule(rule), start.toString({ smallestUnit: 'second' }), begin, end))).toEqual(slow);
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    ['FREQ=WEEKLY', '1970-01-05T19:00:00'],
    ['FREQ=DAILY;COUNT=1000000000', '1970-01-05T19:00:00'],
    ['FREQ=DAILY;COUNT=20990', '1970-01-05T19:00:00'],
    ['FREQ=HOURLY;INTERVAL=24', '1601-01-01T19:00:00'],
    ['FREQ=MONTHLY;BYDAY=1MO', '1601-01-01T19:00:00'],
    ['FREQ=MONTHLY', '1601-01-31T19:00:00'],
    ['FREQ=YEARLY;BYMONTH=7', '0001-07-01T19:00:00'],
  ])('that is old costs no more than a young one: %s', (rule, start) => {
    const expanded = expand(rule, start, '2026-06-15T00:00:00', '2027-07-20T00:00:00');
    expect(expanded).toMatchObject({ ok: true, isCut: false });
    expect(moments(expanded)[0]).toMatch(/^2026-(?:06|07)-.*T19:00:00$/);
  });

  it('gives at most so many moments, the earliest, and says that there are more', () => {
    const expanded = expand('FREQ=HOURLY', '2026-06-15T00:00:00', '2026-06-15T00:00:00', '2027-01-01T00:00:00');
    expect(expanded).toMatchObject({ ok: true, isCut: true });
    expect(moments(expanded)).toHaveLength(750);
    expect(moments(expanded).at(-1)).toBe('2026-07-16T05:00:00');
  });

  it.each([
    ['FREQ=DAILY;INTERVAL=0', 'INTERVAL wants a whole number from 1 to 1000000, got "0"'],
    ['FREQ=DAILY;INTERVAL=-1', 'INTERVAL wants a whole number from 1 to 1000000, got "-1"'],
    ['FREQ=DAILY;INTERVAL=.007', 'INTERVAL wants a whole number from 1 to 1000000, got ".007"'],
    ['FREQ=DAILY;COUNT=0', 'COUNT wants a whole number from 1 to 9999999999, got "0"'],
    ['FREQ=DAILY;COUNT=1e9', 'COUNT wants a whole number from 1 to 9999999999, got "1E9"'],
    ['FREQ=SOMETIMES', 'the rule has no frequency that is known, but "SOMETIMES"'],
    ['COUNT=3', 'the rule has no frequency that is known, but nothing'],
    ['FREQ=DAILY;COUNT=3;COUNT=4', 'the rule has COUNT twice'],
    ['FREQ=DAILY;UNTIL=soon', 'UNTIL is not a date: "SOON"'],
    ['FREQ=DAILY;BYHOUR=24', 'BYHOUR wants a whole number from 0 to 23, got "24"'],
    ['FREQ=MONTHLY;BYMONTHDAY=0', 'BYMONTHDAY wants a whole number from -31 to 31, got "0"'],
    ['FREQ=MONTHLY;BYMONTHDAY=,', 'BYMONTHDAY wants a whole number from -31 to 31, got ""'],
    ['FREQ=WEEKLY;BYDAY=XX', '"XX" is not a day of the week'],
    ['FREQ=WEEKLY;BYDAY=1MO', 'a numbered BYDAY is for monthly and yearly rules only'],
    ['FREQ=WEEKLY;BYMONTHDAY=1', 'BYMONTHDAY is not for weekly rules'],
    ['FREQ=MONTHLY;BYWEEKNO=1', 'BYWEEKNO is for yearly rules only'],
    ['FREQ=DAILY;BYYEARDAY=1', 'BYYEARDAY is not for daily, weekly and monthly rules'],
    ['FREQ=YEARLY;BYWEEKNO=1;BYDAY=1MO', 'a numbered BYDAY cannot be combined with BYWEEKNO'],
    ['FREQ=DAILY;BYSETPOS=1', 'BYSETPOS needs another BY part'],
    ['FREQ=YEARLY;RSCALE=HEBREW', 'the rule is of another calendar (RFC 7529), which is not followed'],
    [`FREQ=DAILY;X=${'x'.repeat(4_096)}`, 'the rule is longer than 4096 characters'],
    [
      `FREQ=MONTHLY;BYHOUR=${upTo(23)};BYMINUTE=${upTo(59)};BYSECOND=${upTo(59)}`,
      'the rule gives more than 100000 moments in one period',
    ],
    ['FREQ=SECONDLY', 'the rule takes more than 10000 periods to follow'],
    ['FREQ=MINUTELY;INTERVAL=2;BYMINUTE=1', 'the rule takes more than 10000 periods to follow'],
  ])('is refused with a reason: %s', (rule, reason) => {
    expect(moments(expand(rule, '2026-06-15T00:00:00', '2026-06-15T00:00:00', '2027-07-20T00:00:00'))).toEqual([reason]);
  });

  it('is read as programs write it: small letters, empty parts, repeats, COUNT=-1, second 60', () => {
    const expanded = expand(
      'freq=weekly;;count=-1;byday=tu,tu;BYSECOND=60;',
      '2026-06-16T19:00:59',
      '2026-06-15T00:00:00',
      '2026-06-30T00:00:00',
    );
    expect(moments(expanded)).toEqual(['2026-06-16T19:00:59', '2026-06-23T19:00:59']);
  });

  it.each([
    'FREQ=DAILY;UNTIL=2026-06-17T19:00:00',
    'FREQ=DAILY;UNTIL=20260617T1900',
    'FREQ=DAILY;COUNT=2;UNTIL=;BYDAY=',
    'RRULE:FREQ=DAILY;COUNT=2',
  ])('is read with the signs of other standards, without a value, and with its name: %s', (rule) => {
    const expanded = expand(rule, '2026-06-16T19:00:00', '2026-06-15T00:00:00', '2026-06-30T00:00:00');
    expect(moments(expanded)).toEqual(['2026-06-16T19:00:00', '2026-06-17T19:00:00']);
  });

  it('meets leap days only in the years that have them', () => {
    const expanded = expand('FREQ=YEARLY', '2024-02-29T12:00:00', '2024-01-01T00:00:00', '2034-01-01T00:00:00');
    expect(moments(expanded)).toEqual(['2024-02-29T12:00:00', '2028-02-29T12:00:00', '2032-02-29T12:00:00']);
  });
});

function upTo(most: number): string {
  return Array.from({ length: most + 1 }, (_, at) => at).join(',');
}
