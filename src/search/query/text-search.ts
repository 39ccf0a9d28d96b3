/** The texts of one kind of item: a caller's words in, the items that match all of them out. */

import { NAMES_BEGIN } from '../directory/term-sequences.ts';
import type { Interpretation } from '../query.ts';
import { type GroupedRanks, groupOf, groupsOf } from '../structures/grouped-ranks.ts';
import { EMPTY_SET, forEachRank, intersect, type RankSet, rankSetOf } from '../structures/rank-set.ts';
import { type DictionaryParts, openDictionary } from '../text/dictionary.ts';
import { interpret, type WordPlan } from '../text/interpret.ts';
import { parseQuery } from '../text/parse-query.ts';

export interface TextMatch {
  /** Null: the text asks for nothing. */
  items: RankSet | null;
  interpretations: readonly Interpretation[];
}

/** The terms of one item in order: `chunk[first] … chunk[end - 1]`, with gaps between fields. */
export interface TermSequence {
  chunk: Uint32Array;
  first: number;
  end: number;
}

/** `byTerm`: the items of each term; `sequenceOf` fills `into` with the terms of an item. */
export function createTextSearch(
  parts: DictionaryParts,
  byTerm: GroupedRanks,
  sequenceOf: (item: number, into: TermSequence) => void,
): (text: string) => TextMatch {
  const dictionary = openDictionary(parts, byTerm.sizes);
  const sequence: TermSequence = { chunk: new Uint32Array(0), first: 0, end: 0 };
  const known = new Map<string, TextMatch>();

  const itemsOf = (plan: WordPlan): RankSet => {
    if (plan.kind === 'none') return EMPTY_SET;
    return plan.kind === 'term' ? groupOf(byTerm, plan.term) : groupsOf(byTerm, plan.terms);
  };
  const holdsPhrase = (item: number, accepts: readonly ((term: number) => boolean)[]): boolean => {
    sequenceOf(item, sequence);
    const { chunk, first, end } = sequence;
    const last = end - accepts.length;
    for (let at = first; at <= last && chunk[at] !== NAMES_BEGIN; at += 1) {
      let place = 0;
      while (place < accepts.length && accepts[place]!(chunk[at + place]! & TERM)) place += 1;
      if (place === accepts.length) return true;
    }
    return false;
  };

  const match = (text: string): TextMatch => {
    const query = parseQuery(text);
    if (!query) return { items: null, interpretations: [] };
    const { words, phrases, interpretations } = interpret(query, dictionary);
    let items = intersect([...words, ...phrases.flat()].map(itemsOf), byTerm.n);
    for (const phrase of phrases) {
      const accepts = phrase.map(acceptor);
      const holding: number[] = [];
      forEachRank(items, (item) => {
        if (holdsPhrase(item, accepts)) holding.push(item);
      });
      items = rankSetOf(Uint32Array.from(holding), byTerm.n);
    }
    return { items, interpretations };
  };

  return (text) => {
    const before = known.get(text);
    if (before) return before;
    if (known.size >= KNOWN_TEXTS) known.clear();
    const found = match(text);
    known.set(text, found);
    return found;
  };
}

function acceptor(plan: WordPlan): (term: number) => boolean {
  if (plan.kind === 'none') return () => false;
  if (plan.kind === 'term') return (term) => term === plan.term;
  const terms = new Set(plan.terms);
  return (term) => terms.has(term);
}

/** Without the mark of a repeated term. */
const TERM = 0x7fffffff;
/** Enough for the words that everybody asks for; what is kept is at most a bitmap each. */
const KNOWN_TEXTS = 64;
