/** Areas as paths of a small drawing: few points, whole numbers, for maps without tiles. */

import { boundingBox, type PolygonGeometry, type Position, polygons } from './polygon.ts';

export interface DrawnAreas {
  west: number;
  south: number;
  east: number;
  north: number;
  /** The drawing's own units. `height` follows from the shape of the city. */
  width: number;
  height: number;
  /** SVG path data, one for each area. */
  areas: string[];
}

/** `center`: where there is no area at all. */
export function drawAreas(geometries: readonly PolygonGeometry[], center: { latitude: number; longitude: number }): DrawnAreas {
  const boxes = geometries.flatMap((geometry) => polygons(geometry).map(boundingBox));
  const box = boxes.length > 0 ? joinBoxes(boxes) : boxAround(center);
  const across = Math.cos((((box.south + box.north) / 2) * Math.PI) / 180);
  const height = Math.round((WIDTH * (box.north - box.south)) / ((box.east - box.west) * across));
  const project = ([longitude, latitude]: Position): Spot => [
    Math.round(((longitude - box.west) / (box.east - box.west)) * WIDTH),
    Math.round(((box.north - latitude) / (box.north - box.south)) * height),
  ];
  const areas = geometries.map((geometry) =>
    polygons(geometry)
      .flatMap((polygon) => polygon.map((ring) => drawRing(thin(ring.map(project)))))
      .join(''),
  );
  return { ...box, width: WIDTH, height, areas: areas.filter((path) => path !== '') };
}

type Spot = readonly [x: number, y: number];
type Box = Pick<DrawnAreas, 'west' | 'south' | 'east' | 'north'>;

const joinBoxes = (boxes: readonly Box[]): Box => ({
  west: Math.min(...boxes.map(({ west }) => west)),
  south: Math.min(...boxes.map(({ south }) => south)),
  east: Math.max(...boxes.map(({ east }) => east)),
  north: Math.max(...boxes.map(({ north }) => north)),
});

const boxAround = ({ latitude, longitude }: { latitude: number; longitude: number }): Box => ({
  west: longitude - BARE_DEGREES,
  south: latitude - BARE_DEGREES,
  east: longitude + BARE_DEGREES,
  north: latitude + BARE_DEGREES,
});

/** Douglas and Peucker: what lies within a unit of the line between two kept points is left out. */
function thin(ring: readonly Spot[]): readonly Spot[] {
  const kept = new Set<number>([0, ring.length - 1]);
  const open: [number, number][] = [[0, ring.length - 1]];
  for (let span = open.pop(); span; span = open.pop()) {
    const [from, to] = span;
    let [farthest, distance] = [-1, TOLERANCE];
    for (let at = from + 1; at < to; at += 1) {
      const away = distanceToLine(ring[at] as Spot, ring[from] as Spot, ring[to] as Spot);
      if (away > distance) [farthest, distance] = [at, away];
    }
    if (farthest < 0) continue;
    kept.add(farthest);
    open.push([from, farthest], [farthest, to]);
  }
  return ring.filter((_, at) => kept.has(at));
}

function distanceToLine([x, y]: Spot, [x1, y1]: Spot, [x2, y2]: Spot): number {
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (length === 0) return Math.hypot(x - x1, y - y1);
  return Math.abs((x2 - x1) * (y1 - y) - (x1 - x) * (y2 - y1)) / length;
}

/** Fewer than three points are no area. The last point repeats the first. */
const drawRing = (ring: readonly Spot[]): string =>
  ring.length < 4
    ? ''
    : `M${ring
        .slice(0, -1)
        .map((spot) => spot.join(' '))
        .join('L')}Z`;

const WIDTH = 1_000;
const TOLERANCE = 1;
const BARE_DEGREES = 0.1;
