/** Counting the defaults of a provider: texts of any length, any number of texts. */

import { expect, it } from 'vitest';
import { normalizeListings } from '../../src/facts/index.ts';
import type { ReadListing } from '../../src/providers/index.ts';
import { CONTEXT, listing } from './listing.ts';

type Said = NonNullable<Parameters<typeof listing>[0]>;

const GHANA = { latitude: 5.6, longitude: -0.2 };

function normalized(all: readonly Said[]) {
  const read = all.map((said, index): ReadListing => {
    const event = listing({ externalId: String(index), ...said });
    return { ok: true, index, bytes: 0, listing: { target: 'events', event } };
  });
  return normalizeListings(read, CONTEXT, undefined);
}

it.each(['address', 'name'])('a long word without a figure is read once: %s', { timeout: 30_000 }, (field) => {
  const long = 'a'.repeat(100_000);
  expect(normalized([{ venue: { ...GHANA, [field]: long } }]).reasons).toEqual({ outside_city: 1 });
  const [event] = normalized([{ venue: { ...GHANA, [field]: `${long.slice(0, 80)}, New York` } }]).events;
  expect(event?.place).toMatchObject({ latitude: null });
});
