/** The neighborhoods of a city, from the areas and place names of an extract: none lies within another. */

import { slugify } from '../records/index.ts';
import { METERS_PER_DEGREE, type Point } from '../values/distance.ts';
import { covers, type PolygonGeometry, type Position, pointInside, polygons, ringArea } from '../values/polygon.ts';

export interface NamedPolygon {
  name: string;
  geometry: PolygonGeometry;
}

export interface NamedNode extends Point {
  name: string;
  /** Meters: how far it reaches where nothing else is nearer. */
  reach: number;
}

/** As `neighborhoods.geojson` has it. */
export interface AreaFeature {
  type: 'Feature';
  properties: { slug: string; name: string; description: string | null };
  geometry: PolygonGeometry;
}

interface SizedArea extends NamedPolygon {
  slug: string;
  size: number;
  inside: Position;
  /** The area that it is a part of. */
  within: string | null;
}

/**
 * Of areas within each other the smaller ones, if they cover half of the larger one; it becomes their description then. A name without an
 * area has what is nearer to it than to another such name, up to its reach.
 */
export function chooseAreas(areas: readonly NamedPolygon[], nodes: readonly NamedNode[]): AreaFeature[] {
  const chosen = leaves(areas);
  const names = new Set(chosen.map(({ slug }) => slug));
  const free = nodes.filter((node) => {
    const slug = slugify(node.name);
    if (slug === '' || names.has(slug) || chosen.some((area) => isIn(area, [node.longitude, node.latitude]))) return false;
    names.add(slug);
    return true;
  });
  const cells = free.flatMap((node) => {
    const ring = cellOf(node, free, chosen);
    return ring ? [featureOf(node.name, null, { type: 'Polygon', coordinates: [ring] })] : [];
  });
  return [...chosen.map(({ name, within, geometry }) => featureOf(name, within, geometry)), ...cells];
}

/** Whether a point lies in an area. */
export function isIn({ geometry }: { geometry: PolygonGeometry }, [x, y]: Position): boolean {
  return polygons(geometry).some((polygon) => covers(polygon, x, y));
}

function featureOf(name: string, description: string | null, geometry: PolygonGeometry): AreaFeature {
  return { type: 'Feature', properties: { slug: slugify(name), name, description }, geometry };
}

function leaves(areas: readonly NamedPolygon[]): SizedArea[] {
  const sized = areas
    .map(
      (area): SizedArea => ({
        ...area,
        slug: slugify(area.name),
        size: sizeOf(area.geometry),
        inside: pointInside(area.geometry),
        within: null,
      }),
    )
    .filter(({ slug, size }) => slug !== '' && size > 0)
    .sort((a, b) => a.size - b.size);
  let chosen: SizedArea[] = [];
  for (const area of sized) {
    const parts = chosen.filter((part) => isIn(area, part.inside));
    const covered = parts.reduce((sum, { size }) => sum + size, 0);
    if (covered >= area.size * COVERED_BY_PARTS) {
      // One part of nearly the same size is the same area, drawn twice.
      for (const part of parts) if (parts.length > 1) part.within ??= area.name;
      continue;
    }
    chosen = [...chosen.filter((part) => !parts.includes(part)), area];
  }
  // Of two far apart with one name the larger one has it.
  const bySlug = new Map(chosen.sort((a, b) => a.size - b.size).map((area) => [area.slug, area]));
  return [...bySlug.values()];
}

function sizeOf(geometry: PolygonGeometry): number {
  return polygons(geometry).reduce((sum, [outer = []]) => sum + Math.abs(ringArea(outer)), 0);
}

/** A circle of its reach without what is nearer to another name; smaller where it would overlap an area; null where it always does. */
function cellOf(node: NamedNode, nodes: readonly NamedNode[], areas: readonly SizedArea[]): Position[] | null {
  for (let reach = node.reach; reach >= MIN_REACH_METERS; reach /= 2) {
    const ring = nodes.reduce((cell, other) => (other === node ? cell : nearerHalf(cell, node, other)), circle(node, reach));
    if (ring.length < 4) return null;
    const cell: NamedPolygon = { name: node.name, geometry: { type: 'Polygon', coordinates: [ring] } };
    const overlaps = areas.some((area) => isIn(cell, area.inside) || ring.some((corner) => isIn(area, corner)));
    if (!overlaps) return ring;
  }
  return null;
}

function circle({ latitude, longitude }: Point, meters: number): Position[] {
  const north = meters / METERS_PER_DEGREE;
  const east = north / Math.cos((latitude * Math.PI) / 180);
  const corners = Array.from({ length: CIRCLE_CORNERS }, (_, index): Position => {
    const turn = (2 * Math.PI * index) / CIRCLE_CORNERS;
    return [round(longitude + east * Math.cos(turn)), round(latitude + north * Math.sin(turn))];
  });
  return [...corners, corners[0] as Position];
}

/** The part of a convex ring on the near side of the line halfway to another point (Sutherland and Hodgman). */
function nearerHalf(ring: readonly Position[], node: Point, other: Point): Position[] {
  const squeeze = Math.cos((node.latitude * Math.PI) / 180) ** 2;
  const east = (other.longitude - node.longitude) * squeeze;
  const north = other.latitude - node.latitude;
  /** Below zero on the near side. */
  const side = ([x, y]: Position): number =>
    (x - (node.longitude + other.longitude) / 2) * east + (y - (node.latitude + other.latitude) / 2) * north;
  const kept: Position[] = [];
  for (let index = 1; index < ring.length; index++) {
    const [from, to] = [ring[index - 1] as Position, ring[index] as Position];
    const [before, after] = [side(from), side(to)];
    if (before <= 0) kept.push(from);
    if (before < 0 !== after < 0 && before !== after) {
      const share = before / (before - after);
      kept.push([round(from[0] + (to[0] - from[0]) * share), round(from[1] + (to[1] - from[1]) * share)]);
    }
  }
  return kept.length > 0 ? [...kept, kept[0] as Position] : [];
}

/** To a tenth of a meter. */
const round = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;

const COVERED_BY_PARTS = 0.5;
const CIRCLE_CORNERS = 24;
const MIN_REACH_METERS = 150;
