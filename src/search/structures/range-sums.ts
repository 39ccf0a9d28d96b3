/** Sums over the tags of all published records of a kind, kept up to date while records come and go: `Checksums` in the contract. */

import type { Checksums } from '../query.ts';

interface TaggedRecords {
  readonly count: number;
  readonly at: { readonly state: Uint8Array; readonly tagHigh: Uint32Array; readonly tagLow: Uint32Array };
}

export interface RangeSums {
  /** Counts a record as it is now, if it is published. */
  add(slot: number): void;
  /** Takes a record out again. It must be as it was when it was added. */
  remove(slot: number): void;
  /** A copy. */
  read(): Checksums;
}

/** `ids`: four words for each slot. `published`: the state of records that count. */
export function createRangeSums(ids: { readonly words: Uint32Array }, records: TaggedRecords, published: number): RangeSums {
  /** For each range the lower word of its sum and the higher one. */
  const sums = new Uint32Array(RANGES * 2);
  let count = 0;

  function change(slot: number, words: Uint32Array, sign: 1 | -1): void {
    const { state, tagHigh, tagLow } = records.at;
    if (state[slot] !== published) return;
    const place = (words[slot * WORDS_OF_ID + WORDS_OF_ID - 1]! & (RANGES - 1)) * 2;
    const low = sums[place]! + sign * tagLow[slot]!;
    // What is stored is taken modulo 2^32.
    sums[place] = low;
    sums[place + 1] = sums[place + 1]! + sign * tagHigh[slot]! + Math.floor(low / 2 ** 32);
    count += sign;
  }

  for (let slot = 0, { words } = ids; slot < records.count; slot += 1) change(slot, words, 1);
  return {
    add: (slot) => change(slot, ids.words, 1),
    remove: (slot) => change(slot, ids.words, -1),
    read() {
      const sumOf = (_: unknown, range: number) => (BigInt(sums[range * 2 + 1]!) << 32n) | BigInt(sums[range * 2]!);
      return { records: count, ranges: BigUint64Array.from({ length: RANGES }, sumOf) };
    },
  };
}

const RANGES = 256;
const WORDS_OF_ID = 4;
