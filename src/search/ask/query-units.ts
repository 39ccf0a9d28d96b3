/** The words of `q`, by the rules of `q`, as units to be ordered by. */

import { type Dictionary, type DictionaryParts, openDictionary } from '../text/dictionary.ts';
import { interpret, type WordPlan } from '../text/interpret.ts';
import { parseQuery } from '../text/parse-query.ts';
import type { Unit, UnitReader } from './units.ts';
import { QUALITY } from './weights.ts';

/** `frequencies`: of the events by term, without names of performers. */
export function createQueryUnits(
  parts: DictionaryParts,
  frequencies: Uint32Array,
  reader: UnitReader,
): (text: string) => readonly Unit[] {
  const dictionary: Dictionary = openDictionary(parts, frequencies);
  return (text) => {
    const query = parseQuery(text);
    if (!query) return [];
    const { words, phrases } = interpret(query, dictionary);
    const typed = [...query.words, ...query.phrases.flat()];
    return [...words, ...phrases.flat()].flatMap((plan, place) => unitOf(typed[place]!, plan, dictionary, reader));
  };
}

function unitOf(word: string, plan: WordPlan, dictionary: Dictionary, reader: UnitReader): Unit[] {
  if (plan.kind === 'none') return [];
  if (plan.kind === 'any') return [reader.replaced(word, [...plan.terms], QUALITY.beginning)];
  const isTyped = dictionary.termOf(word) === plan.term;
  return [reader.replaced(word, [plan.term], isTyped ? QUALITY.exact : QUALITY.typo)];
}
