/** Telling apart what a provider gives one id: the nights of a series, and different events under one address. */

import { createHash } from 'node:crypto';
import type { EventListing } from '../listing.ts';

export interface ListedOccurrence {
  /** Which record of the answer it is, from 1. */
  index: number;
  /** What the provider calls the event; null when it calls it nothing. */
  id: string | null;
  /** Known to be one of several, however many of them this answer holds. */
  isPart: boolean;
  event: EventListing;
}

/**
 * Each with its `externalId`: the id alone where it has one start, `id@start` where it has several, and `id@start title` where even that
 * is taken by another. What is said twice is given once, as the one that says more. `home` is the address of the answer: it stands for
 * the id of what has none, alone where nothing else is there. The ids do not depend on the order.
 */
export function nameOccurrences(found: readonly ListedOccurrence[], home: string): Pick<ListedOccurrence, 'index' | 'event'>[] {
  const all = found.map(({ index, id, isPart, event }) => ({
    index,
    id: id ?? home,
    isPart: isPart || (id === null && found.length > 1),
    at: `${id ?? home}@${event.start}`,
    event,
  }));
  const series = namesWhere(
    Map.groupBy(all, ({ id }) => id),
    (group) => {
      return group.some(({ isPart }) => isPart) || new Set(group.map(({ event }) => event.start)).size > 1;
    },
  );
  const crowded = namesWhere(
    Map.groupBy(all, ({ at }) => at),
    (group) => new Set(group.map(({ event }) => event.title)).size > 1,
  );
  const named = new Map<string, Pick<ListedOccurrence, 'index' | 'event'>>();
  for (const { index, id, at, event } of all) {
    const name = crowded.has(at) ? `${at} ${event.title}` : series.has(id) ? at : id;
    const before = named.get(name);
    if (before !== undefined && countSaid(before.event) >= countSaid(event)) continue;
    const ids = { externalId: shortened(name), seriesId: name === id ? null : shortened(id) };
    named.set(name, { index: before?.index ?? index, event: { ...event, ...ids } });
  }
  return [...named.values()];
}

function namesWhere<T>(groups: ReadonlyMap<string, T[]>, holds: (group: T[]) => boolean): Set<string> {
  return new Set([...groups].filter(([, group]) => holds(group)).map(([name]) => name));
}

/** A directory keeps no ids of any length; what is cut off stays told apart by its digest. */
function shortened(id: string): string {
  if (id.length <= MAX_ID_CHARS) return id;
  const digest = createHash('sha256').update(id).digest('hex').slice(0, DIGEST_CHARS);
  return `${id.slice(0, MAX_ID_CHARS - DIGEST_CHARS - 1)}#${digest}`;
}

function countSaid({ externalId: _, seriesId: __, ...event }: EventListing): number {
  return [...Object.values(event), ...Object.values(event.venue)].filter(
    (value) => value !== null && value !== false && !(Array.isArray(value) && value.length === 0),
  ).length;
}

/** What a record keeps. */
const MAX_ID_CHARS = 500;
const DIGEST_CHARS = 16;
