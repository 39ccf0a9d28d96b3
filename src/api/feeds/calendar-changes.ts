/**
 * What a subscribed calendar shows beside the list for a while: events that were cancelled or merged. A program would otherwise drop
 * them without a word, or keep them for good.
 */

import { EVENT_STATUSES } from '../../catalog/index.ts';
import { readEventRecords, type ServedEvent } from '../../feeds/index.ts';
import { type EventListValues, findEvents } from '../../query/index.ts';
import type { MergedEvents, Snapshot } from '../../search/index.ts';
import { DAY_MS } from '../../values/duration.ts';

export interface CalendarChanges {
  /** All with the status `cancelled`. */
  records: ServedEvent[];
  /** Directory time, milliseconds, at which the same snapshot may have others. */
  until: number;
}

interface Asked {
  snapshot: Snapshot;
  values: EventListValues;
  /** Directory time, milliseconds. */
  now: number;
  merged: MergedEvents | null;
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

/** What happened to the survivor does not matter: whoever had the event must hear that it is over. */
function findMerged({ snapshot, values, now, merged }: Asked): CalendarChanges {
  if (!merged) return NONE;
  const { mergedAt } = merged;
  const asked = { ...values, status: values.status ?? EVENT_STATUSES, limit: MAX_CHANGES, offset: 0 };
  const { page, until = now } = findEvents(merged.snapshot, asked, now);
  const records = readEventRecords(merged.snapshot, page.items).flatMap((record): ServedEvent[] => {
    const at = mergedAt.get(record.event.id) ?? Number.NEGATIVE_INFINITY;
    // The merger may have been undone by now.
    if (at < now - KEPT_MS || snapshot.event(record.event.id).found === 'published') return [];
    // The merger is one more change that a calendar must hear of.
    return [{ ...record, status: 'cancelled', updatedAt: at, revision: record.revision + 1 }];
  });
  return { records, until: Math.min(until, ...records.map(({ updatedAt }) => updatedAt + KEPT_MS + 1)) };
}

export const KEPT_MS = 30 * DAY_MS;
/** More than are cancelled in a city in a month; the rest of a calendar is for what takes place. */
export const MAX_CHANGES = 500;
const NONE: CalendarChanges = { records: [], until: Number.POSITIVE_INFINITY };
