/** Telling apart what a provider gives one id: the nights of a series, and different events under one address. */

import { createHash } from 'node:crypto';
import type { EventListing } from './listing.ts';

export interface Occurrence {
  /** What the provider calls the event. */
  id: string;
  /** Known to be one of several, however many of them this answer holds. */
  isPart: boolean;
  event: EventListing;
}

/**
 * Each with its `externalId`: the id alone where it has one start, `id@start` where it has several, and `id@start title` where even that
 * is taken by another. What is said twice is given once, as the one that says more. The ids do not depend on the order.
 */
export function nameOccurrences(found: readonly Occurrence[]): EventListing[] {
  const groups = Map.groupBy(found, ({ id }) => id);
  const isSeries = (id: string): boolean => {
    const group = groups.get(id) ?? [];
    return group.some(({ isPart }) => isPart) || new Set(group.map(({ event }) => event.start)).size > 1;
  };
  const series = new Map([...groups.keys()].map((id) => [id, isSeries(id)]));
  const titles = Map.groupBy(found, ({ id, event }) => `${id}@${event.start}`);
  const shared = new Set(
    [...titles].flatMap(([key, same]) => (new Set(same.map(({ event }) => event.title)).size > 1 ? [key] : [])),
  );
  const named = new Map<string, EventListing>();
  for (const { id, event } of found) {
    const occurrence = `${id}@${event.start}`;
    const name = shared.has(occurrence) ? `${occurrence} ${event.title}` : series.get(id) ? occurrence : id;
    const listing = { ...event, externalId: shortened(name), seriesId: name === id ? null : shortened(id) };
    const before = named.get(name);
    if (before === undefined || countSaid(before) < countSaid(listing)) named.set(name, listing);
  }
  return [...named.values()];
}

/** A directory keeps no ids of any length; what is cut off stays told apart by its digest. */
function shortened(id: string): string {
  if (id.length <= MOST_ID_CHARS) return id;
  const digest = createHash('sha256').update(id).digest('hex').slice(0, DIGEST_CHARS);
  return `${id.slice(0, MOST_ID_CHARS - DIGEST_CHARS - 1)}#${digest}`;
}

function countSaid(event: EventListing): number {
  return [...Object.values(event), ...Object.values(event.venue)].filter(
    (value) => value !== null && value !== false && !(Array.isArray(value) && value.length === 0),
  ).length;
}

/** What a record keeps. */
const MOST_ID_CHARS = 500;
const DIGEST_CHARS = 16;
