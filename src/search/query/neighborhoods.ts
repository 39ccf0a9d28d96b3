/** The neighborhoods with what is to come in them. */

import { hash } from 'node:crypto';
import { CATEGORIES, type Category } from '../../records/index.ts';
import type { NeighborhoodSummary } from '../query.ts';
import { createNameOrder } from '../snapshot/name-order.ts';
import type { SnapshotData } from '../snapshot-data.ts';
import type { Upcoming } from '../structures/upcoming.ts';

/** By `eventCount` desc, then by name as venues are. What was made is kept until the next event starts. */
export function createNeighborhoods(data: SnapshotData): (upcoming: Upcoming) => { items: NeighborhoodSummary[]; tag: string } {
  let venueCounts: Uint32Array | null = null;
  let known: { cursor: number; items: NeighborhoodSummary[]; tag: string } | null = null;

  return (upcoming) => {
    if (known?.cursor === upcoming.cursor) return known;
    venueCounts ??= countVenues(data);
    const numbers = new Map(data.neighborhoodSlugs.map((slug, number) => [slug, number]));
    const compareNames = createNameOrder(data.city.locale);
    const items = data.neighborhoods.map(({ slug, name, description, latitude, longitude }) => {
      const number = numbers.get(slug) ?? -1;
      const counts = upcoming.categories.subarray(number * CATEGORIES.length, (number + 1) * CATEGORIES.length);
      const eventCount = counts.reduce((sum, count) => sum + count, 0);
      const venueCount = venueCounts?.[number] ?? 0;
      return { slug, name, description, latitude, longitude, eventCount, venueCount, topCategories: topCategories(counts) };
    });
    items.sort((a, b) => b.eventCount - a.eventCount || compareNames(a.name, b.name) || (a.slug < b.slug ? -1 : 1));
    known = { cursor: upcoming.cursor, items, tag: hash('sha1', JSON.stringify(items)).slice(0, TAG_DIGITS) };
    return known;
  };
}

/** Verified published venues, by neighborhood number. */
function countVenues({ venues, neighborhoodSlugs }: SnapshotData): Uint32Array {
  const counts = new Uint32Array(neighborhoodSlugs.length);
  for (const slot of venues.byName) {
    const number = venues.neighborhood[slot]!;
    if (venues.verified[slot] === 1 && number < counts.length) counts[number] = counts[number]! + 1;
  }
  return counts;
}

function topCategories(counts: Uint32Array): Category[] {
  return CATEGORIES.map((category, number) => ({ category, count: counts[number] ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || (a.category < b.category ? -1 : 1))
    .slice(0, TOP_CATEGORIES)
    .map(({ category }) => category);
}

const TOP_CATEGORIES = 3;
const TAG_DIGITS = 16;
