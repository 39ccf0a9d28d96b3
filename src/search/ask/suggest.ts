/** Suggestions while somebody types: names of events, venues, neighborhoods and performers with words that begin so. */

import type { Matching } from '../query/event-filters.ts';
import type { EventQuery } from '../query.ts';
import type { SnapshotData } from '../snapshot-data.ts';
import { type GroupedRanks, groupOf, groupsOf } from '../structures/grouped-ranks.ts';
import { intersect, members, pick, type RankSet } from '../structures/rank-set.ts';
import { itemsOfPhrase } from '../text/phrase-index.ts';
import { INITIALS } from '../text/place-phrases.ts';
import { words } from '../text/words.ts';
import type { Suggestion } from './ask-query.ts';
import type { UnitReader } from './units.ts';

export interface SuggestOptions {
  data: SnapshotData;
  match(query: EventQuery): Matching;
  reader: UnitReader;
  readVenue(slot: number): { id: string; slug: string; name: string; neighborhood: string | null };
  readEvent(rank: number): { id: string; slug: string; title: string; performers: string[]; venue: { name: string } };
}

/** `now`: milliseconds. At most `MAX_SUGGESTIONS`; those that begin with the text first, the best of each kind first. */
export type Suggest = (text: string, now: number) => Suggestion[];

export function createSuggest({ data, match, reader, readVenue, readEvent }: SuggestOptions): Suggest {
  const { events, venues } = data;
  const { dictionary } = reader;
  const findAreas = createAreaSearch(data);

  /** Items with all words, the last one as a beginning. */
  const holding = (group: GroupedRanks, typed: readonly string[], beginnings: Uint32Array): RankSet => {
    const whole = typed.slice(0, -1).map((word) => groupOf(group, dictionary.termOf(word)));
    return intersect([...whole, groupsOf(group, beginnings)], group.n);
  };

  const findVenues = (typed: readonly string[], beginnings: Uint32Array): Suggestion[] => {
    const found = members(holding(venues.byTerm, typed, beginnings));
    const slots = new Set([...itemsOfPhrase(venues.names, INITIALS + typed.join('')), ...found]);
    return Array.from(slots, (slot) => ({ slot, count: groupOf(events.byVenue, slot).size }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count || a.slot - b.slot)
      .slice(0, MAX_OF_KIND)
      .map(({ slot }) => {
        const { id, slug, name, neighborhood } = readVenue(slot);
        const area = data.neighborhoods.find((row) => row.slug === neighborhood);
        return { type: 'venue', text: name, id, slug, context: area?.name ?? null };
      });
  };

  const findPerformers = (typed: readonly string[], beginnings: Uint32Array, coming: RankSet): Suggestion[] => {
    const found = new Map<string, Suggestion>();
    const set = intersect([holding(events.byNameTerm, typed, beginnings), coming], events.n);
    for (const rank of pick(set, 0, MAX_READ)) {
      const { performers, title } = readEvent(rank);
      for (const name of performers) {
        const key = words(name).join(' ');
        if (found.has(key) || !isBegun(words(name), typed)) continue;
        found.set(key, { type: 'performer', text: name, id: null, slug: null, context: title });
      }
      if (found.size >= MAX_OF_KIND) break;
    }
    return [...found.values()].slice(0, MAX_OF_KIND);
  };

  const findEvents = (typed: readonly string[], beginnings: Uint32Array, coming: RankSet): Suggestion[] => {
    const found = new Map<string, Suggestion>();
    const set = intersect([holding(events.byTitleTerm, typed, beginnings), coming], events.n);
    for (const rank of pick(set, 0, MAX_READ)) {
      const { id, slug, title, venue } = readEvent(rank);
      const key = words(title).join(' ');
      if (!found.has(key) && hasBegun(words(title), typed))
        found.set(key, { type: 'event', text: title, id, slug, context: venue.name });
    }
    return [...found.values()];
  };

  return (text, now) => {
    const typed = words(text).slice(0, MAX_WORDS);
    const last = typed.at(-1);
    if (last === undefined) return [];
    const beginnings = dictionary.termsWithPrefix(last);
    const coming = match({ from: now, to: Number.POSITIVE_INFINITY, limit: 0, offset: 0 }).events;
    const found = [
      ...findPerformers(typed, beginnings, coming),
      ...findVenues(typed, beginnings),
      ...findAreas(typed),
      ...findEvents(typed, beginnings, coming),
    ];
    const whole = typed.join(' ');
    const first = (suggestion: Suggestion): number => (words(suggestion.text).join(' ').startsWith(whole) ? 0 : 1);
    return found.sort((a, b) => first(a) - first(b)).slice(0, MAX_SUGGESTIONS);
  };
}

/** Neighborhoods whose name has the words, those with most events first. */
function createAreaSearch(data: SuggestOptions['data']): (typed: readonly string[]) => Suggestion[] {
  const areas = data.neighborhoods.map(({ id, slug, name, description }) => {
    return { id, slug, name, description, words: words(name), events: eventsIn(data, slug) };
  });
  return (typed) =>
    areas
      .filter((area) => area.events > 0 && isBegun(area.words, typed))
      .sort((a, b) => b.events - a.events || (a.name < b.name ? -1 : 1))
      .slice(0, MAX_OF_KIND)
      .map(({ id, slug, name, description }) => ({
        type: 'neighborhood',
        text: name,
        id,
        slug,
        context: shortened(description),
      }));
}

/** The words stand next to each other, the last one begun. */
function isBegun(name: readonly string[], typed: readonly string[]): boolean {
  const last = typed.length - 1;
  return name.some((_, at) =>
    typed.every((word, place) => (place === last ? (name[at + place] ?? '').startsWith(word) : name[at + place] === word)),
  );
}

/** The last word is the beginning of one. An inflected form is found by its stem, which is not asked for here. */
function hasBegun(name: readonly string[], typed: readonly string[]): boolean {
  const last = typed.at(-1) ?? '';
  return name.some((word) => word.startsWith(last));
}

function eventsIn(data: SnapshotData, slug: string): number {
  return groupOf(data.events.byNeighborhood, data.neighborhoodSlugs.indexOf(slug)).size;
}

function shortened(text: string | null): string | null {
  return text === null || text.length <= MAX_CONTEXT ? text : null;
}

const MAX_SUGGESTIONS = 10;
const MAX_OF_KIND = 3;
/** Records that are read for one answer. */
const MAX_READ = 30;
const MAX_WORDS = 12;
/** A longer description says more than where it is. */
const MAX_CONTEXT = 40;
