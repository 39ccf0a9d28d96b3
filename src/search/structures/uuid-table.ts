/**
 * UUIDs as four 32-bit words, and a table that gives each a number from 0 on, for ever. A `Map` of a million strings would take
 * a hundred megabytes; this takes twenty-four.
 */

import { createSorter } from './radix.ts';

/** Writes the four words of a UUID (either case) to `into[at] …`. False when it is none. */
function parseUuid(text: string, into: Uint32Array, at = 0): boolean {
  if (text.length !== 36) return false;
  let word = 0;
  let digits = 0;
  for (let i = 0; i < 36; i += 1) {
    const code = text.charCodeAt(i);
    if (i === 8 || i === 13 || i === 18 || i === 23) {
      if (code !== DASH) return false;
      continue;
    }
    const digit = code < 128 ? HEX_VALUES[code]! : -1;
    if (digit < 0) return false;
    word = (word << 4) | digit;
    digits += 1;
    if (digits % 8 === 0) into[at + digits / 8 - 1] = word;
  }
  return true;
}

/** Lower case. */
export function formatUuid(words: Uint32Array, at: number): string {
  let hex = '';
  for (let i = 0; i < 4; i += 1) hex += words[at + i]!.toString(16).padStart(8, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

export class UuidTable {
  /** Four words for each number. */
  #words: Uint32Array;
  /** Open addressing with linear steps: number + 1, or 0 for a free place. */
  #places: Uint32Array;
  #count = 0;
  readonly #sought = new Uint32Array(4);

  constructor(words: Uint32Array = new Uint32Array(0)) {
    this.#words = words.slice();
    this.#count = words.length / 4;
    this.#places = this.#hashed(this.#count);
  }

  get count(): number {
    return this.#count;
  }

  /** Four words for each number, in the order of numbers. */
  get words(): Uint32Array {
    return this.#words.subarray(0, this.#count * 4);
  }

  /** -1 for an unknown id. */
  find(id: string): number {
    return parseUuid(id, this.#sought) ? this.#places[this.#placeOf(this.#sought, 0)]! - 1 : -1;
  }

  /** The number of an id, which is given one when it has none. Throws for what is no UUID. */
  claim(id: string): number {
    if (!parseUuid(id, this.#sought)) throw new RangeError(`not a UUID: ${id}`);
    const place = this.#placeOf(this.#sought, 0);
    const known = this.#places[place]!;
    if (known > 0) return known - 1;
    this.#makeRoom();
    this.#words.set(this.#sought, this.#count * 4);
    this.#count += 1;
    if (this.#count * 2 > this.#places.length) this.#places = this.#hashed(this.#count);
    else this.#places[place] = this.#count;
    return this.#count - 1;
  }

  print(number: number): string {
    return formatUuid(this.#words, number * 4);
  }

  #placeOf(words: Uint32Array, at: number): number {
    const mask = this.#places.length - 1;
    // The tail of a version 7 id is random and that of a version 4 too; made-up ids of tests differ in one end or the other.
    let hash = Math.imul(words[at]! ^ Math.imul(words[at + 3]!, 0x9e3779b1), 0x85ebca6b) ^ words[at + 1]! ^ words[at + 2]!;
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    let place = (hash ^ (hash >>> 13)) & mask;
    for (;;) {
      const known = this.#places[place]!;
      if (known === 0) return place;
      const held = (known - 1) * 4;
      if (
        this.#words[held] === words[at] &&
        this.#words[held + 1] === words[at + 1] &&
        this.#words[held + 2] === words[at + 2] &&
        this.#words[held + 3] === words[at + 3]
      ) {
        return place;
      }
      place = (place + 1) & mask;
    }
  }

  #makeRoom(): void {
    if (this.#words.length > this.#count * 4) return;
    const larger = new Uint32Array(Math.max(64, this.#words.length * 2));
    larger.set(this.#words);
    this.#words = larger;
  }

  #hashed(count: number): Uint32Array {
    this.#places = new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(64, count * 4))));
    for (let number = 0; number < count; number += 1) this.#places[this.#placeOf(this.#words, number * 4)] = number + 1;
    return this.#places;
  }
}

/** Numbers of a table in the order of the ids they stand for, which is that of their printed forms. */
export function inIdOrder(words: Uint32Array): Uint32Array {
  const sorter = createSorter(Uint32Array.from({ length: words.length / 4 }, (_, number) => number));
  for (let word = 3; word >= 0; word -= 1) {
    sorter.byDigit((number) => words[number * 4 + word]! & 0xffff);
    sorter.byDigit((number) => words[number * 4 + word]! >>> 16);
  }
  return sorter.items;
}

/** Where an id stands among ids in order (four words each); -1 for nowhere. */
export function findSorted(sorted: Uint32Array, id: string): number {
  if (!parseUuid(id, SOUGHT)) return -1;
  let low = 0;
  let high = sorted.length / 4;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(sorted, middle * 4, SOUGHT) < 0) low = middle + 1;
    else high = middle;
  }
  return low < sorted.length / 4 && compare(sorted, low * 4, SOUGHT) === 0 ? low : -1;
}

function compare(sorted: Uint32Array, at: number, words: Uint32Array): number {
  for (let i = 0; i < 4; i += 1) {
    const difference = sorted[at + i]! - words[i]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

const SOUGHT = new Uint32Array(4);
const DASH = 0x2d;
const HEX_VALUES = Int8Array.from({ length: 128 }, (_, code) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase()),
);
