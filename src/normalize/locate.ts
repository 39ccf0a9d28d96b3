/** Which neighborhood a point lies in. */

import Flatbush from 'flatbush';
import { BORDER_DEGREES, boundingBox, covers, type PolygonGeometry, polygons } from '../city/index.ts';

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
