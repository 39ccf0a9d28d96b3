/** What normalizing and placing need to know of the city. */

import { type City, type Neighborhood, slugify } from '../catalog/index.ts';
import { boundingBox, polygons } from '../city/index.ts';
import type { CityFacts as NormalCity } from './index.ts';

export interface LocatedCity extends NormalCity {
  /** A neighborhood by slug or name. */
  neighborhood(name: string): { slug: string; latitude: number; longitude: number } | null;
}

/** The city's box is that around its neighborhoods; a city without any takes every point. */
export function readCityFacts({ timezone, name, locale }: City, neighborhoods: readonly Neighborhood[]): LocatedCity {
  const boxes = neighborhoods.flatMap(({ geometry }) => polygons(geometry).map(boundingBox));
  const bounds =
    boxes.length === 0
      ? null
      : {
          west: Math.min(...boxes.map(({ west }) => west)),
          south: Math.min(...boxes.map(({ south }) => south)),
          east: Math.max(...boxes.map(({ east }) => east)),
          north: Math.max(...boxes.map(({ north }) => north)),
        };
  const byName = new Map(neighborhoods.map((area) => [slugify(area.name), area]));
  for (const area of neighborhoods) byName.set(area.slug, area);
  return { timezone, name, locale, bounds, neighborhood: (text) => byName.get(slugify(text)) ?? null };
}
