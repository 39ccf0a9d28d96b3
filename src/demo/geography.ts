/**
 * The map of Port Alder: hand-placed corners joined by lines that wander. A line between two corners is drawn once,
 * so neighbors share their border to the last digit.
 *
 *          N1 ──── N2 ─── C0
 *      W3 ╱ │   lantern│    ╲    ← the lake is east
 *     ╱ kestrel B ── A │northlight C1
 *   W2 ── F ╱     E ── D ────── C2
 *    ╲ fair ╲ west │mer│ harbor  │
 *     W1 ─── R3 ── R2 ─ R1 ──── C3
 *      ╲ mill │ tannery│ gaslight C4
 *      S3 ─── I ────── H ─ G ──╱
 *        ╲ orchard ── S1 saltmarsh C5
 */

import type { PolygonGeometry, Position } from '../values/polygon.ts';
import { createRandom, type SeededRandom } from '../values/random.ts';

/** Kilometers east and north of the city's center. */
type Point = readonly [east: number, north: number];

/** The outlines of all neighborhoods by slug. Rings run counterclockwise (RFC 7946 §3.1.6). */
export function drawNeighborhoods(seed: string): Map<string, PolygonGeometry> {
  const lines = new Map<string, Point[]>();
  const line = (from: Corner, to: Corner): Point[] => {
    const forward = from < to;
    const [a, b] = forward ? [from, to] : [to, from];
    const key = `${a}-${b}`;
    const drawn = lines.get(key) ?? wander(CORNERS[a], CORNERS[b], createRandom(seed, key), LINE_DEPTH);
    lines.set(key, drawn);
    return forward ? drawn : [...drawn].reverse();
  };
  const ring = (corners: readonly Corner[]): Position[] => {
    const points = corners.flatMap((corner, index) => line(corner, corners[(index + 1) % corners.length] ?? corner).slice(0, -1));
    return [...points, points[0] ?? CORNERS.R2].map(toPosition);
  };
  return new Map(
    Object.entries(OUTLINES).map(([slug, corners]): [string, PolygonGeometry] => {
      if (slug !== ISLAND.of) return [slug, { type: 'Polygon', coordinates: [ring(corners)] }];
      return [slug, { type: 'MultiPolygon', coordinates: [[ring(corners)], [drawIsland(createRandom(seed, 'island'))]] }];
    }),
  );
}

/** A point of the mainland part that stands at least `INSET_KM` from every border. */
export function pointWithin(geometry: PolygonGeometry, random: SeededRandom): { latitude: number; longitude: number } {
  const ring = geometry.type === 'Polygon' ? geometry.coordinates[0] : geometry.coordinates[0]?.[0];
  const points = (ring ?? []).map(fromPosition);
  const east = points.map(([x]) => x);
  const north = points.map(([, y]) => y);
  const between = (values: number[]) => Math.min(...values) + random.next() * (Math.max(...values) - Math.min(...values));
  for (;;) {
    const point: Point = [between(east), between(north)];
    if (!isInside(point, points) || borderDistance(point, points) < INSET_KM) continue;
    const [longitude, latitude] = toPosition(point);
    return { latitude, longitude };
  }
}

/** Kilometers east and north of the center: street names and house numbers follow them. */
export const fromPosition = ([longitude, latitude]: Position): Point => [
  (longitude - CENTER.longitude) * KM_PER_DEGREE_EAST,
  (latitude - CENTER.latitude) * KM_PER_DEGREE_NORTH,
];

/** Midpoint displacement: each half may stray less than the whole did. */
function wander(from: Point, to: Point, random: SeededRandom, depth: number): Point[] {
  if (depth === 0) return [from, to];
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const stray = (random.next() - 0.5) * 2 * STRAY;
  const along = 0.5 + (random.next() - 0.5) * 0.12;
  const middle: Point = [from[0] + dx * along - dy * stray, from[1] + dy * along + dx * stray];
  return [...wander(from, middle, random, depth - 1), ...wander(middle, to, random, depth - 1).slice(1)];
}

function drawIsland(random: SeededRandom): Position[] {
  const points = Array.from({ length: ISLAND.points }, (_, index) => {
    const angle = (index / ISLAND.points) * 2 * Math.PI;
    const reach = ISLAND.radius * (0.75 + random.next() * 0.4);
    return toPosition([ISLAND.center[0] + Math.cos(angle) * reach, ISLAND.center[1] + Math.sin(angle) * reach * 1.6]);
  });
  return [...points, points[0] ?? toPosition(ISLAND.center)];
}

function isInside([x, y]: Point, ring: readonly Point[]): boolean {
  let inside = false;
  for (let index = 1; index < ring.length; index += 1) {
    const [ax, ay] = ring[index - 1] as Point;
    const [bx, by] = ring[index] as Point;
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}

function borderDistance([x, y]: Point, ring: readonly Point[]): number {
  let nearest = Number.POSITIVE_INFINITY;
  for (let index = 1; index < ring.length; index += 1) {
    const [ax, ay] = ring[index - 1] as Point;
    const [bx, by] = ring[index] as Point;
    const [dx, dy] = [bx - ax, by - ay];
    const share = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)));
    nearest = Math.min(nearest, Math.hypot(x - ax - share * dx, y - ay - share * dy));
  }
  return nearest;
}

const toPosition = ([east, north]: Point): [number, number] => [
  round(CENTER.longitude + east / KM_PER_DEGREE_EAST),
  round(CENTER.latitude + north / KM_PER_DEGREE_NORTH),
];
const round = (degrees: number): number => Math.round(degrees * DEGREE_STEPS) / DEGREE_STEPS;

/** The mouth of the river, more or less. */
export const CENTER = { latitude: 43.56, longitude: -87.845 } as const;

const CORNERS = {
  C0: [3.2, 6.0],
  C1: [4.1, 3.2],
  C2: [4.7, 1.1],
  C3: [3.9, -0.4],
  C4: [4.9, -2.4],
  C5: [5.3, -5.2],
  N1: [-2.3, 5.9],
  N2: [0.6, 6.4],
  W1: [-6.6, -1.6],
  W2: [-6.3, 1.1],
  W3: [-5.9, 4.4],
  S1: [1.8, -5.8],
  S2: [-2.2, -6.1],
  S3: [-5.6, -5.0],
  A: [1.1, 3.5],
  B: [-1.9, 3.1],
  D: [1.9, 1.4],
  E: [-0.6, 1.6],
  F: [-3.6, 2.2],
  G: [2.4, -2.6],
  H: [-0.2, -2.9],
  I: [-2.9, -3.2],
  R1: [1.9, -0.6],
  R2: [-0.4, -0.4],
  R3: [-3.0, -0.9],
} as const satisfies Record<string, Point>;
type Corner = keyof typeof CORNERS;

/** Counterclockwise. The river runs W2, R3, R2, R1, C3. */
const OUTLINES: Record<string, readonly Corner[]> = {
  northlight: ['C2', 'C1', 'C0', 'N2', 'A', 'D'],
  'lantern-hill': ['D', 'A', 'N2', 'N1', 'B', 'E'],
  'kestrel-heights': ['B', 'N1', 'W3', 'F'],
  fairgrounds: ['F', 'W3', 'W2', 'R3'],
  millrace: ['R3', 'W2', 'W1', 'I'],
  'orchard-park': ['H', 'I', 'W1', 'S3', 'S2', 'S1'],
  saltmarsh: ['C4', 'G', 'H', 'S1', 'C5'],
  'tannery-row': ['R2', 'R3', 'I', 'H'],
  'gaslight-quay': ['C3', 'R1', 'R2', 'H', 'G', 'C4'],
  harborfront: ['C3', 'C2', 'D', 'R1'],
  meridian: ['R1', 'D', 'E', 'R2'],
  'sparrow-green': ['E', 'B', 'F', 'R3', 'R2'],
};

/** Gull Island, half a kilometer off the marsh. */
const ISLAND = { of: 'saltmarsh', center: [6.7, -3.6] as Point, radius: 0.35, points: 18 } as const;

/** A line becomes 2^5 pieces. */
const LINE_DEPTH = 5;
/** How far a midpoint may stray, as a share of the line's length. */
const STRAY = 0.11;
/** No venue stands on a border. */
const INSET_KM = 0.06;
/** Six decimals, about 0.1 m. */
const DEGREE_STEPS = 1e6;
const KM_PER_DEGREE_NORTH = 111.13;
const KM_PER_DEGREE_EAST = 111.32 * Math.cos((CENTER.latitude * Math.PI) / 180);
