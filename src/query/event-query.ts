/** The query of events: the filters and what else can be asked of `GET /events`, read from a query string and put to a snapshot. */

import type { ParameterProblem } from '../http/index.ts';
import { CATEGORIES, EVENT_STATUSES } from '../records/index.ts';
import {
  EVENT_SORTS,
  type EventAsk,
  type EventQuery,
  type Facet,
  type GivenFilter,
  type ResultPage,
  type Snapshot,
} from '../search/index.ts';
import { createCityTime } from '../values/city-time.ts';
import type { TimeWindow } from '../values/named-window.ts';
import { absentValues, type ParameterConflict, parseQuery, problemsOf, readParameters, type Values } from './parameter.ts';
import {
  amount,
  anyOf,
  boundingBox,
  dateBound,
  flag,
  meters,
  oneOf,
  pageLimit,
  pageOffset,
  point,
  searchText,
  slug,
  tagList,
  timeWindow,
  uuid,
} from './parameter-kinds.ts';

export const eventFilters = {
  q: searchText(
    'Full-text search over title, venue and description. All words must match; a `"quoted phrase"` matches in order.',
  ),
  category: anyOf(CATEGORIES, 'Event category; several separated by commas mean any of them.'),
  neighborhood: slug("A neighborhood's slug."),
  venue_id: uuid('Only events of this venue.'),
  start_date: dateBound('start', 'Start of the range, inclusive. Default: now.'),
  end_date: dateBound('end', 'End of the range, inclusive. Default: 30 days after the start.'),
  when: timeWindow("Extension. A span of the city's time, in place of `start_date` and `end_date`. Days end at 05:00."),
  free: flag('Only free events; a bare `free` means true.', true),
  price_max: amount('Extension. Only events whose cheapest known price is at most this; free events are among them.'),
  tags: tagList('Extension. Only events with this tag; several separated by commas mean any of them.'),
  updated_since: dateBound('start', 'Extension. Only events that changed at or after this moment.'),
  near: point('Extension. `latitude,longitude`: only events within `radius` of it.'),
  radius: meters(50_000, 'Extension. Meters around `near`. Default: 1000.'),
  bbox: boundingBox('Extension. `west,south,east,north`: only events within.'),
  ongoing: flag('Extension. Also events that started before the range and end within or after it.'),
  status: anyOf(EVENT_STATUSES, 'Extension. Replaces the default statuses; `any` lists all.', 'any'),
};
export type EventFilterValues = Values<typeof eventFilters>;

export type EventFilter = Omit<EventQuery, 'limit' | 'offset' | 'sort' | 'facets'>;

/** Of the list in every form. */
export const eventListParameters = {
  ...eventFilters,
  limit: pageLimit(20, 100),
  offset: pageOffset(),
  sort: oneOf(EVENT_SORTS, 'score', 'Extension. Order of the list; `distance` needs `near`, `relevance` needs a text.'),
};
export type EventListValues = Values<typeof eventListParameters>;

/** With the free text; `sent` says which of the others count before it. */
export const eventSearchParameters = {
  ...eventListParameters,
  ask: searchText(
    'Extension. Free text as a person types it. Words of time, price, category and place become filters; the rest orders the list by relevance. `meta.interpretation` says what was understood. Not together with `q`.',
  ),
};

/** What can be saved of a query: filters and order, neither the page nor the shape of an answer. */
export const savedParameters = { ...eventFilters, sort: eventListParameters.sort };

export type EventQueryReading =
  | { ok: true; query: Omit<EventQuery, 'limit' | 'offset' | 'facets'> }
  /** All that is wrong; never empty. */
  | { ok: false; errors: readonly ParameterProblem[] };

interface EventQueryMoment {
  timezone: string;
  /** Directory time, milliseconds. */
  now: number;
  /** A saved query goes on when its last day is over: it finds nothing then. */
  mayBeOver?: boolean;
}

/** All events that `GET /events?text` lists, page after page. Unknown parameters are refused. */
export function parseEventQuery(text: string, { timezone, now, mayBeOver = false }: EventQueryMoment): EventQueryReading {
  const read = readParameters(savedParameters, parseQuery(text), { city: createCityTime(timezone), strict: true });
  const values = { ...absentValues(eventListParameters), ...read.values };
  const range = timeRange(values, now);
  const isOver = mayBeOver && range.moves.from && range.to < range.from;
  const conflicts = eventListConflicts(values, now).filter(({ code }) => !isOver || code !== 'before_start');
  const errors = problemsOf(read, conflicts);
  if (errors.length > 0) return { ok: false, errors };
  // Nothing starts before 1970.
  const { limit: _, offset: __, ...query } = buildQuery(values, isOver ? { ...range, to: 0, lastDayEnds: 0 } : range);
  return { ok: true, query };
}

/** The page that is asked for, and until when the same snapshot gives the same one. */
export function findEvents(
  snapshot: Snapshot,
  values: EventListValues,
  now: number,
  facets?: readonly Facet[],
): { page: ResultPage; until: number | undefined } {
  const range = timeRange(values, now);
  const query = buildQuery(values, range);
  const page = snapshot.events(facets ? { ...query, facets } : query);
  return { page, until: steadyUntil(range, page, now) };
}

/** How far the clock may go before the list can differ: bounds that stand keep it, bounds that move meet the next event. */
function steadyUntil({ to, moves, changesAt }: TimeWindow, { steady }: ResultPage, now: number): number | undefined {
  if (!steady) return undefined;
  const start = moves.from ? steady.from : Number.POSITIVE_INFINITY;
  const end = moves.to ? now + steady.to - to : Number.POSITIVE_INFINITY;
  return Math.min(start, end, changesAt);
}

export function eventListConflicts(
  values: EventListValues & { ask?: string | undefined },
  now: number,
): readonly ParameterConflict[] {
  const found = filterConflicts(values, now);
  if (values.sort === 'distance' && !values.near) {
    found.push({ names: ['sort', 'near'], code: 'needs_near', detail: 'distance needs near' });
  }
  if (values.sort === 'relevance' && values.q === undefined && values.ask === undefined) {
    found.push({ names: ['sort', 'q', 'ask'], code: 'needs_text', detail: 'relevance needs q or ask' });
  }
  return found;
}

function buildQuery(values: EventListValues, range: TimeWindow): EventQuery {
  const { limit, offset, sort } = values;
  const query: EventQuery = { ...buildFilter(values, range), limit, offset };
  if (sort !== 'score') query.sort = sort;
  return query;
}

/** A window as `when` names it, or as the dates bound it. Only a start: 720 hours from it. Only an end: from now on. */
function timeRange({ when, start_date, end_date }: EventFilterValues, now: number): TimeWindow {
  if (when) return when(now);
  const from = start_date ?? now;
  const to = end_date ?? from + DEFAULT_RANGE_MS;
  const moves = { from: start_date === undefined, to: start_date === undefined && end_date === undefined };
  // Beyond its end the range is refused.
  const changesAt = moves.from && !moves.to ? to : Number.POSITIVE_INFINITY;
  return { from, to, lastDayEnds: to, ongoing: false, moves, changesAt };
}

export function filterConflicts(values: EventFilterValues, now: number): ParameterConflict[] {
  const { from, to } = timeRange(values, now);
  const found = lacksNear(values);
  const date = values.start_date === undefined ? 'end_date' : 'start_date';
  if (values.when && values[date] !== undefined) {
    found.push({ names: ['when', date], code: 'conflicting', detail: `cannot be combined with ${date}: give one or the other` });
  }
  if (to < from) {
    const start = values.start_date === undefined ? 'now, where a range without start_date begins' : 'start_date';
    found.push({ names: ['end_date', 'start_date'], code: 'before_start', detail: `must not be before ${start}` });
  }
  return found;
}

export function lacksNear({ radius, near }: Pick<EventFilterValues, 'radius' | 'near'>): ParameterConflict[] {
  return radius !== undefined && !near ? [{ names: ['radius', 'near'], code: 'needs_near', detail: 'needs near' }] : [];
}

/** Without order and page. */
export function buildFilter(values: EventFilterValues, { from, to, lastDayEnds, ongoing }: TimeWindow): EventFilter {
  const { q, category, neighborhood, venue_id, status, near, bbox, price_max, tags, updated_since } = values;
  const query: EventFilter = { from, to };
  if (lastDayEnds < to) query.lastDayEnds = lastDayEnds;
  if (q !== undefined) query.text = q;
  if (category) query.categories = category;
  if (neighborhood !== undefined) query.neighborhood = neighborhood;
  if (venue_id !== undefined) query.venueId = venue_id;
  if (status) query.statuses = status;
  if (near) query.near = { ...near, radius: values.radius ?? DEFAULT_RADIUS_M };
  if (bbox) query.box = bbox;
  if (price_max !== undefined) query.priceMax = price_max;
  if (tags) query.tags = tags;
  if (updated_since !== undefined) query.updatedSince = updated_since;
  if (values.free) query.free = true;
  if (values.ongoing || ongoing) query.ongoing = true;
  return query;
}

/** A request with a free text. */
interface AskRequest {
  /** Directory time, milliseconds. */
  now: number;
  /** The parameters that were used, as sent. */
  sent: readonly (readonly [string, string])[];
  values: EventListValues & { facets?: readonly Facet[] | undefined };
}

/** A parameter of the request counts before what the text says of the same. */
export function readEventAsk({ now, values, sent }: AskRequest, text: string): EventAsk {
  const names = new Set(sent.map(([name]) => name));
  const timeName = ['when', 'start_date', 'end_date'].find((name) => names.has(name));
  const range = timeRange(values, now);
  const { from, to, ongoing, lastDayEnds, text: _, ...filter } = buildFilter(values, range);
  const isOngoing = ongoing ?? values.ongoing;
  const { limit, offset, facets, sort } = values;
  return {
    ...filter,
    text,
    now,
    limit,
    offset,
    given: readGiven(names, EVENT_GIVEN),
    sort: names.has('sort') ? sort : 'relevance',
    ...(isOngoing && { ongoing: true }),
    ...(facets && { facets }),
    ...(timeName !== undefined && { range: { from, to, ...(lastDayEnds !== undefined && { lastDayEnds }) } }),
  };
}

/** `q` has exact rules, which a text has not. */
export function askConflicts({ ask, q }: { ask: string | undefined; q: string | undefined }): ParameterConflict[] {
  if (ask === undefined || q === undefined) return [];
  return [{ names: ['ask', 'q'], code: 'conflicting', detail: 'cannot be combined with q: give one or the other' }];
}

/** By filter: the first parameter sent that says it. */
function readGiven<Filter extends string>(
  names: ReadonlySet<string>,
  table: Readonly<Record<Filter, readonly string[]>>,
): Partial<Record<Filter, string>> {
  const given: Partial<Record<Filter, string>> = {};
  for (const filter of Object.keys(table) as Filter[]) {
    const name = table[filter].find((each) => names.has(each));
    if (name !== undefined) given[filter] = name;
  }
  return given;
}

const EVENT_GIVEN: Readonly<Record<GivenFilter, readonly string[]>> = {
  time: ['when', 'start_date', 'end_date'],
  price: ['free', 'price_max'],
  category: ['category'],
  place: ['neighborhood', 'venue_id', 'near', 'bbox'],
};
/** 720 hours, decisions §1. */
const DEFAULT_RANGE_MS = 720 * 3_600_000;
export const DEFAULT_RADIUS_M = 1000;
