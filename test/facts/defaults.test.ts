/** Counting the defaults of a provider: texts of any length, any number of texts. */

import { expect, it, vi } from 'vitest';
import { normalizeListings } from '../../src/facts/index.ts';
import type { ReadListing } from '../../src/providers/index.ts';
import { CONTEXT, listing } from './listing.ts';

type Said = NonNullable<Parameters<typeof listing>[0]>;

const GHANA = { latitude: 5.6, longitude: -0.2 };
const TITLES = ['Choir', 'Market', 'Workshop', 'Reading', 'Quartet', 'Dance'];

function normalized(all: readonly Said[]) {
  const read = all.map((said, index): ReadListing => {
    const event = listing({ externalId: String(index), ...said });
    return { ok: true, index, bytes: 0, listing: { target: 'events', event } };
  });
  return normalizeListings(read, CONTEXT, undefined);
}

it.each(['address', 'name'])('a long word without a figure is read once: %s', (field) => {
  const long = 'a'.repeat(200_000);
  expect(normalized([{ venue: { ...GHANA, [field]: long } }]).reasons).toEqual({ outside_city: 1 });
  const [event] = normalized([{ venue: { ...GHANA, [field]: `${long.slice(0, 80)}, New York` } }]).events;
  expect(event?.place).toMatchObject({ latitude: null });
});

it.each([
  ['abroad', (index: number) => ({ ...GHANA, latitude: 5 + index / 10_000 })],
  [
    'at the doors of others',
    (index: number) => ({ address: `${1 + (index % 6)} Marrow Street`, latitude: null, longitude: null }),
  ],
])('twice the texts %s are twice the work', (_, venueOf) => {
  const small = visitsOf(() => normalized(texts(600, venueOf)));
  expect(visitsOf(() => normalized(texts(1200, venueOf)))).toBeLessThan(small * 3);
});

/** Six titles each. */
const texts = (count: number, venueOf: (index: number) => Said['venue']): Said[] =>
  Array.from({ length: count }, (_, index) => ({
    title: TITLES[index % 6] ?? '',
    venue: { name: `Text ${Math.floor(index / 6)}x`, ...venueOf(index) },
  }));

/** How many entries of lists and sets are looked at. */
function visitsOf(work: () => unknown): number {
  let visits = 0;
  const { filter } = Array.prototype;
  const each = Set.prototype[Symbol.iterator];
  const spies = [
    vi.spyOn(Array.prototype, 'filter').mockImplementation(function (this: unknown[], ...given) {
      visits += this.length;
      return Reflect.apply(filter, this, given);
    }),
    vi.spyOn(Set.prototype, Symbol.iterator).mockImplementation(function (this: Set<unknown>) {
      visits += this.size;
      return Reflect.apply(each, this, []);
    }),
  ];
  try {
    work();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return visits;
}
