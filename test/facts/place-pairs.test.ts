import { describe, expect, it } from 'vitest';
import { fitPlaces } from '../../quality/fit-places.ts';
import { measurePlaces, PLACES, readNycVenues } from '../../quality/places.ts';
import { PLACE_BIAS, PLACE_WEIGHTS } from '../../src/facts/identity/place-relation.ts';
import { groupPlaces } from '../../src/facts/index.ts';

describe.skipIf(PLACES.missing)('labelled pairs of places', () => {
  it.each([
    { set: 'osm_fsq', split: 'test', least: 0.9 },
    { set: 'osm_yelp', split: 'test', least: 0.94 },
  ] as const)('of $set are told apart with an F1 of $least', ({ set, split, least }) => {
    const { pairs, f1, precision } = measurePlaces(set, split);
    expect(pairs).toBeGreaterThan(1_400);
    expect(f1).toBeGreaterThanOrEqual(least);
    expect(precision).toBeGreaterThanOrEqual(0.9);
  });

  it('of the train splits give the weights in the table', () => {
    const { weights, bias } = fitPlaces();
    for (const [name, weight] of Object.entries(PLACE_WEIGHTS))
      expect([name, weights[name as keyof typeof weights]]).toEqual([name, expect.closeTo(weight, 1)]);
    expect(bias).toBeCloseTo(PLACE_BIAS, 1);
  });
});

describe.skipIf(PLACES.missing)('the venues of one city', () => {
  const venues = PLACES.missing ? [] : readNycVenues();
  const { groups, rooms, asks } = groupPlaces(venues, { decisions: [] });
  const nameOf = new Map(venues.map(({ id, name }) => [id, name.trim()]));
  const together = groups.map((ids) => new Set(ids.map((id) => nameOf.get(id))));
  const areOne = (one: string, other: string) => together.some((names) => names.has(one) && names.has(other));

  it('are joined across the spellings of their providers', () => {
    expect(venues.length).toBeGreaterThan(900);
    expect(groups.length).toBeLessThan(venues.length * 0.9);
    expect(areOne('August Wilson Theatre', 'August Wilson Theatre-NY')).toBe(true);
    expect(areOne('Elsewhere', 'Elsewhere - Brooklyn')).toBe(true);
    expect(areOne('Rooftop at Elsewhere', 'Elsewhere - Rooftop')).toBe(true);
    expect(areOne('Brooklyn Public Library - Sheepshead Bay', 'Sheepshead Bay Library')).toBe(true);
  });

  it('stay apart where only a word, a kind or a point is shared', () => {
    expect(areOne('New Amsterdam Theatre', 'New Victory Theater')).toBe(false);
    expect(areOne('James Earl Jones Theatre', 'St. James Theatre')).toBe(false);
    expect(areOne('New York Comedy Club (East Village)', 'New York Theatre Workshop')).toBe(false);
    expect(areOne('New World Stages - Stage 1', 'New World Stages - Stage 2')).toBe(false);
    expect(areOne('Elsewhere', 'Elsewhere - Zone One')).toBe(false);
    expect(Math.max(...groups.map((ids) => ids.length))).toBeLessThan(12);
  });

  it('have rooms in their houses, and few questions', () => {
    const houses = new Map(rooms.map(({ room, house }) => [nameOf.get(room), nameOf.get(house)]));
    expect(houses.get('New World Stages - Stage 1')).toBe('New World Stages');
    expect(rooms.length).toBeGreaterThan(60);
    expect(asks.length).toBeLessThan(10);
  });
});
