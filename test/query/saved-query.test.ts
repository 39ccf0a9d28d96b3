import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../src/api/index.ts';
import { readSavedQuery, SAVED_PARAMETERS } from '../../src/query/index.ts';

const NOW = Date.parse('2026-06-16T20:00:00Z');
const read = (text: string) => readSavedQuery(text, { timezone: 'America/New_York', now: NOW });
const saved = (text: string): string => {
  const reading = read(text);
  if (!reading.ok) throw new Error(reading.errors.map(({ detail }) => detail).join());
  return reading.query;
};
const faults = (text: string) => {
  const reading = read(text);
  return reading.ok ? [] : reading.errors.map(({ name, code }) => `${name} ${code}`);
};

describe('a query that is saved', () => {
  it('has every filter of /events and the order, and nothing of one page', () => {
    const all = Object.keys(ROUTES.find(({ path }) => path === '/events')?.parameters ?? {});
    expect(all.filter((name) => !SAVED_PARAMETERS.includes(name)).sort()).toEqual(
      expect.arrayContaining(['facets', 'fields', 'include', 'limit', 'offset']),
    );
    expect(SAVED_PARAMETERS).toEqual(
      expect.arrayContaining(['q', 'category', 'when', 'tags', 'price_max', 'bbox', 'status', 'sort']),
    );
  });

  it.each([
    ['', ''],
    ['sort=score&free=false&category=&ongoing=0', ''],
    ['free', 'free=true'],
    ['sort=start&category=concert,theater', 'category=concert%2Ctheater&sort=start'],
    ['q=%20cafe%CC%81%20', 'q=caf%C3%A9'],
    ['start_date=2026-07-01&end_date=2026-07-02', 'start_date=2026-07-01&end_date=2026-07-02'],
    ['start_date=2026-07-01T20:00:00+02:00', 'start_date=2026-07-01T20%3A00%3A00+02%3A00'],
    ['near=40.7,-74&radius=500&sort=distance', 'near=40.7%2C-74&radius=500&sort=distance'],
    ['when=tonight', 'when=tonight'],
    ['venue_id=A0000000-0000-7000-8000-000000000001', 'venue_id=a0000000-0000-7000-8000-000000000001'],
  ])('%s becomes %j', (text, query) => {
    expect(saved(text)).toBe(query);
    expect(saved(query)).toBe(query);
  });

  it.each([
    ['category=opera', ['category unknown_value']],
    ['limit=5', ['limit unknown_parameter']],
    ['categry=concert', ['categry unknown_parameter']],
    ['radius=5', ['radius needs_near']],
    ['sort=distance', ['sort needs_near']],
    ['when=now&start_date=2026-07-01', ['when conflicting']],
    ['q=a&q=b', ['q repeated']],
    ['q=%zz', ['q not_decodable']],
    ['q=a%00b&price_max=x', ['q control_character', 'price_max not_a_number']],
    ['start_date=2026-07-02&end_date=2026-07-01', ['end_date before_start']],
  ])('%s is refused as by the list', (text, wanted) => {
    expect(faults(text)).toEqual(wanted);
  });

  it('stays as it is when it is saved again, whatever text it holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.string({ unit: 'grapheme', maxLength: 40 }), (q, tags) => {
        const reading = read(new URLSearchParams({ q: q.toWellFormed(), tags, sort: 'start' }).toString());
        if (reading.ok) expect(saved(reading.query)).toBe(reading.query);
      }),
    );
  });
});
