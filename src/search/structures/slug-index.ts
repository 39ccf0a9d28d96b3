/** Published records by their slugs: eight bytes for each, whatever its slug is. */

import { createSorter } from './radix.ts';
import { sharedUint32 } from './shared-memory.ts';

export interface SlugIndex {
  /** Ascending. Two slugs may share one. */
  hashes: Uint32Array;
  /** What has the slug of each hash. */
  items: Uint32Array;
}

/** FNV-1a, 32 bits. Slugs are ASCII. */
export function hashSlug(slug: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < slug.length; i += 1) hash = Math.imul(hash ^ slug.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

export function indexSlugs(items: Uint32Array, hashOf: (item: number) => number): SlugIndex {
  const sorter = createSorter(items);
  sorter.byDigit((item) => hashOf(item) & 0xffff);
  sorter.byDigit((item) => hashOf(item) >>> 16);
  const index = { hashes: sharedUint32(items.length), items: sharedUint32(items.length) };
  index.items.set(sorter.items);
  for (let place = 0; place < items.length; place += 1) index.hashes[place] = hashOf(sorter.items[place]!);
  return index;
}

/** The item that has this slug; null for none. `slugOf` reads it from the record itself. */
export function findSlug({ hashes, items }: SlugIndex, slug: string, slugOf: (item: number) => string): number | null {
  const wanted = hashSlug(slug);
  let low = 0;
  let high = hashes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (hashes[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  for (let place = low; hashes[place] === wanted; place += 1) if (slugOf(items[place]!) === slug) return items[place]!;
  return null;
}
