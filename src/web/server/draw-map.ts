/** A plain map: the neighborhoods' borders around one or two places. No tile of anybody's is asked for. */

import type { Neighborhood } from '../../records/index.ts';
import { distanceInCity, METERS_PER_DEGREE } from '../../values/distance.ts';
import { boundingBox, covers, polygons } from '../../values/polygon.ts';
import type { DrawnMap, MapPlace } from '../model/map.ts';

type Point = readonly [x: number, y: number];

/** Null without a place. */
export function drawMap(neighborhoods: readonly Neighborhood[], places: readonly MapPlace[]): DrawnMap | null {
  const [first] = places;
  if (!first) return null;
  const view = viewOf(places);
  const marks = places.map(({ letter, latitude, longitude }) => {
    const [x, y] = view.project(longitude, latitude);
    return { letter, x: round(x), y: round(y) };
  });
  const areas: DrawnMap['areas'] = [];
  const labels: DrawnMap['labels'] = [];
  for (const { name, geometry } of neighborhoods) {
    const rings = polygons(geometry)
      .filter((polygon) => isNear(boundingBox(polygon), view))
      .flatMap((polygon) => polygon.map((ring) => cutRing(ring, view)))
      .filter((ring) => ring.length > 2);
    if (rings.length === 0) continue;
    areas.push({ name, path: rings.map(drawRing).join('') });
    const label = placeLabel(name, rings, marks, labels);
    if (label) labels.push(label);
  }
  return { width: WIDTH, height: HEIGHT, areas, labels, marks, scale: scaleOf(view), says: formatPlaces(neighborhoods, places) };
}

/** `140 m`, `2.3 km`. */
export const formatDistance = (meters: number): string =>
  meters < 1_000 ? `${Math.round(meters)} m` : `${(meters / 1_000).toFixed(meters < 10_000 ? 1 : 0)} km`;

interface View {
  west: number;
  east: number;
  south: number;
  north: number;
  pixelsPerMeter: number;
  project(longitude: number, latitude: number): Point;
}

function viewOf(places: readonly MapPlace[]): View {
  const [first] = places;
  const longitudes = places.map(({ longitude }) => longitude);
  const latitudes = places.map(({ latitude }) => latitude);
  const middle = {
    longitude: (Math.min(...longitudes) + Math.max(...longitudes)) / 2,
    latitude: (Math.min(...latitudes) + Math.max(...latitudes)) / 2,
  };
  const apart = first ? Math.max(...places.map((place) => distanceInCity(first, place))) : 0;
  const least = places.length === 1 ? ALONE_WIDTH_M : MIN_WIDTH_M;
  const pixelsPerMeter = WIDTH / Math.max(least, apart * ROOM);
  const across = pixelsPerMeter * METERS_PER_DEGREE * Math.cos(radians(middle.latitude));
  const up = pixelsPerMeter * METERS_PER_DEGREE;
  return {
    west: middle.longitude - WIDTH / 2 / across,
    east: middle.longitude + WIDTH / 2 / across,
    south: middle.latitude - HEIGHT / 2 / up,
    north: middle.latitude + HEIGHT / 2 / up,
    pixelsPerMeter,
    project: (longitude, latitude) => [
      WIDTH / 2 + (longitude - middle.longitude) * across,
      HEIGHT / 2 - (latitude - middle.latitude) * up,
    ],
  };
}

const isNear = (box: { west: number; east: number; south: number; north: number }, view: View): boolean =>
  box.west <= view.east && box.east >= view.west && box.south <= view.north && box.north >= view.south;

/** Cut at the map's edge, without points that lie on one another: borders have thousands. */
function cutRing(ring: readonly (readonly number[])[], { project }: View): Point[] {
  let points = ring.map(([longitude = 0, latitude = 0]) => project(longitude, latitude));
  for (const side of SIDES) points = cut(points, side);
  return points.filter((point, i) => {
    const before = points[i - 1];
    return !before || Math.hypot(point[0] - before[0], point[1] - before[1]) > MIN_STEP;
  });
}

const drawRing = (ring: readonly Point[]): string => `M${ring.map(([x, y]) => `${round(x)} ${round(y)}`).join('L')}Z`;

/** In the middle of what is seen of the largest part, away from marks and other labels; null where there is no room for it. */
function placeLabel(
  name: string,
  rings: readonly Point[][],
  marks: DrawnMap['marks'],
  others: DrawnMap['labels'],
): DrawnMap['labels'][number] | null {
  const boxes = rings.map((ring) => {
    const [xs, ys] = [ring.map(([x]) => x), ring.map(([, y]) => y)];
    return { ring, width: Math.max(...xs) - Math.min(...xs), height: Math.max(...ys) - Math.min(...ys) };
  });
  const largest = boxes.reduce((best, box) => (box.width * box.height > best.width * best.height ? box : best));
  const half = (name.length * LETTER_WIDTH) / 2;
  if (largest.width < half * 2 || largest.height < LABEL_HEIGHT * 2) return null;
  const [middle, height] = centroidOf(largest.ring);
  const x = Math.min(Math.max(middle, half + EDGE), WIDTH - half - EDGE);
  const isTaken = (y: number) =>
    marks.some((mark) => Math.abs(mark.x - x) < half + MARK && y > mark.y - MARK * 2 && y < mark.y + MARK) ||
    others.some(
      (other) => Math.abs(other.x - x) < half + (other.text.length * LETTER_WIDTH) / 2 && Math.abs(other.y - y) < LABEL_HEIGHT,
    );
  const tries = [height, ...marks.flatMap((mark) => [mark.y + MARK + LABEL_HEIGHT, mark.y - MARK * 2 - LABEL_HEIGHT / 2])];
  const isFree = (y: number) => !isTaken(y) && y > LABEL_HEIGHT && y < HEIGHT - SCALE_HEIGHT;
  const ring = largest.ring.map(([east, south]): [number, number] => [east, south]);
  const y = tries.find((each) => isFree(each) && covers([ring], x, each));
  return y === undefined ? null : { x: round(x), y: round(y), text: name };
}

/** Of the area, not of the points: borders have more of them where they are crooked. */
function centroidOf(ring: readonly Point[]): Point {
  let [area, x, y] = [0, 0, 0];
  for (const [i, [x2, y2]] of ring.entries()) {
    const [x1, y1] = ring.at(i - 1) ?? [x2, y2];
    const cross = x1 * y2 - x2 * y1;
    area += cross;
    x += (x1 + x2) * cross;
    y += (y1 + y2) * cross;
  }
  return area === 0 ? (ring[0] ?? [0, 0]) : [x / (3 * area), y / (3 * area)];
}

/** Sutherland–Hodgman: what of a ring lies on the inner side of one straight edge. */
function cut(points: readonly Point[], { inside, at }: (typeof SIDES)[number]): Point[] {
  return points.flatMap((point, i) => {
    const before = points.at(i - 1) ?? point;
    const crossing = inside(point) === inside(before) ? [] : [at(before, point)];
    return inside(point) ? [...crossing, point] : crossing;
  });
}

function scaleOf({ pixelsPerMeter }: View): DrawnMap['scale'] {
  const longest = WIDTH / 3 / pixelsPerMeter;
  const meters = SCALES_M.findLast((each) => each <= longest) ?? SCALES_M[0];
  return { width: round(meters * pixelsPerMeter), text: formatDistance(meters).replace('.0', '') };
}

function formatPlaces(neighborhoods: readonly Neighborhood[], places: readonly MapPlace[]): string {
  const lines = places.map(({ letter, latitude, longitude }) => {
    const home = neighborhoods.find(({ geometry }) => polygons(geometry).some((polygon) => covers(polygon, longitude, latitude)));
    return `${letter} is in ${home?.name ?? 'no neighborhood'}.`;
  });
  const [a, b] = places;
  return [...lines, ...(a && b ? [formatApart(distanceInCity(a, b))] : [])].join(' ');
}

const formatApart = (meters: number): string =>
  meters < 1 ? 'They are at the same point.' : `They are ${formatDistance(meters)} apart.`;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
const round = (pixels: number): number => Math.round(pixels * 10) / 10;

/** Pixels of the drawing; it grows and shrinks with the page. */
const WIDTH = 420;
const HEIGHT = 280;
/** A margin around it, so that cut borders are not drawn along the edge. */
const EDGE = 6;
/** Of a letter of a label at the size that the page gives it, and of the room that a mark with its flag takes. */
const LETTER_WIDTH = 8.8;
const LABEL_HEIGHT = 19;
const MARK = 20;
const SCALE_HEIGHT = 34;
/** Wide enough to tell places apart. */
const MIN_WIDTH_M = 1_600;
/** Wide enough to see where in the city a place is. */
const ALONE_WIDTH_M = 5_000;
/** How much wider than the distance the map is. */
const ROOM = 2.2;
const MIN_STEP = 0.8;
const SCALES_M = [100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000] as const;

const between = (a: Point, b: Point, share: number): Point => [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share];
const vertical = (edge: number, sign: 1 | -1) => ({
  inside: ([x]: Point) => x * sign >= edge * sign,
  at: (a: Point, b: Point) => between(a, b, (edge - a[0]) / (b[0] - a[0])),
});
const horizontal = (edge: number, sign: 1 | -1) => ({
  inside: ([, y]: Point) => y * sign >= edge * sign,
  at: (a: Point, b: Point) => between(a, b, (edge - a[1]) / (b[1] - a[1])),
});
const SIDES = [vertical(-EDGE, 1), vertical(WIDTH + EDGE, -1), horizontal(-EDGE, 1), horizontal(HEIGHT + EDGE, -1)] as const;
