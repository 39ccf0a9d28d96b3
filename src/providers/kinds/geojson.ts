/** Venues of GeoJSON (RFC 7946): points, and areas that stand for a point inside. */

import type { Point } from '../../values/distance.ts';
import { type PolygonGeometry, pointInside } from '../../values/polygon.ts';
import { addressOf } from '../api-request.ts';
import { capacityAt, isObject, listAt, textAt, urlAt, valueAt } from '../fields/json-fields.ts';
import { pointOf } from '../fields/points.ts';
import { venueListing } from '../listing.ts';
import { compileMapping, type Mapping } from '../mapping/mapping.ts';
import { usualNext, withNext } from '../mapping/next-page.ts';
import { type Provider, readingDay, type SourceFacts } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { type RecordReading, readRecords } from '../read-records.ts';
import { parseJson } from '../reading/parse-json.ts';

export const geojson: Provider = {
  kind: 'geojson',
  mapping: 'optional',
  target: 'venues',
  keySetting: null,
  request: ({ location }) => ({ url: addressOf(location).href, accept: ACCEPT }),
  read(answer, source) {
    const document = parseJson(answer.body);
    const features = featuresOf(document);
    const mapping = source.mapping === null ? null : mappingOf(source);
    const read = mapping === null ? readVenue : mappedReader(mapping);
    const listings = readRecords(features, answer.body.length, read, recordOf);
    const page = { url: answer.url, records: features.length };
    return withNext(listings, (mapping?.next ?? usualNext)(document, page), { ...page, accept: ACCEPT });
  },
};

function featuresOf(document: unknown): readonly unknown[] {
  if (isObject(document) && document.type === 'FeatureCollection' && Array.isArray(document.features)) return document.features;
  if (isObject(document) && document.type === 'Feature') return [document];
  throw new ProviderError('not_of_the_kind', 'the document is not a GeoJSON feature collection');
}

/** Names of properties are compared without regard to case. */
function readVenue(feature: unknown): RecordReading {
  const said = propertiesOf(feature);
  const name = textAt(said, 'name');
  if (name === null) return null;
  const point = placeOf(valueAt(feature, 'geometry'));
  const id = textAt(feature, 'id') ?? textAt(said, 'id');
  if (point === null) return { field: 'latitude', reason: 'wanted a geometry on the map, got none', externalId: id };
  const venue = venueListing({
    // Without an id it is known by what it is called and where it is.
    externalId: id ?? `${name.trim()}@${point.latitude.toFixed(ID_DECIMALS)},${point.longitude.toFixed(ID_DECIMALS)}`,
    name,
    type: textAt(said, 'type')?.toLowerCase() ?? null,
    address: textAt(said, 'address'),
    ...point,
    capacity: capacityAt(said, 'capacity'),
    website: urlAt(said, 'website') ?? urlAt(said, 'url'),
  });
  return [{ target: 'venues', venue }];
}

function mappingOf(source: SourceFacts): Mapping {
  const compiled = compileMapping(source.mapping, { today: readingDay(source) });
  if (!compiled.ok) throw new ProviderError('bad_mapping', `the mapping is not valid: ${compiled.field}: ${compiled.reason}`);
  return compiled.mapping;
}

function mappedReader(mapping: Mapping): (feature: unknown) => RecordReading {
  return (feature) => {
    const mapped = mapping.read(recordOf(feature));
    if (mapped === null) return null;
    return 'refused' in mapped ? mapped.refused : mapped;
  };
}

/** A mapping finds the properties by their names, and `id`, `latitude` and `longitude` beside them. */
function recordOf(feature: unknown): Record<string, unknown> {
  const properties = valueAt(feature, 'properties');
  const own = { id: textAt(feature, 'id') ?? undefined, ...placeOf(valueAt(feature, 'geometry')) };
  return { ...own, ...(isObject(properties) ? properties : {}) };
}

function propertiesOf(feature: unknown): Record<string, unknown> {
  const properties = valueAt(feature, 'properties');
  if (!isObject(properties)) return {};
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name.toLowerCase(), value]));
}

/** RFC 7946 §3.1.1: positions are longitude, latitude. Of several points and lines the first position counts. */
function placeOf(geometry: unknown): Point | null {
  const [type, coordinates] = [textAt(geometry, 'type'), listAt(geometry, 'coordinates')];
  if (type === 'GeometryCollection') {
    return listAt(geometry, 'geometries').reduce<Point | null>((found, each) => found ?? placeOf(each), null);
  }
  if (type === 'Polygon' || type === 'MultiPolygon') return insideOf({ type, coordinates } as PolygonGeometry);
  if (type === 'MultiLineString') return pointOf(valueAt(coordinates, '0.0.1'), valueAt(coordinates, '0.0.0'));
  if (type === 'MultiPoint' || type === 'LineString') return pointOf(valueAt(coordinates, '0.1'), valueAt(coordinates, '0.0'));
  return type === 'Point' ? pointOf(coordinates[1], coordinates[0]) : null;
}

function insideOf(geometry: PolygonGeometry): Point | null {
  const areas: readonly unknown[] = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  const isSound = areas.length > 0 && areas.every((area) => Array.isArray(area) && area.length > 0 && area.every(isRing));
  if (!isSound) return null;
  const [longitude, latitude] = pointInside(geometry);
  return pointOf(latitude, longitude);
}

function isRing(ring: unknown): boolean {
  return (
    Array.isArray(ring) && ring.length >= MIN_CORNERS && ring.every((at) => pointOf(valueAt(at, '1'), valueAt(at, '0')) !== null)
  );
}

const ACCEPT = 'application/geo+json, application/json;q=0.9';
/** Ten meters. */
const ID_DECIMALS = 4;
/** RFC 7946 §3.1.6: three and the first again. */
const MIN_CORNERS = 4;
