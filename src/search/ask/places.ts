/** Areas, venues and streets of one snapshot by the phrases that people use for them. */

import type { SnapshotData } from '../snapshot-data.ts';
import { groupOf, groupsOf } from '../structures/grouped-ranks.ts';
import { pick, type RankSet, union } from '../structures/rank-set.ts';
import { itemsOfPhrase } from '../text/phrase-index.ts';
import { areaPhrases, INITIALS, MAX_PHRASE_WORDS, phraseOf, streetPhrase } from '../text/place-phrases.ts';
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
  const areas = areasOf(data);
  const fullNames = data.neighborhoods.map(({ name, slug }) => ({ parts: words(name), number: numberOf(data, slug), name }));

  const areaPhrase = (area: Area, phrase: string, length: number): PlacePhrase => {
    // A place that is known by its area's name alone is in the area.
    const slots = [...itemsOfPhrase(venues.names, phrase)];
    const sets = [groupsOf(events.byNeighborhood, area.numbers), groupsOf(events.byVenue, slots)];
    return { kind: 'neighborhood', length, means: area.name, events: union(sets, events.n), areas: area.numbers, slots };
  };

  const venuePhrase = (slots: Uint32Array, length: number): PlacePhrase | null => {
    const set = groupsOf(events.byVenue, slots);
    if (set.size === 0) return null;
    const names = [...new Set(Array.from(slots, nameOf))];
    const means =
      names.length > MAX_NAMES
        ? `${names.slice(0, MAX_NAMES).join(', ')} and ${names.length - MAX_NAMES} more`
        : names.join(', ');
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
  const shortened = (tokens: readonly Token[], at: number): PlacePhrase | null => {
    const [first, second] = [tokens[at]?.word ?? '', tokens[at + 1]?.word ?? ''];
    if (first.length < MIN_BEGINNING || second.length < MIN_BEGINNING) return null;
    const found = fullNames.filter(({ parts }) =>
      parts.some((part, i) => part.startsWith(first) && (parts[i + 1] ?? '').startsWith(second)),
    );
    const numbers = found.map(({ number }) => number);
    const means = found.map(({ name }) => name).join(', ');
    const set = groupsOf(events.byNeighborhood, numbers);
    return set.size === 0 ? null : { kind: 'neighborhood', length: 2, means, events: set, areas: numbers, slots: [] };
  };

  const streetOf = (typed: readonly string[]): PlacePhrase | null => {
    const street = streetPhrase(typed);
    const slots = street === null ? [] : [...itemsOfPhrase(venues.streets, street)];
    if (street === null || slots.length === 0) return null;
    return { kind: 'street', length: typed.length, means: street, events: groupsOf(events.byVenue, slots), areas: [], slots };
  };

  const readPhrase = (typed: readonly string[]): PlacePhrase | null => {
    const phrase = phraseOf(typed);
    const area = areas.get(phrase);
    if (area) return areaPhrase(area, phrase, typed.length);
    const venue = venuePhrase(itemsOfPhrase(venues.names, phrase), typed.length);
    return venue ?? (typed.length === 1 ? ofInitials(phrase) : streetOf(typed));
  };

  return {
    read(tokens, at) {
      const words = tokens.slice(at, at + MAX_PHRASE_WORDS).map(({ word }) => word);
      for (let length = words.length; length > 0; length -= 1) {
        const found = readPhrase(words.slice(0, length)) ?? (length === 2 ? shortened(tokens, at) : null);
        if (found) return found;
      }
      return null;
    },
  };
}

/** Names of areas, their parts, and what many areas share, such as a borough in their descriptions. */
function areasOf(data: SnapshotData): ReadonlyMap<string, Area> {
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
  knownAreas.set(data.neighborhoods, areas);
  return areas;
}
const knownAreas = new WeakMap<SnapshotData['neighborhoods'], ReadonlyMap<string, Area>>();

const numberOf = (data: SnapshotData, slug: string): number => data.neighborhoodSlugs.indexOf(slug);
const titleOf = (phrase: string): string => phrase.replace(/(?<=^| )\p{L}/gu, (letter) => letter.toUpperCase());

const MAX_NAMES = 3;
const MIN_BEGINNING = 3;
/** So many areas that are described in the same few words lie in one larger area. */
const MIN_SHARING = 3;
const MAX_SHARED_WORDS = 4;
