/** Areas, venues and streets of one snapshot by the phrases that people use for them. */

import type { SnapshotData } from '../snapshot-data.ts';
import { groupOf, groupsOf } from '../structures/grouped-ranks.ts';
import { pick, type RankSet, union } from '../structures/rank-set.ts';
import { areaNamesOf, findShortened } from '../text/area-names.ts';
import { itemsOfPhrase } from '../text/phrase-index.ts';
import { INITIALS, MAX_PHRASE_WORDS, phraseOf, streetPhrase } from '../text/place-phrases.ts';
import { withPrefix } from '../text/sorted-words.ts';
import { STREET_WORDS } from '../text/word-tables.ts';
import type { Token } from './tokens.ts';

export interface PlacePhrase {
  kind: 'neighborhood' | 'venue' | 'street';
  length: number;
  means: string;
  /** Its events, at any time. */
  events: RankSet;
  /** Numbers of areas. */
  areas: readonly number[];
  /** Venue slots. */
  slots: readonly number[];
}

export interface PlaceReader {
  /** The longest phrase that begins at a token; of several kinds, the area. */
  read(tokens: readonly Token[], at: number): PlacePhrase | null;
}

/** `nameOf`: of a venue by its slot. */
export function createPlaces(data: SnapshotData, nameOf: (slot: number) => string): PlaceReader {
  const areas = createAreas(data);
  const venues = createVenues(data, nameOf);

  /** Most words begin no longer name, so nothing else needs to be looked up. */
  const beginsPhrase = (word: string): boolean => {
    const beginning = `${phraseOf([word])} `;
    return venues.begins(beginning) || areas.begins(beginning);
  };

  const findPhrase = (typed: readonly string[]): PlacePhrase | null => {
    const phrase = phraseOf(typed);
    const named = areas.named(phrase, typed.length) ?? venues.named(phrase, typed.length);
    return named ?? (typed.length === 1 ? venues.ofInitials(phrase) : null);
  };

  const known = new Map<string, PlacePhrase | null>();
  const readPhrase = (typed: readonly string[]): PlacePhrase | null => {
    const key = typed.join(' ');
    const before = known.get(key);
    if (before !== undefined) return before;
    const found = findPhrase(typed);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(key, found);
    return found;
  };

  return {
    read(tokens, at) {
      const typed = tokens.slice(at, at + MAX_PHRASE_WORDS).map(({ word }) => word);
      let named: PlacePhrase | null = null;
      const most = beginsPhrase(typed[0] ?? '') ? typed.length : 1;
      for (let length = most; length > 0 && !named; length -= 1) named = readPhrase(typed.slice(0, length));
      const street = venues.onStreet(typed);
      if (street && street.length > (named?.length ?? 0)) return street;
      return named && named.length > 1 ? named : (areas.shortened(typed) ?? named);
    },
  };
}

function createAreas(data: SnapshotData) {
  const { events, venues } = data;
  const names = areaNamesOf(data);

  return {
    /** `beginning`: a word with a blank. */
    begins: (beginning: string): boolean => names.beginnings.has(beginning),

    named(phrase: string, length: number): PlacePhrase | null {
      const area = names.byPhrase.get(phrase);
      if (!area) return null;
      // A place that is known by its area's name alone is in the area.
      const slots = [...itemsOfPhrase(venues.names, phrase)];
      const sets = [groupsOf(events.byNeighborhood, area.numbers), groupsOf(events.byVenue, slots)];
      return { kind: 'neighborhood', length, means: area.name, events: union(sets, events.n), areas: area.numbers, slots };
    },

    /** `bed stuy`: the beginnings of words that stand together in the name of an area. */
    shortened(typed: readonly string[]): PlacePhrase | null {
      const found = findShortened(names, typed);
      if (!found) return null;
      const set = groupsOf(events.byNeighborhood, found.numbers);
      if (set.size === 0) return null;
      return { kind: 'neighborhood', length: 2, means: found.name, events: set, areas: found.numbers, slots: [] };
    },
  };
}

function createVenues({ events, venues }: SnapshotData, nameOf: (slot: number) => string) {
  const phraseOfSlots = (slots: Uint32Array, length: number): PlacePhrase | null => {
    const set = groupsOf(events.byVenue, slots);
    if (set.size === 0) return null;
    const means = listNames([...new Set(Array.from(slots, nameOf))]);
    return { kind: 'venue', length, means, events: set, areas: [], slots: [...slots] };
  };

  const streetOf = (typed: readonly string[]): PlacePhrase | null => {
    const street = streetPhrase(typed);
    const slots = street === null ? [] : [...itemsOfPhrase(venues.streets, street)];
    if (street === null || slots.length === 0) return null;
    return { kind: 'street', length: typed.length, means: street, events: groupsOf(events.byVenue, slots), areas: [], slots };
  };

  return {
    /** `beginning`: a word with a blank. */
    begins(beginning: string): boolean {
      const { phrases } = venues.names;
      const { from, to } = withPrefix(phrases, { from: 0, to: phrases.term.length }, 0, beginning);
      return from < to;
    },

    named: (phrase: string, length: number): PlacePhrase | null => phraseOfSlots(itemsOfPhrase(venues.names, phrase), length),

    /** Of several places with the same initials, the one with the best event. */
    ofInitials(phrase: string): PlacePhrase | null {
      let best: { slot: number; rank: number } | null = null;
      for (const slot of itemsOfPhrase(venues.names, INITIALS + phrase)) {
        const [rank] = pick(groupOf(events.byVenue, slot), 0, 1);
        if (rank !== undefined && (best === null || rank < best.rank)) best = { slot, rank };
      }
      return best && phraseOfSlots(Uint32Array.of(best.slot), 1);
    },

    /** The venues of the street that the words begin with. */
    onStreet(typed: readonly string[]): PlacePhrase | null {
      const end = typed.findIndex((word, place) => place > 0 && STREET_WORDS[word] !== undefined);
      return end < 0 ? null : streetOf(typed.slice(0, end + 1));
    },
  };
}

function listNames(names: readonly string[]): string {
  if (names.length <= MAX_NAMES) return names.join(', ');
  return `${names.slice(0, MAX_NAMES).join(', ')} and ${names.length - MAX_NAMES} more`;
}

const MAX_NAMES = 3;
/** Texts come in endless forms, names of places do not. */
const MAX_KNOWN = 2_000;
