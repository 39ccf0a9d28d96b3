/**
 * What an API key looks like: `mq_live_` (`mq_test_` of a test key), 12 base62 letters that name it, `_`, 43 base62 letters of secret (256 bits), and the CRC32
 * of all that as 6 base62 letters. The checksum lets a mistyped key be refused without asking the store; a scanner that
 * finds one in public code can tell it from noise.
 */

import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** `size` unpredictable bytes. */
export type RandomBytes = (size: number) => Uint8Array;

export interface NewKey {
  /** The whole key. Shown once, never stored. */
  key: string;
  publicId: string;
  last4: string;
}

/** `test`: it reads the test city, never the directory. */
export type KeyMode = 'live' | 'test';

/** A fresh key; every public id and every 256-bit secret is equally likely. */
export function generateKey(random: RandomBytes = randomBytes, mode: KeyMode = 'live'): NewKey {
  const publicId = randomLetters(PUBLIC_ID_LENGTH, random);
  const body = `${PREFIXES[mode]}${publicId}_${encodeSecret(random(SECRET_BYTES))}`;
  const key = body + checksum(body);
  return { key, publicId, last4: key.slice(-4) };
}

/** The public id of a well-formed key with the right checksum, else null. One pass, whatever the text. */
export function parseKey(text: string): string | null {
  const isPrefixed = text.startsWith(PREFIXES.live) || text.startsWith(PREFIXES.test);
  if (text.length !== KEY_LENGTH || !isPrefixed || text.charCodeAt(SEPARATOR_AT) !== UNDERSCORE) return null;
  for (let at = PREFIX_LENGTH; at < KEY_LENGTH; at += 1) {
    if (at !== SEPARATOR_AT && IS_LETTER[text.charCodeAt(at)] !== 1) return null;
  }
  const body = text.slice(0, BODY_LENGTH);
  if (checksum(body) !== text.slice(BODY_LENGTH)) return null;
  return text.slice(PREFIX_LENGTH, SEPARATOR_AT);
}

/** Bytes above the largest multiple of 62 are thrown away: a plain remainder would favour the first letters. */
function randomLetters(length: number, random: RandomBytes): string {
  let letters = '';
  while (letters.length < length) {
    for (const byte of random(length)) {
      if (byte < UNBIASED_BYTES && letters.length < length) letters += ALPHABET[byte % BASE];
    }
  }
  return letters;
}

/** 62^43 is just above 2^256, so 43 letters hold every secret. */
function encodeSecret(bytes: Uint8Array): string {
  let rest = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  let letters = '';
  while (letters.length < SECRET_LENGTH) {
    letters = ALPHABET[Number(rest % BIG_BASE)] + letters;
    rest /= BIG_BASE;
  }
  return letters;
}

/** Most significant letter first, padded with `0`. */
function checksum(body: string): string {
  let rest = crc32(body);
  let letters = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    letters = ALPHABET.charAt(rest % BASE) + letters;
    rest = Math.floor(rest / BASE);
  }
  return letters;
}

/** Equally long. */
const PREFIXES = { live: 'mq_live_', test: 'mq_test_' } as const satisfies Record<KeyMode, string>;
const PREFIX_LENGTH = PREFIXES.live.length;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = 62;
const BIG_BASE = 62n;
/** The largest multiple of 62 in a byte. */
const UNBIASED_BYTES = 248;
const UNDERSCORE = 95;
const PUBLIC_ID_LENGTH = 12;
const SECRET_BYTES = 32;
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const SEPARATOR_AT = PREFIX_LENGTH + PUBLIC_ID_LENGTH;
const BODY_LENGTH = SEPARATOR_AT + 1 + SECRET_LENGTH;
export const KEY_LENGTH = BODY_LENGTH + CHECKSUM_LENGTH;
/** 1 at the code of every letter of the alphabet. A code beyond it reads as undefined. */
const IS_LETTER = Uint8Array.from({ length: 128 }, (_, code) => (ALPHABET.includes(String.fromCharCode(code)) ? 1 : 0));
