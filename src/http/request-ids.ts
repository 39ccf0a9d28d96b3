/** Fresh request ids in the form of a ULID: 26 characters of Crockford's base 32, sorting by time. */

import { randomBytes } from 'node:crypto';

/**
 * Time (10), a random mark of this process (10), a counter (6): unique without asking for randomness every time. They tell requests
 * apart and guard nothing.
 */
export function createRequestIds(now: () => number = Date.now, mark: Uint8Array = randomBytes(MARK_LENGTH)): () => string {
  const processMark = Array.from(mark.subarray(0, MARK_LENGTH), (byte) => ALPHABET[byte & 31]).join('');
  let era = Number.NaN;
  let eraMark = '';
  let counter = 0;
  let counterMark = '';
  return () => {
    const at = now();
    // Of the ten characters of time all but two stay for a second, of the counter's six for a thousand requests.
    const thisEra = Math.floor(at / TEN_BITS);
    if (thisEra !== era) {
      era = thisEra;
      eraMark = formatFortyBits(thisEra);
    }
    counter = (counter + 1) % THIRTY_BITS;
    if (counterMark === '' || (counter & 1023) === 0) counterMark = processMark + formatTwentyBits(counter >>> 10);
    return `${eraMark}${PAIRS[at % TEN_BITS]}${counterMark}${PAIRS[counter & 1023]}`;
  };
}

/** Eight characters. */
function formatFortyBits(value: number): string {
  return formatTwentyBits(Math.floor(value / TWENTY_BITS)) + formatTwentyBits(value % TWENTY_BITS);
}

/** Four characters. */
function formatTwentyBits(value: number): string {
  return `${PAIRS[value >>> 10]}${PAIRS[value & 1023]}`;
}

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Two characters for every ten bits. */
const PAIRS = Array.from({ length: 1024 }, (_, n) => `${ALPHABET[n >>> 5]}${ALPHABET[n & 31]}`);
const MARK_LENGTH = 10;
const TEN_BITS = 2 ** 10;
const TWENTY_BITS = 2 ** 20;
const THIRTY_BITS = 2 ** 30;
