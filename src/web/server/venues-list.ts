/** What a list of venues shows: the answer of the API's search to the same filters, with what is on at each. */

import { VENUE_SEARCH_NAMES } from '../../query/index.ts';
import { CAPACITY_TIERS, VENUE_TYPES } from '../../records/index.ts';
import { type ListProblem, type ListQuery, type VenuesFacts, venuesPath, without } from '../model/lists.ts';
import { readVenueCards } from './cards.ts';
import type { ListRequest } from './events-list.ts';
import { readVenueNeighborhoods, readVenueTypes } from './list-choices.ts';
import {
  askLeniently,
  countVenues,
  itemsOf,
  nearestValue,
  OWN_NAMES,
  openListPlace,
  pagesOf,
  readPagePlace,
  readSent,
  readWindow,
  relaxList,
  searchHouses,
} from './list-search.ts';
import type { Rooms } from './rooms.ts';

export function readVenuesList(
  rooms: Pick<Rooms, 'search' | 'clocks' | 'publicUrl'>,
  { url, word }: Omit<ListRequest, 'language'>,
): VenuesFacts {
  const place = openListPlace(rooms);
  const sent = readSent(url.searchParams, { known: VENUE_SEARCH_NAMES, own: OWN_NAMES, lists: LIST_NAMES });
  const wanted = { ...(word !== undefined && { type: word }), ...sent.query };
  const { found, query, problems: faults } = askLeniently(wanted, (each) => searchHouses(place, each));
  const problems: ListProblem[] = faults.map((fault) => ({ ...fault, suggestion: suggest(fault, wanted) }));
  const { view: _, ...own } = sent.own;
  const at = readPagePlace(own, problems);
  const window = readWindow(query, at);
  const filters = without(query, 'limit', 'offset');
  const { total } = found.page;
  const items = itemsOf(searchHouses(place, { ...query, limit: String(window.limit), offset: String(window.offset) }));
  const count = (rest: ListQuery) => countVenues(place, rest);
  return {
    query: filters,
    pageSize: query.limit === undefined ? {} : { limit: query.limit },
    total,
    ...pagesOf(total, window),
    venues: readVenueCards(place, items),
    types: readVenueTypes(place, filters),
    neighborhoods: readVenueNeighborhoods(place),
    neighborhood: place.neighborhood(filters.neighborhood),
    problems,
    relaxations: total === 0 ? relaxList(filters, { count, pathOf: (rest) => venuesPath(rest) }) : [],
    canonical: place.publicUrl + venuesPath(filters, at.page),
    isIndexed: problems.length === 0 && items.length > 0 && Object.keys(filters).every((name) => INDEXED_NAMES.has(name)),
  };
}

function suggest({ name, value }: Omit<ListProblem, 'suggestion'>, query: ListQuery): ListProblem['suggestion'] {
  const known = CLOSED_SETS[name];
  const near = known ? nearestValue(value, known) : null;
  return near === null ? null : { value: near, path: venuesPath({ ...query, [name]: near }) };
}

const CLOSED_SETS: Readonly<Record<string, readonly string[]>> = { type: VENUE_TYPES, capacity: CAPACITY_TIERS };
const LIST_NAMES = ['type', 'capacity'];
const INDEXED_NAMES: ReadonlySet<string> = new Set(['type', 'neighborhood']);
