/** Finds the place that a listing names among the places that are known. */

import type { Evidence, PlaceFacts } from './compared-facts.ts';
import { isNameWord } from './place-alignment.ts';
import { createBlocks, isLocated } from './place-blocks.ts';
import { QUARTER_METERS } from './place-limits.ts';
import { houseKeysWithin, placeKey } from './place-name.ts';
import { metersBetween } from './place-point.ts';
import { type ComparedPlace, compareRead, type PlaceRelation, readPlace } from './place-relation.ts';

export interface PlaceMatch<T> {
  place: T;
  /** What the listing is to the place: `same`, or `room_of` it, or (candidates only) `has_room` or `unknown`. */
  relation: PlaceRelation;
}

export interface PlaceIndex<T> {
  /**
   * The place itself; else the house it is a room of; else null. A listing without a point, or whose point is at most a quarter away, finds
   * the only place of its name. The answer depends neither on the order of the places nor on earlier questions.
   */
  find(query: PlaceFacts): PlaceMatch<T> | null;
  /** All that may be it, the likeliest first: those that are not clearly another place. */
  candidates(query: PlaceFacts): PlaceMatch<T>[];
}

/** @param places with ids that are unique. */
export function createPlaceIndex<T extends PlaceFacts & { id: string }>(places: readonly T[]): PlaceIndex<T> {
  const sorted = [...places].sort((a, b) => (a.id < b.id ? -1 : 1));
  const known = sorted.map(readPlace);
  const blocks = createBlocks(known);

  function candidates(query: ComparedPlace): Found<T>[] {
    if (query.name.kind === 'nowhere') return [];
    const numbers = new Set([...blocks.near(query), ...blocks.addressed(query), ...blocks.named(query)]);
    for (const number of query.name.room === null ? [] : blocks.houses(query.name.house)) numbers.add(number);
    const found = [...numbers].flatMap((number): Found<T>[] => {
      const [place, read] = [sorted[number], known[number]];
      return place && read ? [{ place, read, relation: compareRead(query, read) }] : [];
    });
    return found.sort((a, b) => compareFound(query, a, b));
  }

  /** The one site that all of them are, all being in one quarter; null when they are several, or none. */
  function onlySite(numbers: readonly number[]): number | null {
    const houses = numbers.filter((number) => known[number]?.facts.isArea !== true);
    const located = houses.filter((number) => known[number] && isLocated(known[number]));
    const [first] = located.length > 0 ? located : houses;
    const site = first === undefined ? undefined : known[first];
    if (first === undefined || !site?.name.words.some(isNameWord)) return null;
    // Approximate points of one name and one quarter are one house, too.
    const isOne = (located.length > 0 ? located : houses).every(
      (number) => (metersBetween(site.facts, known[number]?.facts ?? site.facts) ?? 0) <= QUARTER_METERS,
    );
    return isOne ? first : null;
  }

  function byNameAlone(query: ComparedPlace): PlaceMatch<T> | null {
    const same = onlySite(blocks.named(query));
    if (same !== null) return onlyOne(query, same, 'same');
    const house = query.name.room === null ? null : onlySite(blocks.houses(query.name.house));
    if (house !== null) return onlyOne(query, house, 'room_of');
    const within = houseKeysWithin(query.facts.name).map((key) => onlySite(blocks.houses(key)));
    const named = within.find((number) => number !== null) ?? null;
    return named === null ? null : onlyOne(query, named, 'room_of');
  }

  function onlyOne(query: ComparedPlace, number: number, relation: 'same' | 'room_of'): PlaceMatch<T> | null {
    const [place, read] = [sorted[number], known[number]];
    if (!place || !read || (metersBetween(query.facts, read.facts) ?? 0) - query.doubt - read.doubt > QUARTER_METERS) return null;
    const { score, evidence } = compareRead(query, read);
    const only: Evidence = { kind: 'name', speaksFor: 'same', detail: `No other place is called “${read.facts.name}”.` };
    return { place, relation: { relation, score, evidence: [only, ...evidence] } };
  }

  return {
    find(facts) {
      const query = readPlace(facts);
      const found = candidates(query);
      const first = (relation: PlaceRelation['relation']) => found.find((each) => each.relation.relation === relation);
      const proven = first('same');
      if (proven) return asMatch(proven);
      const named = byNameAlone(query);
      const house = first('room_of');
      return named?.relation.relation === 'same' || !house ? named : asMatch(house);
    },
    candidates: (facts) =>
      candidates(readPlace(facts))
        .filter(({ relation }) => relation.relation !== 'different')
        .map(asMatch),
  };
}

interface Found<T> extends PlaceMatch<T> {
  read: ComparedPlace;
}

const asMatch = <T>({ place, relation }: Found<T>): PlaceMatch<T> => ({ place, relation });

/** By likelihood; of equal ones that with the very name, then the nearer, then by id. */
function compareFound<T extends { id: string }>(query: ComparedPlace, a: Found<T>, b: Found<T>): number {
  const isNamed = ({ read }: Found<T>): number => (placeKey(read.name) === placeKey(query.name) ? 0 : 1);
  const meters = ({ read }: Found<T>): number => metersBetween(query.facts, read.facts) ?? 0;
  return (
    b.relation.score - a.relation.score || isNamed(a) - isNamed(b) || meters(a) - meters(b) || (a.place.id < b.place.id ? -1 : 1)
  );
}
