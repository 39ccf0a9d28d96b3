/** The neighborhoods as the base of maps. They are read from the database rarely, and kept: a map needs no database. */

import { hash } from 'node:crypto';
import { COMPRESS_FROM_BYTES, chooseEncoding, compress, type Encoding, matchesTag } from '../../../http/index.ts';
import { type Neighborhood, readNeighborhoods } from '../../../records/index.ts';
import type { Store } from '../../../store/index.ts';
import { type PolygonGeometry, polygons } from '../../../values/polygon.ts';
import type { DrawnMap } from '../../model/desk/drawings.ts';
import type { Rooms } from '../rooms.ts';
import { drawMap } from './draw-map.ts';
import { simplifyRing } from './simplify-ring.ts';

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
