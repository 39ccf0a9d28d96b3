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
  const sortedNames = names.toSorted((a, b) => (a.words[0] ?? '').localeCompare(b.words[0] ?? ''));
  const similar = createSimilarNames(names);
  return {
    named: (key) => byKey.get(key) ?? [],
    calledLike: (key) => byLoose.get(key) ?? [],
    shortenedTo(words) {
      const found = sortedNames.filter((name) => isShortOf(words, name.words));
      return found.length === 1 ? (byKey.get(found[0]?.key ?? '') ?? []) : [];
    },
    similarTo: (words) => similar(words).flatMap(({ key }) => byKey.get(key) ?? []),
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
export function withoutKind(words: readonly string[]): readonly string[] {
  if (words.length > 1 && isKind(words.at(-1) ?? '')) return words.slice(0, -1);
  if (words.length > 1 && isKind(words[0] ?? '')) return words.slice(1);
  return words;
}

function isShortOf(short: readonly string[], words: readonly string[]): boolean {
  if (short.length !== words.length) return false;
  let cut = 0;
  for (let index = 0; index < short.length; index++) {
    const [a, b] = [short[index] ?? '', words[index] ?? ''];
    if (a === b) continue;
    if (a.length < MIN_SHORT || !b.startsWith(a)) return false;
    cut++;
  }
  return cut === 1;
}

interface SpelledName {
  key: string;
  plain: string;
  kind: string;
  letters: number;
}

function spelledName(words: readonly string[]): SpelledName {
  const plain = withoutKind(words).join('');
  const key = words.join('');
  return { key, plain, kind: words.length > 1 ? key.replace(plain, '') : '', letters: lettersOf(plain) };
}

/** One slip changes two kinds of letters at most: most names are passed over without comparing them. */
function createSimilarNames(names: readonly NamedStreet[]): (words: readonly string[]) => SpelledName[] {
  const spelled = names.map(({ words }) => spelledName(words));
  return (words) => {
    const wanted = spelledName(words);
    if (wanted.plain.length < MIN_SIMILAR) return [];
    let most = wanted.plain.length >= LONG_NAME ? 2 : 1;
    let found: SpelledName[] = [];
    for (const name of spelled) {
      if (name.kind !== wanted.kind || Math.abs(name.plain.length - wanted.plain.length) > most) continue;
      if (bitsOf(name.letters ^ wanted.letters) > 2 * most) continue;
      const slips = slipsBetween(name.plain, wanted.plain, most);
      if (slips > most || slips === 0) continue;
      if (slips < most) {
        most = slips;
        found = [];
      }
      found.push(name);
    }
    return found;
  };
}

function lettersOf(word: string): number {
  let letters = 0;
  for (let index = 0; index < word.length; index++) letters |= 1 << (word.charCodeAt(index) & 31);
  return letters;
}

function bitsOf(number: number): number {
  let bits = 0;
  for (let rest = number; rest !== 0; rest &= rest - 1) bits++;
  return bits;
}

/** Letters that are missing, added, changed or swapped with their neighbor; more than `most` is any larger number. */
export function slipsBetween(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let [before, last, row]: [number[], number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, index) => index), []];
  for (let i = 1; i <= a.length; i++) {
    row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      row[j] = cost;
    }
    if (Math.min(...row) > most) return most + 1;
    [before, last] = [last, row];
  }
  return last[b.length] ?? most + 1;
}

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
