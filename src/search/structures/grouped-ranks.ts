/**
 * The ranks of every value of one property: the events of each category, of each venue, of each word.
 * Dense groups are bitmaps, the others stretches of one long array.
 *
 *     offsets  [0, 3, 3, 7 …]      group g is ranks[offsets[g] … offsets[g + 1]), ascending, when it is sparse
 *     bitmapOf [-1, 0, -1 …]       or the bitmapOf[g]-th bitmap when it is dense
 */

import { bitSet, countBits, EMPTY_SET, isDense, listSet, members, type RankSet, wordsFor } from './rank-set.ts';
import { sharedInt32, sharedUint32 } from './shared-memory.ts';

export interface GroupedRanks {
  /** How many ranks there are. */
  readonly n: number;
  readonly sizes: Uint32Array;
  readonly offsets: Uint32Array;
  readonly ranks: Uint32Array;
  readonly bitmapOf: Int32Array;
  readonly bitmaps: Uint32Array;
}

/** Groups that are filled one pair of a group and a rank at a time. */
export interface OpenGroups {
  /** Every pair once, the ranks of a group ascending. */
  add(group: number, rank: number): void;
  groups: GroupedRanks;
}

/** `sizes[group]`: how many ranks each group will have. */
export function openGroups(n: number, sizes: Uint32Array): OpenGroups {
  const groups = sizes.length;
  const offsets = sharedUint32(groups + 1);
  const bitmapOf = sharedInt32(groups);
  let sparse = 0;
  let dense = 0;
  for (let group = 0; group < groups; group += 1) {
    offsets[group] = sparse;
    const size = sizes[group]!;
    bitmapOf[group] = isDense(size, n) ? dense++ : -1;
    if (bitmapOf[group] === -1) sparse += size;
  }
  offsets[groups] = sparse;

  const words = wordsFor(n);
  const ranks = sharedUint32(sparse);
  const bitmaps = sharedUint32(dense * words);
  const next = offsets.slice();
  return {
    groups: { n, sizes, offsets, ranks, bitmapOf, bitmaps },
    add(group, rank) {
      const bitmap = bitmapOf[group]!;
      if (bitmap === -1) {
        ranks[next[group]!] = rank;
        next[group] = next[group]! + 1;
        return;
      }
      const word = bitmap * words + (rank >>> 5);
      bitmaps[word] = bitmaps[word]! | (1 << (rank & 31));
    },
  };
}

/** Groups of a property that has one value for each rank; a value that is no group counts as none. */
export function groupByValue(values: ArrayLike<number>, n: number, groups: number): GroupedRanks {
  const sizes = sharedUint32(groups);
  for (let rank = 0; rank < n; rank += 1) if (values[rank]! < groups) sizes[values[rank]!] = sizes[values[rank]!]! + 1;
  const { add, groups: filled } = openGroups(n, sizes);
  for (let rank = 0; rank < n; rank += 1) {
    const group = values[rank]!;
    if (group < groups) add(group, rank);
  }
  return filled;
}

export function groupOf(grouped: GroupedRanks, group: number): RankSet {
  if (group < 0 || group >= grouped.sizes.length) return EMPTY_SET;
  const size = grouped.sizes[group]!;
  const bitmap = grouped.bitmapOf[group]!;
  if (bitmap === -1) {
    const start = grouped.offsets[group]!;
    return { size, bits: null, list: grouped.ranks.subarray(start, start + size) };
  }
  const words = wordsFor(grouped.n);
  return { size, bits: grouped.bitmaps.subarray(bitmap * words, (bitmap + 1) * words), list: null };
}

/** The ranks of several groups. */
export function groupsOf(grouped: GroupedRanks, groups: ArrayLike<number>): RankSet {
  if (groups.length === 1) return groupOf(grouped, groups[0]!);
  let total = 0;
  for (let i = 0; i < groups.length; i += 1) total += grouped.sizes[groups[i]!] ?? 0;
  if (total === 0) return EMPTY_SET;
  const bits = new Uint32Array(wordsFor(grouped.n));
  for (let i = 0; i < groups.length; i += 1) addGroup(grouped, groups[i]!, bits);
  const size = countBits(bits);
  return isDense(size, grouped.n) ? bitSet(bits, size) : listSet(members(bitSet(bits, size)));
}

function addGroup(grouped: GroupedRanks, group: number, bits: Uint32Array): void {
  const size = grouped.sizes[group] ?? 0;
  if (size === 0) return;
  const bitmap = grouped.bitmapOf[group]!;
  if (bitmap >= 0) {
    const first = bitmap * bits.length;
    for (let word = 0; word < bits.length; word += 1) bits[word] = bits[word]! | grouped.bitmaps[first + word]!;
    return;
  }
  const start = grouped.offsets[group]!;
  for (let i = start; i < start + size; i += 1) {
    const rank = grouped.ranks[i]!;
    bits[rank >>> 5] = bits[rank >>> 5]! | (1 << (rank & 31));
  }
}
