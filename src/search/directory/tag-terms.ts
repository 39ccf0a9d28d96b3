/** Tags in the vocabulary of the words: whole, folded, and out of reach of every search for words. */

import { fold } from '../text/fold.ts';

/**
 * The term a tag is indexed by. The marks at both ends keep it apart from words: two more characters than any word, so that
 * neither a beginning nor a typo leads to it, and no stem is taken of it.
 */
export function tagTerm(tag: string): string {
  return MARK + fold(tag).trim().replace(SPACES, ' ') + MARK;
}

/** Stands in no tag and in no word. */
const MARK = '\0';
const SPACES = /\s+/g;
