/** Texts that a provider puts where it knows no venue: they are no house, however many listings have them. */

import { describe, expect, it } from 'vitest';
import { normalizeListings } from '../../src/facts/index.ts';
import { cleanVenueName } from '../../src/facts/titles/venue-name.ts';
import { CONTEXT, listing } from './listing.ts';

const listingOf = (index: number, more: Parameters<typeof listing>[0]) => ({
  ...({ ok: true, index, bytes: 0 } as const),
  listing: { target: 'events' as const, event: listing({ externalId: String(index), ...more }) },
});
const name = (raw: string) => cleanVenueName(raw, CONTEXT.city, () => {});

it.each([
  [
    'See more',
    'Various',
    'Various locations around the city',
    'Multiple Venues',
    'Several locations',
    'Locations vary',
    'Venue varies',
  ],
  [
    'Check website',
    'See the event page for details',
    'Visit our website',
    'Different places in New York',
    'Assorted spots',
    'TBD',
  ],
  ['Verschiedene Orte', 'Diverse Veranstaltungsorte', 'Wechselnde Spielorte in der Altstadt', 'mehreren Orten', 'Ort folgt'],
  [
    'wird noch bekannt gegeben',
    'Siehe Homepage',
    'Treffpunkt folgt',
    'stadtweit',
    'Divers lieux',
    'Plusieurs endroits',
    'Lieu à définir',
  ],
  [
    'Lieux multiples',
    'Varios lugares',
    'Diferentes sedes',
    'Lugar por confirmar',
    'Vari luoghi',
    'Diverse locaties',
    'Vários locais',
  ],
])('%j and others of its row name no venue', (...texts) => {
  expect(texts.map(name)).toEqual(texts.map(() => ''));
});

it.each([
  ['Various Artists Gallery'],
  ['Contact Theatre'],
  ['The Different Drum'],
  ['Map Room'],
  ['Many Places Theater'],
  ['Café Diverso'],
  ['Ortsteilzentrum'],
  ['Unknown Pleasures Bar'],
  ['Plaza Varios'],
])('%j is a house', (house) => {
  expect(name(house)).toBe(house);
});

describe('29 listings of one provider at one point far from the city', () => {
  const far = { latitude: 32.1, longitude: 20.6 };
  const read = (venueOf: (index: number) => object) =>
    normalizeListings(
      Array.from({ length: 29 }, (_, index) => listingOf(index, { venue: { ...far, ...venueOf(index) } })),
      CONTEXT,
      undefined,
    );

  it('have no point if their text names no venue; their own addresses still place them', () => {
    const { events, reasons } = read((index) => ({
      name: 'See more',
      address: index < 20 ? `${index + 1} Main Street, New York` : null,
    }));
    expect(events.map(({ place }) => [place.name, place.latitude])).toEqual(
      expect.arrayContaining([
        ['1 Main Street', null],
        ['20 Main Street', null],
      ]),
    );
    // The others wait for somebody to say where they are.
    expect(events.filter(({ place }) => place.name === '' && place.latitude === null)).toHaveLength(9);
    expect([events.length, reasons]).toEqual([29, {}]);
  });

  it('are somewhere else if all of them name one house', () => {
    const { events, reasons } = read(() => ({ name: 'Kestrel Hall', address: null }));
    expect([events, reasons]).toEqual([[], { outside_city: 29 }]);
  });

  it('have no point if they name many houses', () => {
    const { events } = read((index) => ({ name: `Kestrel Hall ${index}`, address: null }));
    expect(events.filter(({ place }) => place.latitude === null)).toHaveLength(29);
  });
});

it('a house that all listings of its calendar name keeps its point', () => {
  const at = { name: 'Kestrel Hall', address: null, latitude: 40.7, longitude: -73.95 };
  const listings = Array.from({ length: 29 }, (_, index) => listingOf(index, { venue: at }));
  const { events } = normalizeListings(listings, CONTEXT, undefined);
  expect(new Set(events.map(({ place }) => `${place.name} ${place.latitude}`))).toEqual(new Set(['Kestrel Hall 40.7']));
  expect(events).toHaveLength(29);
});
