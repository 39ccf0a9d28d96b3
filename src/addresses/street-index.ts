/** Streets by their words: as they are written, without kind or side, shortened, and with slips of the pen. */

import type { NamedStreet } from './build-streets.ts';
import { isDirection, isKind, isParticle } from './spelling.ts';

export interface StreetIndex {
  /** Streets whose words are these, joined without blanks; [] for none. */
  named(key: string): readonly NamedStreet[];
  /** Streets whose words are these but for the kind, a side or particles. */
  calledLike(key: string): readonly NamedStreet[];
  /** The streets of the one name that begins so, each word in full or as its beginning: `mass ave`. [] for none or several names. */
  shortenedTo(words: readonly string[]): readonly NamedStreet[];
  /** The streets of the names that differ by fewest slips from these words, with the same kind. */
  similarTo(words: readonly string[]): readonly NamedStreet[];
  /** The most words of a name. */
  maxWords: number;
}

export function createStreetIndex(streets: readonly NamedStreet[]): StreetIndex {
  const byKey = Map.groupBy(streets, ({ key }) => key);
  const names = [...byKey.values()].flatMap(([first]) => (first ? [first] : []));
  const byLoose = new Map<string, NamedStreet[]>();
  for (const street of streets) {
    for (const key of looseKeys(street.words)) {
      const there = byLoose.get(key);
      if (there) there.push(street);
      else byLoose.set(key, [street]);
    }
  }
  const byForm = Map.groupBy(names, ({ words }) => formOf(words));
  const similar = createSimilarNames(names);
  return {
    named: (key) => byKey.get(key) ?? NONE,
    calledLike: (key) => byLoose.get(key) ?? NONE,
    shortenedTo(words) {
      const found = (byForm.get(formOf(words)) ?? NONE).filter((name) => isShortOf(words, name.words));
      return found.length === 1 ? (byKey.get(found[0]?.key ?? '') ?? NONE) : NONE;
    },
    similarTo: (words) => similar(words).flatMap((key) => byKey.get(key) ?? []),
    maxWords: Math.min(MAX_WORDS, Math.max(1, ...names.map(({ words }) => words.length))),
  };
}

/** Without kinds, without sides, without both, and without particles; never the name itself. */
function looseKeys(words: readonly string[]): Set<string> {
  const keys = new Set<string>();
  const add = (rest: readonly string[]): void => {
    const key = rest.join('');
    if (key.length >= MIN_NAME && rest.length < words.length && rest.some((word) => !isKind(word) && !isParticle(word)))
      keys.add(key);
  };
  const plain = withoutKind(words);
  add(plain);
  const sideless = words.filter((word) => !isDirection(word));
  add(sideless);
  add(withoutKind(sideless));
  add(words.filter((word) => !isParticle(word)));
  add(plain.filter((word) => !isParticle(word)));
  return keys;
}

/** The kind stands at the end (`Main St`) or at the start (`Rue Haute`). */
function withoutKind(words: readonly string[]): readonly string[] {
  if (words.length > 1 && isKind(words.at(-1) ?? '')) return words.slice(0, -1);
  if (words.length > 1 && isKind(words[0] ?? '')) return words.slice(1);
  return words;
}

/** A shortened name has as many words, and the same first letters of each. */
function formOf(words: readonly string[]): string {
  let form = '';
  for (const word of words) form += `${word.slice(0, MIN_SHORT)} `;
  return form;
}

function isShortOf(short: readonly string[], words: readonly string[]): boolean {
  if (short.length !== words.length) return false;
  let cut = 0;
  for (let index = 0; index < short.length; index++) {
    const a = short[index] ?? '';
    const b = words[index] ?? '';
    if (a === b) continue;
    if (a.length < MIN_SHORT || a.length >= b.length || !b.startsWith(a)) return false;
    cut++;
  }
  return cut === 1;
}

interface SpelledName {
  key: string;
  plain: string;
  kind: string;
}

function spelledName(words: readonly string[]): SpelledName {
  const plain = withoutKind(words).join('');
  const key = words.join('');
  return { key, plain, kind: words.length > 1 ? key.replace(plain, '') : '' };
}

/** Names of one kind and one length, with the letters that each has, as bits. */
interface SimilarGroup {
  names: readonly SpelledName[];
  letters: Int32Array;
}

/** One slip changes one letter in the length, and two in the letters that occur: few names are compared letter by letter. */
export function createSimilarNames(names: readonly Pick<NamedStreet, 'words'>[]): (words: readonly string[]) => string[] {
  const groups = new Map<string, SimilarGroup>();
  for (const [form, there] of Map.groupBy(
    names.map(({ words }) => spelledName(words)),
    ({ kind, plain }) => `${plain.length} ${kind}`,
  )) {
    groups.set(form, { names: there, letters: Int32Array.from(there, ({ plain }) => lettersOf(plain)) });
  }
  return (words) => {
    const wanted = spelledName(words);
    const { length } = wanted.plain;
    if (length < MIN_SIMILAR) return [];
    let least = length >= LONG_NAME ? 2 : 1;
    let found: string[] = [];
    for (let each = length - least, last = length + least; each <= last; each++) {
      const group = groups.get(`${each} ${wanted.kind}`);
      const near = group ? nearestIn(group, wanted.plain, least) : { slips: least, keys: [] };
      found = near.slips < least ? near.keys : [...found, ...near.keys];
      least = near.slips;
    }
    return found;
  };
}

/** The names with the fewest slips, of at most so many. */
function nearestIn({ names, letters }: SimilarGroup, wanted: string, most: number): { slips: number; keys: string[] } {
  const bits = lettersOf(wanted);
  let least = most;
  let keys: string[] = [];
  for (let index = 0; index < letters.length; index++) {
    if (bitsOf((letters[index] as number) ^ bits) > 2 * least) continue;
    const { plain, key } = names[index] as SpelledName;
    const slips = slipsBetween(plain, wanted, least);
    if (slips < least) keys = [];
    if (slips <= least) keys.push(key);
    least = Math.min(least, slips);
  }
  return { slips: least, keys };
}

function lettersOf(word: string): number {
  let letters = 0;
  for (let index = 0; index < word.length; index++) letters |= 1 << (word.charCodeAt(index) & 31);
  return letters;
}

/** Counts in pairs, in fours and in bytes at once. */
function bitsOf(number: number): number {
  const pairs = number - ((number >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Letters that are missing, added, changed or swapped with their neighbor; more than `most` is any larger number. */
export function slipsBetween(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a.charCodeAt(start) === b.charCodeAt(start)) start++;
  let end = 0;
  while (end < shorter - start && a.charCodeAt(a.length - 1 - end) === b.charCodeAt(b.length - 1 - end)) end++;
  const [inA, inB] = [a.length - start - end, b.length - start - end];
  if (inA === 0 || inB === 0 || most === 0) return Math.max(inA, inB);
  if (most > 1) return slipsWithin(a.slice(start, start + inA), b.slice(start, start + inB), most);
  if (inA === 1 && inB === 1) return 1;
  return inA === 2 && inB === 2 && isSwapped(a, start + 2, b, start + 2) ? 1 : most + 1;
}

/** Whether the last two of the first `i` and the first `j` letters are the same, the other way round. */
const isSwapped = (a: string, i: number, b: string, j: number): boolean =>
  i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];

/** Row by row, each for one more letter of `a`: how many slips lead to the first letters of `b`. */
function slipsWithin(a: string, b: string, most: number): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const changed = (last[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let slips = Math.min((last[j] as number) + 1, (row[j - 1] as number) + 1, changed);
      if (isSwapped(a, i, b, j)) slips = Math.min(slips, (before[j - 2] as number) + 1);
      row.push(slips);
      if (slips < least) least = slips;
    }
    if (least > most) return most + 1;
    [before, last] = [last, row];
  }
  return last[b.length] as number;
}

const NONE: readonly NamedStreet[] = [];
/** Longer names are found by their first words. */
const MAX_WORDS = 8;
/** Letters: a shorter name without its kind is any word. */
const MIN_NAME = 3;
/** Letters of a shortened word: `Mass`, `Com`. */
const MIN_SHORT = 3;
/** Letters: in shorter names, a slip makes another name. */
const MIN_SIMILAR = 4;
/** Letters: in longer names, two slips are still this name. */
const LONG_NAME = 9;
