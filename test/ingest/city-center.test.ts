/** The center of a city that a bundle does not name, or names wrong. */

import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Bundle, importBundle } from '../../src/ingest/index.ts';
import { readCity } from '../../src/records/index.ts';
import { openTestStore, type TestStore } from '../support/database/store.ts';
import { CITY, emptyDirectory, now, venueLine } from '../support/records/bundle.ts';

let test: TestStore;
beforeAll(async () => {
  test = await openTestStore();
});
beforeEach(() => emptyDirectory(test.store));
afterAll(() => test.dispose());

const { center: _, ...WITHOUT } = CITY;
const load = (bundle: Bundle, dryRun = false) => importBundle({ store: test.store, bundle, now, dryRun });
const at = (index: number, latitude: number, longitude: number) => venueLine(`v${index}`, { latitude, longitude });
const center = async () => {
  const city = await readCity(test.store.db);
  return city && [city.latitude, city.longitude];
};

describe('a city without a center', () => {
  it('has it in the middle of its venues, and keeps it when venues come', async () => {
    const venues = [at(1, 40.01, -73.91), at(2, 40.02, -73.95), at(3, 5.6, -0.2)];
    await load({ city: WITHOUT, venues });
    expect(await center()).toEqual([40.01, -73.91]);
    await load({ city: WITHOUT, venues: [...venues, at(4, 40.09, -73.99), at(5, 40.09, -73.99), at(6, 40.09, -73.99)] });
    expect(await center()).toEqual([40.01, -73.91]);
  });

  it('is refused without a venue that has a point, and the error names both ways out', async () => {
    const error = /city\.json: center: wanted latitude and longitude, or a venue with a point in venues\.ndjson, got neither/;
    await expect(load({ city: WITHOUT })).rejects.toThrow(error);
    await expect(load({ city: WITHOUT, venues: [at(1, 0, 0)] })).rejects.toThrow(error);
    expect(await center()).toBeNull();
  });

  it('has it among the right points while three in ten are abroad, in whatever order they come', async () => {
    const right = fc.record({
      latitude: fc.double({ min: 40, max: 40.1, noNaN: true }),
      longitude: fc.double({ min: -74, max: -73.9, noNaN: true }),
    });
    const any = fc.record({
      latitude: fc.double({ min: -80, max: 80, noNaN: true }),
      longitude: fc.double({ min: -180, max: 180, noNaN: true }),
    });
    const points = fc
      .tuple(fc.array(right, { minLength: 7, maxLength: 7 }), fc.array(any, { maxLength: 3 }))
      .chain(([a, b]) => fc.shuffledSubarray([...a, ...b], { minLength: a.length + b.length }));
    await fc.assert(
      fc.asyncProperty(points, async (all) => {
        await emptyDirectory(test.store);
        await load({ city: WITHOUT, venues: all.map((each, index) => at(index, each.latitude, each.longitude)) });
        const [latitude = 0, longitude = 0] = (await center()) ?? [];
        expect(latitude).toBeGreaterThanOrEqual(40);
        expect(latitude).toBeLessThanOrEqual(40.1);
        expect(longitude).toBeGreaterThanOrEqual(-74);
        expect(longitude).toBeLessThanOrEqual(-73.9);
      }),
      { numRuns: 10 },
    );
  });
});

describe('a center that is far from the venues', () => {
  const venues = [at(1, 40.01, -73.91), at(2, 40.02, -73.95)];

  it.each([
    ['of 0/0', { latitude: 0, longitude: 0 }],
    ['with latitude and longitude exchanged', { latitude: -74, longitude: 40.5 }],
  ])('%s is taken with a warning that names the middle', async (__, wrong) => {
    const { warnings } = await load({ city: { ...CITY, center: wrong }, venues });
    expect(warnings).toEqual([
      expect.stringMatching(/^city\.json: center: .* km from the middle of the venues, which is 40\.01, -73\.95$/),
    ]);
  });

  it('is far by the radius of the city', async () => {
    expect((await load({ city: CITY, venues })).warnings).toEqual([]);
    expect((await load({ city: { ...CITY, radiusKm: 10 }, venues }, true)).warnings).toHaveLength(1);
  });
});
