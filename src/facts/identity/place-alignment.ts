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
  for (const [index, word] of a.entries()) if (restB.takeFirst((each) => each === word) !== null) shared.push(restA.use(index));
  if (restA.isEmpty() || restB.isEmpty()) return aligned(shared, restA.words(), restB.words());
  shared.push(...takeJoined(restA, restB), ...takeInitials(restA, restB));
  shared.push(...takeJoined(restB, restA), ...takeInitials(restB, restA));
  for (const [index, word] of a.entries())
    if (restA.isFree(index, index + 1) && isNameWord(word) && restB.takeFirst((other) => isMisspelled(word, other)) !== null)
      shared.push(restA.use(index));
  return aligned(shared, restA.words(), restB.words());
}

type Rest = ReturnType<typeof createRest>;

/** The words of a name that are not paired yet. Most pairs of names share little, so whatever can be told by lengths is told first. */
function createRest(words: readonly string[]) {
  const free = words.map(() => true);
  return {
    /** The name as written. */
    all: words,
    isFree(start: number, end: number): boolean {
      for (let at = start; at < end; at += 1) if (!free[at]) return false;
      return true;
    },
    use(index: number): string {
      free[index] = false;
      return words[index] ?? '';
    },
    takeFirst(fits: (word: string) => boolean): string | null {
      const index = words.findIndex((word, at) => free[at] && fits(word));
      return index < 0 ? null : this.use(index);
    },
    some: (fits: (word: string) => boolean): boolean => words.some((word, at) => free[at] && fits(word)),
    words: (): string[] => words.filter((_, index) => free[index]),
    isEmpty: (): boolean => !free.includes(true),
  };
}

/** Neighbours in one name that are one word of the other; answers with those words. */
function takeJoined(one: Rest, other: Rest): string[] {
  const found: string[] = [];
  for (const [start, first] of one.all.entries()) {
    const second = one.all[start + 1];
    if (second === undefined || !one.isFree(start, start + 2)) continue;
    const length = first.length + second.length;
    const word = other.takeFirst((each) => length - each.length <= 1 && length >= each.length && isJoined(first + second, each));
    if (word === null) continue;
    one.use(start);
    one.use(start + 1);
    found.push(word);
  }
  return found;
}

/** Neighbours in one name whose first letters are a word of the other; answers with those words. */
function takeInitials(one: Rest, other: Rest): string[] {
  if (!other.some((word) => word.length >= MIN_INITIALS && word.length <= MAX_INITIALS && isNameWord(word))) return [];
  const found: string[] = [];
  const initials = one.all.map((word) => word[0]);
  for (const start of one.all.keys())
    for (let end = start + MIN_INITIALS; end <= start + MAX_INITIALS && one.isFree(start, end); end += 1) {
      const letters = initials.slice(start, end).join('');
      const word = other.takeFirst((each) => each === letters && isNameWord(each));
      if (word === null) continue;
      for (let at = start; at < end; at += 1) one.use(at);
      found.push(word);
    }
  return found;
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

const isMisspelled = (word: string, other: string): boolean =>
  isNameWord(other) && (isSlip(word, other) || isCut(word, other) || isLongSlip(word, other));

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
  if (Math.min(a.length, b.length) < LONG_SLIP_LETTERS || Math.abs(a.length - b.length) > MAX_LONG_SLIPS) return false;
  return a[0] === b[0] && !DIGIT.test(a + b) && editsBetween(a, b, MAX_LONG_SLIPS) <= MAX_LONG_SLIPS;
}

/**
 * Letters to change, add, leave out or exchange with a neighbor (optimal string alignment); some number above the limit as soon as it is
 * passed. What both begin and end with costs nothing, so only the rest is looked at.
 */
function editsBetween(a: string, b: string, limit: number): number {
  const [one, other] = differingParts(a, b);
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    let least = i;
    for (let j = 1; j <= other.length; j += 1) {
      const change = at(row, j - 1) + (one[i - 1] === other[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const edits = Math.min(change, at(row, j) + 1, at(next, j - 1) + 1, isSwap ? at(before, j - 2) + 1 : change);
      next.push(edits);
      least = Math.min(least, edits);
    }
    // An exchange of neighbors goes on from the row before, and adds one to it.
    if (least > limit && Math.min(...row) >= limit) return least;
    [before, row] = [row, next];
  }
  return at(row, other.length);
}

const at = (row: readonly number[], index: number): number => row[index] ?? 0;

/** Without the letters that both begin with, and those that both end with. */
function differingParts(a: string, b: string): [string, string] {
  let [start, endA, endB] = [0, a.length, b.length];
  while (start < endA && start < endB && a[start] === b[start]) start += 1;
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) [endA, endB] = [endA - 1, endB - 1];
  return [a.slice(start, endA), b.slice(start, endB)];
}

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
const MAX_LONG_SLIPS = 2;
const CUT_LETTERS = 4;
export const MIN_INITIALS = 3;
export const MAX_INITIALS = 5;
const DIGIT = /\d/;
const NUMBER = /^\d+(?:st|nd|rd|th)?[a-z]?$|^[a-z]$/;
