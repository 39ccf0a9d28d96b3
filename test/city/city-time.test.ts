import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCityTime } from '../../src/city/index.ts';

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

  it('reads a missing hour as the instant after the gap, a repeated one as the earlier', () => {
    const time = createCityTime('America/New_York');
    expect(new Date(time.resolve('2026-03-08T02:30')).toISOString()).toBe('2026-03-08T07:00:00.000Z');
    expect(new Date(time.resolve('2026-11-01T01:30')).toISOString()).toBe('2026-11-01T05:30:00.000Z');
    expect(() => time.resolve('2026-02-30T10:00')).toThrow(RangeError);
  });

  it('knows days of 23, 24 and 25 hours', () => {
    const time = createCityTime('America/New_York');
    const hours = (day: string) => (time.dayBounds(day).last + 1 - time.dayBounds(day).first) / 3_600_000;
    expect(['2026-03-08', '2026-06-16', '2026-11-01'].map(hours)).toEqual([23, 24, 25]);
    expect(() => time.dayBounds('2026-02-30')).toThrow(RangeError);
    expect(() => createCityTime('Mars/Base')).toThrow(RangeError);
  });
});
