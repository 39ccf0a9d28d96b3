/** Elements of OpenStreetMap as addresses and streets, in whatever form they come. https://wiki.openstreetmap.org/wiki/Key:addr */

import type { AddressSink } from './address-sink.ts';
import { addressOf, isInterpolation, type LineNode, takeInterpolation } from './interpolation.ts';

export interface OsmElement {
  type: 'node' | 'way' | 'relation';
  id: number;
  lat?: number | undefined;
  lon?: number | undefined;
  tags?: Readonly<Record<string, string>> | undefined;
  /** Ids of nodes, of a way. */
  refs?: readonly number[] | undefined;
  /** Overpass writes the points of a way into it, if asked. */
  geometry?: readonly ({ lat: number; lon: number } | null)[] | undefined;
  center?: { lat: number; lon: number } | undefined;
}

/**
 * Reads the elements once, and once more if ways name points that stand elsewhere in the file. Keeps only the points that are needed.
 * @param read gives all elements from the beginning, in batches.
 */
export async function readOsm(read: () => AsyncIterable<readonly OsmElement[]>, sink: AddressSink): Promise<void> {
  const waiting: OsmElement[] = [];
  for await (const batch of read()) for (const element of batch) takeNow(element, waiting, sink);
  if (waiting.length === 0) return;
  const nodes = createNodeMap(waiting);
  const numbered = createNumberedNodes(waiting.filter(isInterpolation));
  for await (const batch of read()) {
    for (const element of batch) {
      nodes.set(element);
      numbered.set(element);
    }
  }
  for (const way of waiting) {
    if (isInterpolation(way)) takeInterpolation(way, lineNodes(way, nodes.get, numbered.get), sink);
    if (isAddress(way.tags ?? {}) || isStreet(way)) takeAt(way, (way.refs ?? []).flatMap(nodes.get), sink);
  }
}

function lineNodes(
  { refs = [] }: OsmElement,
  pointOf: (id: number) => number[],
  tagsOf: (id: number) => OsmElement['tags'],
): LineNode[] {
  return refs.flatMap((id) => {
    const [latitude, longitude] = pointOf(id);
    return latitude === undefined || longitude === undefined ? [] : [{ latitude, longitude, tags: tagsOf(id) }];
  });
}

/** The tags of the nodes with a number that lines of numbers name. */
function createNumberedNodes(lines: readonly OsmElement[]) {
  const wanted = new Set(lines.flatMap(({ refs = [] }) => refs));
  const tagsById = new Map<number, OsmElement['tags']>();
  return {
    set({ type, id, tags }: OsmElement): void {
      if (type === 'node' && tags && isAddress(tags) && wanted.has(id)) tagsById.set(id, tags);
    },
    get: (id: number): OsmElement['tags'] => tagsById.get(id),
  };
}

/** Takes an address or a street, or lets it wait for its points. */
function takeNow(element: OsmElement, waiting: OsmElement[], sink: AddressSink): void {
  const { type, id, tags, refs = [] } = element;
  const isLine = isInterpolation(element);
  if (!tags || !(isAddress(tags) || isStreet(element) || isLine)) return;
  const points = pointsOf(element);
  if ((points.length === 0 || isLine) && refs.length > 0) waiting.push({ type, id, tags, refs });
  else takeAt(element, points, sink);
}

const isAddress = (tags: Readonly<Record<string, string>>): boolean => tags['addr:housenumber'] !== undefined;
const isStreet = ({ type, tags = {} }: OsmElement): boolean =>
  type === 'way' &&
  tags.name !== undefined &&
  (tags.highway !== undefined || tags.place === 'square') &&
  !NO_STREETS.has(tags.highway ?? '');

function pointsOf({ lat, lon, geometry, center }: OsmElement): number[] {
  if (lat !== undefined && lon !== undefined) return [lat, lon];
  if (geometry) return geometry.flatMap((point) => (point ? [point.lat, point.lon] : []));
  return center ? [center.lat, center.lon] : [];
}

function takeAt(element: OsmElement, points: readonly number[], sink: AddressSink): void {
  if (points.length === 0) {
    sink.reject('an element has no point');
    return;
  }
  const tags = element.tags ?? {};
  if (isStreet(element)) sink.line(tags.name ?? '', points);
  const number = tags['addr:housenumber'];
  if (number === undefined) return;
  const [latitude, longitude] = middleOf(points);
  sink.house({
    number,
    ...addressOf(tags),
    ...{ latitude, longitude },
  });
}

/** Of the box around points, latitude before longitude. */
export function middleOf(points: readonly number[]): [latitude: number, longitude: number] {
  const [box, range] = [[90, 180, -90, -180], points.length];
  for (let at = 0; at + 1 < range; at += 2) {
    const [latitude = 0, longitude = 0] = [points[at], points[at + 1]];
    box[0] = Math.min(box[0] ?? 0, latitude);
    box[1] = Math.min(box[1] ?? 0, longitude);
    box[2] = Math.max(box[2] ?? 0, latitude);
    box[3] = Math.max(box[3] ?? 0, longitude);
  }
  const [south = 0, west = 0, north = 0, east = 0] = box;
  return [(south + north) / 2, (west + east) / 2];
}

/** The points of the nodes that ways name, in 24 bytes each. */
function createNodeMap(ways: readonly OsmElement[]) {
  const ids = Float64Array.from(new Set(ways.flatMap(({ refs = [] }) => refs))).sort();
  const points = new Float64Array(ids.length * 2).fill(Number.NaN);
  const indexOf = (id: number): number => {
    let [low, high] = [0, ids.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const there = ids[middle] ?? 0;
      if (there === id) return middle;
      if (there < id) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  };
  return {
    set({ type, id, lat, lon }: OsmElement): void {
      const index = type === 'node' ? indexOf(id) : -1;
      if (index >= 0 && lat !== undefined && lon !== undefined) points.set([lat, lon], index * 2);
    },
    get(id: number): number[] {
      const index = indexOf(id);
      const [latitude = Number.NaN, longitude = Number.NaN] = [points[index * 2], points[index * 2 + 1]];
      return Number.isNaN(latitude) ? [] : [latitude, longitude];
    },
  };
}

/** Values of `highway` with names that are no streets. */
const NO_STREETS: ReadonlySet<string> = new Set([
  'bus_stop',
  'platform',
  'rest_area',
  'services',
  'proposed',
  'construction',
  'razed',
  'elevator',
]);
