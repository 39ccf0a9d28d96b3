/** Which words of two names are the same word, allowing for slips of the pen, cut forms and missing blanks. */

import { AREA_WORDS, KIND_WORDS } from './place-words.ts';

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
  /** Both end, apart from what is shared, in words of another kind: `Library` and `Police`. */
  kindsDiffer: boolean;
  /** Both have numbers, and not the same ones. */
  numbersDiffer: boolean;
}

/** Words in the spelling of `names`. Of equal pairs the first is taken, and equal words are paired before similar ones: symmetric. */
export function alignWords(a: readonly string[], b: readonly string[]): Alignment {
  if (a.join('') === b.join(''))
    return aligned(
      a.map((word) => [word, word]),
      [],
      [],
    );
  const [leftA, leftB] = [[...a], [...b]];
  const shared: [string, string][] = [];
  const pair = (same: (x: string, y: string) => boolean): void => {
    for (let i = 0; i < leftA.length; i += 1) {
      const j = leftB.findIndex((word) => same(leftA[i] ?? '', word));
      if (j < 0) continue;
      shared.push([leftA[i] ?? '', leftB[j] ?? '']);
      leftA.splice(i, 1);
      leftB.splice(j, 1);
      i -= 1;
    }
  };
  pair((x, y) => x === y);
  if (leftA.length > 0 && leftB.length > 0) {
    joinSplit(leftA, leftB, shared);
    joinSplit(leftB, leftA, shared);
    pair((x, y) => isSlip(x, y) || isCut(x, y));
    initials(leftA, leftB, shared);
    initials(leftB, leftA, shared);
  }
  return aligned(shared, leftA, leftB);
}

function aligned(shared: readonly (readonly [string, string])[], restA: readonly string[], restB: readonly string[]): Alignment {
  const names = (words: readonly string[]) => words.filter(isNameWord).length;
  return {
    shared: shared.reduce((sum, [x, y]) => sum + (weightOf(x) + weightOf(y)) / 2, 0),
    onlyA: total(restA),
    onlyB: total(restB),
    sharedNames: names(shared.map(([word]) => word)),
    namesA: names(restA),
    namesB: names(restB),
    restA,
    restB,
    kindsDiffer: restA.some(isKind) && restB.some(isKind),
    numbersDiffer: restA.some(isNumber) && restB.some(isNumber),
  };
}

/** `metal tech` and `metaltech`: two neighbours of one side are a word of the other. */
function joinSplit(left: string[], other: string[], shared: [string, string][]): void {
  for (let i = 0; i + 1 < left.length; i += 1) {
    const word = `${left[i]}${left[i + 1]}`;
    const j = other.findIndex((each) => each === word || singularOf(word) === each);
    if (j < 0) continue;
    shared.push([word, word]);
    left.splice(i, 2);
    other.splice(j, 1);
  }
}

/** `agh` and `allegheny general hospital`: a word made of the first letters of at least three neighbours. */
function initials(short: string[], long: string[], shared: [string, string][]): void {
  const letters = long.map((word) => word[0]).join('');
  for (let i = 0; i < short.length; i += 1) {
    const word = short[i] ?? '';
    const at = word.length >= LEAST_INITIALS && word.length <= MOST_INITIALS ? letters.indexOf(word) : -1;
    if (at < 0) continue;
    shared.push([word, word]);
    short.splice(i, 1);
    long.splice(at, word.length);
    return;
  }
}

/** One wrong, missing, doubled or exchanged letter in a word of four or more; never in a number or in the first letter. */
export function isSlip(a: string, b: string): boolean {
  if (Math.min(a.length, b.length) < SLIP_LETTERS || Math.abs(a.length - b.length) > 1 || a[0] !== b[0]) return false;
  if (DIGIT.test(a) || DIGIT.test(b)) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  if (restA.slice(1) === restB.slice(1) || restA.slice(1) === restB || restA === restB.slice(1)) return true;
  return restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2);
}

/** `univ` and `university`: a form cut after at least four letters. */
export const isCut = (a: string, b: string): boolean =>
  Math.min(a.length, b.length) >= CUT_LETTERS && (a.startsWith(b) || b.startsWith(a)) && !DIGIT.test(a + b);

const isKind = (word: string): boolean => KIND_WORDS.has(word);
const isNumber = (word: string): boolean => NUMBER.test(word);
/** Whether a word tells one place from others of its kind and area. */
export const isNameWord = (word: string): boolean => !KIND_WORDS.has(word) && !AREA_WORDS.has(word);
const total = (words: readonly string[]): number => words.reduce((sum, word) => sum + weightOf(word), 0);
const singularOf = (word: string): string => (word.endsWith('s') ? word.slice(0, -1) : word);

/** How much a word tells: a kind of place is said by many, an area by all its places. */
function weightOf(word: string): number {
  if (KIND_WORDS.has(word)) return KIND_WEIGHT;
  return AREA_WORDS.has(word) ? AREA_WEIGHT : 1;
}

const KIND_WEIGHT = 0.35;
const AREA_WEIGHT = 0.2;
export const SLIP_LETTERS = 4;
export const CUT_LETTERS = 4;
export const LEAST_INITIALS = 3;
export const MOST_INITIALS = 5;
const DIGIT = /\d/;
const NUMBER = /^\d+(?:st|nd|rd|th)?[a-z]?$|^[a-z]$/;
