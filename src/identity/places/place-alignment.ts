/** Which words of two names are the same word, allowing for slips of the pen, cut forms and missing blanks. */

import { AREA_WEIGHT, KIND_WEIGHT } from './place-limits.ts';
import { AREA_WORDS, KIND_WORDS, NEUTRAL_KINDS, WIDE_GROUNDS } from './place-words.ts';

export interface Alignment {
  /** Weight of the words that both have, and of what each has alone. A distinctive word weighs 1. */
  shared: number;
  onlyA: number;
  onlyB: number;
  /** The same, of distinctive words alone: no kinds, no areas. */
  sharedNames: number;
  namesA: number;
  namesB: number;
  /** What each has alone, as words. */
  restA: readonly string[];
  restB: readonly string[];
  /** They have a word in common for grounds that are wide. */
  isWide: boolean;
  /** One has a kind where the other has none. */
  hasOneKind: boolean;
  /** Each has a kind that the other has not: `Library` and `Police`. */
  kindsDiffer: boolean;
  /** Both have numbers, and not the same ones. */
  numbersDiffer: boolean;
}

/** Words in the spelling of `names`. Equal words are paired first, then neighbours written together, slips and cut forms, and initials. */
export function alignWords(a: readonly string[], b: readonly string[]): Alignment {
  if (a.join('') === b.join('')) return aligned(a, [], []);
  const [restA, restB] = [createRest(a), createRest(b)];
  const shared: string[] = [];
  for (const [index, word] of a.entries()) if (restB.take(word)) shared.push(restA.use(index));
  if (restA.isEmpty() || restB.isEmpty()) return aligned(shared, restA.words(), restB.words());
  for (const [one, other] of [
    [restA, restB],
    [restB, restA],
  ] as const) {
    shared.push(...one.takeRuns(2, 2, (words) => other.takeFirst((word) => isJoined(words.join(''), word))));
    shared.push(
      ...one.takeRuns(MIN_INITIALS, MAX_INITIALS, (words) => {
        const letters = words.map((word) => word[0]).join('');
        return other.takeFirst((word) => word === letters && isNameWord(word));
      }),
    );
  }
  for (const [index, word] of restA.entries()) {
    if (
      isNameWord(word) &&
      restB.takeFirst((other) => isNameWord(other) && (isSlip(word, other) || isCut(word, other) || isLongSlip(word, other))) !==
        null
    )
      shared.push(restA.use(index));
  }
  return aligned(shared, restA.words(), restB.words());
}

/** The word of the other name that a run stands for; null for none. */
type FindWord = (run: readonly string[]) => string | null;

/** The words of a name that are not paired yet; a run is of neighbours in the name as written. */
function createRest(words: readonly string[]) {
  const isFree = words.map(() => true);
  const use = (index: number): string => {
    isFree[index] = false;
    return words[index] ?? '';
  };
  const takeFirst = (fits: (word: string) => boolean): string | null => {
    const index = words.findIndex((word, at) => isFree[at] && fits(word));
    return index < 0 ? null : use(index);
  };
  const takeRun = (start: number, end: number, find: FindWord): string | null => {
    if (!isFree.slice(start, end).every(Boolean)) return null;
    const word = find(words.slice(start, end));
    if (word !== null) isFree.fill(false, start, end);
    return word;
  };
  return {
    use,
    takeFirst,
    take: (word: string): boolean => takeFirst((each) => each === word) !== null,
    /** Takes the runs for which a word of the other name is found, and answers with those words. */
    takeRuns(least: number, most: number, find: FindWord): string[] {
      const found: string[] = [];
      for (let start = 0; start < words.length; start += 1)
        for (let length = least; length <= most && start + length <= words.length; length += 1) {
          const word = takeRun(start, start + length, find);
          if (word !== null) found.push(word);
        }
      return found;
    },
    entries: (): [number, string][] => [...words.entries()].filter(([index]) => isFree[index]),
    words: (): string[] => words.filter((_, index) => isFree[index]),
    isEmpty: (): boolean => !isFree.includes(true),
  };
}

function aligned(shared: readonly string[], restA: readonly string[], restB: readonly string[]): Alignment {
  const names = (words: readonly string[]) => words.filter(isNameWord).length;
  return {
    shared: total(shared),
    onlyA: total(restA),
    onlyB: total(restB),
    sharedNames: names(shared),
    namesA: names(restA),
    namesB: names(restB),
    restA,
    restB,
    isWide: shared.some((word) => WIDE_GROUNDS.has(word)),
    hasOneKind: restA.some(isTellingKind) !== restB.some(isTellingKind),
    kindsDiffer: restA.some(isTellingKind) && restB.some(isTellingKind),
    numbersDiffer: restA.some(isNumber) && restB.some(isNumber),
  };
}

/** `metal tech` and `metaltech`, `co gos` and `cogos`: two neighbours of one name are a word of the other. */
const isJoined = (joined: string, word: string): boolean =>
  joined === word || (word.length >= CUT_LETTERS && joined === `${word}s`);

/** One wrong, missing, doubled or exchanged letter; never in a number or in the first letter, and in three letters only a missing one. */
export function isSlip(a: string, b: string): boolean {
  const letters = Math.min(a.length, b.length);
  if (letters < SLIP_LETTERS || Math.abs(a.length - b.length) > 1 || a[0] !== b[0]) return false;
  if (letters === SLIP_LETTERS && a.length === b.length) return false;
  if (DIGIT.test(a) || DIGIT.test(b)) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  if (restA.slice(1) === restB.slice(1) || restA.slice(1) === restB || restA === restB.slice(1)) return true;
  return restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2);
}

/** Two wrong letters in a long word: `Duquesne` and `Dusqeusne`. */
export function isLongSlip(a: string, b: string): boolean {
  if (Math.min(a.length, b.length) < LONG_SLIP_LETTERS || Math.abs(a.length - b.length) > 2) return false;
  return a[0] === b[0] && !DIGIT.test(a + b) && editsBetween(a, b) <= 2;
}

/** Letters to change, add, leave out or exchange with a neighbor (optimal string alignment). */
function editsBetween(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = at(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next.push(Math.min(change, at(row, j) + 1, at(next, j - 1) + 1, isSwap ? at(before, j - 2) + 1 : change));
    }
    [before, row] = [row, next];
  }
  return at(row, b.length);
}

const at = (row: readonly number[], index: number): number => row[index] ?? 0;

/** `univ` and `university`: a form cut after at least four letters. */
export const isCut = (a: string, b: string): boolean =>
  Math.min(a.length, b.length) >= CUT_LETTERS && (a.startsWith(b) || b.startsWith(a)) && !DIGIT.test(a + b);

const isTellingKind = (word: string): boolean => KIND_WORDS.has(word) && !NEUTRAL_KINDS.has(word);
const isNumber = (word: string): boolean => NUMBER.test(word);
/** Whether a word tells one place from others of its kind and area. */
export const isNameWord = (word: string): boolean => !KIND_WORDS.has(word) && !AREA_WORDS.has(word);
const total = (words: readonly string[]): number => words.reduce((sum, word) => sum + weightOf(word), 0);

/** How much a word tells: a kind of place is said by many, an area by all its places. */
function weightOf(word: string): number {
  if (KIND_WORDS.has(word)) return KIND_WEIGHT;
  return AREA_WORDS.has(word) ? AREA_WEIGHT : 1;
}

const SLIP_LETTERS = 3;
export const LONG_SLIP_LETTERS = 8;
const CUT_LETTERS = 4;
export const MIN_INITIALS = 3;
export const MAX_INITIALS = 5;
const DIGIT = /\d/;
const NUMBER = /^\d+(?:st|nd|rd|th)?[a-z]?$|^[a-z]$/;
