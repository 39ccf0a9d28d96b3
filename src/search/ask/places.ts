/** Areas, venues and streets of one snapshot by the phrases that people use for them. */

import type { SnapshotData } from '../snapshot-data.ts';
import { groupOf, groupsOf } from '../structures/grouped-ranks.ts';
import { pick, type RankSet, union } from '../structures/rank-set.ts';
import { itemsOfPhrase } from '../text/phrase-index.ts';
import { areaPhrases, INITIALS, MAX_PHRASE_WORDS, phraseOf, streetPhrase } from '../text/place-phrases.ts';
import { withPrefix } from '../text/sorted-words.ts';
import { STREET_WORDS } from '../text/word-tables.ts';
import { words } from '../text/words.ts';
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

interface Area {
  name: string;
  numbers: number[];
}

/** `nameOf`: of a venue by its slot. */
export function createPlaces(data: SnapshotData, nameOf: (slot: number) => string): PlaceReader {
  const { events, venues } = data;
  const { areas, beginnings, pairs } = areasOf(data);

  const areaPhrase = (area: Area, phrase: string, length: number): PlacePhrase => {
    // A place that is known by its area's name alone is in the area.
    const slots = [...itemsOfPhrase(venues.names, phrase)];
    const sets = [groupsOf(events.byNeighborhood, area.numbers), groupsOf(events.byVenue, slots)];
    return { kind: 'neighborhood', length, means: area.name, events: union(sets, events.n), areas: area.numbers, slots };
  };

  const venuePhrase = (slots: Uint32Array, length: number): PlacePhrase | null => {
    const set = groupsOf(events.byVenue, slots);
    if (set.size === 0) return null;
    const means = listNames([...new Set(Array.from(slots, nameOf))]);
    return { kind: 'venue', length, means, events: set, areas: [], slots: [...slots] };
  };

  /** Of several places with the same initials, the one with the best event. */
  const ofInitials = (phrase: string): PlacePhrase | null => {
    let best: { slot: number; rank: number } | null = null;
    for (const slot of itemsOfPhrase(venues.names, INITIALS + phrase)) {
      const [rank] = pick(groupOf(events.byVenue, slot), 0, 1);
      if (rank !== undefined && (best === null || rank < best.rank)) best = { slot, rank };
    }
    return best && venuePhrase(Uint32Array.of(best.slot), 1);
  };

  /** `bed stuy`: the beginnings of words that stand together in the name of an area. */
  const shortened = ([first = '', second = '']: readonly string[]): PlacePhrase | null => {
    if (first.length < MIN_BEGINNING || second.length < MIN_BEGINNING) return null;
    const found = (pairs.get(first.slice(0, MIN_BEGINNING)) ?? []).filter(
      (pair) => pair.first.startsWith(first) && pair.second.startsWith(second),
    );
    if (found.length === 0) return null;
    const numbers = [...new Set(found.map(({ number }) => number))];
    const means = [...new Set(found.map(({ name }) => name))].join(', ');
    const set = groupsOf(events.byNeighborhood, numbers);
    return set.size === 0 ? null : { kind: 'neighborhood', length: 2, means, events: set, areas: numbers, slots: [] };
  };

  const streetOf = (typed: readonly string[]): PlacePhrase | null => {
    const street = streetPhrase(typed);
    const slots = street === null ? [] : [...itemsOfPhrase(venues.streets, street)];
    if (street === null || slots.length === 0) return null;
    return { kind: 'street', length: typed.length, means: street, events: groupsOf(events.byVenue, slots), areas: [], slots };
  };

  /** Most words begin no longer name, so nothing else needs to be looked up. */
  const beginsPhrase = (word: string): boolean => {
    const beginning = `${phraseOf([word])} `;
    const { phrases } = venues.names;
    const { from, to } = withPrefix(phrases, { from: 0, to: phrases.term.length }, 0, beginning);
    return from < to || beginnings.has(beginning);
  };

  const streetIn = (typed: readonly string[]): PlacePhrase | null => {
    const end = typed.findIndex((word, place) => place > 0 && STREET_WORDS[word] !== undefined);
    return end < 0 ? null : streetOf(typed.slice(0, end + 1));
  };

  const findPhrase = (typed: readonly string[]): PlacePhrase | null => {
    const phrase = phraseOf(typed);
    const area = areas.get(phrase);
    if (area) return areaPhrase(area, phrase, typed.length);
    const venue = venuePhrase(itemsOfPhrase(venues.names, phrase), typed.length);
    return venue ?? (typed.length === 1 ? ofInitials(phrase) : null);
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
      const street = streetIn(typed);
      if (street && street.length > (named?.length ?? 0)) return street;
      return named && named.length > 1 ? named : (shortened(typed) ?? named);
    },
  };
}

function listNames(names: readonly string[]): string {
  if (names.length <= MAX_NAMES) return names.join(', ');
  return `${names.slice(0, MAX_NAMES).join(', ')} and ${names.length - MAX_NAMES} more`;
}

interface Areas {
  areas: ReadonlyMap<string, Area>;
  /** The first word of each longer phrase, with a blank. */
  beginnings: ReadonlySet<string>;
  /** Words that stand together in a name, by the first letters of the first. */
  pairs: ReadonlyMap<string, readonly { first: string; second: string; number: number; name: string }[]>;
}

/** Names of areas, their parts, and what many areas share, such as a borough in their descriptions. */
function areasOf(data: SnapshotData): Areas {
  const before = knownAreas.get(data.neighborhoods);
  if (before) return before;
  const areas = new Map<string, Area>();
  const add = (phrase: string, number: number, name: string): void => {
    const area = areas.get(phrase) ?? { name: '', numbers: [] };
    if (!area.numbers.includes(number)) area.numbers.push(number);
    area.name = area.numbers.length > MAX_NAMES ? titleOf(phrase) : area.name ? `${area.name}, ${name}` : name;
    areas.set(phrase, area);
  };
  for (const { slug, name } of data.neighborhoods)
    for (const phrase of areaPhrases(name)) add(phrase, numberOf(data, slug), name);
  const shared = Map.groupBy(data.neighborhoods, ({ description }) => description ?? '');
  for (const [description, rows] of shared) {
    const all = words(description);
    if (rows.length < MIN_SHARING || all.length === 0 || all.length > MAX_SHARED_WORDS) continue;
    areas.set(phraseOf(all), { name: description, numbers: rows.map(({ slug }) => numberOf(data, slug)) });
  }
  const beginnings = new Set(Array.from(areas.keys(), (phrase) => `${phrase.split(' ', 1)[0]} `));
  const found = { areas, beginnings, pairs: pairsOf(data) };
  knownAreas.set(data.neighborhoods, found);
  return found;
}
const knownAreas = new WeakMap<SnapshotData['neighborhoods'], Areas>();

function pairsOf(data: SnapshotData): Areas['pairs'] {
  const pairs = data.neighborhoods.flatMap(({ name, slug }) => {
    const all = words(name);
    return all.slice(1).map((second, place) => ({ first: all[place]!, second, number: numberOf(data, slug), name }));
  });
  return Map.groupBy(pairs, ({ first }) => first.slice(0, MIN_BEGINNING));
}

const numberOf = (data: SnapshotData, slug: string): number => data.neighborhoodSlugs.indexOf(slug);
const titleOf = (phrase: string): string => phrase.replace(/(?<=^| )\p{L}/gu, (letter) => letter.toUpperCase());

const MAX_NAMES = 3;
/** Texts come in endless forms, names of places do not. */
const MAX_KNOWN = 2_000;
const MIN_BEGINNING = 3;
/** So many areas that are described in the same few words lie in one larger area. */
const MIN_SHARING = 3;
const MAX_SHARED_WORDS = 4;
