/** `GET /events` (contract §4.1; decisions §1 and §5). */

import { CATEGORIES, EVENT_STATUSES } from '../catalog/index.ts';
import { createCityTime, type TimeWindow } from '../city/index.ts';
import { EVENT_SORTS, type EventQuery, FACETS, type FacetCounts, type Page, type Snapshot } from '../search/index.ts';
import { type Clash, problemsOf, readParameters, type Values } from './parameter.ts';
import {
  amount,
  anyOf,
  boundingBox,
  dateBound,
  flag,
  metres,
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
import { parseQuery } from './query-string.ts';
import { type Ask, defineRoute, type Outcome, writeMeta } from './route.ts';
import { isShaped, shapeParameters, writeShapedEvents } from './shaped-events.ts';

const parameters = {
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
  limit: pageLimit(20, 100),
  offset: pageOffset(),
  near: point('Extension. `latitude,longitude`: only events within `radius` of it.'),
  radius: metres(50_000, 'Extension. Metres around `near`. Default: 1000.'),
  bbox: boundingBox('Extension. `west,south,east,north`: only events within.'),
  sort: oneOf(EVENT_SORTS, 'score', 'Extension. Order of the list; `distance` needs `near`.'),
  ongoing: flag('Extension. Also events that started before the range and end within or after it.'),
  status: anyOf(EVENT_STATUSES, 'Extension. Replaces the statuses that are listed unasked; `any` lists all.', 'any'),
  ...shapeParameters('list'),
  facets: anyOf(FACETS, 'Extension. Counts over all matching events, in `meta.facets`.'),
};
type EventValues = Values<typeof parameters>;

export const listEvents = defineRoute({
  path: '/events',
  operationId: 'listEvents',
  tier: 'starter',
  metered: true,
  summary: 'Search upcoming events',
  description: 'Sorted by discovery score, then start time, then id. The order is total: paging never repeats or skips.',
  parameters,
  clashes,
  answers: ['EventList', 'ShapedEventList'],
  answer,
});

/** What `GET /events?query` answers to whoever may ask, as the body's text; null when the query cannot be read. For pages that show one. */
export function sampleEvents(query: string, snapshot: Snapshot, now: number): string | null {
  const city = createCityTime(snapshot.city.timezone);
  const read = readParameters(parameters, parseQuery(query), { city, strict: true });
  if (problemsOf(read, clashes(read.values, now)).length > 0) return null;
  const outcome = answer({ snapshot, now, values: read.values });
  return outcome.kind === 'data' ? outcome.body().toString() : null;
}

function answer({ snapshot, now, values }: Pick<Ask<typeof parameters>, 'snapshot' | 'now' | 'values'>): Outcome {
  const range = timeRange(values, now);
  const { limit, offset, facets } = values;
  const page = snapshot.events(buildQuery(values, range));
  const { total, items } = page;
  const plain = !facets && !isShaped(values);
  const until = steadyUntil(range, page, now);
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

/** A window as `when` names it, or as the dates bound it. Only a start: 720 hours from it. Only an end: from now on. */
function timeRange({ when, start_date, end_date }: EventValues, now: number): TimeWindow {
  if (when) return when(now);
  const from = start_date ?? now;
  const to = end_date ?? from + DEFAULT_RANGE_MS;
  const moves = { from: start_date === undefined, to: start_date === undefined && end_date === undefined };
  // Beyond its end the range is refused.
  const changesAt = moves.from && !moves.to ? to : Number.POSITIVE_INFINITY;
  return { from, to, lastDayEnds: to, ongoing: false, moves, changesAt };
}

/** How far the clock may go before the list can differ: bounds that stand keep it, bounds that move meet the next event. */
function steadyUntil({ to, moves, changesAt }: TimeWindow, { steady }: Page, now: number): number | undefined {
  if (!steady) return undefined;
  const start = moves.from ? steady.from : Number.POSITIVE_INFINITY;
  const end = moves.to ? now + steady.to - to : Number.POSITIVE_INFINITY;
  return Math.min(start, end, changesAt);
}

function clashes(values: EventValues, now: number): readonly Clash[] {
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
  if (values.sort === 'distance' && !values.near) {
    found.push({ names: ['sort', 'near'], code: 'needs_near', detail: 'distance needs near' });
  }
  return found;
}

export function lacksNear({ radius, near }: Pick<EventValues, 'radius' | 'near'>): Clash[] {
  return radius !== undefined && !near ? [{ names: ['radius', 'near'], code: 'needs_near', detail: 'needs near' }] : [];
}

function buildQuery(values: EventValues, { from, to, lastDayEnds, ongoing }: TimeWindow): EventQuery {
  const { q, category, neighborhood, venue_id, status, near, bbox, facets, price_max, tags, updated_since } = values;
  const query: EventQuery = { from, to, limit: values.limit, offset: values.offset };
  if (lastDayEnds < to) query.lastDayEnds = lastDayEnds;
  if (q !== undefined) query.text = q;
  if (category) query.categories = category;
  if (neighborhood !== undefined) query.neighborhood = neighborhood;
  if (venue_id !== undefined) query.venueId = venue_id;
  if (status) query.statuses = status;
  if (near) query.near = { ...near, radius: values.radius ?? DEFAULT_RADIUS_M };
  if (bbox) query.box = bbox;
  if (facets) query.facets = facets;
  if (price_max !== undefined) query.priceMax = price_max;
  if (tags) query.tags = tags;
  if (updated_since !== undefined) query.updatedSince = updated_since;
  if (values.free) query.free = true;
  if (values.ongoing || ongoing) query.ongoing = true;
  if (values.sort !== 'score') query.sort = values.sort;
  return query;
}

function writeFacets(facets: FacetCounts | undefined): string {
  return `,"facets":${JSON.stringify(facets ?? {})}`;
}

/** 720 hours, decisions §1. */
const DEFAULT_RANGE_MS = 720 * 3_600_000;
export const DEFAULT_RADIUS_M = 1000;
