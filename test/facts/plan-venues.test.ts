import { describe, expect, it } from 'vitest';
import { planVenues } from '../../src/facts/merge/plan-venues.ts';
import type { VenueRecord } from '../../src/facts/merge/record.ts';

const record = (name: string, { latitude = 40.05, longitude = -73.95, source = 'radio', more = {} } = {}): VenueRecord => ({
  ...{ id: `${source} ${name}`, sourceId: source, externalId: name, ownId: `own ${source} ${name}`, targetId: null },
  firstSeenAt: 0,
  contentHash: name,
  isBundle: false,
  isChanged: true,
  listing: {
    externalId: name,
    id: null,
    name,
    type: 'theater',
    address: null,
    latitude,
    longitude,
    capacityTier: null,
    isVerified: false,
    neighborhood: null,
    website: null,
    parking: null,
    transitNearby: [],
    openingHours: null,
    ...more,
  },
});
const namesOf = (...records: VenueRecord[]) =>
  planVenues(records, { locate: () => null, trustOf: () => 0.5, decisions: [] })
    .groups.map(({ venue }) => venue.name)
    .sort();

describe('the name of a venue', () => {
  it('has its dots and hyphens where one source knows them', () => {
    expect(namesOf(record('St Orla Park', { source: 'city' }), record('St. Orla Park'))).toEqual(['St. Orla Park']);
    expect(namesOf(record('Lunt Marrow Theatre', { source: 'city' }), record('Lunt-Marrow Theatre'))).toEqual([
      'Lunt-Marrow Theatre',
    ]);
  });

  it('has them where only the name of a room knows them', () => {
    expect(namesOf(record('St Orlas Park', { source: 'city' }), record("Gymnasium (in St. Orla's Park)"))).toEqual([
      "St. Orla's Park",
    ]);
  });

  it('is a name rather than the address that stands for one', () => {
    const address = { address: '5 Quay St' };
    const house = record('Lantern Recreation Center', { source: 'city', more: address });
    expect(namesOf(house, record('5 Quay St', { more: address }))).toEqual(['Lantern Recreation Center']);
    expect(namesOf(record('5 Quay St', { more: address }))).toEqual(['5 Quay St']);
  });

  it('is that of the house, not of a room in it, however short', () => {
    const house = record('Lantern Performing Arts Center', { source: 'city' });
    expect(namesOf(house, record('Lantern Performing Arts Center - Den'))).toEqual(['Lantern Performing Arts Center']);
    expect(namesOf(house, record('Den (in Lantern Performing Arts Center)'))).toEqual(['Lantern Performing Arts Center']);
  });
});
