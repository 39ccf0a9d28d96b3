/**
 * A digest of rows in any order: the sum of the SHA-256 of each, as numbers of 256 bits. A database gives rows in the order in which
 * they lie in its files, and sorting millions of them would take longer than reading them.
 */

import { hash } from 'node:crypto';

export interface RowDigest {
  add(row: string): void;
  /** 64 hexadecimal digits. */
  value(): string;
}

export function createRowDigest(): RowDigest {
  // One sum for each 32 bits of a hash. A double counts exactly up to 2^53: two million sums of 2^32 at most.
  const sums = new Float64Array(WORDS);
  let pending = 0;

  function carry(): void {
    let over = 0;
    for (let word = WORDS - 1; word >= 0; word -= 1) {
      const sum = (sums[word] ?? 0) + over;
      over = Math.floor(sum / WORD);
      sums[word] = sum - over * WORD;
    }
    pending = 0;
  }

  return {
    add(row) {
      const digest = hash('sha256', row, 'buffer');
      for (let word = 0; word < WORDS; word += 1) sums[word] = (sums[word] ?? 0) + digest.readUInt32BE(word * 4);
      pending += 1;
      if (pending === MAX_PENDING) carry();
    },
    value() {
      carry();
      return [...sums].map((word) => word.toString(16).padStart(8, '0')).join('');
    },
  };
}

const WORDS = 8;
const WORD = 2 ** 32;
const MAX_PENDING = 1_000_000;
