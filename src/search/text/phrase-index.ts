/** Phrases with the numbers each stands for, flat in shared memory. */

import { sharedUint32 } from '../structures/shared-memory.ts';
import { emptyList, find, merge, type SortedWords } from './sorted-words.ts';

export interface PhraseIndex {
  phrases: SortedWords;
  /** Phrase number `i` stands for `items[offsets[i]] … items[offsets[i + 1] - 1]`. */
  offsets: Uint32Array;
  items: Uint32Array;
}

export function createPhraseIndex(phrases: ReadonlyMap<string, ReadonlySet<number>>): PhraseIndex {
  const sorted = [...phrases.keys()].sort();
  const offsets = sharedUint32(sorted.length + 1);
  let count = 0;
  sorted.forEach((phrase, number) => {
    offsets[number] = count;
    count += phrases.get(phrase)!.size;
  });
  offsets[sorted.length] = count;
  const items = sharedUint32(count);
  sorted.forEach((phrase, number) => {
    items.set(
      [...phrases.get(phrase)!].sort((a, b) => a - b),
      offsets[number],
    );
  });
  const numbers = new Map(sorted.map((phrase, number) => [phrase, number]));
  return { phrases: merge(emptyList(), sorted, (phrase) => numbers.get(phrase)!), offsets, items };
}

/** Empty for an unknown phrase. */
export function itemsOfPhrase({ phrases, offsets, items }: PhraseIndex, phrase: string): Uint32Array {
  const index = find(phrases, { from: 0, to: phrases.term.length }, 0, phrase, 0);
  if (index < 0) return items.subarray(0, 0);
  const number = phrases.term[index]!;
  return items.subarray(offsets[number], offsets[number + 1]);
}
