/**
 * A set of ranks below some `n`: a bitmap when dense, a sorted list when sparse. "Dense" is where the bitmap is the smaller
 * one, more than one rank in 32; every operation takes and gives either form. Sets are never changed once made.
 */

export interface RankSet {
  readonly size: number;
  /** One bit for each rank, ⌈n / 32⌉ words; null for a list. */
  readonly bits: Uint32Array | null;
  /** Ascending; null for a bitmap. */
  readonly list: Uint32Array | null;
}

export const EMPTY_SET: RankSet = { size: 0, bits: null, list: new Uint32Array(0) };

export const wordsFor = (n: number): number => (n + 31) >>> 5;
export const isDense = (size: number, n: number): boolean => size * 32 > n;
export const bitSet = (bits: Uint32Array, size = countBits(bits)): RankSet => ({ size, bits, list: null });
export const listSet = (list: Uint32Array): RankSet => ({ size: list.length, bits: null, list });

/** The form that suits ascending ranks. */
export function rankSetOf(list: Uint32Array, n: number): RankSet {
  if (!isDense(list.length, n)) return listSet(list);
  const bits = new Uint32Array(wordsFor(n));
  for (const rank of list) bits[rank >>> 5] = bits[rank >>> 5]! | (1 << (rank & 31));
  return bitSet(bits, list.length);
}

function allRanks(n: number): RankSet {
  const bits = new Uint32Array(wordsFor(n)).fill(ALL_ONES);
  if (n % 32 !== 0) bits[bits.length - 1] = 2 ** (n % 32) - 1;
  return bitSet(bits, n);
}

export function contains(set: RankSet, rank: number): boolean {
  if (set.bits) return ((set.bits[rank >>> 5]! >>> (rank & 31)) & 1) === 1;
  return set.list !== null && holds(set.list, rank);
}

/** Members of all of them. Starts from the shortest list, so a rare word makes everything else cheap. */
export function intersect(sets: readonly RankSet[], n: number): RankSet {
  if (sets.length === 1) return sets[0]!;
  if (sets.some((set) => set.size === 0)) return EMPTY_SET;
  let shortest: RankSet | null = null;
  for (const set of sets) if (set.list && (shortest === null || set.size < shortest.size)) shortest = set;
  if (shortest?.list) return narrow(shortest, sets);
  if (sets.length === 0) return allRanks(n);

  const bits = sets[0]!.bits!.slice();
  for (let i = 1; i < sets.length; i += 1) {
    const other = sets[i]!.bits!;
    for (let word = 0; word < bits.length; word += 1) bits[word] = bits[word]! & other[word]!;
  }
  return bitSet(bits);
}

/** Members of any of them. */
export function union(sets: readonly RankSet[], n: number): RankSet {
  const some = sets.filter((set) => set.size > 0);
  if (some.length === 0) return EMPTY_SET;
  if (some.length === 1) return some[0]!;
  const [first, second] = some as [RankSet, RankSet];
  // A bitmap of everything costs more than two short lists.
  if (some.length === 2 && first.list && second.list && first.size + second.size <= wordsFor(n)) {
    return listSet(mergeLists(first.list, second.list));
  }
  const bits = new Uint32Array(wordsFor(n));
  for (const set of some) {
    if (set.list) for (const rank of set.list) bits[rank >>> 5] = bits[rank >>> 5]! | (1 << (rank & 31));
    else for (let word = 0; word < bits.length; word += 1) bits[word] = bits[word]! | set.bits![word]!;
  }
  const size = countBits(bits);
  return isDense(size, n) ? bitSet(bits, size) : listSet(toList(bits, size));
}

/** Up to `limit` members after the first `offset`, ascending. */
export function pick(set: RankSet, offset: number, limit: number): number[] {
  if (set.list) return Array.from(set.list.subarray(offset, offset + limit));
  const picked: number[] = [];
  if (offset >= set.size || limit === 0 || !set.bits) return picked;
  let skip = offset;
  let word = 0;
  for (let count = popcount(set.bits[0]!); skip >= count; count = popcount(set.bits[word]!)) {
    skip -= count;
    word += 1;
  }
  for (; word < set.bits.length; word += 1) {
    for (let rest = set.bits[word]!; rest !== 0; rest &= rest - 1) {
      if (skip > 0) {
        skip -= 1;
        continue;
      }
      picked.push(word * 32 + trailingZeros(rest));
      if (picked.length === limit) return picked;
    }
  }
  return picked;
}

/** All members, ascending. */
export function members(set: RankSet): Uint32Array {
  return set.list ?? toList(set.bits!, set.size);
}

/** Calls back with each member, ascending. */
export function forEachRank(set: RankSet, visit: (rank: number) => void): void {
  if (set.list) {
    for (const rank of set.list) visit(rank);
    return;
  }
  const bits = set.bits!;
  for (let word = 0; word < bits.length; word += 1) {
    for (let rest = bits[word]!; rest !== 0; rest &= rest - 1) visit(word * 32 + trailingZeros(rest));
  }
}

export function countBits(bits: Uint32Array): number {
  let total = 0;
  for (let word = 0; word < bits.length; word += 1) total += popcount(bits[word]!);
  return total;
}

/** Keeps the members of `shortest` that every other set has; those that exclude most are asked first. */
function narrow(shortest: RankSet, sets: readonly RankSet[]): RankSet {
  const kept = shortest.list!.slice();
  let length = kept.length;
  for (const set of sets.toSorted((a, b) => a.size - b.size)) {
    if (set === shortest) continue;
    length = set.bits ? keepInBits(kept, length, set.bits) : keepInList(kept, length, set.list!);
  }
  return listSet(kept.subarray(0, length));
}

/** Moves those of the first `length` that are in the bitmap to the front; how many they are. */
function keepInBits(kept: Uint32Array, length: number, bits: Uint32Array): number {
  let next = 0;
  for (let i = 0; i < length; i += 1) {
    const rank = kept[i]!;
    kept[next] = rank;
    next += (bits[rank >>> 5]! >>> (rank & 31)) & 1;
  }
  return next;
}

function keepInList(kept: Uint32Array, length: number, list: Uint32Array): number {
  let next = 0;
  if (list.length > length * MAX_STEPS) {
    for (let i = 0; i < length; i += 1) if (holds(list, kept[i]!)) kept[next++] = kept[i]!;
    return next;
  }
  for (let i = 0, at = 0; i < length && at < list.length; i += 1) {
    const rank = kept[i]!;
    while (at < list.length && list[at]! < rank) at += 1;
    if (list[at] === rank) kept[next++] = rank;
  }
  return next;
}

/** Both ascending; what is in both comes once. */
function mergeLists(one: Uint32Array, other: Uint32Array): Uint32Array {
  const merged = new Uint32Array(one.length + other.length);
  let next = 0;
  let at = 0;
  let place = 0;
  while (at < one.length && place < other.length) {
    const rank = one[at]!;
    const otherRank = other[place]!;
    merged[next++] = Math.min(rank, otherRank);
    if (rank <= otherRank) at += 1;
    if (otherRank <= rank) place += 1;
  }
  while (at < one.length) merged[next++] = one[at++]!;
  while (place < other.length) merged[next++] = other[place++]!;
  return merged.subarray(0, next);
}

function holds(list: Uint32Array, rank: number): boolean {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (list[middle]! < rank) low = middle + 1;
    else high = middle;
  }
  return list[low] === rank;
}

function toList(bits: Uint32Array, size: number): Uint32Array {
  const list = new Uint32Array(size);
  let next = 0;
  for (let word = 0; word < bits.length; word += 1) {
    for (let rest = bits[word]!; rest !== 0; rest &= rest - 1) list[next++] = word * 32 + trailingZeros(rest);
  }
  return list;
}

/** Bits set in a word, by adding neighbours: pairs, then fours, then bytes (Warren, Hacker's Delight, §5-1). */
function popcount(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  x = (x + (x >>> 4)) & 0x0f0f0f0f;
  return Math.imul(x, 0x01010101) >>> 24;
}

const trailingZeros = (word: number): number => 31 - Math.clz32(word & -word);

const ALL_ONES = 0xffffffff;
/** Of a list that is longer, each rank is searched for. */
const MAX_STEPS = 16;
