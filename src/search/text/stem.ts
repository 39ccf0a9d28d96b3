/** What remains of an English word when its inflection is taken away. */

import { stemmer } from 'stemmer';

/** The stem of a folded word; words of other alphabets, with digits or under three letters are their own. */
export function stem(word: string): string {
  return ENGLISH.test(word) ? stemmer(word) : word;
}

const ENGLISH = /^[a-z]{3,}$/;
