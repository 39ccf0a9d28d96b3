/** `GET /events` (contract §4.1; decisions §1 and §5). */

import { createCityTime, type TimeWindow } from '../../city/index.ts';
import type { ParameterProblem } from '../../http/index.ts';
import {
  EVENT_SORTS,
  type EventQuery,
  FACETS,
  type Facet,
  type FacetCounts,
  type ResultPage,
  type Snapshot,
} from '../../search/index.ts';
import { absentValues, type ParameterConflict, problemsOf, readParameters, type Values } from '../parameters/parameter.ts';
import { anyOf, oneOf, pageLimit, pageOffset, searchText } from '../parameters/parameter-kinds.ts';
import { parseQuery } from '../parameters/query-string.ts';
import { type Ask, defineRoute, type RouteOutcome, writeMeta } from '../route.ts';
import { answerEventAsk, askConflicts } from './answer-ask.ts';
import { buildFilter, eventFilters, filterConflicts, timeRange } from './event-filters.ts';
import { isShaped, shapeParameters, writeShapedEvents } from './shaped-events.ts';

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

const parameters = {
  ...eventSearchParameters,
  ...shapeParameters('list'),
  facets: anyOf(FACETS, 'Extension. Counts over all matching events, in `meta.facets`.'),
};

export type EventParameters = typeof parameters;

export const listEvents = defineRoute<typeof parameters>({
  path: '/events',
  operationId: 'listEvents',
  tier: 'starter',
  metered: true,
  summary: 'Search upcoming events',
  description: 'Sorted by discovery score, then start time, then id. The order is total: paging never repeats or skips.',
  parameters,
  conflicts: (values, now) => [...eventListConflicts(values, now), ...askConflicts(values)],
  answers: ['EventList', 'ShapedEventList'],
  answer,
});

/** What `GET /events?query` answers to whoever may ask, as the body's text; null when the query cannot be read. For pages that show one. */
export function sampleEvents(query: string, snapshot: Snapshot, now: number): string | null {
  const city = createCityTime(snapshot.city.timezone);
  const read = readParameters(parameters, parseQuery(query), { city, strict: true });
  if (problemsOf(read, eventListConflicts(read.values, now)).length > 0) return null;
  const outcome = answer({ snapshot, now, values: read.values, sent: read.sent });
  return outcome.kind === 'data' ? outcome.body().toString() : null;
}

export type EventQueryReading =
  | { ok: true; query: Omit<EventQuery, 'limit' | 'offset' | 'facets'> }
  /** All that is wrong; never empty. */
  | { ok: false; errors: readonly ParameterProblem[] };

export interface EventQueryMoment {
  timezone: string;
  /** Directory time, milliseconds. */
  now: number;
  /** A saved query goes on when its last day is over: it finds nothing then. */
  mayBeOver?: boolean;
}

/** All events that `GET /events?text` lists, page after page. Unknown parameters are refused. */
export function parseEventQuery(text: string, { timezone, now, mayBeOver = false }: EventQueryMoment): EventQueryReading {
  const { sort } = parameters;
  const read = readParameters({ ...eventFilters, sort }, parseQuery(text), { city: createCityTime(timezone), strict: true });
  const values = { ...absentValues(parameters), ...read.values };
  const range = timeRange(values, now);
  const isOver = mayBeOver && range.moves.from && range.to < range.from;
  const conflicts = eventListConflicts(values, now).filter(({ code }) => !isOver || code !== 'before_start');
  const errors = problemsOf(read, conflicts);
  if (errors.length > 0) return { ok: false, errors };
  // Nothing starts before 1970.
  const { limit: _, offset: __, ...query } = buildQuery(values, isOver ? { ...range, to: 0, lastDayEnds: 0 } : range);
  return { ok: true, query };
}

function answer(request: Pick<Ask<EventParameters>, 'snapshot' | 'now' | 'values' | 'sent'>): RouteOutcome {
  const { snapshot, now, values } = request;
  if (values.ask !== undefined) return answerEventAsk(request, values.ask);
  const { limit, offset, facets } = values;
  const { page, until } = findEvents(snapshot, values, now, facets);
  const { total, items } = page;
  const plain = !facets && !isShaped(values);
  return {
    kind: 'data',
    tag: plain ? `${page.tag}-${limit}-${offset}` : null,
    ...(until !== undefined && { until }),
    page: { total, limit, offset },
    interpretations: page.interpretations,
    body() {
      const tail = `],${writeMeta({ total, limit, offset }, items.length)}${facets ? writeFacets(page.facets) : ''}}}`;
      return writeShapedEvents(snapshot, items, 'list', values, '{"data":[', tail);
    },
  };
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

function writeFacets(facets: FacetCounts | undefined): string {
  return `,"facets":${JSON.stringify(facets ?? {})}`;
}
