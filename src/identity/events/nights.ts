/** The night an event belongs to, and the keys under which those that may be the same are found. */

import { DAY_MS } from '../../values/duration.ts';
import type { EventFacts } from '../model.ts';
import { correctedStart, NO_CLOCKS, type ProviderClocks } from './clocks.ts';
import { type EventTitle, readTitle } from './event-title.ts';

/**
 * The local day of the start as it is to be read, `YYYY-MM-DD`, where a day ends at five in the morning: a party at 00:30 belongs to
 * the evening before. Where no hour is known it is the day as printed. Two listings of different nights are never the same.
 */
export function nightOf(fact: EventFacts, clocks: ProviderClocks = NO_CLOCKS): string {
  const { localStart, precision } = correctedStart(fact, clocks);
  const day = localStart.slice(0, 10);
  if (precision !== 'time' || Number(localStart.slice(11, 13)) >= HOUR_OF_NEW_DAY) return day;
  return new Date(Date.parse(`${day}T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10);
}

/**
 * Two that share no key are different: one key for each word of the title, and one for the provider's own id, all within the night.
 * Titles without a shared word never come out as the same or as a question (`compare-titles`).
 */
export function blockKeys(fact: EventFacts, clocks: ProviderClocks = NO_CLOCKS): string[] {
  return blockKeysOf({ fact, night: nightOf(fact, clocks), title: readTitle(fact.title, fact.localStart.slice(0, 10)) });
}

/** The same, of what was read already. */
export function blockKeysOf({ fact, night, title }: { fact: EventFacts; night: string; title: EventTitle }): string[] {
  const keys = [`${night} ${fact.provider}:${fact.externalId}`];
  for (const word of title.words.keys()) keys.push(`${night} ${word}`);
  return keys;
}

const HOUR_OF_NEW_DAY = 5;
