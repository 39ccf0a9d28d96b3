/** `neighborhoods.geojson` (RFC 7946), untrusted, into neighborhoods. */

import {
  type Check,
  type Checked,
  type Fields,
  isPlainObject,
  isRefusal,
  numberWithin,
  print,
  readFields,
  refuse,
  text,
  textOrNull,
  type ValueRejection,
  wanted,
} from '../../facts/index.ts';
import { slugify } from '../../records/index.ts';
import { type PolygonGeometry, type Position, pointInside, polygons, ringArea } from '../../values/polygon.ts';

export interface NeighborhoodDraft {
  slug: string;
  name: string;
  description: string | null;
  geometry: PolygonGeometry;
  latitude: number;
  longitude: number;
}

/** The features of a collection, each still untrusted. */
export function readFeatures(value: unknown): Checked<unknown[]> {
  if (!isPlainObject(value) || value.type !== 'FeatureCollection') {
    const got = isPlainObject(value) ? print(value.type) : print(value);
    return { ok: false, field: 'type', reason: `wanted a GeoJSON FeatureCollection, got ${got}` };
  }
  if (!Array.isArray(value.features))
    return { ok: false, field: 'features', reason: `wanted a list, got ${print(value.features)}` };
  return { ok: true, value: value.features };
}

/** One feature. Without a `slug` among its properties the slug is made of its `name`. */
export function parseNeighborhood(feature: unknown): Checked<NeighborhoodDraft> {
  if (!isPlainObject(feature) || feature.type !== 'Feature') {
    return {
      ok: false,
      field: 'type',
      reason: `wanted a GeoJSON Feature, got ${print(isPlainObject(feature) ? feature.type : feature)}`,
    };
  }
  const read = readFields(PROPERTIES, feature.properties);
  if (!read.ok) return { ...read, field: read.field === null ? 'properties' : `properties.${read.field}` };
  const geometry = parseGeometry(feature.geometry);
  if (isRefusal(geometry)) return { ok: false, field: `geometry${geometry.path}`, reason: geometry.reason };
  const slug = read.value.slug ?? slugify(read.value.name);
  if (!SLUG.test(slug))
    return { ok: false, field: 'properties.slug', reason: `wanted a slug, for ${print(read.value.name)} gives none` };
  const [longitude, latitude] = pointInside(geometry);
  return { ok: true, value: { ...read.value, slug, geometry, latitude, longitude } };
}

function parseGeometry(value: unknown): PolygonGeometry | ValueRejection {
  if (!isPlainObject(value)) return wanted('a Polygon or MultiPolygon', value);
  const { type, coordinates } = value;
  if (type === 'Polygon') {
    const checked = polygon(coordinates, '.coordinates');
    return isRefusal(checked) ? checked : { type, coordinates: checked };
  }
  if (type !== 'MultiPolygon') return wanted('a Polygon or MultiPolygon', type);
  const checked = each(coordinates, '.coordinates', 'polygons', polygon);
  if (isRefusal(checked)) return checked;
  const geometry: PolygonGeometry = { type, coordinates: checked };
  return polygons(geometry).length > 0 ? geometry : refuse('wanted at least one polygon, got none', '.coordinates');
}

function polygon(value: unknown, path: string): Position[][] | ValueRejection {
  const rings = each(value, path, 'rings', ring);
  if (isRefusal(rings)) return rings;
  return rings.length > 0 ? rings : refuse('wanted at least an outer ring, got none', path);
}

/** RFC 7946 §3.1.6: a closed line of four or more positions. Both windings occur and are read. */
function ring(value: unknown, path: string): Position[] | ValueRejection {
  const corners = each(value, path, 'positions', position);
  if (isRefusal(corners)) return corners;
  if (corners.length < 4) return refuse(`wanted a ring of at least 4 positions, got ${corners.length}`, path);
  const [first, last] = [corners[0], corners.at(-1)];
  if (first?.[0] !== last?.[0] || first?.[1] !== last?.[1]) return refuse('wanted a ring that ends where it begins', path);
  return ringArea(corners) === 0 ? refuse('wanted a ring that encloses an area', path) : corners;
}

function position(value: unknown, path: string): Position | ValueRejection {
  if (!Array.isArray(value) || value.length < 2) return refuse(`wanted [longitude, latitude], got ${print(value)}`, path);
  const longitude = numberWithin(-180, 180)(value[0]);
  if (isRefusal(longitude)) return refuse(longitude.reason, `${path}[0]`);
  const latitude = numberWithin(-90, 90)(value[1]);
  // A third number is a height (RFC 7946 §3.1.1), which a map of neighborhoods does not have.
  return isRefusal(latitude) ? refuse(latitude.reason, `${path}[1]`) : [longitude, latitude];
}

function each<T>(
  value: unknown,
  path: string,
  what: string,
  parse: (entry: unknown, path: string) => T | ValueRejection,
): T[] | ValueRejection {
  if (!Array.isArray(value)) return refuse(`wanted a list of ${what}, got ${print(value)}`, path);
  const result: T[] = [];
  for (const [index, entry] of value.entries()) {
    const parsed = parse(entry, `${path}[${index}]`);
    if (isRefusal(parsed)) return parsed;
    result.push(parsed);
  }
  return result;
}

const slug: Check<string | null> = (value) => {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' && SLUG.test(value) ? value : wanted('a slug such as upper-west-side', value);
};

const PROPERTIES: Fields<{ slug: string | null; name: string; description: string | null }> = {
  slug,
  name: text(200),
  description: textOrNull(20_000, { lines: true }),
};

/** Lower-case ASCII words joined by single hyphens, at most 80 characters. */
export const SLUG = /^(?=.{1,80}$)[a-z0-9]+(-[a-z0-9]+)*$/;
