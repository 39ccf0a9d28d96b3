import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAreaIndex, type NormalEvent, type NormalVenue } from '../../src/facts/index.ts';
import { resolveVenues } from '../../src/ingest/run/resolve-venues.ts';
import type { VenueType } from '../../src/records/index.ts';

const place = (name: string, latitude: number, longitude: number): NormalVenue => ({
  externalId: null,
  name,
  type: 'theater',
  address: null,
  latitude,
  longitude,
  capacityTier: null,
  isVerified: false,
  website: null,
  neighborhood: null,
  hints: [],
});
const CITY = { name: 'Port Alder', latitude: 40, longitude: -74, centerSlug: null };
const KNOWN = {
  places: [],
  neighborhood: () => null,
  areas: createAreaIndex([], CITY),
  locate: () => null,
  placeText: () => null,
  houseNamed: () => null,
  answerOf: () => null,
  unnamed: null,
  earlier: [],
};
/** Nothing but its place is looked at. */
const eventAt = (venue: NormalVenue) =>
  ({ title: '', localStart: '2026-06-16T20:00', startsAt: 0, endsAt: null, sources: ['radio'], place: venue }) as NormalEvent;
const settle = (...venues: NormalVenue[]) => {
  const { venues: drafts } = resolveVenues(venues.map(eventAt), [], KNOWN, 'source');
  return [...drafts.values()].flatMap(({ name, isApproximate }) => (isApproximate ? [name] : []));
};

describe('the places of a source', () => {
  it('are the imported house of their name if their point is approximate and close, and no venue has the name', () => {
    const house = { latitude: 40.05, longitude: -73.95, isExact: true, address: '31 Quarry Street' };
    const houseNamed = (name: string) => ({ ...house, id: '1', name, key: 'copper kettle', words: [], origin: 'a file' });
    const venue = { id: 'venue', provider: 'other', name: 'Copper Kettle', address: null, latitude: 40.06, longitude: -73.96 };
    const latitudes = (latitude: number, isApproximate: boolean, places: object[] = []) => {
      const listed = { ...place('Copper Kettle', latitude, -73.95), ...(isApproximate ? { isApproximate } : {}) };
      const known = { ...KNOWN, houseNamed, places: places as never };
      return [...resolveVenues([eventAt(listed)], [], known, 'source').venues.values()].map((draft) => draft.latitude);
    };
    expect(latitudes(40.055, true)).toEqual([40.05]);
    expect(latitudes(40.055, false)).toEqual([40.055]);
    expect(latitudes(40.065, true)).toEqual([40.065]);
    expect(latitudes(40.055, true, [venue])).toEqual([40.055]);
  });

  it('are two where a provider gives two houses one id, and one where it is written in two ways', () => {
    const hall = { ...place('Kestrel Hall', 40.05, -73.95), externalId: '7', address: '308 Quay St' };
    const loft = { ...place('Marrow Loft', 40.0501, -73.9501), externalId: '7', address: '312 Quay St' };
    const venuesOf = (...venues: NormalVenue[]) =>
      [...resolveVenues(venues.map(eventAt), [], KNOWN, 'source').venues.values()].map(({ name }) => name).sort();
    expect(venuesOf(hall, loft, hall)).toEqual(['Kestrel Hall', 'Marrow Loft']);
    expect(venuesOf(hall, { ...hall, name: 'Kestrel Music Hall' }, { ...hall, address: null })).toHaveLength(1);
  });

  it('give a name to a house that is known by its address alone', () => {
    const door = { latitude: 40.05, longitude: -73.95 };
    const placeText = (text: string) => (text.startsWith('5 Quay St') ? { ...door, precision: 'exact' as const } : null);
    const bare = (name: string, address: string | null) => ({ ...place(name, 0, 0), latitude: null, longitude: null, address });
    const drafts = (known: string, name: string, address: string | null) => {
      const places = [{ id: 'venue', provider: 'other', name: known, address: '5 Quay St', ...door, quarter: undefined }];
      const asked = { ...KNOWN, placeText, places: places as never };
      return [...resolveVenues([eventAt(bare(name, address))], [], asked, 'source').venues.values()];
    };
    expect(drafts('5 Quay St', 'Kestrel Shed', '5 Quay St')).toMatchObject([
      { name: 'Kestrel Shed', ...door, placedBy: 'address' },
    ]);
    expect(drafts('5 Quay St', '5 Quay St', '5 Quay St')).toEqual([]);
    expect(drafts('Kestrel Shed', '5 Quay St', '5 Quay St')).toEqual([]);
    expect(drafts('Kestrel Shed', 'Kestrel Shed', '5 Quay St')).toEqual([]);
  });

  it('stand for a larger area where three houses have one point', () => {
    const theatres = ['Kestrel Theatre', 'Lantern Theatre', 'Marrow Playhouse'].map((name) => place(name, 40.05, -73.95));
    expect(settle(...theatres, place('Orchid Hall', 40.05, -73.951))).toEqual(theatres.map(({ name }) => name));
    expect(settle(...theatres.slice(1))).toEqual([]);
  });

  it('stand for a larger area where their point is the middle of the city', () => {
    expect(settle(place('Kestrel Theatre', 40.00001, -74), place('Orchid Hall', 40.001, -74))).toEqual(['Kestrel Theatre']);
    expect(settle({ ...place('City Hall', 40, -74), address: '1 Market Square' })).toEqual(['City Hall']);
  });

  it('are at their points where the rooms of one house share it', () => {
    const rooms = ['Gymnasium', 'Pool', 'Meeting Room', 'Terrace'].map((name) => place(`${name} (in Heron Park)`, 40.05, -73.95));
    expect(settle(...rooms)).toEqual([]);
  });

  it('are at their point where all have one street and number', () => {
    const named = (address: string) =>
      ['Kestrel Hall', 'A Night of Songs', 'Marrow Benefit'].map((name) => ({ ...place(name, 40.05, -73.95), address }));
    expect(settle(...named('1227 W 18th St, Port Alder'))).toEqual([]);
    expect(settle(...named('Port Alder'))).toHaveLength(3);
    const range = ['801-849 Marrow Blvd', '801 Marrow Blvd', '849 Marrow Blvd'];
    const doors = named('').map((each, index) => ({ ...each, address: range[index] ?? null }));
    for (const order of [doors, doors.toReversed()]) expect(settle(...order)).toEqual([]);
  });

  it('are nowhere exactly where only a borough is named', () => {
    expect(settle(place('Brooklyn', 40.05, -73.95), place('Brooklyn Hall', 40.06, -73.95))).toEqual(['Brooklyn']);
  });

  it('are in the neighborhood that a hint names, as a large park is one', () => {
    const lawn = {
      ...place('Heron Park: Lawn', 0, 0),
      latitude: null,
      longitude: null,
      hints: [{ kind: 'venue', name: 'Heron Park' } as const],
    };
    const heron = { slug: 'heron-park', name: 'Heron Park', partOf: null, latitude: 40.06, longitude: -73.94 };
    const { venues } = resolveVenues([eventAt(lawn)], [], { ...KNOWN, areas: createAreaIndex([heron], CITY) }, 'source');
    expect([...venues.values()]).toMatchObject([{ name: 'Heron Park: Lawn', latitude: 40.06, longitude: -73.94 }]);
  });

  it('are of the type that most of their events suggest, in whatever order', () => {
    const library = (type: VenueType) => ({ ...place('Reading Room', 40.05, -73.95), type });
    const said = [library('stadium'), library('gallery'), library('gallery')];
    for (const order of [said, said.toReversed()]) {
      const { venues } = resolveVenues(order.map(eventAt), [], KNOWN, 'source');
      expect([...venues.values()].map(({ type }) => type)).toEqual(['gallery']);
    }
  });
});

describe('a place without a point', () => {
  const bare = (name: string, more: Partial<NormalVenue> = {}): NormalVenue => ({
    ...place(name, 0, 0),
    latitude: null,
    longitude: null,
    ...more,
  });
  const heron = { slug: 'heron', name: 'Heron', partOf: null, latitude: 40.06, longitude: -73.94 };
  const downtown = { slug: 'downtown', name: 'Downtown', partOf: null, latitude: 40.001, longitude: -74.001 };
  const known = {
    ...KNOWN,
    areas: createAreaIndex([heron, downtown], CITY),
    places: [{ id: 'lib', provider: 'bundle', name: 'Heron Library', address: null, latitude: 40.02, longitude: -73.99 }],
    placeText: (text: string) => {
      if (text.startsWith('12 Marrow')) return { latitude: 40.03, longitude: -73.97, precision: 'exact' as const };
      return text.startsWith('14 Marrow') ? { latitude: 40.031, longitude: -73.97, precision: 'interpolated' as const } : null;
    },
  };
  const resolve = (...venues: NormalVenue[]) => resolveVenues(venues.map(eventAt), [], known, 'source');
  const draftOf = (venue: NormalVenue) => [...resolve(venue).venues.values()][0];

  it('is where its address lies, and as sure', () => {
    expect(draftOf(bare('Copper Kettle', { address: '12 Marrow St' }))).not.toHaveProperty('isApproximate');
    expect(draftOf(bare('12 Marrow St'))).toMatchObject({ latitude: 40.03 });
    expect(draftOf(bare('Copper Kettle at 12 Marrow St'))).toMatchObject({ latitude: 40.03 });
    const between = draftOf(bare('Copper Kettle', { address: '14 Marrow St' }));
    expect([between?.isApproximate, between?.area]).toEqual([true, undefined]);
  });

  it('is in the area that the listing names before that of its name, and else in the city', () => {
    expect(draftOf(bare('Heron Park', { neighborhood: 'Downtown' }))).toMatchObject({ neighborhood: 'downtown', area: 'around' });
    expect(draftOf(bare('Heron Park'))).toMatchObject({ neighborhood: 'heron', area: 'around' });
    for (const name of ['520 Depot St', 'Lantern Pier', 'Kettle Green', 'Marrow Campus', '5 Bay Ave, Heron'])
      expect(draftOf(bare(name))).toMatchObject({ neighborhood: null, area: 'around', latitude: 40, isVerified: false });
  });

  it.each([
    'Community Room - Heron Library',
    'Meeting Room B, Heron Library',
    'Heron Library Community Room',
    'Story Time Corner @ Heron Library',
    'Heron Library: Reading Garden',
    'Main Hall (Heron Library)',
    'Heron Library / Auditorium',
    'Studio 2 at the Heron Library',
  ])('is the house that is known, as of its room “%s”', (name) => {
    expect(resolve(bare(name))).toMatchObject({ events: [{ venueKey: null }], waiting: new Map() });
  });

  it('is the known house of its name, also where only an approximate point is known', () => {
    const [library] = known.places;
    const places = library ? [{ ...library, isApproximate: true as const }] : [];
    const found = resolveVenues([eventAt(bare('Heron Library'))], [], { ...known, places }, 'source');
    expect(found.events[0]?.venueKey).toBeNull();
  });

  it('never depends on the order of the listings', () => {
    const names = [
      'Heron Library',
      'Copper Kettle',
      'Port Alder',
      'Heron',
      'Heron Park',
      'Tin Room - Heron Library',
      '520 Depot St',
    ];
    const anyPlace = fc.record({
      name: fc.constantFrom(...names),
      address: fc.constantFrom(null, '12 Marrow St', '14 Marrow St', '3 Quay'),
      neighborhood: fc.constantFrom(null, 'Downtown', 'Heron', 'Elsewhere'),
      point: fc.constantFrom(null, [40, -74], [40.05, -73.95]),
    });
    const asVenue = ({
      point,
      ...more
    }: {
      name: string;
      point: readonly number[] | null;
      address: string | null;
      neighborhood: string | null;
    }) => bare(more.name, { ...more, latitude: point?.[0] ?? null, longitude: point?.[1] ?? null });
    const sorted = (venues: NormalVenue[]) => {
      const { venues: drafts, waiting } = resolve(...venues);
      return JSON.stringify([[...drafts].sort(([a], [b]) => (a < b ? -1 : 1)), [...waiting].sort()]);
    };
    fc.assert(
      fc.property(fc.array(anyPlace, { maxLength: 12 }), (places) => {
        const venues = places.map(asVenue);
        expect(sorted(venues.toReversed())).toBe(sorted(venues));
        for (const draft of resolve(...venues).venues.values())
          if (draft.latitude === 40 && draft.longitude === -74) expect(draft.area).toBeDefined();
      }),
    );
  });
});
