/** Words in code-unit order with a number each, flat in shared memory: found by halving, in any thread, without a Map. */

import { sharedUint16, sharedUint32 } from '../structures/shared-memory.ts';

export interface SortedWords {
  /** UTF-16 units of all words, one after the other. */
  text: Uint16Array;
  /** Word `i` is `text[start[i]] … text[start[i + 1] - 1]`. */
  start: Uint32Array;
  /** The number of word `i`. */
  term: Uint32Array;
}
/** Words `from` … `to - 1`. */
export interface WordRange {
  from: number;
  to: number;
}

export function emptyList(): SortedWords {
  return allocate(0, 0);
}

export function wordAt(list: SortedWords, index: number): string {
  return String.fromCharCode(...list.text.subarray(list.start[index], list.start[index + 1]));
}

/**
 * Finds a word in a range whose words agree in their first `depth` units: the one that goes on with `word.slice(from)` and ends there.
 * Its index, or -1.
 */
export function find(list: SortedWords, range: WordRange, depth: number, word: string, from: number): number {
  const index = lowerBound(range, (at) => compareRest(list, at, depth, word, from) < 0);
  return index < range.to && compareRest(list, index, depth, word, from) === 0 ? index : -1;
}

/** Within a range whose words agree in their first `depth` units, those that go on with `prefix`. */
export function withPrefix(list: SortedWords, range: WordRange, depth: number, prefix: string): WordRange {
  const from = lowerBound(range, (at) => comparePrefix(list, at, depth, prefix) < 0);
  const to = lowerBound({ from, to: range.to }, (at) => comparePrefix(list, at, depth, prefix) === 0);
  return { from, to };
}

/** The code point of a word at a unit offset, as a string; empty at its end. */
export function characterAt(list: SortedWords, index: number, depth: number): string {
  const at = list.start[index]! + depth;
  const end = list.start[index + 1]!;
  if (at >= end) return '';
  const unit = list.text[at]!;
  const isPair = unit >= HIGH_SURROGATES && unit < LOW_SURROGATES && at + 1 < end;
  return isPair ? String.fromCharCode(unit, list.text[at + 1]!) : String.fromCharCode(unit);
}

/** Every word with its term. */
export function* entries(list: SortedWords): Generator<[word: string, term: number]> {
  const { buffer, byteOffset, byteLength } = list.text;
  const text = Buffer.from(buffer, byteOffset, byteLength).toString('utf16le');
  for (let index = 0; index < list.term.length; index += 1) {
    yield [text.slice(list.start[index], list.start[index + 1]), list.term[index]!];
  }
}

/** A new list that also holds `added` (in any order, none of them in the list yet). Cost: one copy, and a search for each added word. */
export function merge(list: SortedWords, added: readonly string[], termOf: (word: string) => number): SortedWords {
  const fresh = [...added].sort();
  const freshUnits = fresh.reduce((sum, word) => sum + word.length, 0);
  const merged = allocate(list.text.length + freshUnits, list.term.length + fresh.length);
  let read = 0;
  let written = 0;
  const copyUntil = (end: number) => {
    const shift = merged.start[written]! - list.start[read]!;
    merged.text.set(list.text.subarray(list.start[read], list.start[end]), merged.start[written]);
    merged.term.set(list.term.subarray(read, end), written);
    for (; read < end; read += 1, written += 1) merged.start[written + 1] = list.start[read + 1]! + shift;
  };
  for (const word of fresh) {
    copyUntil(lowerBound({ from: read, to: list.term.length }, (at) => compareRest(list, at, 0, word, 0) < 0));
    const start = merged.start[written]!;
    for (let unit = 0; unit < word.length; unit += 1) merged.text[start + unit] = word.charCodeAt(unit);
    merged.start[written + 1] = start + word.length;
    merged.term[written] = termOf(word);
    written += 1;
  }
  copyUntil(list.term.length);
  return merged;
}

/** The same words with numbers of their own, which may be changed. */
export function withOwnNumbers(list: SortedWords): SortedWords {
  const term = sharedUint32(list.term.length);
  term.set(list.term);
  return { ...list, term };
}

/** Changes the number of a word that is in the list, in place. */
export function setNumber(list: SortedWords, word: string, number: number): void {
  const index = find(list, { from: 0, to: list.term.length }, 0, word, 0);
  if (index >= 0) list.term[index] = number;
}

function allocate(units: number, words: number): SortedWords {
  return {
    text: sharedUint16(units),
    start: sharedUint32(words + 1),
    term: sharedUint32(words),
  };
}

/** The first index of the range that is not before what is sought. */
function lowerBound({ from, to }: WordRange, isBefore: (index: number) => boolean): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Negative when the word's rest from `depth` stands before `word.slice(from)`, 0 when it is the same. */
function compareRest(list: SortedWords, index: number, depth: number, word: string, from: number): number {
  const begin = list.start[index]! + depth;
  const length = list.start[index + 1]! - begin;
  const wanted = word.length - from;
  const common = Math.min(length, wanted);
  for (let unit = 0; unit < common; unit += 1) {
    const difference = list.text[begin + unit]! - word.charCodeAt(from + unit);
    if (difference !== 0) return difference;
  }
  return length - wanted;
}

/** The same, but a word that begins with `prefix` is the same. */
function comparePrefix(list: SortedWords, index: number, depth: number, prefix: string): number {
  const begin = list.start[index]! + depth;
  const length = list.start[index + 1]! - begin;
  for (let unit = 0; unit < prefix.length; unit += 1) {
    if (unit >= length) return -1;
    const difference = list.text[begin + unit]! - prefix.charCodeAt(unit);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Unicode §23.6: D800–DBFF begin a pair, DC00–DFFF end one. */
const HIGH_SURROGATES = 0xd800;
const LOW_SURROGATES = 0xdc00;
