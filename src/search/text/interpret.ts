/** A parsed query read against one directory: which terms each word stands for. */

import type { Interpretation } from '../query.ts';
import type { Dictionary } from './dictionary.ts';
import type { TextQuery } from './parse-query.ts';

export type WordPlan =
  /** The events of one term. */
  | { kind: 'term'; term: number }
  /** The events of any of these distinct terms, ascending, at least one. */
  | { kind: 'any'; terms: Uint32Array }
  /** No event at all, and so none for the whole query. */
  | { kind: 'none' };

export interface TextPlan {
  words: readonly WordPlan[];
  /** One plan for each place of the phrase. */
  phrases: readonly (readonly WordPlan[])[];
  /** The words that were read as something else, each once, in the order of the query's words, then its phrases. */
  interpretations: readonly Interpretation[];
}

/**
 * Decisions §1, `q`: a word that stands in no event is read as a prefix (`mado*`), then, from 5 letters, with one typo
 * (`madonna`); else it matches nothing. Within phrases too: a half-typed phrase is as common as a half-typed word.
 */
export function interpret(query: TextQuery, dictionary: Dictionary): TextPlan {
  const interpretations: Interpretation[] = [];
  const plans = new Map<string, WordPlan>();
  const planOf = (word: string): WordPlan => {
    const known = plans.get(word);
    if (known) return known;
    const { plan, readAs } = read(word, dictionary);
    if (readAs !== null) interpretations.push({ word, readAs });
    plans.set(word, plan);
    return plan;
  };
  const words = query.words.map(planOf);
  const phrases = query.phrases.map((phrase) => phrase.map(planOf));
  return { words, phrases, interpretations };
}

function read(word: string, dictionary: Dictionary): { plan: WordPlan; readAs: string | null } {
  const term = dictionary.termOf(word);
  if (term >= 0) return { plan: { kind: 'term', term }, readAs: null };
  const terms = dictionary.termsWithPrefix(word);
  if (terms.length > 0) return { plan: { kind: 'any', terms }, readAs: `${word}*` };
  const correction = letterCount(word) >= MIN_TYPO_LETTERS ? dictionary.oneTypo(word) : null;
  if (correction) return { plan: { kind: 'term', term: correction.term }, readAs: correction.form };
  return { plan: { kind: 'none' }, readAs: null };
}

/** Digits do not count: one digit off is another year or another postcode, not a slip. */
function letterCount(word: string): number {
  return word.match(LETTERS)?.length ?? 0;
}

const LETTERS = /\p{L}/gu;
/** Decisions §1. Shorter words have too many neighbours one typo away. */
const MIN_TYPO_LETTERS = 5;
