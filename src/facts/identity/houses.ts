/** The houses of events, as far as one house at one minute says something. */

import { correctedStart, MS_PER_MINUTE, type ProviderClocks } from './compared-event.ts';
import type { EventFacts, PlaceFacts } from './compared-facts.ts';
import { APART_MINUTES } from './event-thresholds.ts';
import { placeNameOf } from './place-name.ts';
import { AREA_WORDS, KIND_WORDS } from './place-words.ts';

/** The words by which a house is known; its whole name if all of them only say what kind of place it is. None of an area. */
export function houseWords(place: PlaceFacts): string[] {
  const { kind, house, words } = placeNameOf(place);
  if (kind === 'nowhere') return [];
  const telling = words.filter((word) => !KIND_WORDS.has(word) && !AREA_WORDS.has(word) && !/^\d+$/.test(word));
  return telling.length > 0 ? telling : [house];
}

export function shareHouseWord(a: PlaceFacts, b: PlaceFacts): boolean {
  const words = houseWords(a);
  return words.length > 0 && houseWords(b).some((word) => words.includes(word));
}

/**
 * Of one night, by id: how many events at most one provider lists around one hour in the house of a listing; one is left out. Of a listing that
 * names a room, those in other rooms do not count: a campus has many halls.
 */
export function crowdedListings(facts: readonly EventFacts[], clocks: ProviderClocks): Map<string, number> {
  const crowds = new Map<string, number>();
  for (const there of Map.groupBy(facts, ({ place }) => placeNameOf(place).house).values()) {
    if (there.length === 1) continue;
    for (const [room, own] of Map.groupBy(there, ({ place }) => placeNameOf(place).room)) {
      const around = room === null ? there : there.filter(({ place }) => [room, null].includes(placeNameOf(place).room));
      const most = mostOfOneProvider(around, clocks);
      if (most > 1) for (const { id } of own) crowds.set(id, most);
    }
  }
  return crowds;
}

const mostOfOneProvider = (listed: readonly EventFacts[], clocks: ProviderClocks): number =>
  Math.max(...[...Map.groupBy(listed, ({ provider }) => provider).values()].map((own) => mostAtOnce(own, clocks)));

/** The most starts that are less than the least time between two events apart; one without an hour may be at any. */
function mostAtOnce(listed: readonly EventFacts[], clocks: ProviderClocks): number {
  if (listed.length < 2) return listed.length;
  const read = listed.map((fact) => correctedStart(fact, clocks));
  const starts = read.flatMap(({ precision, startsAt }) => (precision === 'time' ? [startsAt] : [])).sort((a, b) => a - b);
  const within = starts.map((from) => starts.filter((start) => start >= from && start - from < APART_MS).length);
  return Math.max(0, ...within) + (listed.length - starts.length);
}

const APART_MS = APART_MINUTES * MS_PER_MINUTE;
