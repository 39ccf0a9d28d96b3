/** The neighborhoods with their borders, read again when they have changed: there are megabytes of them in a large city. */

import { loadNeighborhoodsVersion, type Neighborhood, readNeighborhoods } from '../../../records/index.ts';
import type { Store } from '../../../store/index.ts';

export async function readBorders({ db }: Pick<Store, 'db'>): Promise<readonly Neighborhood[]> {
  const version = await loadNeighborhoodsVersion(db);
  const before = read.get(db);
  if (before?.version === version) return before.neighborhoods;
  const neighborhoods = await readNeighborhoods(db);
  read.set(db, { version, neighborhoods });
  return neighborhoods;
}

/** Tells what the neighborhood with a slug is called; null for none. */
export function neighborhoodNames(neighborhoods: readonly Neighborhood[]): (slug: string | null) => string | null {
  const named = new Map(neighborhoods.map(({ slug, name }) => [slug, name]));
  return (slug) => named.get(slug ?? '') ?? null;
}

const read = new WeakMap<object, { version: string; neighborhoods: readonly Neighborhood[] }>();
