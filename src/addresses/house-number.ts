/** House numbers as people and registers write them: `12`, `12a`, `12 bis`, `35-37`, `46-01`. */

/** A number with its suffix as one key: numbers of one street are ordered by it. */
export const houseKey = (number: number, suffix: number): number => number * SUFFIXES + suffix;
export const numberOfKey = (key: number): number => Math.floor(key / SUFFIXES);

export interface HouseNumber {
  from: number;
  /** The end of a range, or the number after a hyphen; equal to `from` for a single number. */
  to: number;
  suffix: number;
}

/** Null if the text is no house number. */
export function parseHouseNumber(text: string): HouseNumber | null {
  const [, first, half, letter, second] = HOUSE_NUMBER.exec(text.trim().toLowerCase()) ?? [];
  if (first === undefined) return null;
  const suffix = half === undefined ? suffixOf(letter ?? '') : HALF;
  return { from: Number(first), to: Number(second ?? first), suffix };
}

/** 0 for none; letters, `bis`, `ter` and `quater` have a number each. */
function suffixOf(letters: string): number {
  if (letters === '') return 0;
  const word = SUFFIX_WORDS.indexOf(letters);
  return word >= 0 ? FIRST_WORD + word : letters.charCodeAt(0) - A + 1;
}

/**
 * The keys of a house that stands for a range: `35-37` is 35 and 37, `35-41` also 37 and 39.
 * @param isBlock whether the number after the hyphen counts within a block, as in Queens: `46-01` is 4601.
 */
export function keysOf({ from, to, suffix }: HouseNumber, isBlock: boolean): number[] {
  if (from === to) return [houseKey(from, suffix)];
  if (isBlock) {
    const inBlock = from * 100 + to;
    return [houseKey(inBlock > MAX_NUMBER ? from : inBlock, suffix)];
  }
  if (to < from || to - from > MAX_RANGE) return [houseKey(from, suffix)];
  const step = (to - from) % 2 === 0 ? 2 : 1;
  const keys = [houseKey(from, suffix)];
  for (let number = from + step; number <= to; number += step) keys.push(houseKey(number, 0));
  return keys;
}

/** Whether only a block explains the number: `46-01`, `110-20`. */
export const countsInBlock = (text: string): boolean => {
  const [, first, second] = BLOCK.exec(text) ?? [];
  return first !== undefined && second !== undefined && Number(second) < Number(first);
};

/** The suffix of a number whose point is worked out from others: nobody writes it, so a point of it is never that of a house. */
export const WORKED_OUT = 31;
export const isWorkedOut = (key: number): boolean => key % SUFFIXES === WORKED_OUT;

const SUFFIXES = 32;
const A = 'a'.charCodeAt(0);
const SUFFIX_WORDS = ['bis', 'ter', 'quater'];
const FIRST_WORD = 27;
const HALF = 30;
const MAX_RANGE = 60;
/** Keys are written in 32 bits. */
const MAX_NUMBER = 9_999_999;
const HOUSE_NUMBER = /^(\d{1,6})(?:(\s?(?:1\/2|½))|\s?(bis|ter|quater|[a-z]))?(?:\s?[-–/]\s?(\d{1,6})[a-z]?)?$/;
const BLOCK = /^(\d{1,3})-(\d{2})$/;
