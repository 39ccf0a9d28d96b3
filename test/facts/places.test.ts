import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalizeVenue } from '../../src/facts/index.ts';
import { cleanVenueName } from '../../src/facts/titles/venue-name.ts';
import { plainText } from '../../src/providers/index.ts';
import { venueListing } from '../../src/providers/listing.ts';
import { CONTEXT, normal } from './listing.ts';

const place = (venue: object) => {
  const event = normal({ venue });
  return typeof event === 'string' ? event : [event.place.latitude, event.place.longitude, ...event.repairs];
};
const name = (raw: string) => cleanVenueName(raw, CONTEXT.city, () => {});

describe('the place of an event', () => {
  it.each<[string, object, unknown]>([
    ['inside the city', { latitude: 40.7, longitude: -73.95 }, [40.7, -73.95]],
    ['just beyond the neighborhoods', { latitude: 40.7, longitude: -74.2 }, [40.7, -74.2]],
    ['the wrong way round', { latitude: -73.95, longitude: 40.7 }, [40.7, -73.95, 'coordinates_swapped']],
    ['0/0', { latitude: 0, longitude: 0 }, [null, null, 'coordinates_dropped']],
    ['half a point', { latitude: 40.7, longitude: null }, [null, null, 'coordinates_dropped']],
    ['no number', { latitude: Number.NaN, longitude: -73.95 }, [null, null, 'coordinates_dropped']],
    ['on no map', { latitude: 1e9, longitude: 1e9 }, [null, null, 'coordinates_dropped']],
    ['unknown', { latitude: null, longitude: null }, [null, null]],
    ['in another city', { latitude: 41.14, longitude: -73.26 }, 'venue.latitude: outside_city'],
    [
      'far from the city that its address names',
      { latitude: 33.88, longitude: -117.91, address: '1 Main St, New York, NY 10001' },
      [null, null, 'coordinates_dropped'],
    ],
    [
      'far from the city that its name names',
      { name: 'Kestrel Hall (New York)', latitude: 33.88, longitude: -117.91, address: null },
      [null, null, 'coordinates_dropped', 'venue_suffix_cut'],
    ],
    [
      'in a town that is called like it',
      { latitude: 33.88, longitude: -117.91, address: '1 Main St, West New York, NJ' },
      'venue.latitude: outside_city',
    ],
  ])('%s', (_, venue, expected) => {
    expect(place(venue)).toEqual(expected);
  });

  it.each([null, ' ', 'TBA', '3', '28,', 'See more', 'Mehr erfahren', 'https://hall.example/events', 'www.hall.example'])(
    '%j names no place',
    (name) => expect(normal({ venue: { name } })).toMatchObject({ place: { name: '' } }),
  );

  it.each<[object, string]>([
    [{ name: 'Secret Location (with RSVP)' }, 'venue.name: no_venue'],
    [{ name: 'Various venues' }, 'venue.name: no_venue'],
    [{ name: 'Citywide' }, 'venue.name: no_venue'],
    [{ name: 'Virtual/Online Events' }, 'venue.name: online'],
    [{ name: 'Zoom' }, 'venue.name: online'],
    [{ name: 'https://us02web.zoom.us/j/123?pwd=x' }, 'venue.name: online'],
    [{ name: 'Private Patio Party' }, 'venue.name: private'],
  ])('%j is refused: %s', (venue, refusal) => {
    expect(normal({ venue })).toBe(refusal);
  });

  it('is not needed by nothing: an online event without one is refused, with one it is there', () => {
    expect(normal({ isOnline: true, venue: { name: null, latitude: null, longitude: null } })).toBe('venue.name: online');
    expect(normal({ isOnline: true })).toMatchObject({ place: { name: 'Cellar' } });
    expect(normal({ status: 'https://schema.org/EventMovedOnline' })).toBe('venue.name: online');
  });

  it('is called by its address where it has no name', () => {
    expect(normal({ venue: { name: null, address: '12 Main Street, New York' } })).toMatchObject({
      place: { name: '12 Main Street' },
      repairs: ['venue_from_address'],
    });
  });

  it.each<[object, string]>([
    [{ name: 'New York, NY', latitude: null, longitude: null }, 'New York'],
    [{ name: 'TBA', address: '12 Main Street, New York' }, '12 Main Street'],
    [{ name: 'New York', address: '12 Main Street, New York' }, '12 Main Street'],
    [{ name: 'See more', address: 'Kestrel Hall, 12 Main Street, New York' }, 'Kestrel Hall'],
    [{ name: 'TBA', address: null, neighborhood: 'Copper Hill' }, 'Copper Hill'],
    [{ name: null, address: 'New York, NY 10001', latitude: null, longitude: null }, 'New York'],
    [{ name: null, hints: [{ kind: 'neighborhood', name: 'Copper Hill' }] }, 'Copper Hill'],
  ])('%j is called %j', (venue, name) => {
    expect(normal({ venue })).toMatchObject({ place: { name } });
  });

  it('is of a size, known or counted', () => {
    const tier = (venue: object) => (normal({ venue }) as { place: { capacityTier: string | null } }).place.capacityTier;
    expect([0, 150, 999, 5000, 60_000].map((capacity) => tier({ capacity }))).toEqual([
      null,
      'intimate',
      'small',
      'medium',
      'large',
    ]);
    expect(tier({ capacityTier: 'large', capacity: 10 })).toBe('large');
    expect(tier({ capacityTier: 'huge' })).toBeNull();
  });
});

describe('a venue', () => {
  it.each<[string, string]>([
    ['Broadhurst Theatre ', 'Broadhurst Theatre'],
    ['Music Box Theatre-NY', 'Music Box Theatre'],
    ['Toyota Center - TX', 'Toyota Center'],
    ['Hudson Theatre -NY', 'Hudson Theatre'],
    ['Palace Theatre - New York', 'Palace Theatre'],
    ['Brooklyn Bowl (NY)', 'Brooklyn Bowl'],
    ['Elsewhere - Zone One', 'Elsewhere - Zone One'],
    ['Jean-Paul', 'Jean-Paul'],
    ['Desert 5 Spot NY', 'Desert 5 Spot NY'],
    ['DANA DISCOVERY CENTER', 'Dana Discovery Center'],
    ['CHARLES A DANA CENTER', 'Charles A Dana Center'],
    ['ST JOHNS PARK', 'St Johns Park'],
    ['DROM', 'DROM'],
    ['P&#233;tanque Court', 'Pétanque Court'],
    ['Heron Park: Lawn North   ,Heron Park: LAWN PAVILION', 'Heron Park: Lawn North'],
    ['Heron Park: Heron Park', 'Heron Park'],
    ['Heron Park: Lawn, North', 'Heron Park: Lawn, North'],
    ['Studio: Orla, Marrow', 'Studio: Orla, Marrow'],
  ])('%j is called %j', (raw, expected) => {
    expect(name(raw)).toBe(expected);
  });

  it('keeps its name when it is cleaned again', () => {
    const pieces = fc.constantFrom(
      'THEATRE',
      'Theatre',
      'Park: ',
      ' ,Park: ',
      '-',
      ' - ',
      'NY',
      '(NY)',
      'New York',
      ' ',
      ',',
      'A',
      'ST',
      '12',
      '&amp;',
      '<i>',
      'é',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(pieces).map((all) => all.join('')),
          fc.string(),
        ),
        (raw) => {
          const clean = name(raw);
          fc.pre(plainText(clean) === clean);
          expect(name(clean)).toBe(clean);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('listed for its own sake is refused with the field of a venue', () => {
    const read = (said: object) => normalizeVenue(venueListing({ externalId: '1', name: 'Hall', ...said }), CONTEXT);
    expect(read({ latitude: 40.7, longitude: -73.95 })).toMatchObject({ ok: true, venue: { externalId: '1', type: null } });
    expect(read({ name: '3' })).toMatchObject({ ok: false, field: 'name', code: 'no_venue' });
    expect(read({ latitude: 10, longitude: 10 })).toMatchObject({ ok: false, field: 'latitude', code: 'outside_city' });
    expect(read({ externalId: null })).toMatchObject({ ok: false, field: 'externalId', code: 'no_id' });
  });
});
