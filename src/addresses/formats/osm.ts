/** Elements of OpenStreetMap as addresses, streets and names of houses. https://wiki.openstreetmap.org/wiki/Key:addr */

import { distanceInCity } from '../../values/distance.ts';
import { type AddressSink, tooMany } from './address-sink.ts';
import { addressOf, isInterpolation, type LineNode, takeInterpolation } from './interpolation.ts';
import { createNodeTable, findNodesIn, type NodeTable, type OsmElement } from './osm-element.ts';

type ReadElements = () => AsyncIterable<readonly OsmElement[]>;

/**
 * Reads the elements once, and once more if ways name points that stand elsewhere in the file. Keeps only the points that are needed.
 * @param read gives all elements from the beginning, in batches.
 * @param isWanted as the sink has it: of a file with many ways, those without a point there are forgotten at once.
 */
export async function readOsm(
  read: ReadElements,
  sink: AddressSink,
  isWanted?: (point: { latitude: number; longitude: number }) => boolean,
): Promise<void> {
  const waiting = await takeAll(read, sink, isWanted);
  if (waiting.length === 0) return;
  const nodes = createNodeTable(waiting);
  const numbered = createNumberedNodes(waiting.filter(isInterpolation));
  for await (const batch of read()) {
    for (const element of batch) {
      nodes.set(element);
      numbered.set(element);
    }
  }
  for (const way of waiting) {
    if (isInterpolation(way)) takeInterpolation(way, lineNodes(way, nodes, numbered.get), sink);
    if (isAddress(way.tags ?? {}) || isStreet(way) || isHouse(way.tags ?? {})) takeAt(way, pointsBy(way, nodes), sink);
  }
}

/** Takes what has its point, and gives the ways whose points stand elsewhere. Throws a `RangeError` if they are too many. */
async function takeAll(read: ReadElements, sink: AddressSink, isWanted: Parameters<typeof readOsm>[2]): Promise<OsmElement[]> {
  let waiting: OsmElement[] = [];
  let [found, isThere]: [number, ((id: number) => boolean) | null] = [0, null];
  const isNear = ({ nodes = [] }: OsmElement): boolean => isThere === null || nodes.some(isThere);
  for await (const batch of read()) {
    const ways = batch.flatMap((element) => takeNow(element, sink) ?? []).filter(isNear);
    found += ways.length;
    // Beyond the limit they are only counted.
    if (found <= MAX_WAYS) for (const way of ways) waiting.push(way);
    if (isWanted && isThere === null && waiting.length > MANY_WAYS) {
      isThere = await findNodesIn(read(), isWanted);
      waiting = waiting.filter(isNear);
      found = waiting.length;
    }
  }
  if (found > MAX_WAYS) throw new RangeError(tooMany(found, 'streets and buildings with addresses or names', MAX_WAYS));
  return waiting;
}

/** Overpass writes the points of a line into it, if asked, and then only the nodes with tags stand in the file. */
function lineNodes(
  { nodes = [], geometry }: OsmElement,
  table: NodeTable,
  tagsOf: (id: number) => OsmElement['tags'],
): LineNode[] {
  return nodes.flatMap((id, at) => {
    const written = geometry?.[at];
    const point = table.get(id) ?? (written ? { latitude: written.lat, longitude: written.lon } : null);
    return point ? [{ ...point, tags: tagsOf(id) }] : [];
  });
}

/** The tags of the nodes with a number that lines of numbers name. */
function createNumberedNodes(lines: readonly OsmElement[]) {
  const wanted = new Set(lines.flatMap(({ nodes = [] }) => nodes));
  const tagsById = new Map<number, OsmElement['tags']>();
  return {
    set({ type, id, tags }: OsmElement): void {
      if (type === 'node' && tags && isAddress(tags) && wanted.has(id)) tagsById.set(id, tags);
    },
    get: (id: number): OsmElement['tags'] => tagsById.get(id),
  };
}

/** Takes an address or a street, or gives what is kept of it until its points are found. */
function takeNow(element: OsmElement, sink: AddressSink): OsmElement | null {
  const { type, id, tags, nodes = [], geometry } = element;
  const isLine = isInterpolation(element);
  if (!tags || !(isAddress(tags) || isStreet(element) || isLine || isHouse(tags))) return null;
  const points = pointsOf(element);
  if (isLine && nodes.length > 0) return { type, id, tags, nodes, geometry };
  if (points.length === 0 && nodes.length > 0) return { type, id, tags, nodes };
  takeAt(element, points, sink);
  return null;
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

function pointsBy({ nodes = [] }: OsmElement, table: NodeTable): number[] {
  return nodes.flatMap((id) => {
    const point = table.get(id);
    return point ? [point.latitude, point.longitude] : [];
  });
}

function takeAt(element: OsmElement, points: readonly number[], sink: AddressSink): void {
  const tags = element.tags ?? {};
  if (points.length === 0) {
    // Of a name alone nobody expects an address.
    if (isAddress(tags) || isStreet(element)) sink.reject('an element has no point');
    return;
  }
  if (isStreet(element)) sink.line(tags.name ?? '', points);
  const { 'addr:housenumber': number = '' } = tags;
  const [latitude, longitude] = middleOf(points);
  const { postcode, ...address } = { number, ...addressOf(tags), latitude, longitude };
  if (number !== '') sink.house({ ...address, postcode });
  if (number === '' && !isHouse(tags)) return;
  const names = new Set(NAME_KEYS.flatMap((key) => tags[key]?.split(';') ?? []));
  for (const name of names) sink.name({ ...address, name, isExact: isNarrow(points) });
}

/** What has a name and is built, used or visited: a listing may name it as its place. */
export const isHouse = (tags: Readonly<Record<string, string>>): boolean =>
  tags.name !== undefined &&
  tags.highway === undefined &&
  HOUSE_KEYS.some((key) => {
    const value = tags[key];
    return value !== undefined && value !== 'no' && !NO_HOUSES.has(value);
  });

/** Whether the middle of these points is good for a house. */
export function isNarrow(points: readonly number[]): boolean {
  const [latitude, longitude] = middleOf(points);
  for (let at = 0; at + 1 < points.length; at += 2) {
    const point = { latitude: points[at] ?? 0, longitude: points[at + 1] ?? 0 };
    if (distanceInCity({ latitude, longitude }, point) > MAX_HOUSE_METERS) return false;
  }
  return true;
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

/** Of what is built, used or visited. */
export const HOUSE_KEYS = [
  'amenity',
  'building',
  'shop',
  'leisure',
  'office',
  'tourism',
  'historic',
  'craft',
  'club',
  'healthcare',
];
/** Values of these keys that are no places of events. */
const NO_HOUSES: ReadonlySet<string> = new Set([
  ...['parking', 'parking_space', 'parking_entrance', 'bicycle_parking', 'bicycle_rental', 'charging_station', 'fuel'],
  ...['atm', 'bench', 'post_box', 'recycling', 'vending_machine', 'waste_basket', 'toilets', 'drinking_water', 'telephone'],
  ...['information', 'boundary_stone', 'milestone', 'wayside_cross', 'memorial'],
]);
const NAME_KEYS = ['name', 'official_name', 'alt_name'];
/** From the middle of a house to its farthest corner. */
const MAX_HOUSE_METERS = 100;
/** Tags that addresses, streets and names have. */
export const ADDRESS_KEYS = [
  ...['addr:housenumber', 'addr:street', 'addr:place', 'addr:city', 'addr:town', 'addr:village', 'addr:hamlet', 'addr:postcode'],
  'addr:interpolation',
  ...['highway', 'place'],
  ...HOUSE_KEYS,
  ...NAME_KEYS,
];
/** Of streets and buildings whose points stand elsewhere in the file: each needs about 500 bytes while it is read. */
const MAX_WAYS = 4_000_000;
/** From here on it pays to read the file once more, and to keep only the ways near the city. */
export const MANY_WAYS = 100_000;
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
