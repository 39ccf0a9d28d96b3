/** The API's search, asked in the words of a page. */

import { type RecordSearch, searchEvents, searchVenues } from '../../../../query/index.ts';
import type { Facet, FacetCounts } from '../../../../search/index.ts';
import type { ListQuery } from '../../../model/lists/list-paths.ts';
import type { ListPlaces } from './list-place.ts';
import { writeQuery } from './list-query.ts';

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

/** Rows of two, three and four cards are whole. */
const PAGE_SIZE = 24;
