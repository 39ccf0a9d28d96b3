/** Pages of events. */

import { CATEGORIES } from '../../records/index.ts';
import { createCityTime } from '../../values/city-time.ts';
import { DAY_MS } from '../../values/duration.ts';
import type { Circle, EventQuery, Facet, FacetCounts, ResultPage } from '../query.ts';
import type { SnapshotData } from '../snapshot-data.ts';
import { groupOf } from '../structures/grouped-ranks.ts';
import { pickInOrder } from '../structures/ordering.ts';
import { contains, members, pick, type RankSet } from '../structures/rank-set.ts';
import type { Matching } from './event-filters.ts';
import { placesWithin } from './geo.ts';
import { pageTag } from './page-tag.ts';

export interface EventQueries {
  answer(query: EventQuery): ResultPage;
  /** The page of what matches, in the order of the query. */
  page(query: EventQuery, matching: Matching): number[];
  facetsOf(matching: RankSet, facets: readonly Facet[]): FacetCounts;
}

/** `byRelevance`: the page of a query with a text. */
export function createEventQueries(
  data: SnapshotData,
  match: (query: EventQuery) => Matching,
  byRelevance: (query: EventQuery, text: string, matching: RankSet) => number[],
): EventQueries {
  const { events, venues, trends } = data;
  const facetsOf = createFacets(data);
  const city = createCityTime(data.city.timezone);

  const page = (query: EventQuery, { events: matching, first }: Matching): number[] => {
    const { offset, limit, sort, near } = query;
    if (sort === 'start') return pickInOrder(matching, events.byStart, offset, limit, first);
    if (sort === 'updated') return pickInOrder(matching, events.byUpdated, offset, limit);
    if (sort === 'relevance' && query.text !== undefined) return byRelevance(query, query.text, matching);
    if (sort === 'trend') return pickInOrder(matching, trends.ordering, offset, limit);
    // Without a place nothing is near: then it is the order of rank.
    if (sort === 'distance' && near) return nearest(matching, near, offset, limit);
    return pick(matching, offset, limit);
  };

  /** Venue by venue outwards; the events of equally distant venues together, by rank. */
  const nearest = (matching: RankSet, near: Circle, offset: number, limit: number): number[] => {
    const { slots, distances } = placesWithin(venues, near);
    const picked: number[] = [];
    let skip = offset;
    for (let first = 0; first < slots.length && picked.length < limit; ) {
      let next = first + 1;
      while (next < slots.length && distances[next] === distances[first]) next += 1;
      const ring = eventsAt(matching, slots.subarray(first, next));
      picked.push(...ring.slice(skip, skip + limit - picked.length));
      skip = Math.max(0, skip - ring.length);
      first = next;
    }
    return picked;
  };

  const eventsAt = (matching: RankSet, slots: Uint32Array): number[] => {
    const ranks: number[] = [];
    for (const slot of slots)
      for (const rank of members(groupOf(events.byVenue, slot))) if (contains(matching, rank)) ranks.push(rank);
    return ranks.sort((a, b) => a - b);
  };

  /** What is near in time changes with the day. */
  const steadyOf = ({ sort, from }: EventQuery, { steady }: Matching): Matching['steady'] => {
    if (sort !== 'relevance' || !Number.isFinite(from)) return steady;
    return { ...steady, from: Math.min(steady.from, city.dayBounds(city.day(from)).last + 1) };
  };

  const answer = (query: EventQuery): ResultPage => {
    const matching = match(query);
    const total = matching.events.size;
    const items = page(query, matching);
    const tag = pageTag(events, total, items);
    const result: ResultPage = {
      total,
      items,
      interpretations: matching.interpretations,
      tag,
      steady: steadyOf(query, matching),
    };
    if (query.facets?.length) result.facets = facetsOf(matching.events, query.facets);
    return result;
  };
  return { answer, page, facetsOf };
}

/** How often each value occurs in all that matches, not on the page alone; values that do not occur are not listed. */
function createFacets({ events, neighborhoodSlugs }: SnapshotData): (matching: RankSet, facets: readonly Facet[]) => FacetCounts {
  const known = new WeakMap<RankSet, Required<FacetCounts>>();

  const count = (matching: RankSet): Required<FacetCounts> => {
    const ranks = members(matching);
    const categories = tally(events.category, ranks, CATEGORIES.length);
    const neighborhoods = tally(events.neighborhood, ranks, neighborhoodSlugs.length);
    const days = tally(events.day, ranks, events.days.length);
    return {
      category: byCount(named(categories, (number) => CATEGORIES[number]!)),
      neighborhood: byCount(named(neighborhoods, (number) => neighborhoodSlugs[number]!)),
      free: byCount(named(tally(events.free, ranks, 2), (number) => String(number === 1))),
      day: named(days, (number) => formatDay(events.days[number]!)),
    };
  };

  return (matching, facets) => {
    let counts = known.get(matching);
    if (!counts) {
      counts = count(matching);
      known.set(matching, counts);
    }
    return Object.fromEntries(facets.map((facet) => [facet, counts[facet]]));
  };
}

/** How often each value below `most` occurs; a higher one stands for none. */
function tally(values: Uint8Array | Uint32Array, ranks: Uint32Array, most: number): Uint32Array {
  const counts = new Uint32Array(most);
  for (let i = 0; i < ranks.length; i += 1) {
    const value = values[ranks[i]!]!;
    if (value < most) counts[value] = counts[value]! + 1;
  }
  return counts;
}

interface ValueCount {
  value: string;
  count: number;
}

function named(counts: Uint32Array, name: (number: number) => string): ValueCount[] {
  const values: ValueCount[] = [];
  counts.forEach((count, number) => {
    if (count > 0) values.push({ value: name(number), count });
  });
  return values;
}

function byCount(values: ValueCount[]): ValueCount[] {
  return values.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

/** `YYYY-MM-DD`. */
const formatDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);
