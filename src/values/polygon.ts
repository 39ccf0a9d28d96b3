/** Plane geometry of areas: is a point inside, and where does a label go. Degrees are taken as a plane: a city is small. */

/** GeoJSON (RFC 7946 §3.1.6–7): positions are [longitude, latitude]; the first ring is the outer one, others are holes. */
export type Position = readonly [longitude: number, latitude: number, ...rest: number[]];
export type PolygonGeometry =
  | { type: 'Polygon'; coordinates: readonly (readonly Position[])[] }
  | { type: 'MultiPolygon'; coordinates: readonly (readonly (readonly Position[])[])[] };

type Ring = readonly Position[];
type Polygon = readonly Ring[];

export interface BoundingBox {
  west: number;
  south: number;
  east: number;
  north: number;
}

export function polygons(geometry: PolygonGeometry): readonly Polygon[] {
  return geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
}

export function boundingBox(polygon: Polygon): BoundingBox {
  const box = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity };
  for (const [x, y] of polygon[0] ?? []) {
    box.west = Math.min(box.west, x);
    box.east = Math.max(box.east, x);
    box.south = Math.min(box.south, y);
    box.north = Math.max(box.north, y);
  }
  return box;
}

/**
 * Borders belong to the polygon, those of its holes too: all that is `BORDER_DEGREES` from them, for few points of a slanted line can be
 * written exactly. The winding of rings does not matter.
 */
export function covers(polygon: Polygon, x: number, y: number): boolean {
  const [outer, ...holes] = polygon;
  if (!outer) return false;
  const side = place(outer, x, y);
  if (side !== 'inside') return side === 'border';
  return holes.every((hole) => place(hole, x, y) !== 'inside');
}

/** Even-odd rule: a ray to the east crosses the border an odd number of times from inside. */
function place(ring: Ring, x: number, y: number): 'inside' | 'border' | 'outside' {
  let inside = false;
  for (let i = 1; i < ring.length; i++) {
    const [ax, ay] = ring[i - 1] as Position;
    const [bx, by] = ring[i] as Position;
    if (!isBetween(y, ay, by)) continue;
    const turn = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
    if (Math.abs(turn) <= BORDER_DEGREES * Math.hypot(bx - ax, by - ay) && isBetween(x, ax, bx)) return 'border';
    if (ay > y !== by > y && turn > 0 === by > ay) inside = !inside;
  }
  return inside ? 'inside' : 'outside';
}

const isBetween = (value: number, one: number, other: number): boolean =>
  Math.min(one, other) - BORDER_DEGREES <= value && value <= Math.max(one, other) + BORDER_DEGREES;

/** Twice the signed area. */
export function ringArea(ring: Ring): number {
  // Relative to the first corner, so that far-away coordinates do not swallow a small area.
  const [ox, oy] = ring[0] ?? [0, 0];
  let sum = 0;
  for (let i = 1; i < ring.length; i++) {
    const [ax, ay] = ring[i - 1] as Position;
    const [bx, by] = ring[i] as Position;
    sum += (ax - ox) * (by - oy) - (bx - ox) * (ay - oy);
  }
  return sum;
}

/**
 * A point well inside the largest polygon, `[longitude, latitude]`: the middle of the widest stretch of interior
 * on evenly spaced lines of latitude. Unlike the centroid it never falls outside or into a hole.
 */
export function pointInside(geometry: PolygonGeometry): [number, number] {
  const bySize = [...polygons(geometry)].sort((a, b) => Math.abs(ringArea(b[0] ?? [])) - Math.abs(ringArea(a[0] ?? [])));
  const largest = bySize[0] ?? [];
  const { south, north } = boundingBox(largest);
  let best = { width: -1, x: 0, y: 0 };
  // Of lines that are equally wide the one nearest the middle counts, as in a box.
  const lines = Array.from({ length: LABEL_LINES - 1 }, (_, index) => index + 1);
  const fromMiddle = (line: number): number => Math.abs(line - 1 / 3 - LABEL_LINES / 2);
  for (const line of lines.sort((a, b) => fromMiddle(a) - fromMiddle(b))) {
    // Thirds of a step keep the lines away from corners with round coordinates.
    const y = south + ((north - south) * (line - 1 / 3)) / LABEL_LINES;
    const crossings = largest.flatMap((ring) => crossingsAt(ring, y)).sort((a, b) => a - b);
    for (let i = 1; i < crossings.length; i += 2) {
      const [from = 0, to = 0] = [crossings[i - 1], crossings[i]];
      const x = (from + to) / 2;
      if (to - from > best.width + BORDER_DEGREES && covers(largest, x, y)) best = { width: to - from, x, y };
    }
  }
  const [corner = [0, 0]] = largest[0] ?? [];
  return best.width > 0 ? [best.x, best.y] : [corner[0], corner[1]];
}

function crossingsAt(ring: Ring, y: number): number[] {
  return ring.slice(1).flatMap(([bx, by], index) => {
    const [ax, ay] = ring[index] as Position;
    return ay > y === by > y ? [] : [ax + ((y - ay) / (by - ay)) * (bx - ax)];
  });
}

const LABEL_LINES = 32;
/** A tenth of a millimeter. */
export const BORDER_DEGREES = 1e-9;
