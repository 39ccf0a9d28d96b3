import { expect, test } from 'vitest';
import { placesInBox } from '../../src/search/query/geo.ts';

const LONGITUDES = [-180, -179.5, 0, 179.5, 180];
const places = {
  latitude: new Float64Array(LONGITUDES.length),
  longitude: Float64Array.from(LONGITUDES),
  byLatitude: Uint32Array.from(LONGITUDES.keys()),
};

test.each([
  { west: -180, east: -179, found: [-180, -179.5, 180] },
  { west: 179, east: 180, found: [-180, 179.5, 180] },
  { west: 179, east: -179, found: [-180, -179.5, 179.5, 180] },
  { west: -180, east: 180, found: LONGITUDES },
  { west: -1, east: 1, found: [0] },
  { west: 180, east: -180, found: [-180, 180] },
])('the antimeridian is in every box that it borders: $west to $east', ({ west, east, found }) => {
  const slots = placesInBox(places, { west, east, south: -1, north: 1 });
  expect(Array.from(slots, (slot) => LONGITUDES[slot])).toEqual(found);
});
