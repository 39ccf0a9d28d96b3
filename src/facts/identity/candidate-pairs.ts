/** Which of many are to be compared at all. */

import { type ComparedEvent, NO_CLOCKS, type ProviderClocks, readEvent } from './compared-event.ts';
import type { EventFacts } from './compared-facts.ts';
import { mayHaveBill } from './event-bill.ts';
import { houseWords } from './houses.ts';

/** Each pair that shares a key, once. Linear in the number of pairs; keys of one item may repeat. */
export function* candidatePairs<T>(items: Iterable<T>, keysOf: (item: T) => Iterable<string>): Generator<[T, T]> {
  const met: T[] = [];
  const byKey = new Map<string, number[]>();
  /** By number of an item: the last one it was paired with. */
  const lastPaired: number[] = [];
  for (const item of items) {
    const number = met.push(item) - 1;
    for (const key of keysOf(item)) {
      const block = blockOf(byKey, key);
      for (const other of block) {
        if (other === number || lastPaired[other] === number) continue;
        lastPaired[other] = number;
        yield [met[other] as T, item];
      }
      if (block.at(-1) !== number) block.push(number);
    }
  }
}

/** The numbers of the items that have this key; begun when it is the first. */
function blockOf(byKey: Map<string, number[]>, key: string): number[] {
  const known = byKey.get(key);
  if (known !== undefined) return known;
  const block: number[] = [];
  byKey.set(key, block);
  return block;
}

/**
 * The keys under which those that may be the same are found. Two that share no key are different. Within the night there is one key for
 * each word of the title, one for the provider's own id, one for each act of a bill and its first two words, and one for each word of the
 * house at the minute. Titles without a shared word come out as the same or as a review candidate only by an act or by the house.
 */
export function blockKeys(fact: EventFacts, clocks: ProviderClocks = NO_CLOCKS): string[] {
  return blockKeysOf(readEvent(fact, clocks));
}

/** The same, of what was read already. */
export function blockKeysOf(event: ComparedEvent): string[] {
  const { fact, night, title, start } = event;
  const keys = [`${night} ${fact.provider}:${fact.externalId}`];
  for (const word of title.words.keys()) keys.push(`${night} ${word}`);
  for (const [key, { words }] of event.bill().acts) {
    keys.push(`${night} ${key}`);
    if (words.length > 2) keys.push(`${night} ${words.slice(0, 2).join('')}`);
  }
  if (mayHaveBill(fact) && start.precision === 'time')
    for (const word of houseWords(fact.place)) keys.push(`${night} ${word} ${start.localStart.slice(11, 16)}`);
  return keys;
}
