import { describe, expect, it } from 'vitest';
import { measureHouse, shapesIn } from './measures.ts';

const measures = measureHouse();
/** They only fall. A change that must raise one says why beside the figure. */
const MOST: Readonly<Record<string, number>> = {
  'event-shaped blocks': 16,
  'venue-shaped blocks': 12,
  'refusal types': 1,
  'files that set Retry-After': 2,
  'small files for one neighbor': 47,
  'folders with fewer than 4 files': 6,
  'imports of three levels up': 54,
  // The rooms of addresses with a geocoder, of finding sources and of creating a city; the files of OpenStreetMap that two of them read.
  files: 1220,
  folders: 127,
};

describe('the measures of the house', () => {
  it('see the house', () => {
    expect(measures.files?.value).toBeGreaterThan(500);
    expect(measures['event-shaped blocks']?.value).toBeGreaterThan(2);
  });

  it.each(Object.entries(MOST))('%s are at most %i', (name, most) => {
    const { value, places } = measures[name] ?? { value: Number.NaN, places: [] };
    expect(value, places.slice(0, MAX_PLACES).join('\n')).toBeLessThanOrEqual(most);
  });

  it('are all limited', () => {
    expect(Object.keys(measures).sort()).toEqual(Object.keys(MOST).sort());
  });
});

describe('the search for shapes of records', () => {
  it('finds an object, an interface, a type and a list with five names of an event', () => {
    const blocks = [
      "const a = { title: '', category: '', isFree: true, price_min: 1, tags: [] };",
      'interface B { title: string; startsAt: number; endsAt: number; description: string; status: string }',
      'type C = { title: string; start: number; image: string; description: string; performers: string };',
      "const d = ['title', 'category', 'isFree', 'priceMin', 'tags'];",
    ];
    expect(shapesIn('one.ts', blocks.join('\n')).map(({ place }) => place)).toEqual([
      'one.ts:1 (5 names)',
      'one.ts:2 (5 names)',
      'one.ts:3 (5 names)',
      'one.ts:4 (5 names)',
    ]);
  });

  it('passes over four names, and over a pattern that takes a record apart', () => {
    const blocks = [
      "const a = { title: '', category: '', isFree: true, tags: [] };",
      'const { title, category, isFree, priceMin, tags, status } = event;',
    ];
    expect(shapesIn('one.ts', blocks.join('\n'))).toEqual([]);
  });
});

const MAX_PLACES = 100;
