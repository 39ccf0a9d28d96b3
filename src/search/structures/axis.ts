/**
 * Ranks in the order of whole numbers, such as times in milliseconds, and cumulative bitmaps at quantiles of that order: "the first b × step events".
 *
 *     order   r7 r2 r9 | r1 r4 r0 | r3 r8 …        boundary b lies after b × step entries
 *     a range [i, j) of the order = below(j) and not below(i); a boundary is corrected by the few entries up to i or j
 */

import { bitSet, isDense, listSet, type RankSet, wordsFor } from './rank-set.ts';
import { sharedUint32, sharedWholes } from './shared-memory.ts';
import type { Wholes } from './whole.ts';

export interface Axis {
  /** How many ranks there are; the axis may hold fewer. */
  readonly n: number;
  readonly order: Uint32Array;
  /** Those of `order`, ascending. */
  readonly values: Wholes;
  readonly step: number;
  readonly cumulative: Uint32Array;
}

/** `order` must be sorted by the values of its ranks. */
export function createAxis(order: Uint32Array, column: Wholes, n: number): Axis {
  const values = sharedWholes(order.length);
  for (let i = 0; i < order.length; i += 1) values[i] = column[order[i]!]!;
  const step = Math.max(MIN_STEP, Math.ceil(order.length / MAX_BOUNDARIES));
  const boundaries = Math.floor(order.length / step) + 1;
  const words = wordsFor(n);
  const cumulative = sharedUint32(boundaries * words);
  for (let boundary = 1; boundary < boundaries; boundary += 1) {
    const start = boundary * words;
    cumulative.copyWithin(start, start - words, start);
    for (let i = (boundary - 1) * step; i < boundary * step; i += 1) {
      const word = start + (order[i]! >>> 5);
      cumulative[word] = cumulative[word]! | (1 << (order[i]! & 31));
    }
  }
  return { n, order, values, step, cumulative };
}

/** How many entries are below `value`. */
export function entriesBefore(axis: Axis, value: number): number {
  return countWhile(axis.values.length, (i) => axis.values[i]! < value);
}

/** How many entries are at `value` or below. */
export function entriesUpTo(axis: Axis, value: number): number {
  return countWhile(axis.values.length, (i) => axis.values[i]! <= value);
}

/** The ranks of entries `first` … `end` - 1. */
export function stretch(axis: Axis, first: number, end: number): RankSet {
  const size = Math.max(0, end - first);
  if (!isDense(size, axis.n)) return listSet(axis.order.slice(first, first + size).sort());
  const bits = below(axis, end);
  const earlier = below(axis, first);
  for (let word = 0; word < bits.length; word += 1) bits[word] = bits[word]! & ~earlier[word]!;
  return bitSet(bits, size);
}

/** A fresh bitmap of the first `count` entries: the nearest boundary, with the entries between added or taken away. */
function below(axis: Axis, count: number): Uint32Array {
  const words = wordsFor(axis.n);
  const last = axis.cumulative.length / words - 1;
  const boundary = Math.min(last, Math.round(count / axis.step));
  const bits = axis.cumulative.slice(boundary * words, (boundary + 1) * words);
  const at = boundary * axis.step;
  for (let i = Math.min(at, count); i < Math.max(at, count); i += 1) {
    const rank = axis.order[i]!;
    bits[rank >>> 5] = bits[rank >>> 5]! ^ (1 << (rank & 31));
  }
  return bits;
}

/** How many of the first `length` places `holds`; it holds at none after the first at which it does not. */
export function countWhile(length: number, holds: (place: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** 128 bitmaps of a million bits are 16 MB; a step of a million events is then 8 000 entries, some 10 µs to correct. */
const MAX_BOUNDARIES = 128;
/** Below this a boundary saves less than it costs. */
const MIN_STEP = 512;
