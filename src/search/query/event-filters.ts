/** Which events a query asks for, before order and paging: every filter is a set of ranks, and the answer is what they share. */

import { CATEGORIES, EVENT_STATUSES } from '../../records/index.ts';
import { tagTerm } from '../directory/tag-terms.ts';
import type { EventQuery, Interpretation } from '../query.ts';
import type { SnapshotData } from '../snapshot-data.ts';
import { type Axis, countWhile, entriesBefore, entriesUpTo, stretch } from '../structures/axis.ts';
import { groupOf, groupsOf } from '../structures/grouped-ranks.ts';
import { amountOf } from '../structures/prices.ts';
import { intersect, type RankSet, union } from '../structures/rank-set.ts';
import { placesInBox, placesWithin } from './geo.ts';
import { publishedItem } from './lookup.ts';
import type { TextMatch } from './text-search.ts';

export interface Matching {
  events: RankSet;
  /** How many entries of the order of start come before the first possible one. */
  first: number;
  interpretations: readonly Interpretation[];
  /** The window holds the same events for every later `from` and `to` below these. */
  steady: { readonly from: number; readonly to: number };
}

/**
 * `listed` are the events that lists show unasked; `termOf` finds the number of a term. Answers are kept: another page of the same list, and the same list a moment
 * later as long as no event has started meanwhile, cost nothing.
 */
export function createEventFilters(
  { events, venues, neighborhoodSlugs }: SnapshotData,
  listed: RankSet,
  searchText: (text: string) => TextMatch,
  termOf: (term: string) => number,
): (query: EventQuery) => Matching {
  const { n, starts, latests, latestAxis, dayAxis, endAxis, priceAxis, updatedAxis, byStart } = events;
  const neighborhoods = new Map(neighborhoodSlugs.map((slug, number) => [slug, number]));
  const keptWindows = new Map<string, RankSet>();
  const keptMatchings = new Map<string, Matching>();

  /**
   * Binary searches say which events are in the window; the set is made once for all instants that give the same. In it is what may
   * start from `from` on and starts until `to`: all of the latest axis between them, and days that `to` cuts.
   */
  const windowOf = ({ from, to, lastDayEnds = to, ongoing }: EventQuery): Window => {
    const first = entriesBefore(latestAxis, from);
    const end = Math.max(first, entriesUpTo(latestAxis, to));
    const begun = entriesUpTo(dayAxis, lastDayEnds);
    const over = countWhile(begun, (i) => latests[dayAxis.order[i]!]! <= to);
    const steady = {
      from: latestAxis.values[first] ?? NEVER,
      to: Math.min(latestAxis.values[end] ?? NEVER, dayAxis.values[begun] ?? NEVER),
    };
    const starting = () => union([stretch(latestAxis, first, end), stretch(dayAxis, over, begun)], n);
    const key = `${first}-${end}-${over}-${begun}`;
    if (!ongoing) return { key, first: placeOfStart(from), steady, make: starting };
    const ended = entriesUpTo(endAxis, from);
    // Days that began after `lastDayEnds` and before `from` are not in the window, but they run.
    const late = Math.max(begun, entriesBefore(dayAxis, from));
    steady.from = Math.min(steady.from, endAxis.values[ended] ?? NEVER, dayAxis.values[late] ?? NEVER);
    const make = () => {
      const before = union([stretch(latestAxis, 0, first), stretch(dayAxis, begun, late)], n);
      return union([starting(), intersect([before, stretch(endAxis, ended, endAxis.order.length)], n)], n);
    };
    return { key: `${key}-${ended}-${late}`, first: 0, steady, make };
  };

  /** How many are, by start, before all that may start from `from` on: the day that is going on began before it. */
  const placeOfStart = (from: number): number => {
    const day = countWhile(dayAxis.order.length, (i) => latests[dayAxis.order[i]!]! < from);
    const earliest = Math.min(from, dayAxis.values[day] ?? NEVER);
    return countWhile(n, (i) => starts[byStart.order[i]!]! < earliest);
  };

  /** A merged venue's id stands for its survivor; one that is gone or unknown for none. */
  const venueOf = (id: string): number => publishedItem(venues.lookup, id);

  const termsOf = (tags: readonly string[]): number[] => [...new Set(tags.map((tag) => termOf(tagTerm(tag))))];

  const filtersOf = (query: EventQuery, { neighborhood, venue, tags }: Found): RankSet[] => {
    const sets: RankSet[] = [];
    const { categories, statuses, near, box, priceMax, updatedSince } = query;
    if (!statuses) sets.push(listed);
    else {
      const numbers = [...new Set(statuses)].map((status) => EVENT_STATUSES.indexOf(status));
      sets.push(groupsOf(events.byStatus, numbers));
    }
    if (categories)
      sets.push(
        groupsOf(
          events.byCategory,
          [...new Set(categories)].map((category) => CATEGORIES.indexOf(category)),
        ),
      );
    if (query.free) sets.push(groupOf(events.byFree, 1));
    if (tags) sets.push(groupsOf(events.byTerm, tags));
    if (priceMax !== undefined) sets.push(affordable(priceAxis, priceMax));
    if (updatedSince !== undefined) sets.push(stretch(updatedAxis, entriesBefore(updatedAxis, updatedSince), n));
    if (neighborhood !== null) sets.push(groupOf(events.byNeighborhood, neighborhood));
    if (venue !== null) sets.push(groupOf(events.byVenue, venue));
    if (near) sets.push(groupsOf(events.byVenue, placesWithin(venues, near).slots));
    if (box) sets.push(groupsOf(events.byVenue, placesInBox(venues, box)));
    return sets;
  };

  return (query) => {
    const window = windowOf(query);
    const found: Found = {
      neighborhood: query.neighborhood === undefined ? null : (neighborhoods.get(query.neighborhood) ?? -1),
      venue: query.venueId === undefined ? null : venueOf(query.venueId),
      tags: query.tags ? termsOf(query.tags) : null,
    };
    const key = keyOf(window.key, found, query);
    const before = keptMatchings.get(key);
    if (before) return before;
    const text = query.text === undefined ? null : searchText(query.text);
    const sets = filtersOf(query, found);
    if (text?.items) sets.push(text.items);
    sets.push(kept(keptWindows, KEPT_WINDOWS, window.key, window.make));
    return kept(keptMatchings, KEPT_MATCHINGS, key, () => ({
      events: intersect(sets, n),
      first: window.first,
      steady: window.steady,
      interpretations: text?.interpretations ?? [],
    }));
  };
}

/** The events whose cheapest known price is at most an amount. */
const affordable = (prices: Axis, amount: number): RankSet =>
  stretch(
    prices,
    0,
    countWhile(prices.values.length, (i) => amountOf(prices.values[i]!) <= amount),
  );

/** What the query names, as this snapshot numbers it; -1 for what it does not know, null where nothing is named. */
interface Found {
  neighborhood: number | null;
  venue: number | null;
  /** Terms. */
  tags: readonly number[] | null;
}

interface Window {
  key: string;
  first: number;
  steady: { from: number; to: number };
  make: () => RankSet;
}

/** Everything but order and page. */
function keyOf(window: string, { neighborhood, venue, tags }: Found, query: EventQuery): string {
  const { near, box } = query;
  return [
    window,
    query.statuses?.join() ?? '-',
    query.categories?.join() ?? '-',
    query.free ? 'free' : '-',
    neighborhood ?? '-',
    venue ?? '-',
    tags?.join() ?? '-',
    query.priceMax ?? '-',
    query.updatedSince ?? '-',
    near ? `${near.latitude},${near.longitude},${near.radius}` : '-',
    box ? `${box.west},${box.south},${box.east},${box.north}` : '-',
    query.text === undefined ? '-' : `=${query.text}`,
  ].join('|');
}

/** The oldest goes when there are too many. */
function kept<T>(store: Map<string, T>, most: number, key: string, make: () => T): T {
  const before = store.get(key);
  if (before !== undefined) return before;
  const made = make();
  if (store.size >= most) store.delete(store.keys().next().value!);
  store.set(key, made);
  return made;
}

const NEVER = Number.POSITIVE_INFINITY;
const KEPT_WINDOWS = 16;
const KEPT_MATCHINGS = 64;
