/** Tags of pages, mixed from the tags of what is on them: nothing is hashed when it is asked for. */

import { type EventsData, RECORD } from '../snapshot-data.ts';

/** Two lanes of 32 bits, each in the manner of MurmurHash3's mixing of one word. */
export interface TagMixer {
  add(word: number): void;
  /** 16 hexadecimal digits. */
  print(): string;
}

export function createTagMixer(): TagMixer {
  let a = SEED_A;
  let b = SEED_B;
  return {
    add(word) {
      a = mix(a, Math.imul(word, 0xcc9e2d51), 13, 0x1b873593);
      b = mix(b, Math.imul(word, 0x85ebca6b), 15, 0xc2b2ae35);
    },
    print: () => hex(finish(a)) + hex(finish(b)),
  };
}

/** Of a page of events. */
export function pageTag({ records }: EventsData, total: number, items: readonly number[]): string {
  const mixer = createTagMixer();
  mixer.add(total);
  for (const item of items) {
    mixer.add(records[item * RECORD.words + RECORD.tagHigh]!);
    mixer.add(records[item * RECORD.words + RECORD.tagLow]!);
  }
  return mixer.print();
}

/** A tag as it stands in a record. */
export const formatTag = (high: number, low: number): string => hex(high) + hex(low);

function mix(lane: number, scrambled: number, turn: number, factor: number): number {
  const rotated = (scrambled << 15) | (scrambled >>> 17);
  const mixed = lane ^ Math.imul(rotated, factor);
  return (Math.imul((mixed << turn) | (mixed >>> (32 - turn)), 5) + 0xe6546b64) | 0;
}

function finish(lane: number): number {
  const once = Math.imul(lane ^ (lane >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return twice ^ (twice >>> 16);
}

/** Eight digits. Printing a number by its radix goes through floating point and costs more than the mixing of a whole page. */
const hex = (word: number): string =>
  BYTES[word >>> 24]! + BYTES[(word >>> 16) & 255]! + BYTES[(word >>> 8) & 255]! + BYTES[word & 255]!;
const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Any two numbers that differ. */
const SEED_A = 0x6d617271;
const SEED_B = 0x75656521;
