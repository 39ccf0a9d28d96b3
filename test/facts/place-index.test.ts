import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPlaceIndex, type PlaceFacts } from '../../src/facts/index.ts';
import { anyPlace, anyPlaces, listing, place } from './made-places.ts';

const known = [
  listing('mill', 'Old Mill', 0),
  listing('roof', 'Old Mill – Rooftop', 10),
  listing('tin', 'Tin Theatre', 900),
  listing('glass', 'Glass House', null, { address: '40 Dock Road' }),
  listing('mocha1', 'Crazy Mocha', 0),
  listing('mocha2', 'Crazy Mocha', 3_000),
];
const index = createPlaceIndex(known);
const found = (query: PlaceFacts) => {
  const match = index.find(query);
  return match ? `${match.relation.relation} ${match.place.id}` : null;
};

describe('a listing among the known places', () => {
  it('is found by name and point', () => {
    expect(found(place('The Old-Mill', 60))).toBe('same mill');
    expect(found(place('Rooftop at Old Mill', 60))).toBe('same roof');
    expect(found(place('Crazy Mocha', 2_980))).toBe('same mocha2');
  });

  it('is found without a point where only one place has its name', () => {
    expect(found(place('tin theater - NY', null))).toBe('same tin');
    expect(index.find(place('Tin Theater', null))?.relation.evidence[0]?.detail).toBe('No other place is called “Tin Theatre”.');
    expect(found(place('Crazy Mocha', null))).toBeNull();
    const twice = createPlaceIndex([...known, listing('tin2', 'Tin Theatre-NY', 300), listing('tin3', 'Tin Theatre', null)]);
    expect(twice.find(place('Tin Theater', null))?.place.id).toBe('tin');
  });

  it('is found by its address', () => {
    expect(found(place('Glass House', 300, { address: 'Dock Rd, 40' }))).toBe('same glass');
    expect(found(place('Glass House Hall', null, { address: 'Dock Rd, 40' }))).toBe('same glass');
  });

  it('is found with a point that is a quarter off, and not with one in another town', () => {
    expect(found(place('Tin Theatre', 100))).toBe('same tin');
    expect(found(place('Tin Theatre', 50_000))).toBeNull();
  });

  it('is a room of the house that is known', () => {
    expect(found(place('Old Mill (Stage 2)', 20))).toBe('room_of mill');
    expect(found(place('Tin Theatre – Lobby', null))).toBe('room_of tin');
  });

  it('is nothing where nothing is like it', () => {
    expect(found(place('Salt Cellar', 0))).toBeNull();
    expect(found(place('Brooklyn', 0))).toBeNull();
    expect(createPlaceIndex([]).find(place('Old Mill'))).toBeNull();
  });

  it('has candidates, the likeliest first', () => {
    expect(index.candidates(place('Old Mill', 5)).map(({ place: { id } }) => id)).toEqual(['mill', 'roof']);
    expect(index.candidates(place('Crazy Mocha', null)).map(({ relation }) => relation.relation)).toEqual(['unknown', 'unknown']);
  });

  it('finds the same whatever the order of the places, and what was asked before', () => {
    fc.assert(
      fc.property(
        anyPlaces(12).chain((places) => fc.tuple(fc.constant(places), fc.shuffledSubarray(places, { minLength: places.length }))),
        fc.array(anyPlace, { minLength: 1, maxLength: 5 }),
        ([places, shuffled], queries) => {
          const [one, other] = [createPlaceIndex(places), createPlaceIndex(shuffled)];
          for (const query of queries) {
            expect(other.find(query)?.place.id).toBe(one.find(query)?.place.id);
            expect(one.find(query)).toEqual(one.find(query));
          }
        },
      ),
    );
  });
});
