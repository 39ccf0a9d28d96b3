/** What a service answers may be any JSON, or none. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readPlaces } from '../../src/addresses/geocoder/read-places.ts';

const bytes = (value: unknown) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
const feature = (geometry: unknown) => ({ features: [{ geometry, properties: { type: 'street', name: 'Elder Lane' } }] });

it.each([
  ['coordinates that are no list', feature({ coordinates: {} })],
  ['coordinates that are a number', feature({ coordinates: 7 })],
  ['coordinates that are lists', feature({ coordinates: [[7, 8]] })],
  ['coordinates that are texts', feature({ coordinates: ['7', '8'] })],
  ['one coordinate', feature({ coordinates: [7] })],
  ['a feature that is a text', { features: ['Elder Lane'] }],
  ['no list', { features: {} }],
  ['no JSON', '<html>'],
])('is not of the service: %s', (_, answer) => {
  expect(readPlaces('photon', bytes(answer))).toBeNull();
});

it('a feature without a point is left out', () => {
  expect(readPlaces('photon', bytes(feature(null)))).toEqual([]);
  expect(readPlaces('photon', bytes(feature({ coordinates: [7, 8] })))).toMatchObject([{ latitude: 8, longitude: 7 }]);
});

it('nothing that a service answers throws', () => {
  const kinds = fc.constantFrom('nominatim' as const, 'photon' as const);
  const json = fc.jsonValue();
  const fields = fc.dictionary(fc.constantFrom('lat', 'lon', 'address', 'type', 'name', 'geometry', 'properties'), json);
  const geometry = fc.record({ geometry: fc.record({ coordinates: json }), properties: json });
  const items = fc.array(fc.oneof(json, fields, geometry));
  const answer = fc.oneof(json, items, fc.record({ features: fc.oneof(json, items) }));
  fc.assert(
    fc.property(kinds, answer, (kind, value) => {
      const places = readPlaces(kind, bytes(JSON.stringify(value)));
      expect(places === null || Array.isArray(places)).toBe(true);
    }),
  );
});
