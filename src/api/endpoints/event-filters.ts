/** The filters of events: what can be asked of `/events`, and of everything else that is a choice of events. */

import { CATEGORIES, EVENT_STATUSES } from '../../catalog/index.ts';
import type { TimeWindow } from '../../city/index.ts';
import type { EventQuery } from '../../search/index.ts';
import type { ParameterConflict, Values } from '../parameters/parameter.ts';
import {
  amount,
  anyOf,
  boundingBox,
  dateBound,
  flag,
  meters,
  point,
  searchText,
  slug,
  tagList,
  timeWindow,
  uuid,
} from '../parameters/parameter-kinds.ts';

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

/** A window as `when` names it, or as the dates bound it. Only a start: 720 hours from it. Only an end: from now on. */
export function timeRange({ when, start_date, end_date }: EventFilterValues, now: number): TimeWindow {
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

/** 720 hours, decisions §1. */
const DEFAULT_RANGE_MS = 720 * 3_600_000;
export const DEFAULT_RADIUS_M = 1000;
