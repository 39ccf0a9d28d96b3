/** Elements of OpenStreetMap, in whatever form they come, and the points of those that name others. https://wiki.openstreetmap.org/wiki/Elements */

import { tooMany } from './address-sink.ts';

interface LatLon {
  lat: number;
  lon: number;
}

/** A line with null for each point outside of the file. */
type OsmLine = readonly (LatLon | null)[];

export interface OsmElement {
  type: 'node' | 'way' | 'relation';
  id: number;
  lat?: number | undefined;
  lon?: number | undefined;
  tags?: Readonly<Record<string, string>> | undefined;
  /** Ids of nodes, of a way. */
  nodes?: readonly number[] | undefined;
  /** Of a relation. */
  members?: readonly OsmMember[] | undefined;
  /** Overpass writes the points of a way into it, if asked. */
  geometry?: OsmLine | undefined;
  center?: LatLon | undefined;
}

export interface OsmMember {
  type: string;
  ref: number;
  role: string;
  geometry?: OsmLine | undefined;
}

/** An item of Overpass JSON. Null if it is no element; one whose shape has an odd part has no shape. The file may be of any program. */
export function parseElement(value: unknown): OsmElement | null {
  if (!isRecord(value) || !TYPES.has(value.type) || typeof value.id !== 'number') return null;
  const { type, id, tags, lat, lon, nodes, members, geometry, center } = value as unknown as OsmElement;
  const named = { type, id, tags: parseTags(tags) };
  const isWhole =
    [lat, lon].every((degrees) => degrees === undefined || Number.isFinite(degrees)) &&
    (center === undefined || isLatLon(center)) &&
    isListOrAbsent(nodes, Number.isFinite) &&
    isListOrAbsent(members, isMember) &&
    isLine(geometry);
  return isWhole ? { ...named, lat, lon, nodes, members, geometry, center } : named;
}

/** Numbers are read as text: some programs write them so. */
function parseTags(tags: unknown): OsmElement['tags'] {
  if (!isRecord(tags)) return undefined;
  const texts = Object.entries(tags).filter(([, value]) => typeof value === 'string' || typeof value === 'number');
  return Object.fromEntries(texts.map(([key, value]) => [key, String(value)]));
}

const isMember = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value.type === 'string' &&
  Number.isFinite(value.ref) &&
  typeof value.role === 'string' &&
  isLine(value.geometry);

const isLine = (value: unknown): boolean => isListOrAbsent(value, (point) => point === null || isLatLon(point));
const isLatLon = (value: unknown): boolean => isRecord(value) && Number.isFinite(value.lat) && Number.isFinite(value.lon);
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const isListOrAbsent = (value: unknown, isItem: (item: unknown) => boolean): boolean =>
  value === undefined || (Array.isArray(value) && value.every(isItem));

/** The points of the nodes that ways name: 24 bytes for each node, and 8 for each time that one is named. */
export interface NodeTable {
  /** Keeps the point of an element if a way names it. */
  set(element: OsmElement): void;
  /** Degrees; null where the file has no such node. */
  get(id: number): { latitude: number; longitude: number } | null;
}

/** Throws a `RangeError` that names the limit if the ways name too many nodes. */
export function createNodeTable(ways: Iterable<{ nodes?: readonly number[] | undefined }>): NodeTable {
  const ids = idsOf([...ways].flatMap(({ nodes }) => (nodes ? [nodes] : [])));
  const points = new Float64Array(ids.length * 2).fill(Number.NaN);
  const indexOf = (id: number): number => indexIn(ids, id);
  return {
    set({ type, id, lat, lon }) {
      const index = type === 'node' && lat !== undefined && lon !== undefined ? indexOf(id) : -1;
      if (index >= 0) points.set([lat ?? 0, lon ?? 0], index * 2);
    },
    get(id) {
      const index = indexOf(id);
      const [latitude = Number.NaN, longitude = Number.NaN] = [points[index * 2], points[index * 2 + 1]];
      return Number.isNaN(latitude) ? null : { latitude, longitude };
    },
  };
}

/**
 * Whether a node of this id lies where it is wanted: eight bytes for each that does.
 * @param batches all elements of a file, in any order.
 */
export async function findNodesIn(
  batches: AsyncIterable<readonly OsmElement[]>,
  isWanted: (point: { latitude: number; longitude: number }) => boolean,
): Promise<(id: number) => boolean> {
  let [ids, count] = [new Float64Array(FIRST_IDS), 0];
  for await (const batch of batches) {
    for (const { type, id, lat, lon } of batch) {
      if (type !== 'node' || lat === undefined || lon === undefined || !isWanted({ latitude: lat, longitude: lon })) continue;
      if (count === ids.length) {
        const more = new Float64Array(count * 2);
        more.set(ids);
        ids = more;
      }
      ids[count++] = id;
    }
  }
  const sorted = ids.subarray(0, count).sort();
  return (id) => indexIn(sorted, id) >= 0;
}

/** Of an id among others in order; -1 if it is not among them. */
function indexIn(ids: Float64Array, id: number): number {
  let [low, high] = [0, ids.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const there = ids[middle] ?? 0;
    if (there === id) return middle;
    if (there < id) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** In order, each once. */
function idsOf(lines: readonly (readonly number[])[]): Float64Array {
  const count = lines.reduce((sum, line) => sum + line.length, 0);
  if (count > MAX_NAMED_NODES) {
    throw new RangeError(tooMany(count, 'points of streets and buildings', MAX_NAMED_NODES));
  }
  const all = new Float64Array(count);
  let at = 0;
  for (const line of lines) {
    all.set(line, at);
    at += line.length;
  }
  all.sort();
  let used = 0;
  for (const id of all) if (used === 0 || all[used - 1] !== id) all[used++] = id;
  return all.slice(0, used);
}

const FIRST_IDS = 1024;
/** About 1.5 GB of memory. */
const MAX_NAMED_NODES = 50_000_000;
const TYPES: ReadonlySet<unknown> = new Set(['node', 'way', 'relation']);
