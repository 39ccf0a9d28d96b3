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
      prefix = printBase32(at, TIME_LENGTH) + processMark;
    }
    counter = (counter + 1) % COUNTER_SIZE;
    return prefix + printBase32(counter, COUNTER_LENGTH);
  };
}

function printBase32(value: number, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest = Math.floor(rest / 32)) text = ALPHABET[rest % 32] + text;
  return text;
}

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_LENGTH = 10;
const MARK_LENGTH = 10;
const COUNTER_LENGTH = 6;
const COUNTER_SIZE = 32 ** COUNTER_LENGTH;
