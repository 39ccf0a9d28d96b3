import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distance, distanceInCity } from '../../src/values/distance.ts';

const latitude = fc.double({ min: -70, max: 70, noNaN: true });
const longitude = fc.double({ min: -179, max: 179, noNaN: true });
/** Some kilometers. */
const step = fc.double({ min: -0.2, max: 0.2, noNaN: true });

describe('the distance of two points', () => {
  it('is known for two cities', () => {
    expect(distance(40.7128, -74.006, 51.5074, -0.1278) / 1_000).toBeCloseTo(5_570, -1);
    expect(distance(0, 179.9, 0, -179.9)).toBeCloseTo(distance(0, 0.1, 0, -0.1), 3);
  });

  it('is nearly the same on a flat map, as long as both are in one city', () => {
    fc.assert(
      fc.property(latitude, longitude, step, step, (north, east, up, right) => {
        const [a, b] = [
          { latitude: north, longitude: east },
          { latitude: north + up, longitude: east + right },
        ];
        const exact = distance(a.latitude, a.longitude, b.latitude, b.longitude);
        expect(Math.abs(distanceInCity(a, b) - exact)).toBeLessThanOrEqual(exact * 0.005 + 0.01);
        expect(distanceInCity(b, a)).toBe(distanceInCity(a, b));
      }),
    );
  });
});
