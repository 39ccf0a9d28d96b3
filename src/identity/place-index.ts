/** Known places that can be asked for: by a point and a name, or by the name alone. */

import type { PlaceFacts } from './model.ts';
import { createBlocks, isLocated } from './place-blocks.ts';
import type { PlaceListing } from './place-groups.ts';
import { QUARTER_METRES } from './place-limits.ts';
import { metresBetween } from './place-point.ts';
import { compareRead, type PlaceRelation, type ReadPlace, readPlace } from './place-relation.ts';

export interface FoundPlace {
  place: PlaceListing;
  relation: PlaceRelation;
}

export interface PlaceIndex {
  /**
   * The known place that the asked one is, or whose room it is; the likeliest where there are several. A place without a point is
   * found by its name only where all known places of that name lie together: a chain's name proves nothing.
   */
  find(query: PlaceFacts): FoundPlace | null;
}

/** The answers do not depend on the order of the places. */
export function createPlaceIndex(places: readonly PlaceListing[]): PlaceIndex {
  const known = [...places]
    .sort((a, b) => (a.id < b.id ? -1 : Number(a.id > b.id)))
    .map((place) => ({ place, read: readPlace(place) }));
  const blocks = createBlocks(known.map(({ read }) => read));

  function best(asked: ReadPlace, numbers: Iterable<number>): FoundPlace | null {
    let found: FoundPlace | null = null;
    for (const number of numbers) {
      const candidate = known[number];
      if (!candidate) continue;
      const relation = compareRead(asked, candidate.read);
      if (relation.relation !== 'same' && relation.relation !== 'room_of') continue;
      if (!found || relation.score > found.relation.score) found = { place: candidate.place, relation };
    }
    return found;
  }

  /** The first of these places when all that have a point lie together. */
  function together(asked: ReadPlace, numbers: readonly number[]): FoundPlace | null {
    const held = numbers.flatMap((number) => known[number] ?? []);
    const [first, ...others] = held.filter(({ read }) => isLocated(read));
    const lead = first ?? held[0];
    if (!lead) return null;
    const isApart = others.some(({ read }) => (metresBetween(lead.read.facts, read.facts) ?? 0) > QUARTER_METRES);
    return isApart ? null : { place: lead.place, relation: compareRead(asked, lead.read) };
  }

  return {
    find(query) {
      const asked = readPlace(query);
      if (isLocated(asked))
        return best(asked, ascending([...blocks.near(asked), ...blocks.addressed(asked), ...blocks.named(asked)]));
      const byAddress = best(asked, blocks.addressed(asked));
      return byAddress ?? together(asked, blocks.named(asked)) ?? together(asked, blocks.houses(asked.name.house));
    },
  };
}

const ascending = (numbers: readonly number[]): number[] => [...new Set(numbers)].sort((a, b) => a - b);
