/** A map from texts to small numbers that remembers 96-bit digests only: a million keys take 34 MB at most, whatever their length. */

import { hash } from 'node:crypto';

export interface DigestMap {
  readonly size: number;
  /** The number of a key, or undefined. */
  get(key: string): number | undefined;
  /** Remembers `value` (1 … 2³² − 1) for a key. */
  set(key: string, value: number): void;
}

/** Open addressing with linear probing over one typed array; among a million keys two share a digest with a chance of 10⁻¹⁷. */
export function createDigestMap(): DigestMap {
  let slots = new Uint32Array(FIRST_SLOTS * WORDS);
  let size = 0;

  /** Offset of the slot that holds a digest, or of the empty slot where it belongs. A slot's last word is its value, 0 when empty. */
  const find = (table: Uint32Array, digest: Uint32Array): number => {
    const mask = table.length / WORDS - 1;
    for (let slot = (digest[0] ?? 0) & mask; ; slot = (slot + 1) & mask) {
      const at = slot * WORDS;
      if (table[at + DIGEST_WORDS] === 0) return at;
      if (digest.every((word, index) => table[at + index] === word)) return at;
    }
  };

  const grow = (): void => {
    const larger = new Uint32Array(slots.length * 2);
    for (let at = 0; at < slots.length; at += WORDS) {
      if (slots[at + DIGEST_WORDS] === 0) continue;
      const entry = slots.subarray(at, at + WORDS);
      larger.set(entry, find(larger, entry.subarray(0, DIGEST_WORDS)));
    }
    slots = larger;
  };

  return {
    get size() {
      return size;
    },
    get(key) {
      return slots[find(slots, digestOf(key)) + DIGEST_WORDS] || undefined;
    },
    set(key, value) {
      const digest = digestOf(key);
      const at = find(slots, digest);
      if (slots[at + DIGEST_WORDS] === 0) size++;
      slots.set(digest, at);
      slots[at + DIGEST_WORDS] = value;
      if (size * WORDS > slots.length * MAX_FULL) grow();
    },
  };
}

function digestOf(key: string): Uint32Array {
  // As text, a byte a character: Node takes three times as long to make a buffer.
  const bytes = hash('sha256', key, 'binary');
  return Uint32Array.from({ length: DIGEST_WORDS }, (_, word) => wordAt(bytes, word * Uint32Array.BYTES_PER_ELEMENT));
}

const wordAt = (bytes: string, at: number): number =>
  bytes.charCodeAt(at) | (bytes.charCodeAt(at + 1) << 8) | (bytes.charCodeAt(at + 2) << 16) | (bytes.charCodeAt(at + 3) << 24);

const DIGEST_WORDS = 3;
const WORDS = DIGEST_WORDS + 1;
const FIRST_SLOTS = 1024;
const MAX_FULL = 0.75;
