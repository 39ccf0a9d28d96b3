/** Fresh request ids in the form of a ULID: 26 characters of Crockford's base 32, sorting by time. */

import { randomBytes } from 'node:crypto';

/**
 * Time (10), a random mark of this process (10), a counter (6): unique without asking for randomness every time. They tell requests
 * apart and guard nothing.
 */
export function createRequestIds(now: () => number = Date.now, mark: Uint8Array = randomBytes(MARK_LENGTH)): () => string {
  const processMark = Array.from(mark.subarray(0, MARK_LENGTH), (byte) => ALPHABET[byte & 31]).join('');
  let instant = Number.NaN;
  let prefix = '';
  let counter = 0;
  return () => {
    const at = now();
    if (at !== instant) {
      instant = at;
      const high = Math.floor(at / THIRTY_BITS);
      prefix = `${PAIRS[(high >>> 10) & 1023]}${PAIRS[high & 1023]}${printThirtyBits(at % THIRTY_BITS)}${processMark}`;
    }
    counter = (counter + 1) % THIRTY_BITS;
    return prefix + printThirtyBits(counter);
  };
}

/** Six characters. */
function printThirtyBits(value: number): string {
  return `${PAIRS[value >>> 20]}${PAIRS[(value >>> 10) & 1023]}${PAIRS[value & 1023]}`;
}

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Two characters for every ten bits. */
const PAIRS = Array.from({ length: 1024 }, (_, n) => `${ALPHABET[n >>> 5]}${ALPHABET[n & 31]}`);
const MARK_LENGTH = 10;
const THIRTY_BITS = 2 ** 30;
