/** Which neighborhood a point lies in. */

import Flatbush from 'flatbush';
import { type City, type Neighborhood, slugify } from '../../records/index.ts';
import { USUAL_RADIUS_KM } from '../../values/distance.ts';
import { BORDER_DEGREES, boundingBox, covers, type PolygonGeometry, polygons } from '../../values/polygon.ts';
import type { CityFacts as NormalCity } from '../model.ts';

/** The slug of the neighborhood at a point (WGS84 degrees), or null outside all of them. */
export type Locate = (latitude: number, longitude: number) => string | null;

/**
 * Indexes the neighborhoods' polygons by their boxes. A point on a shared border, or where polygons overlap, belongs to the
 * neighborhood whose slug sorts first: the answer depends neither on the order of the file nor on the direction of its rings.
 */
export function createLocator(neighborhoods: readonly { slug: string; geometry: PolygonGeometry }[]): Locate {
  const parts = neighborhoods
    .flatMap(({ slug, geometry }) => polygons(geometry).map((polygon) => ({ slug, polygon })))
    .sort((a, b) => (a.slug < b.slug ? -1 : 1));
  if (parts.length === 0) return () => null;
  const boxes = new Flatbush(parts.length);
  for (const { polygon } of parts) {
    const { west, south, east, north } = boundingBox(polygon);
    boxes.add(west - BORDER_DEGREES, south - BORDER_DEGREES, east + BORDER_DEGREES, north + BORDER_DEGREES);
  }
  boxes.finish();
  return (latitude, longitude) => {
    const near = boxes.search(longitude, latitude, longitude, latitude).sort((a, b) => a - b);
    const first = near.map((index) => parts[index]).find((part) => part && covers(part.polygon, longitude, latitude));
    return first?.slug ?? null;
  };
}

export interface LocatedCity extends NormalCity {
  /** A neighborhood by slug or name. */
  neighborhood(name: string): { slug: string; latitude: number; longitude: number } | null;
}

/** The city's box is that around its neighborhoods. A city without any, or whose radius is set, has a circle around its center. */
export function readCityFacts(city: City, neighborhoods: readonly Neighborhood[]): LocatedCity {
  const { timezone, name, locale, latitude, longitude, radiusKm = null } = city;
  const boxes = neighborhoods.flatMap(({ geometry }) => polygons(geometry).map(boundingBox));
  const bounds =
    boxes.length === 0 || radiusKm !== null
      ? null
      : {
          west: Math.min(...boxes.map(({ west }) => west)),
          south: Math.min(...boxes.map(({ south }) => south)),
          east: Math.max(...boxes.map(({ east }) => east)),
          north: Math.max(...boxes.map(({ north }) => north)),
        };
  const byName = new Map(neighborhoods.map((area) => [slugify(area.name), area]));
  for (const area of neighborhoods) byName.set(area.slug, area);
  const circle = bounds === null ? { latitude, longitude, radiusKm: radiusKm ?? USUAL_RADIUS_KM } : null;
  return { timezone, name, locale, bounds, circle, neighborhood: (text) => byName.get(slugify(text)) ?? null };
}
