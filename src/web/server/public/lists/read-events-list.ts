/** What a list of events shows: the answer of the API's search to the same filters, with what else could be chosen. */

import { EVENT_SEARCH_NAMES } from '../../../../query/index.ts';
import { CATEGORIES } from '../../../../records/index.ts';
import { NAMED_WINDOWS } from '../../../../values/named-window.ts';
import type { EventsFacts, ListProblem } from '../../../model/lists/list-facts.ts';
import { eventsPath, type ListQuery, TIME_WORDS, without } from '../../../model/lists/list-paths.ts';
import type { Rooms } from '../../rooms.ts';
import { eventFeedPaths } from './event-feed.ts';
import { type ListPlaces, openListPlace } from './list-place.ts';
import { askLeniently, nearestValue, readSent } from './list-query.ts';
import { OWN_NAMES, type PagePlace, pagesOf, readPagePlace, readWindow } from './page-place.ts';
import { readCalendar } from './read-calendar.ts';
import { readEventCards } from './read-cards.ts';
import { readEventChoices, readVenueName } from './read-choices.ts';
import { readMappedEvents } from './read-map.ts';
import { relaxList } from './relax-list.ts';
import { countEvents, itemsOf, searchList } from './search-list.ts';

export interface ListRequest {
  url: URL;
  /** What stands behind `/events/` or `/venues/`. */
  word: string | undefined;
  /** Of the reader. */
  language: string;
}

export function readEventsList(
  rooms: Pick<Rooms, 'search' | 'clocks' | 'publicUrl'>,
  { url, word, language }: ListRequest,
): EventsFacts {
  const place = openListPlace(rooms);
  const sent = readSent(url.searchParams, { known: EVENT_SEARCH_NAMES, own: OWN_NAMES, lists: LIST_NAMES });
  const wanted = { ...readWord(word), ...sent.query };
  const { found, query, problems: faults } = askLeniently(wanted, (each) => searchList(place, each));
  const problems: ListProblem[] = faults.map((fault) => ({ ...fault, suggestion: suggest(fault, wanted) }));
  const at = readPagePlace(sent.own, problems);
  const window = readWindow(query, at);
  const filters = without(query, 'limit', 'offset');
  const { total } = found.page;
  const calendar = at.view === 'calendar' ? readCalendar(place, filters, { month: at.month, language, problems }) : null;
  const map = at.view === 'map' ? readMappedEvents(place, itemsOf(searchList(place, { ...query, ...MAP_WINDOW }))) : null;
  // The first page is found already.
  const pageQuery = { ...query, limit: String(window.limit), offset: String(window.offset) };
  const items = calendar || map ? [] : at.page > 1 ? itemsOf(searchList(place, pageQuery)) : found.page.items;
  return {
    query: filters,
    pageSize: query.limit === undefined ? {} : { limit: query.limit },
    view: at.view,
    total,
    ...pagesOf(total, window),
    events: readEventCards(place, items),
    isByDay: filters.sort === 'start',
    today: place.city.day(place.now),
    ...readEventChoices(place, filters),
    neighborhood: place.neighborhood(filters.neighborhood),
    venue: readVenueName(place, filters.venue_id),
    problems,
    relaxations: total === 0 ? relax(place, filters, at) : [],
    asked: found.asked,
    calendar,
    map,
    canonical: place.publicUrl + eventsPath(without(filters, 'sort'), { page: at.page }),
    isIndexed: problems.length === 0 && items.length > 0 && isPlain(filters, at),
    feeds: eventFeedPaths(filters),
  };
}

function readWord(word: string | undefined): ListQuery {
  if (word === undefined) return {};
  const when = TIME_WORDS.find(([path]) => path === word)?.[1];
  return when === undefined ? { category: word } : { when };
}

function relax(place: ListPlaces, filters: ListQuery, { view }: PagePlace) {
  return relaxList(filters, { count: (rest) => countEvents(place, rest), pathOf: (rest) => eventsPath(rest, { view }) });
}

/** A near value of a closed set, for what was none. */
function suggest({ name, value }: Omit<ListProblem, 'suggestion'>, query: ListQuery): ListProblem['suggestion'] {
  const known = CLOSED_SETS[name];
  const near = known ? nearestValue(value, known) : null;
  return near === null ? null : { value: near, path: eventsPath({ ...query, [name]: near }) };
}

/** Lists that people look for by name; all others are one of too many. */
function isPlain(filters: ListQuery, { page, view }: PagePlace): boolean {
  const names = Object.keys(filters);
  const isKnown = names.length <= 2 && names.every((name) => INDEXED_NAMES.has(name));
  return isKnown && view === 'list' && page <= MAX_INDEXED_PAGE;
}

const CLOSED_SETS: Readonly<Record<string, readonly string[]>> = { category: CATEGORIES, when: [...NAMED_WINDOWS, 'today'] };
/** A form sends a list as several values. */
const LIST_NAMES = ['category', 'tags', 'status'];
const INDEXED_NAMES: ReadonlySet<string> = new Set(['category', 'neighborhood', 'when', 'free']);
const MAX_INDEXED_PAGE = 50;
/** As many as the API gives at once, and as a map can show. */
const MAP_WINDOW = { limit: '100', offset: '0' };
