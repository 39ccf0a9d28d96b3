/** Another order of the ranks than their own, such as by start, and pages of a set in that order. */

import { contains, members, type RankSet } from './rank-set.ts';
import { sharedUint32 } from './shared-memory.ts';

export interface Ordering {
  /** Ranks. */
  readonly order: Uint32Array;
  /** Where each rank stands in `order`. */
  readonly place: Uint32Array;
}

export function createOrdering(order: Uint32Array): Ordering {
  const place = sharedUint32(order.length);
  for (let i = 0; i < order.length; i += 1) place[order[i]!] = i;
  return { order, place };
}

/**
 * Up to `limit` ranks of a set after the first `offset`, in the given order. A small set is sorted by place; a large one is
 * walked in order until the page is full, from `first` on, before which no member stands.
 */
export function pickInOrder(set: RankSet, { order, place }: Ordering, offset: number, limit: number, first = 0): number[] {
  if (offset >= set.size || limit === 0) return [];
  if (set.size * WALK_FROM < order.length) {
    const places = members(set).map((rank) => place[rank]!);
    return Array.from(places.sort().subarray(offset, offset + limit), (at) => order[at]!);
  }
  const picked: number[] = [];
  let skip = offset;
  for (let i = first; i < order.length && picked.length < limit; i += 1) {
    const rank = order[i]!;
    if (!contains(set, rank)) continue;
    if (skip > 0) skip -= 1;
    else picked.push(rank);
  }
  return picked;
}

/** Sorting m costs some m × log m steps, walking n: from a sixteenth on walking is the cheaper one. */
const WALK_FROM = 16;
