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
  answerOf: () => null,
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
