/** Places that can be asked for. */

import type { PlaceFacts } from './model.ts';
import type { PlaceListing } from './place-groups.ts';
import { comparePlaces, type PlaceRelation } from './place-relation.ts';

export function createPlaceIndex(places: readonly PlaceListing[]) {
  return {
    find(query: PlaceFacts): { place: PlaceListing; relation: PlaceRelation } | null {
      let best: { place: PlaceListing; relation: PlaceRelation } | null = null;
      for (const place of places) {
        const relation = comparePlaces(query, place);
        if (relation.relation !== 'same' && relation.relation !== 'room_of') continue;
        if (!best || relation.score > best.relation.score) best = { place, relation };
      }
      return best;
    },
  };
}
