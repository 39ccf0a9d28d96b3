/**
 * What a subscribed calendar shows beside the list for a while: events that were cancelled or merged. A program would otherwise drop
 * them without a word, or keep them for good.
 */

import type { MergedEvent } from '../../catalog/index.ts';
import type { CityTime } from '../../city/index.ts';
import { type EventRecord, readEventRecords } from '../../feeds/index.ts';
import type { Snapshot } from '../../search/index.ts';
import { buildFilter, timeRange } from '../endpoints/event-filters.ts';
import { type EventListValues, findEvents } from '../endpoints/list-events.ts';

export interface CalendarChanges {
  /** All with the status `cancelled`. */
  records: EventRecord[];
  /** Directory time, milliseconds, at which the same snapshot may have others. */
  until: number;
}

interface Asked {
  snapshot: Snapshot;
  values: EventListValues;
  /** Directory time, milliseconds. */
  now: number;
  city: CityTime;
  /** The latest first. */
  merged: readonly MergedEvent[];
}

/** Within the filters of a feed, from the last 30 days. */
export function findCalendarChanges(asked: Asked): CalendarChanges {
  const cancelled = findCancelled(asked);
  const merged = findMerged(asked);
  return {
    records: [...cancelled.records, ...merged.records].slice(0, MAX_CHANGES),
    until: Math.min(cancelled.until, merged.until),
  };
}

/** Of a feed that does not choose cancelled events itself. */
function findCancelled({ snapshot, values, now }: Asked): CalendarChanges {
  if (values.status?.includes('cancelled')) return NONE;
  const since = Math.max(values.updated_since ?? 0, now - KEPT_MS);
  const asked = { ...values, status: ['cancelled'] as const, updated_since: since, limit: MAX_CHANGES, offset: 0 };
  const { page, until = now } = findEvents(snapshot, asked, now);
  const records = readEventRecords(snapshot, page.items);
  return { records, until: Math.min(until, ...records.map(({ updatedAt }) => updatedAt + KEPT_MS + 1)) };
}

/** A merged event is told of where its survivor is in the feed: the filters know nothing else of it. */
function findMerged({ snapshot, values, now, city, merged }: Asked): CalendarChanges {
  const query = { ...buildFilter(values, timeRange(values, now)), limit: 0, offset: 0 };
  const recent = merged.filter(({ mergedAt }) => mergedAt >= now - KEPT_MS);
  const records = recent.flatMap(({ id, title, startsAt, endsAt, precision, revision, mergedAt }): EventRecord[] => {
    const merger = snapshot.event(id);
    const survivor = merger.found === 'merged' ? snapshot.event(merger.into) : merger;
    if (merger.found !== 'merged' || survivor.found !== 'published' || !snapshot.isAmong(query, survivor.item)) return [];
    const [record] = readEventRecords(snapshot, [survivor.item]);
    if (!record) return [];
    const times = { startDatetime: city.format(startsAt), endDatetime: endsAt === null ? null : city.format(endsAt) };
    return [
      {
        ...record,
        event: { ...record.event, id, title, ...times },
        status: 'cancelled',
        startPrecision: precision,
        updatedAt: mergedAt,
        // The merger is one more change that a calendar must hear of.
        revision: revision + 1,
      },
    ];
  });
  return { records, until: Math.min(Number.POSITIVE_INFINITY, ...recent.map(({ mergedAt }) => mergedAt + KEPT_MS + 1)) };
}

export const KEPT_MS = 30 * 86_400_000;
/** More than are cancelled in a city in a month; the rest of a calendar is for what takes place. */
export const MAX_CHANGES = 500;
const NONE: CalendarChanges = { records: [], until: Number.POSITIVE_INFINITY };
