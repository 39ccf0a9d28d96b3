import { describe, expect, it } from 'vitest';
import type { NormalEvent, NormalVenue } from '../../src/ingest/normalize/index.ts';
import { settlePlaces } from '../../src/ingest/run/settle-places.ts';

const place = (name: string, latitude: number, longitude: number): NormalVenue => ({
  ...{ externalId: null, name, type: 'theater', address: null, latitude, longitude, capacityTier: null },
  ...{ isVerified: false, website: null, neighborhood: null, hints: [] },
});
/** Nothing but its place is looked at. */
const eventAt = (venue: NormalVenue) => ({ place: venue }) as NormalEvent;
const settle = (...venues: NormalVenue[]) => {
  const { venues: drafts } = settlePlaces(venues.map(eventAt), [], { places: [], neighborhood: () => null }, 'source');
  return [...drafts.values()].flatMap(({ name, isApproximate }) => (isApproximate ? [name] : []));
};

describe('the places of a source', () => {
  it('stand for a larger area where three houses have one point', () => {
    const theatres = ['Kestrel Theatre', 'Lantern Theatre', 'Marrow Playhouse'].map((name) => place(name, 40.05, -73.95));
    expect(settle(...theatres, place('Orchid Hall', 40.05, -73.951))).toEqual(theatres.map(({ name }) => name));
    expect(settle(...theatres.slice(1))).toEqual([]);
  });

  it('are at their points where the rooms of one house share it', () => {
    const rooms = ['Gymnasium', 'Pool', 'Meeting Room', 'Terrace'].map((name) => place(`${name} (in Heron Park)`, 40.05, -73.95));
    expect(settle(...rooms)).toEqual([]);
  });

  it('are nowhere exactly where only a borough is named', () => {
    expect(settle(place('Brooklyn', 40.05, -73.95), place('Brooklyn Hall', 40.06, -73.95))).toEqual(['Brooklyn']);
  });
});
