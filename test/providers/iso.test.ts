import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readIso } from '../../src/providers/fields/dates.ts';
import { readIsoMoment } from '../../src/providers/fields/iso.ts';
import { cpuMsOf } from '../support/processes/cpu-time.ts';

const two = (value: number) => String(value).padStart(2, '0');
const DATES = fc
  .tuple(fc.integer({ min: 1900, max: 2200 }), fc.integer({ min: 0, max: 13 }), fc.integer({ min: 0, max: 32 }), fc.boolean())
  .map(([year, month, date, isLong]) => [year, two(month), two(date)].join(isLong ? '-' : ''));
const CLOCKS = fc
  .tuple(
    fc.integer({ min: 0, max: 23 }),
    fc.integer({ min: 0, max: 60 }),
    fc.integer({ min: 0, max: 61 }),
    fc.integer({ min: 1, max: 3 }),
    fc.boolean(),
    fc.constantFrom('', '', '.0', ',5', '.123456789', '.1234567891'),
  )
  .map(([hours, minutes, seconds, parts, isLong, fraction]) => {
    const clock = [hours, minutes, seconds]
      .slice(0, parts)
      .map(two)
      .join(isLong ? ':' : '');
    return parts === 3 ? clock + fraction : clock;
  });
const OFFSETS = fc.constantFrom(
  ...['', '', 'Z', 'z', '+02', '-0400', '-04:00', '+05:30', '+00:00', '-23:59', '+24:00', '+02:60', '+01:02:03', '-010203', '+1'],
);
const TAGS = fc.constantFrom(
  ...['', '', '[America/New_York]', '[!europe/berlin]', '[+02:00]', '[u-ca=iso8601]', '[!u-ca=gregory]', '[Asia/Tokyo][x-y=abc]'],
  ...['[!x-y=abc]', '[Nowhere/City]', '[u-ca=iso8601][Asia/Tokyo]', '[', '[]', '[UTC]x'],
);
const SEPARATORS = fc.constantFrom('T', 't', ' ', '/', '');

/** What Temporal makes of a date-time: an instant where it has an offset or a zone, else what the clock shows. */
function readByTemporal(text: string): string | null {
  try {
    if (/\d\[Nowhere/.test(text) && !/[+-]\d[\d:]*\[/.test(text.slice('YYYY-MM-DD'.length))) return null;
    // Of a zone that nobody knows the offset is left.
    if (/\[(?!Nowhere|!?\w+(?:-\w+)?=)/.test(text)) return Temporal.ZonedDateTime.from(text).toInstant().toString();
    if (/(?:z|[+-]\d+(?::\d+)*)(?:\[.*)?$/i.test(text)) return Temporal.Instant.from(text).toString();
    return Temporal.PlainDateTime.from(text, { overflow: 'reject' }).withCalendar('iso8601').toString();
  } catch {
    return null;
  }
}

describe('ISO 8601 and RFC 9557', () => {
  it('are read as Temporal reads them', () => {
    fc.assert(
      fc.property(DATES, SEPARATORS, CLOCKS, OFFSETS, TAGS, (date, separator, clock, offset, tags) => {
        const text = `${date}${separator}${clock}${offset}${tags}`;
        const moment = readIsoMoment(text);
        const wanted = readByTemporal(text);
        // More than nine digits of a second are cut, which Temporal refuses.
        if (/[.,]\d{10}/.test(text)) return;
        const read = moment && readIso(text);
        if (read === null) expect([text, wanted]).toEqual([text, null]);
        else if (moment?.offset) expect([text, Temporal.Instant.from(read).toString()]).toEqual([text, wanted]);
        else expect([text, Temporal.PlainDateTime.from(read).toString()]).toEqual([text, wanted]);
      }),
      { numRuns: 5_000 },
    );
  });

  it('have every day of every year by its week and by its number', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 400 * 366 }), fc.boolean(), (days, isLong) => {
        const day = Temporal.PlainDate.from('1900-01-01').add({ days });
        const mark = isLong ? '-' : '';
        const week = `${day.yearOfWeek}${mark}W${two(day.weekOfYear ?? 0)}${mark}${day.dayOfWeek}`;
        const ordinal = `${day.year}${mark}${String(day.dayOfYear).padStart(3, '0')}`;
        expect([readIso(week), readIso(ordinal)]).toEqual([day.toString(), day.toString()]);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each<[string, string | null]>([
    // Forms that Temporal does not know.
    ['2026-06-20T24:00', '2026-06-21T00:00:00'],
    ['20261231T2400-0400', '2027-01-01T00:00:00-04:00'],
    ['2026-06-20T24', '2026-06-21T00:00:00'],
    ['2026-06-20T24:00:00.000Z', '2026-06-21T00:00:00Z'],
    ['2026-06-20T24:01', null],
    ['9999-12-31T24:00', null],
    ['2026-06-20T20.5', '2026-06-20T20:30:00'],
    ['2026-06-20T20,75-04:00', '2026-06-20T20:45:00-04:00'],
    ['2026-06-20T20:30,5', '2026-06-20T20:30:30'],
    ['20260620T2030.25Z', '2026-06-20T20:30:15Z'],
    ['2026-06-20T20.999999999', '2026-06-20T20:59:59.999'],
    ['2026-06-20T20.30', null],
    ['2026-W25-6', '2026-06-20'],
    ['2026W256T20', '2026-06-20T20:00:00'],
    ['2026-w25-6t20:00z', '2026-06-20T20:00:00Z'],
    ['2026-W53-7', '2027-01-03'],
    ['2025-W53-1', null],
    ['2026-W00-1', null],
    ['2026-W25-8', null],
    ['2026-171', '2026-06-20'],
    ['2026171T2000', '2026-06-20T20:00:00'],
    ['2024-366', '2024-12-31'],
    ['2026-366', null],
    ['2026-000', null],
    ['2026-06-20T20:00:60', '2026-06-20T20:00:59'],
    ['2026-06-20T20:00\u221204:00', '2026-06-20T20:00:00-04:00'],
    ['2026\u201106\u201120', '2026-06-20'],
    // A dash parts two times.
    ['2026-06-20T20:00\u201304:00', null],
    ['2026-06-20 20:00:00 UTC', '2026-06-20T20:00:00Z'],
    ['2026-06-20\u00a020:00', '2026-06-20T20:00:00'],
    ['2026-06-20 T20:00', '2026-06-20T20:00:00'],
    ['1883-11-18T12:00:00-04:56:02', '1883-11-18T16:56:02Z'],
    ['2026-06-20T20:00:00.1234567891Z', '2026-06-20T20:00:00.123456789Z'],
    // Not enough, too much or broken.
    ['2026', null],
    ['2026-06', null],
    ['2026-W25', null],
    ['20:00', null],
    ['+002026-06-20', null],
    ['-002026-06-20', null],
    ['2026-6-20', null],
    ['2026-06-20T8:00', null],
    ['2026-06-27T8:00 PM', null],
    ['2026-06-27T08:00 PM', null],
    ['2022-01-09T17:00:0009:00', null],
    ['2026-06-20T', null],
    ['2026-06-20T20:', null],
    ['2026-06-20T20:00+', null],
    ['2026-06-20T20:00-04:', null],
    ['2026-06-20T20:00/22:00', null],
    ['2026-06-2020:00', null],
    ['202606202000', null],
    ['1781985600', null],
    ['', null],
  ])('%j is %j', (text, wanted) => {
    expect(readIso(text)).toBe(wanted);
  });

  it.each<[string, string | null, string | null]>([
    ['2026-06-22T20:00[America/New_York]', '2026-06-22T20:00:00-04:00', 'America/New_York'],
    ['2026-06-22T20:00-04:00[!America/New_York]', '2026-06-22T20:00:00-04:00', 'America/New_York'],
    ['2026-06-22T20:00Z[Europe/Paris]', '2026-06-22T20:00:00Z', 'Europe/Paris'],
    ['2026-06-22T20:00-00:00[Europe/Paris]', '2026-06-22T20:00:00-00:00', 'Europe/Paris'],
    ['2026-06-22[Europe/Paris]', '2026-06-22', 'Europe/Paris'],
    ['2026-06-22T20:00[+02:00]', '2026-06-22T20:00:00+02:00', null],
    ['2026-06-22T20:00+02:00[u-ca=hebrew]', '2026-06-22T20:00:00+02:00', null],
    ['2026-06-22T20:00:00.500[Europe/Paris][u-ca=iso8601]', '2026-06-22T20:00:00.500+02:00', 'Europe/Paris'],
    ['2027-03-14T02:30[America/New_York]', '2027-03-14T03:30:00-04:00', 'America/New_York'],
    // An offset that the zone does not have then: nobody knows which of the two is meant.
    ['2026-06-22T20:00-05:00[America/New_York]', null, null],
    ['2026-06-22T20:00+00:00[Europe/Paris]', null, null],
    // A zone that nobody knows.
    ['2026-06-22T20:00-04:00[Nowhere/City]', '2026-06-22T20:00:00-04:00', null],
    ['2026-06-22T20:00-04:00[!Nowhere/City]', null, null],
    ['2026-06-22T20:00[Nowhere/City]', null, null],
    ['2026-06-22T20:00-04:00[!mood=good]', null, null],
    ['2026-06-22T20:00-04:00[mood=good]', '2026-06-22T20:00:00-04:00', null],
    ['2026-06-22T20:00 [Europe/Paris]', '2026-06-22T20:00:00+02:00', 'Europe/Paris'],
  ])('%j is %j in the zone %j', (text, wanted, zone) => {
    expect(readIso(text)).toBe(wanted);
    expect(readIsoMoment(text)?.zone ?? null).toBe(zone);
  });

  it('take no time, whatever the text', () => {
    for (const text of ['0', '[', '[]', ' ', '2026-06-20 ', '2026-06-20T20:00:00.0', '\u2011', 'T'])
      expect(cpuMsOf(() => readIso(`2026-06-20${text.repeat(200_000)}`))).toBeLessThan(500);
    fc.assert(fc.property(fc.string(), (text) => readIso(text) === null || typeof readIso(text) === 'string'));
  });
});
