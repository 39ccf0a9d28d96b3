/** Shapes of OpenStreetMap elements: the point of one, and the polygons of closed ways and of relations. */

import type { NodeTable, OsmElement } from '../addresses/index.ts';
import { covers, type PolygonGeometry, type Position } from '../values/polygon.ts';

/** The shapes that elements without a shape of their own lead to: the points of nodes, and ways by their ids. */
export interface OsmParts {
  nodes: Pick<NodeTable, 'get'>;
  ways: ReadonlyMap<number, OsmElement>;
}

/** The line of a way; null where a part of it is outside the extract. */
function lineOf(way: Pick<OsmElement, 'geometry' | 'nodes'>, { nodes }: OsmParts): Position[] | null {
  const points =
    way.geometry?.map((point) => point && ([point.lon, point.lat] as const)) ??
    way.nodes?.map((id) => {
      const point = nodes.get(id);
      return point && ([point.longitude, point.latitude] as const);
    });
  if (!points || points.length < 2) return null;
  const line = points.filter((point) => point != null);
  return line.length === points.length ? line : null;
}

/** Null unless it encloses an area; a relation whose border is not whole encloses none. */
export function polygonOf(element: OsmElement, parts: OsmParts): PolygonGeometry | null {
  if (element.type === 'way') {
    const [ring] = joinRings([lineOf(element, parts) ?? []]);
    return ring ? { type: 'Polygon', coordinates: [ring] } : null;
  }
  const outer = ringsOf(element, parts, (role) => role === 'outer' || role === '');
  const inner = ringsOf(element, parts, (role) => role === 'inner');
  if (!outer || outer.length === 0) return null;
  const coordinates = outer.map((ring) => [ring, ...(inner ?? []).filter((hole) => liesIn(hole, ring))]);
  const [only] = coordinates;
  return coordinates.length === 1 && only ? { type: 'Polygon', coordinates: only } : { type: 'MultiPolygon', coordinates };
}

/** Null where a way of the border is missing. */
function ringsOf({ members = [] }: OsmElement, parts: OsmParts, isRole: (role: string) => boolean): Position[][] | null {
  const lines: Position[][] = [];
  for (const member of members) {
    if (member.type !== 'way' || !isRole(member.role)) continue;
    const line = lineOf(member.geometry ? member : (parts.ways.get(member.ref) ?? {}), parts);
    if (!line) return null;
    lines.push(line);
  }
  const rings = joinRings(lines);
  return rings.length > 0 && rings.reduce((sum, ring) => sum + ring.length - 1, 0) === lengthOf(lines) ? rings : null;
}

const lengthOf = (lines: readonly Position[][]): number => lines.reduce((sum, line) => sum + line.length - 1, 0);

const liesIn = ([corner]: readonly Position[], ring: Position[]): boolean => !!corner && covers([ring], corner[0], corner[1]);

/** Lines that meet at their ends, in any order and direction, as closed rings; what never closes is left out. */
function joinRings(lines: readonly (readonly Position[])[]): Position[][] {
  const rings: Position[][] = [];
  const left = lines.filter((line) => line.length > 1).map((line) => [...line]);
  for (let ring = left.pop(); ring; ring = left.pop()) {
    for (let next = takeNext(left, ring); next; next = takeNext(left, ring)) for (const position of next) ring.push(position);
    // A ring has three corners, and the first again.
    if (isClosed(ring) && ring.length > 3) rings.push(ring);
  }
  return rings;
}

/** The points that continue an open line from its end, without the end itself. */
function takeNext(left: Position[][], ring: readonly Position[]): Position[] | null {
  if (isClosed(ring)) return null;
  const end = ring.at(-1);
  const index = left.findIndex((line) => isSame(line[0], end) || isSame(line.at(-1), end));
  const [line] = index < 0 ? [] : left.splice(index, 1);
  if (!line) return null;
  return (isSame(line[0], end) ? line : line.reverse()).slice(1);
}

const isClosed = (line: readonly Position[]): boolean => isSame(line[0], line.at(-1));

const isSame = (a: Position | undefined, b: Position | undefined): boolean => !!a && !!b && a[0] === b[0] && a[1] === b[1];

/** A point that stands for the element; null where it has none. */
export function pointOfElement(element: OsmElement, parts: OsmParts): { lat: number; lon: number } | null {
  if (element.lat !== undefined && element.lon !== undefined) return { lat: element.lat, lon: element.lon };
  if (element.center) return element.center;
  const lines =
    element.type === 'way'
      ? [lineOf(element, parts)]
      : (element.members ?? [])
          .filter(({ type }) => type === 'way')
          .map((member) => lineOf(member.geometry ? member : (parts.ways.get(member.ref) ?? {}), parts));
  const corners = lines.flatMap((line) => line ?? []);
  if (corners.length === 0) return null;
  return { lat: middleOfAxis(corners, 1), lon: middleOfAxis(corners, 0) };
}

/** A loop, for a shape may have more corners than a call takes arguments. */
function middleOfAxis(corners: readonly Position[], axis: 0 | 1): number {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const corner of corners) {
    least = Math.min(least, corner[axis]);
    most = Math.max(most, corner[axis]);
  }
  return (least + most) / 2;
}
