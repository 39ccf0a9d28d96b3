/** The caller's `q` as words and phrases. */

import { wordRuns, words } from './words.ts';

/** All of it must match. Everything is folded; nothing is listed twice. */
export interface TextQuery {
  words: readonly string[];
  /** Two words or more each, to be found next to each other in this order. */
  phrases: readonly (readonly string[])[];
}

/** Decisions §1, `q`: words and "quoted phrases", no operators. Null: nothing but separators, so as good as absent. */
export function parseQuery(q: string): TextQuery | null {
  const single = new Set<string>();
  const phrases = new Map<string, readonly string[]>();
  const add = (run: readonly string[]) => {
    if (run.length === 1) single.add(run[0]!);
    if (run.length > 1) phrases.set(run.join(' '), run);
  };
  const pieces = q.split(QUOTES);
  for (const [index, piece] of pieces.entries()) {
    // Odd pieces stand between two quotes; after an unbalanced last one nothing is quoted.
    if (index % 2 === 1 && index < pieces.length - 1) add(words(piece));
    // 東京 unquoted is one word to its reader, though each of its characters is one to us.
    else for (const run of wordRuns(piece)) add(run);
  }
  if (single.size === 0 && phrases.size === 0) return null;
  return { words: [...single], phrases: [...phrases.values()] };
}

const QUOTES = /["“”„‟＂]/;
