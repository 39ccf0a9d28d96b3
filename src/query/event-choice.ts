/** Changes within a choice of events: what of the log concerns those who asked with filters. */

import type { LoggedChange, Snapshot } from '../search/index.ts';
import { createCityTime } from '../values/city-time.ts';
import { buildFilter, type EventFilter, type EventFilterValues, eventFilters } from './event-query.ts';
import { changedFields } from './format-change.ts';
import { parseQuery, readParameters } from './parameter.ts';

export interface EventChoice {
  /** `null`: the change is none of the caller's business. */
  sees(change: LoggedChange, snapshot: Snapshot): 'record' | 'left' | null;
  /** Whether an event is among those that were asked for. */
  holds(snapshot: Snapshot, eventId: string): boolean;
  /** Whether the fields of a change can have made the event enter or leave. */
  mayMove(change: Pick<LoggedChange, 'kind' | 'previous'>): boolean;
  /** Whether a change can have made the event leave. The lists drop what no source lists any longer: then no field has changed. */
  mayLeave(change: Pick<LoggedChange, 'kind' | 'previous'>): boolean;
}

/** The choice of a saved query: a query string of `GET /events`. Without a filter it is what the list shows unasked. */
export function readEventChoice(query: string, timezone: string, now: number): EventChoice {
  const context = { city: createCityTime(timezone), strict: false };
  return choiceOf(readParameters(eventFilters, parseQuery(query), context).values, now);
}

/** Null when no filter is given. Without dates the choice is of all time: a window that moves would change without a change. */
export function chooseEvents(values: EventFilterValues, now: number): EventChoice | null {
  return givenOf(values).length === 0 ? null : choiceOf(values, now);
}

const givenOf = (values: EventFilterValues): FilterName[] =>
  FILTER_NAMES.filter((name) => values[name] !== undefined && values[name] !== false);

function choiceOf(values: EventFilterValues, now: number): EventChoice {
  const filter = buildFilter(values, windowOf(values, now));
  const query: EventFilter & { limit: number; offset: number } = { ...filter, limit: 0, offset: 0 };
  const deciding = new Set(['status', ...givenOf(values).flatMap((name) => DECIDING_FIELDS[name])]);
  const holds: EventChoice['holds'] = (snapshot, eventId) => {
    const lookup = snapshot.event(eventId);
    return lookup.found === 'published' && snapshot.isAmong(query, lookup.item);
  };
  const mayMove: EventChoice['mayMove'] = (change) =>
    change.kind === 'created' || changedFields(change).some((field) => deciding.has(field));
  const mayLeave: EventChoice['mayLeave'] = (change) =>
    mayMove(change) || (change.kind === 'updated' && changedFields(change).length === 0);
  return {
    holds,
    mayMove,
    mayLeave,
    sees(change, snapshot) {
      if (change.record.found !== 'published') return 'record';
      if (holds(snapshot, change.entityId ?? '')) return 'record';
      // Another field cannot have made the event leave. One that never matched may be told of as left: that does no harm.
      return change.kind !== 'created' && mayLeave(change) ? 'left' : null;
    },
  };
}

/** The dates that filters need to be checked against each other. */
export function datesOf(values: EventFilterValues): EventFilterValues {
  return values.when || values.start_date !== undefined ? values : { ...values, start_date: Number.NEGATIVE_INFINITY };
}

function windowOf({ when, start_date, end_date }: EventFilterValues, now: number) {
  if (when) return when(now);
  const from = start_date ?? Number.NEGATIVE_INFINITY;
  const to = end_date ?? Number.POSITIVE_INFINITY;
  const moves = { from: false, to: false };
  return { from, to, lastDayEnds: to, ongoing: false, moves, changesAt: Number.POSITIVE_INFINITY };
}

type FilterName = keyof EventFilterValues;
const FILTER_NAMES = Object.keys(eventFilters) as FilterName[];
const TIMES = ['startDatetime', 'endDatetime', 'startPrecision'];
const PRICES = ['isFree', 'priceMin', 'priceMax'];
/** Which fields of an event decide whether it passes a filter. */
const DECIDING_FIELDS: Record<FilterName, readonly string[]> = {
  q: ['title', 'venue', 'description'],
  category: ['category'],
  neighborhood: ['venue'],
  venue_id: ['venue'],
  start_date: TIMES,
  end_date: TIMES,
  when: TIMES,
  ongoing: TIMES,
  free: PRICES,
  price_max: PRICES,
  tags: ['tags'],
  // Who has changed has changed since.
  updated_since: [],
  near: ['venue'],
  radius: ['venue'],
  bbox: ['venue'],
  status: ['status'],
};
