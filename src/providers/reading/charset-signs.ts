/** What bytes say of their own charset, whatever a provider says of it. Time and memory are linear. */

import { isUtf8 } from 'node:buffer';

/** How much of a text is UTF-8: well-formed characters beyond ASCII, and places where bytes are none. */
export interface Utf8Shape {
  good: number;
  bad: number;
}

/** The bytes of one damaged character count once. */
export function shapeOf(body: Uint8Array): Utf8Shape {
  let [good, bad, lastBad] = [0, 0, -2];
  for (let at = 0; at < body.length; at++) {
    if ((body[at] ?? 0) < 0x80) continue;
    const length = sequenceAt(body, at);
    if (length > 0) {
      good++;
      at += length - 1;
      continue;
    }
    if (lastBad !== at - 1) bad++;
    lastBad = at;
  }
  return { good, bad };
}

/** The mark of a text's beginning, and UTF-16 without one: in it, every second byte of ASCII is zero. UTF-8 has no such byte. */
export function markedEncoding(body: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | null {
  const [first, second, third] = body;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const sample = body.subarray(0, SAMPLE_BYTES);
  const zeros = [0, 0] as [number, number];
  for (let at = sample.indexOf(0); at !== -1; at = sample.indexOf(0, at + 1)) zeros[at % 2 === 0 ? 0 : 1]++;
  const [even, odd] = zeros;
  if ((even + odd) * MIN_ZERO_SHARE < sample.length || even + odd < MIN_ZEROS) return null;
  if (odd > even * CLEAR_MAJORITY) return 'utf-16le';
  return even > odd * CLEAR_MAJORITY ? 'utf-16be' : null;
}

/**
 * Whether bytes that nobody explains may be windows-1252: in languages of that charset, letters beyond ASCII stand alone or in pairs.
 * Whole words of them are another alphabet.
 */
export function looksLikeWestern(body: Uint8Array): boolean {
  let [high, inWords, unassigned, run] = [0, 0, 0, 0];
  for (let at = 0; at <= body.length; at++) {
    const byte = body[at] ?? 0x20;
    if (byte >= 0x80) {
      run++;
      if (UNASSIGNED.has(byte)) unassigned++;
      continue;
    }
    high += run;
    if (run >= WORD_BYTES) inWords += run;
    run = 0;
  }
  return inWords * 2 <= high && unassigned <= high * MAX_UNASSIGNED;
}

/**
 * Mostly UTF-8, with bytes of windows-1252 between: a byte alone between ASCII is the letter that it is there. What else is no UTF-8 is
 * damaged, such as a character that was cut: it becomes a replacement mark.
 */
export function decodeMixed(body: Uint8Array): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < body.length; at++) {
    if ((body[at] ?? 0) < 0x80) continue;
    const length = sequenceAt(body, at);
    if (length > 0) {
      at += length - 1;
      continue;
    }
    const letter = lettersAlone(body, at);
    if (letter === null) continue;
    parts.push(UTF_8.decode(body.subarray(from, at)), letter);
    from = at + 1;
  }
  parts.push(UTF_8.decode(body.subarray(from)));
  return parts.join('');
}

/**
 * `CafÃ©` for `Café`: UTF-8 that was read as windows-1252 and written as UTF-8 again. Only a text that proves it as a whole is undone: all
 * of its characters beyond ASCII are such bytes. Returns null for any other text.
 */
export function undoDoubleEncoding(text: string): string | null {
  const seen = new Set<string>();
  const parts: string[] = [];
  let from = 0;
  for (const { 0: run, index } of text.matchAll(/[^\0-\x7f]+/g)) {
    const inner = innerText(run);
    if (inner === null) return null;
    for (const char of inner) if (seen.size < MIN_PROOFS) seen.add(char);
    parts.push(text.slice(from, index), inner);
    from = index + run.length;
  }
  const isProven = seen.size >= MIN_PROOFS || [...seen].some((char) => USUAL.test(char));
  return isProven ? [...parts, text.slice(from)].join('') : null;
}

/** Whether a look at the first characters beyond ASCII leaves it open that `undoDoubleEncoding` finds something. */
export function mayBeDoubled(body: Uint8Array): boolean {
  const from = body.findIndex((byte) => byte >= 0x80);
  if (from === -1) return false;
  const length = body.subarray(from, from + SAMPLE_BYTES).findIndex((byte) => byte < 0x80);
  return innerText(UTF_8.decode(body.subarray(from, length === -1 ? undefined : from + length))) !== null;
}

function innerText(run: string): string | null {
  const bytes = new Uint8Array(run.length);
  for (let at = 0; at < run.length; at++) {
    const byte = WESTERN_BYTES.get(run.charCodeAt(at));
    if (byte === undefined) return null;
    bytes[at] = byte;
  }
  return isUtf8(bytes) ? UTF_8.decode(bytes) : null;
}

/** Length of the well-formed UTF-8 character of several bytes at a place; 0 where there is none (RFC 3629 §4). */
function sequenceAt(body: Uint8Array, at: number): number {
  const lead = body[at] ?? 0;
  const length = LENGTHS.find(({ from, until }) => lead >= from && lead <= until)?.length ?? 0;
  for (let tail = 1; tail < length; tail++) if (!isTail(body[at + tail] ?? 0)) return 0;
  const second = body[at + 1] ?? 0;
  const [from, until] = SECONDS[lead] ?? [0x80, 0xbf];
  return length > 0 && second >= from && second <= until ? length : 0;
}

const isTail = (byte: number): boolean => byte >= 0x80 && byte < 0xc0;

/** Null where the byte is part of something damaged. A capital behind a small letter is the beginning of a character that was cut. */
function lettersAlone(body: Uint8Array, at: number): string | null {
  const [before, byte, after] = [body[at - 1] ?? 0x20, body[at] ?? 0, body[at + 1] ?? 0x20];
  if (before >= 0x80 || after >= 0x80 || UNASSIGNED.has(byte)) return null;
  const isCut = byte >= 0xc2 && byte <= 0xdf && before >= 0x61 && before <= 0x7a;
  return isCut ? null : WESTERN.decode(Uint8Array.of(byte));
}

/** By the first byte. */
const LENGTHS = [
  { from: 0xc2, until: 0xdf, length: 2 },
  { from: 0xe0, until: 0xef, length: 3 },
  { from: 0xf0, until: 0xf4, length: 4 },
] as const;
/** Which second bytes follow these: others would be overlong, surrogates or beyond Unicode. */
const SECONDS: Readonly<Record<number, readonly [number, number]>> = {
  224: [0xa0, 0xbf],
  237: [0x80, 0x9f],
  240: [0x90, 0xbf],
  244: [0x80, 0x8f],
};
const UTF_8 = new TextDecoder('utf-8', { ignoreBOM: true });
const WESTERN = new TextDecoder('windows-1252');
/** Bytes of windows-1252 by the code of their character; programs that take it for ISO 8859-1 write the control characters. */
const WESTERN_BYTES: ReadonlyMap<number, number> = new Map(
  Array.from({ length: 0x80 }, (_, index) => index + 0x80).flatMap((byte): [number, number][] => [
    [byte, byte],
    [WESTERN.decode(Uint8Array.of(byte)).charCodeAt(0), byte],
  ]),
);
/** No characters in windows-1252. */
const UNASSIGNED: ReadonlySet<number> = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);
/** Letters of Western Europe and signs of typography: what is doubled most often. */
const USUAL = /[\u00a0-\u00ff\u2010-\u2026\u20ac]/;
const MIN_PROOFS = 3;
const WORD_BYTES = 3;
const SAMPLE_BYTES = 65_536;
/** Zeros are at least one byte in 16 of UTF-16, whatever the alphabet: lines, blanks and signs. */
const MIN_ZERO_SHARE = 16;
const MIN_ZEROS = 2;
const CLEAR_MAJORITY = 4;
const MAX_UNASSIGNED = 0.1;
