/** The neighborhoods as the base of maps. They are read from the database rarely, and kept: a map needs no database. */

import { hash } from 'node:crypto';
import { COMPRESS_FROM_BYTES, chooseEncoding, compress, type Encoding, matchesTag } from '../../http/index.ts';
import { loadNeighborhoodsVersion, type Neighborhood, readNeighborhoods } from '../../records/index.ts';
import type { Snapshot } from '../../search/index.ts';
import type { Store } from '../../store/index.ts';
import { type PolygonGeometry, polygons } from '../../values/polygon.ts';
import type { DrawnMap, RecordMap } from '../model/map.ts';
import { drawMap } from './draw-map.ts';
import type { Rooms } from './rooms.ts';

type AreaRooms = Pick<Rooms, 'store'>;

interface Areas {
  neighborhoods: readonly Neighborhood[];
  file: AreasFile;
  readAt: number;
}
interface AreasFile {
  etag: string;
  plain: Uint8Array<ArrayBuffer>;
  encoded: Map<Encoding, Uint8Array<ArrayBuffer>>;
}

/** GeoJSON (RFC 7946): polygons, and a point for each name. Throws while the database is away and nothing was read before. */
export async function answerMapAreas(rooms: AreaRooms, request: Request): Promise<Response> {
  const { etag, plain, encoded } = (await readAreas(rooms)).file;
  const headers = { ETag: etag, 'Cache-Control': CACHE, 'Content-Type': 'application/geo+json', Vary: 'Accept-Encoding' };
  if (matchesTag(request.headers.get('if-none-match') ?? undefined, etag)) return new Response(null, { status: 304, headers });
  const encoding =
    plain.length < COMPRESS_FROM_BYTES ? null : chooseEncoding(request.headers.get('accept-encoding') ?? undefined);
  if (encoding === null) return new Response(plain, { headers });
  const bytes = encoded.get(encoding) ?? new Uint8Array(await compress(Buffer.from(plain), encoding));
  encoded.set(encoding, bytes);
  return new Response(bytes, { headers: { ...headers, 'Content-Encoding': encoding } });
}

/** The surroundings of a place, drawn; null while they cannot be read. */
export async function drawSurroundings(
  rooms: AreaRooms,
  place: { latitude: number; longitude: number },
): Promise<DrawnMap | null> {
  const areas = await readAreas(rooms).catch(() => null);
  return areas && drawMap(areas.neighborhoods, [{ letter: '', ...place }]);
}

/** Read again beside the requests when they are old. */
async function readAreas({ store }: AreaRooms): Promise<Areas> {
  const before = known.get(store);
  if (!before) return keep(store, loadAreas(store));
  const areas = await before;
  if (performance.now() - areas.readAt > KEPT_MS) {
    areas.readAt = performance.now();
    void loadAreas(store).then(
      (loaded) => known.set(store, Promise.resolve(loaded)),
      () => undefined,
    );
  }
  return areas;
}

function keep(store: Store, areas: Promise<Areas>): Promise<Areas> {
  known.set(store, areas);
  areas.catch(() => known.delete(store));
  return areas;
}

async function loadAreas({ db }: Store): Promise<Areas> {
  const neighborhoods = (await readNeighborhoods(db)).map((each) => ({ ...each, geometry: simplify(each.geometry) }));
  const features = neighborhoods.flatMap(({ slug, name, latitude, longitude, geometry }) => {
    const properties = { slug, name };
    return [
      { type: 'Feature', properties, geometry },
      { type: 'Feature', properties, geometry: { type: 'Point', coordinates: [longitude, latitude] } },
    ];
  });
  const plain = new TextEncoder().encode(JSON.stringify({ type: 'FeatureCollection', features }));
  const etag = `"${hash('sha1', plain, 'base64url')}"`;
  return { neighborhoods, file: { etag, plain, encoded: new Map() }, readAt: performance.now() };
}

/** Drawings and live maps need no more points; a city's borders may have a hundred thousand. */
function simplify(geometry: PolygonGeometry): PolygonGeometry {
  const coordinates = polygons(geometry)
    .map((polygon) => polygon.map(simplifyRing).filter((ring) => ring.length >= MIN_RING))
    .filter((polygon) => polygon.length > 0);
  return { type: 'MultiPolygon', coordinates };
}

const known = new WeakMap<Store, Promise<Areas>>();
const KEPT_MS = 600_000;
/** Points of a triangle that is closed (RFC 7946 §3.1.6). */
const MIN_RING = 4;
const CACHE = 'public, max-age=3600';

/** The map of one place, for the page of an event or venue. Null where only an area is known: a mark would say more than the sources do. */
export async function readRecordMap(
  rooms: Pick<Rooms, 'store'>,
  { latitude, longitude, precision }: RecordPlace,
): Promise<RecordMap | null> {
  if (precision === 'area') return null;
  return { latitude, longitude, preview: await drawSurroundings(rooms, { latitude, longitude }) };
}

interface RecordPlace {
  latitude: number;
  longitude: number;
  precision: ReturnType<Snapshot['extras']>['locationPrecision'];
}

/** With their borders, read again when they have changed: there are megabytes of them in a large city. */
export async function readBorders({ db }: Pick<Store, 'db'>): Promise<readonly Neighborhood[]> {
  const version = await loadNeighborhoodsVersion(db);
  const before = read.get(db);
  if (before?.version === version) return before.neighborhoods;
  const neighborhoods = await readNeighborhoods(db);
  read.set(db, { version, neighborhoods });
  return neighborhoods;
}

/** Tells what the neighborhood with a slug is called; null for none. */
export function neighborhoodNames(neighborhoods: readonly Neighborhood[]): (slug: string | null) => string | null {
  const named = new Map(neighborhoods.map(({ slug, name }) => [slug, name]));
  return (slug) => named.get(slug ?? '') ?? null;
}

const read = new WeakMap<object, { version: string; neighborhoods: readonly Neighborhood[] }>();

type Position = readonly number[];

/**
 * Fewer points for a border that looks the same on a map (Ramer, Douglas and Peucker). Degrees with five digits, about a meter. A
 * ring that is smaller than the tolerance has fewer than four points.
 */
function simplifyRing(ring: readonly Position[]): [number, number][] {
  const points = ring.map(([longitude = 0, latitude = 0]): [number, number] => [round(longitude), round(latitude)]);
  const kept = new Uint8Array(points.length);
  kept[0] = 1;
  kept[points.length - 1] = 1;
  const spans: [first: number, last: number][] = [[0, points.length - 1]];
  for (let span = spans.pop(); span; span = spans.pop()) {
    const far = farthest(points, ...span);
    if (far === null) continue;
    kept[far] = 1;
    spans.push([span[0], far], [far, span[1]]);
  }
  return points.filter((_, at) => kept[at] === 1);
}

/** The point between two that is farthest from the line between them; null if all are near it. */
function farthest(points: readonly [number, number][], first: number, last: number): number | null {
  const [a, b] = [points[first], points[last]];
  if (!a || !b) return null;
  let [best, at]: [number, number | null] = [TOLERANCE, null];
  for (let i = first + 1; i < last; i += 1) {
    const away = distanceToLine(points[i] ?? a, a, b);
    if (away > best) [best, at] = [away, i];
  }
  return at;
}

function distanceToLine([x, y]: Position, [x1 = 0, y1 = 0]: Position, [x2 = 0, y2 = 0]: Position): number {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const length = Math.hypot(dx, dy);
  // A ring begins where it ends.
  if (length === 0) return Math.hypot((x ?? 0) - x1, (y ?? 0) - y1);
  return Math.abs(dy * (x ?? 0) - dx * (y ?? 0) + x2 * y1 - y2 * x1) / length;
}

const round = (degrees: number): number => Math.round(degrees * 1e5) / 1e5;
/** Degrees: some ten meters. */
const TOLERANCE = 0.0001;
