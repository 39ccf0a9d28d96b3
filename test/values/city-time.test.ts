import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCityTime } from '../../src/values/city-time.ts';

const ZONES = [
  'America/New_York',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Pacific/Chatham',
  'UTC',
];
const instants = fc
  .integer({ min: Date.parse('1971-01-01'), max: Date.parse('2199-12-31') })
  .map((at) => Math.floor(at / 1000) * 1000);

describe('city time', () => {
  it('prints as the runtime’s calendar does, in every zone', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), fc.array(instants, { minLength: 1, maxLength: 5 }), (zone, moments) => {
        const time = createCityTime(zone);
        for (const at of moments) {
          const zoned = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
          expect(time.format(at)).toBe(zoned.toString({ timeZoneName: 'never', smallestUnit: 'second' }));
          expect(time.day(at)).toBe(zoned.toPlainDate().toString());
        }
      }),
    );
  });

  it('prints nothing that it does not read back as the same instant', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), instants, (zone, at) => {
        const time = createCityTime(zone);
        expect(Date.parse(time.format(at))).toBe(at);
        const local = time.resolve(time.format(at).slice(0, 19));
        // A repeated hour is read as the earlier of the two instants.
        expect(local <= at && at - local <= 3_600_000).toBe(true);
      }),
    );
  });

  it('reads a missing hour with the offset before the gap, a repeated one as the earlier', () => {
    const time = createCityTime('America/New_York');
    expect(new Date(time.resolve('2026-03-08T02:30')).toISOString()).toBe('2026-03-08T07:30:00.000Z');
    expect(new Date(time.resolveBound('2026-03-08T02:30')).toISOString()).toBe('2026-03-08T07:00:00.000Z');
    expect(new Date(time.resolve('2026-11-01T01:30')).toISOString()).toBe('2026-11-01T05:30:00.000Z');
    expect(() => time.resolve('2026-02-30T10:00')).toThrow(RangeError);
  });

  it.each([
    ['America/New_York', '2027-03-14T02:30', '2027-03-14T03:30:00-04:00'],
    ['America/New_York', '2027-03-14T02:00', '2027-03-14T03:00:00-04:00'],
    ['Europe/Lisbon', '2027-03-28T01:15', '2027-03-28T02:15:00+01:00'],
    ['Australia/Lord_Howe', '2026-10-04T02:10', '2026-10-04T02:40:00+11:00'],
    ['Africa/Cairo', '2026-04-24T00:30', '2026-04-24T01:30:00+03:00'],
    ['Pacific/Apia', '2011-12-30T19:30', '2011-12-31T19:30:00+14:00'],
    ['Pacific/Kwajalein', '1993-08-21T08:00', '1993-08-22T08:00:00+12:00'],
  ])('moves %s %s, which its clocks skip, to %s', (zone, local, moved) => {
    const time = createCityTime(zone);
    expect(time.format(time.resolve(local))).toBe(moved);
  });

  it('moves a missing hour on by the length of the gap, in every zone', () => {
    const years = fc.integer({ min: 1971, max: 2037 });
    fc.assert(
      fc.property(
        fc.constantFrom(...Intl.supportedValuesOf('timeZone')),
        years,
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (zone, year, at) => {
          const time = createCityTime(zone);
          const gap = firstGap(zone, year);
          if (!gap) return;
          const into = Math.floor((at * gap.length) / 1_000) * 1_000;
          const skipped = new Date(gap.wall + into).toISOString().slice(0, 19);
          expect(time.resolve(skipped)).toBe(gap.instant + into);
          expect(time.resolveBound(skipped)).toBe(gap.instant);
          expect(wallOf(time.format(time.resolve(skipped)))).toBe(gap.wall + into + gap.length);
        },
      ),
    );
  });

  it('knows days of 23, 24 and 25 hours', () => {
    const time = createCityTime('America/New_York');
    const hours = (day: string) => (time.dayBounds(day).last + 1 - time.dayBounds(day).first) / 3_600_000;
    expect(['2026-03-08', '2026-06-16', '2026-11-01'].map(hours)).toEqual([23, 24, 25]);
    expect(() => time.dayBounds('2026-02-30')).toThrow(RangeError);
    expect(() => createCityTime('Mars/Base')).toThrow(RangeError);
  });
});

/** The first of the year at which clocks go forward: the wall time that is skipped first, when, and how many milliseconds. */
function firstGap(zone: string, year: number): { wall: number; instant: number; length: number } | null {
  let at: Temporal.ZonedDateTime | null = Temporal.ZonedDateTime.from(`${year}-01-01T00:00:00[${zone}]`);
  for (at = at.getTimeZoneTransition('next'); at && at.year === year; at = at.getTimeZoneTransition('next')) {
    const [before, after] = [at.subtract({ nanoseconds: 1 }).offsetNanoseconds, at.offsetNanoseconds].map((ns) => ns / 1e6);
    const [from = 0, to = 0] = [before, after];
    if (to > from) return { wall: at.epochMilliseconds + from, instant: at.epochMilliseconds, length: to - from };
  }
  return null;
}

function wallOf(formatted: string): number {
  return Date.parse(`${formatted.slice(0, 19)}Z`);
}
