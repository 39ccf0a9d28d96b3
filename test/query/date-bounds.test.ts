import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readDateBound, readUuid } from '../../src/query/parameter-kinds.ts';
import { createCityTime } from '../../src/values/city-time.ts';

const city = createCityTime('America/New_York');
const read = (text: string, edge: 'start' | 'end' = 'start') => readDateBound(text, edge, city);
const iso = (text: string, edge: 'start' | 'end' = 'start') => {
  const bound = read(text, edge);
  return bound.ok ? new Date(bound.at).toISOString() : bound.code;
};

test.each([
  ['2026-03-08T02:30', '2026-03-08T07:00:00.000Z', 'a time the clocks jump over is the instant after the gap'],
  ['2026-11-01T01:30', '2026-11-01T05:30:00.000Z', 'a time that comes twice is the earlier one'],
  ['2026-03-08', '2026-03-08T05:00:00.000Z', 'a day of 23 hours begins'],
  ['2026-11-20T19:30:00-06:00', '2026-11-21T01:30:00.000Z', 'an offset wins over the city'],
  ['2026-11-20T19:30-00:00', '2026-11-20T19:30:00.000Z', 'an unknown offset is UTC'],
  ['2026-11-20T19:30:00.123456789Z', '2026-11-20T19:30:00.123Z', 'fractions are cut to milliseconds'],
  ['2024-02-29', '2024-02-29T05:00:00.000Z', 'a leap day exists'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z', 'the first year can be named'],
  ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z', 'the last year can be named'],
])('%s → %s: %s', (text, expected) => {
  expect(iso(text)).toBe(expected);
});

test('a day of 25 hours ends with its last millisecond', () => {
  expect(iso('2026-11-01', 'end')).toBe('2026-11-02T04:59:59.999Z');
  expect(iso('2026-03-08', 'end')).toBe('2026-03-09T03:59:59.999Z');
});

test.each([
  '2026-02-30',
  '2026-02-29',
  '2026-13-01',
  '2026-00-10',
  '2026-04-31',
  '0000-01-01',
  '2026-06-01T24:00:00',
  '2026-06-01T23:59:60',
  '2016-12-31T23:59:60Z',
  '2026-06-01T12:60',
  '2026-06-01T10:00+24:00',
  '2026-06-01T10:00+01:60',
])('%s names no day or time', (text) => {
  expect(read(text)).toEqual({ ok: false, code: 'impossible_date' });
});

test.each([
  '',
  '2026',
  '2026-06',
  '20260601',
  '2026-W23-1',
  '2026-152',
  '1780000000',
  '+275760-09-13',
  '-0001-01-01',
  '26-06-01',
  '2026-6-1',
  '2026-06-01 10:00',
  '2026-06-01T10',
  '2026-06-01T10:00:00+0100',
  '2026-06-01T10:00:00+01',
  '2026-06-01T10:00Z[UTC]',
  '2026-06-01T10:00:00,5',
  '2026-06-01T10:00:00.',
  '2026-06-01Z',
  ' 2026-06-01',
  '2026-06-01 ',
  'today',
  '06/01/2026',
  '２０２６-06-01',
  '2026-06-01T10:00:00−04:00',
  `2026-06-01T10:00:00.${'1'.repeat(60)}Z`,
])('"%s" is no date of ours', (text) => {
  expect(read(text)).toEqual({ ok: false, code: 'not_a_date' });
});

test('agrees with the platform on every instant, whatever the offset', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('1900-01-01T00:00:00Z'), max: new Date('2199-12-31T00:00:00Z'), noInvalidDate: true }),
      fc.integer({ min: -14 * 60, max: 14 * 60 }),
      (date, minutes) => {
        const local = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, -1);
        const two = (n: number) => String(Math.trunc(Math.abs(n))).padStart(2, '0');
        const text = `${local}${minutes < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
        expect(read(text)).toEqual({ ok: true, at: date.getTime() });
        expect(read(text.replace('+', ' '))).toEqual({ ok: true, at: date.getTime() });
      },
    ),
  );
});

test('no string makes it throw, and what it takes is a date', () => {
  const pieces = fc.constantFrom('2026', '-', '06', '31', 'T', ':', '24', '00', 'Z', '+', ' ', '.', '9', 't', '02', '30');
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(pieces, { maxLength: 16 }).map((parts) => parts.join('')),
      ),
      (text) => {
        const bound = read(text);
        if (bound.ok) expect(Number.isSafeInteger(bound.at)).toBe(true);
      },
    ),
    { numRuns: 2_000 },
  );
});

/** Where we differ from RFC 3339 on purpose (docs/api.md, "Dates"): what is valid there and refused here. */
const DIFFERENCES: { rule: string; applies: (text: string) => boolean }[] = [
  { rule: 'leap seconds are refused', applies: (text) => /:60(\.\d+)?([Zz]|[+-])/.test(text) },
];
const FORMATS = new URL('../../../shared/data/conformance/json-schema-formats/', import.meta.url);
interface Suite {
  tests: { description: string; data: unknown; valid: boolean }[];
}

describe.skipIf(!existsSync(FORMATS))('the cases of the JSON Schema suite', () => {
  const cases = (file: string) => {
    if (!existsSync(FORMATS)) return [];
    const suites = JSON.parse(readFileSync(new URL(file, FORMATS), 'utf8')) as Suite[];
    return suites
      .flatMap(({ tests }) => tests)
      .filter((entry): entry is typeof entry & { data: string } => typeof entry.data === 'string');
  };
  const rfc3339 = (text: string) => /[zZ]$|[+-]\d\d:\d\d$/.test(text) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/i.test(text);

  test.each(cases('date.json'))('date: $description ($data)', ({ data, valid }) => {
    // A date parameter takes a date-time too; of dates alone it takes exactly the valid ones.
    expect(read(data).ok && !/[Tt]/.test(data)).toBe(valid);
  });
  test.each(cases('date-time.json'))('date-time: $description ($data)', ({ data, valid }) => {
    const taken = read(data).ok && rfc3339(data);
    expect(taken).toBe(valid && !DIFFERENCES.some(({ applies }) => applies(data)));
  });
  test.each(cases('uuid.json'))('uuid: $description ($data)', ({ data, valid }) => {
    expect(readUuid(data) !== null).toBe(valid);
  });
});
