/** The filters of a list as its address says them, and the question to the API’s search that they are. */

import { nearestName, type RecordSearch, type SearchPlace, searchEvents, searchVenues } from '../../query/index.ts';
import type { Facet, FacetCounts, NeighborhoodSummary } from '../../search/index.ts';
import { type CityTime, createCityTime } from '../../values/city-time.ts';
import {
  EVENT_VIEWS,
  type EventView,
  type LinkedPlace,
  type ListProblem,
  type ListQuery,
  type ListRelaxation,
  TIME_NAMES,
  without,
} from '../model/lists.ts';
import type { Rooms } from './rooms.ts';

/** `GET /events?query`; `when=today`, which the API does not name, is the rest of the city's day. */
export function searchList(place: ListPlaces, query: ListQuery, facets?: readonly Facet[]): RecordSearch {
  const { when, ...others } = query;
  const isToday = when === 'today' && query.start_date === undefined && query.end_date === undefined;
  const asked = isToday ? { ...others, end_date: place.city.day(place.now) } : query;
  return searchEvents(writeQuery({ limit: String(PAGE_SIZE), ...asked }), place, facets);
}

/** `GET /venues?query` */
export const searchHouses = (place: ListPlaces, query: ListQuery): RecordSearch =>
  searchVenues(writeQuery({ limit: String(PAGE_SIZE), ...query }), place);

export const countEvents = (place: ListPlaces, query: ListQuery): number => totalOf(searchList(place, { ...query, limit: '1' }));
export const countVenues = (place: ListPlaces, query: ListQuery): number =>
  totalOf(searchHouses(place, { ...query, limit: '1' }));

/** Counts of all that match. */
export function facetsOf(place: ListPlaces, query: ListQuery, facets: readonly Facet[]): FacetCounts {
  const found = searchList(place, { ...query, limit: '1' }, facets);
  return (found.ok && found.page.facets) || {};
}

/** What a good query finds; nothing for any other. */
export const itemsOf = (found: RecordSearch): readonly number[] => (found.ok ? found.page.items : []);

const totalOf = (found: RecordSearch): number => (found.ok ? found.page.total : 0);

export interface ListPlaces extends SearchPlace {
  publicUrl: string;
  neighborhoods: readonly NeighborhoodSummary[];
  /** Null for a slug that the city does not have. */
  neighborhood(slug: string | null | undefined): LinkedPlace | null;
}

/** Where and when the lists of one request look: one snapshot, one moment. */
export function openListPlace({ search, clocks, publicUrl }: Pick<Rooms, 'search' | 'clocks' | 'publicUrl'>): ListPlaces {
  const snapshot = search.current();
  const now = clocks.directory();
  const { items } = snapshot.neighborhoods(now);
  const names = namesOf(items);
  return {
    snapshot,
    now,
    publicUrl,
    city: cityTimeOf(snapshot.city.timezone),
    neighborhoods: items,
    neighborhood: (slug) => (slug && names.get(slug)) || null,
  };
}

/** Making the clock of a city costs more than a list. */
function cityTimeOf(timezone: string): CityTime {
  if (known?.timezone !== timezone) known = createCityTime(timezone);
  return known;
}
let known: CityTime | null = null;

/** The snapshot gives the same list until an event starts. */
function namesOf(items: readonly NeighborhoodSummary[]): ReadonlyMap<string, LinkedPlace> {
  const before = knownNames.get(items);
  if (before) return before;
  const names = new Map(items.map(({ slug, name }) => [slug, { slug, name }]));
  knownNames.set(items, names);
  return names;
}
const knownNames = new WeakMap<readonly NeighborhoodSummary[], ReadonlyMap<string, LinkedPlace>>();

/** What was sent: of each name one value, and the names that are no filters of the API. */
interface SentQuery {
  query: ListQuery;
  own: Readonly<Record<string, string>>;
}

/** `lists`: parameters that a form sends once for each value. A name that is sent again counts as it came last. */
export function readSent(
  params: URLSearchParams,
  { known, own, lists }: { known: ReadonlySet<string>; own: readonly string[]; lists: readonly string[] },
): SentQuery {
  const sent: SentQuery & Record<'query' | 'own', Record<string, string>> = { query: {}, own: {} };
  for (const [name, text] of params) {
    // A bare `free` means true.
    const value = name === 'free' && text === '' ? 'true' : text;
    if (value === '') continue;
    const before = sent.query[name];
    if (own.includes(name)) sent.own[name] = value;
    else if (known.has(name)) sent.query[name] = before !== undefined && lists.includes(name) ? `${before},${value}` : value;
  }
  return sent;
}

/** As the API is asked. */
const writeQuery = (query: ListQuery): string => new URLSearchParams(query).toString();

/** Asks with all filters; where some are wrong, without them, so that there is a list below what is said about them. */
export function askLeniently(
  query: ListQuery,
  ask: (query: ListQuery) => RecordSearch,
): { found: Extract<RecordSearch, { ok: true }>; query: ListQuery; problems: Omit<ListProblem, 'suggestion'>[] } {
  const problems: Omit<ListProblem, 'suggestion'>[] = [];
  for (let rest = query; ; ) {
    const found = ask(rest);
    if (found.ok) return { found, query: rest, problems };
    problems.push(...found.errors.map(({ name, detail }) => ({ name, value: rest[name] ?? '', detail })));
    const names = found.errors.map(({ name }) => name).filter((name) => name in rest);
    // What is wrong and has no name here is left out with everything else.
    rest = names.length === 0 ? {} : without(rest, ...names);
  }
}

/** A value of a closed set that is near to what was written. */
export function nearestValue(value: string, known: readonly string[]): string | null {
  const word = value
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
  return known.find((each) => each === word || `${each}s` === word) ?? nearestName(word, known);
}

/** Where a form leads that sends its empty fields along; null for an address without them. */
export function tidyAddress({ pathname, searchParams }: URL): string | null {
  const sent = [...searchParams];
  const kept = sent.filter(([name, value]) => value !== '' || name === 'free');
  if (kept.length === sent.length) return null;
  const query = new URLSearchParams(kept).toString();
  return query === '' ? pathname : `${pathname}?${query}`;
}

/** Names of an address that are no filters. */
export const OWN_NAMES = ['view', 'page', 'month'] as const;

export interface PagePlace {
  view: EventView;
  /** From 1 on. */
  page: number;
  month: string | undefined;
}

/** What cannot be read counts as absent, and is a problem. */
export function readPagePlace(own: Readonly<Record<string, string>>, problems: ListProblem[]): PagePlace {
  const { view = 'list', page = '1', month } = own;
  const found = EVENT_VIEWS.find((each) => each === view);
  if (!found)
    problems.push({ name: 'view', value: view, detail: `view must be one of ${EVENT_VIEWS.join(', ')}`, suggestion: null });
  const isPage = PAGE.test(page);
  if (!isPage) problems.push({ name: 'page', value: page, detail: 'page must be a whole number from 1', suggestion: null });
  return { view: found ?? 'list', page: isPage ? Number(page) : 1, month };
}

/** `limit` and `offset` as the API has them; a page counts from 1 and wins over an offset. */
export function readWindow({ limit, offset }: ListQuery, { page }: Pick<PagePlace, 'page'>): { limit: number; offset: number } {
  const size = Math.min(Number(limit ?? PAGE_SIZE), MAX_PAGE_SIZE);
  return { limit: size, offset: page > 1 ? (page - 1) * size : Number(offset ?? 0) };
}

/** Which page begins at an offset, and how many there are. */
export function pagesOf(total: number, { limit, offset }: { limit: number; offset: number }): { page: number; pages: number } {
  return { page: Math.floor(offset / limit) + 1, pages: Math.max(1, Math.ceil(total / limit)) };
}

/**
 * Why a list is empty: each filter is left out once, and the search counts what would be found. The best first; empty where leaving out
 * one filter does not help.
 */
export function relaxList(
  query: ListQuery,
  { count, pathOf }: { count: (query: ListQuery) => number; pathOf: (query: ListQuery) => string },
): ListRelaxation[] {
  const names = Object.keys(query).filter((name) => !NO_FILTERS.has(name));
  const groups = names.map((name) => [name, ...(isTime(name) ? names.filter((other) => other !== name && isTime(other)) : [])]);
  const seen = new Set<string>();
  return groups
    .flatMap((group) => {
      const [name = ''] = group;
      const key = group.toSorted().join();
      if (seen.has(key)) return [];
      seen.add(key);
      const rest = without(query, ...group);
      return [{ name, value: query[name] ?? '', total: count(rest), path: pathOf(rest) }];
    })
    .filter(({ total }) => total > 0)
    .sort((a, b) => b.total - a.total)
    .slice(0, MAX_OFFERED);
}

const isTime = (name: string): boolean => (TIME_NAMES as readonly string[]).includes(name);
/** They exclude nothing by themselves. */
const NO_FILTERS: ReadonlySet<string> = new Set(['sort', 'limit', 'offset', 'radius', 'verified']);
const MAX_OFFERED = 3;

/** As many digits as the API takes for an offset. */
const PAGE = /^[1-9][0-9]{0,6}$/;
/** Rows of two, three and four cards are whole. */
const PAGE_SIZE = 24;
/** Of the API. */
const MAX_PAGE_SIZE = 100;
