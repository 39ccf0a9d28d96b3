/** Stable sorting of numbers by 16-bit digits (LSD radix sort): linear, and without a comparator called a million times. */

import type { Wholes } from './whole.ts';

export interface Sorter {
  /** Reorders `items` by `key`, an integer of 0 … 65 535. Equal keys keep their order. */
  byDigit(key: (item: number) => number): void;
  /** Reorders by the number of each item in a column, where it must be known. Equal numbers keep their order. */
  byColumn(column: WholeColumn, direction?: 'ascending' | 'descending'): void;
  readonly items: Uint32Array;
}

/** Numbers with a fraction would be mixed up: the type keeps them out. */
export type WholeColumn = Wholes | Uint8Array | Uint16Array | Uint32Array | Int32Array;

export function createSorter(initial: Uint32Array): Sorter {
  let items = initial.slice();
  let spare = new Uint32Array(initial.length);
  const digits = new Uint16Array(initial.length);
  const counts = new Uint32Array(DIGITS + 1);

  /** Going through all counts would be most of the work. */
  const byFewDigits = (): void => {
    const order = Array.from(items.keys()).sort((one, other) => digits[one]! - digits[other]!);
    for (let i = 0; i < order.length; i += 1) spare[i] = items[order[i]!]!;
    [items, spare] = [spare, items];
  };

  const byDigit = (key: (item: number) => number): void => {
    if (items.length <= FEW) {
      for (let i = 0; i < items.length; i += 1) digits[i] = key(items[i]!);
      byFewDigits();
      return;
    }
    counts.fill(0);
    for (let i = 0; i < items.length; i += 1) {
      const digit = key(items[i]!);
      digits[i] = digit;
      counts[digit + 1] = counts[digit + 1]! + 1;
    }
    for (let digit = 1; digit < DIGITS; digit += 1) counts[digit] = counts[digit]! + counts[digit - 1]!;
    for (let i = 0; i < items.length; i += 1) {
      const digit = digits[i]!;
      spare[counts[digit]!] = items[i]!;
      counts[digit] = counts[digit]! + 1;
    }
    [items, spare] = [spare, items];
  };

  return {
    byDigit,
    byColumn(column, direction = 'ascending') {
      let least = Number.POSITIVE_INFINITY;
      let most = Number.NEGATIVE_INFINITY;
      for (let i = 0; i < items.length; i += 1) {
        const value = column[items[i]!]!;
        if (value < least) least = value;
        if (value > most) most = value;
      }
      const height = direction === 'ascending' ? (value: number) => value - least : (value: number) => most - value;
      for (let unit = 1; most - least >= unit; unit *= DIGITS) {
        byDigit((item) => Math.floor(height(column[item]!) / unit) % DIGITS);
      }
    },
    get items() {
      return items;
    },
  };
}

const DIGITS = 65_536;
/** A comparing sort is quicker up to here. */
const FEW = 128;
