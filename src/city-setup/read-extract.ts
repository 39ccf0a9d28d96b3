/** `readExtract`: what an extract of OpenStreetMap knows of a city: where it is, its neighborhoods and its venues. */

import { isOsmFormat, type OsmElement, openAddressFile, readOsmElements } from '../addresses/index.ts';
import { READER_LIMITS } from '../providers/index.ts';
import { slugify } from '../records/index.ts';
import { distance, METERS_PER_KM, type Point, USUAL_RADIUS_KM } from '../values/distance.ts';
import { ExpectedError } from '../values/expected-error.ts';
import { boundingBox, type PolygonGeometry, type Position, pointInside, polygons } from '../values/polygon.ts';
import { type AreaFeature, chooseAreas, isIn, type NamedPolygon } from './extract-areas.ts';
import { findParts, findTagged, nameOf, type TaggedPlace } from './find-tagged.ts';
import { type OsmParts, pointOfElement, polygonOf } from './osm-shapes.ts';

export interface CityExtract {
  /** The given one, else the city itself if the extract names it, else the middle of all that has a tag; null: it holds nothing with a point. */
  center: Point | null;
  /** Whether the center is only the middle of what the extract holds. */
  isCenterGuessed: boolean;
  /** How many other places have the name of the city. */
  namesakes: number;
  /** Whether the extract has the whole border of the city. */
  hasBorder: boolean;
  /** How far the city reaches, around its center. */
  radiusKm: number;
  /** ISO 3166-1, as most addresses say; null if none does. */
  country: string | null;
  neighborhoods: AreaFeature[];
  /** Areas that cross the edge of the extract, by name. */
  cutAreas: string[];
  /** Elements that the kind `osm` reads, each with a point: the nearest to the center, as many as a source may list. */
  venues: OsmVenueElement[];
  /** How many venues were too many. */
  venuesLeftOut: number;
  /** House numbers: what `place import` would find. */
  houseNumbers: number;
}

export interface OsmVenueElement extends Pick<OsmElement, 'type' | 'id' | 'lat' | 'lon' | 'center' | 'tags'> {}

/** Elements from the beginning, in batches. */
type ReadElements = () => AsyncIterable<readonly OsmElement[]>;

/**
 * Gives all elements as often as it is asked. Throws an `ExpectedError` if the file cannot be read, also while it is read.
 * @param onProgress is told the share that is read, of all passes that may be needed.
 */
export async function openExtract(path: string, onProgress: (share: number) => void = () => undefined): Promise<ReadElements> {
  const file = await openAddressFile(path, VERB);
  const refuse = (reason: string, cause?: unknown) =>
    new ExpectedError('refused', `Cannot ${VERB} ${path}: ${reason}.`, { cause });
  if (!isOsmFormat(file.format)) {
    throw refuse(`wanted OpenStreetMap as PBF, XML or Overpass JSON, and it is ${FORMAT_NAMES[file.format] ?? 'none of them'}`);
  }
  let passes = 0;
  return async function* () {
    const before = passes++;
    try {
      yield* readOsmElements(file, null, (share) => onProgress(Math.min(1, (before + share) / MAX_PASSES)));
    } catch (error) {
      throw refuse((error as Error).message, error);
    }
  };
}

/**
 * @param read is asked up to `MAX_PASSES` times.
 * @param given the center if the operator gave one: of several places with the name, the nearest one is meant.
 */
export async function readExtract(read: ReadElements, cityName: string, given: Point | null = null): Promise<CityExtract> {
  const found = await findTagged(read(), slugify(cityName));
  const parts = await findParts(read, [...found.areas, ...found.borders, ...found.venues]);
  const [place, ...namesakes] = orderPlaces(found.places, given);
  const border = chooseBorder(found.borders, parts, given ?? place?.at ?? null);
  const center = given ?? place?.at ?? (border && middleOf(border)) ?? found.middle;
  const radiusKm = (border && center && reachOf(border, center)) ?? USUAL_RADIUS_KM;
  const isHere = ([longitude, latitude]: Position): boolean =>
    border === null ? isWithin(center, radiusKm, { latitude, longitude }) : isIn({ geometry: border }, [longitude, latitude]);
  const named = found.areas.map((element) => ({ name: nameOf(element), geometry: polygonOf(element, parts) }));
  const whole = named.filter((area): area is NamedPolygon => area.geometry !== null);
  const neighborhoods = chooseAreas(
    whole.filter(({ geometry }) => isHere(pointInside(geometry))),
    found.names.filter(({ latitude, longitude }) => isHere([longitude, latitude])),
  );
  const venues = found.venues.flatMap((element) => venueElement(element, parts, isHere));
  const kept = nearest(venues, center);
  const known = new Set(neighborhoods.map(({ properties }) => properties.name));
  return {
    center,
    isCenterGuessed: given === null && !place && border === null && center !== null,
    namesakes: given === null ? namesakes.length : 0,
    hasBorder: border !== null,
    radiusKm,
    country: mostOf(found.countries),
    neighborhoods,
    cutAreas: named.flatMap(({ name, geometry }) => (geometry === null && !known.has(name) ? [name] : [])),
    venues: kept,
    venuesLeftOut: venues.length - kept.length,
    houseNumbers: found.houseNumbers,
  };
}

/** The city first: the nearest to a given center, else the largest. */
function orderPlaces(places: readonly TaggedPlace[], given: Point | null): TaggedPlace[] {
  const farFrom = (point: Point, { at }: TaggedPlace): number =>
    distance(point.latitude, point.longitude, at.latitude, at.longitude);
  return places.toSorted((a, b) =>
    given ? farFrom(given, a) - farFrom(given, b) : b.rank - a.rank || b.population - a.population,
  );
}

/** The smallest around the center: a state or a county may have the name of its city. */
function chooseBorder(borders: readonly OsmElement[], parts: OsmParts, center: Point | null): PolygonGeometry | null {
  const shapes = borders.flatMap((element) => {
    const geometry = polygonOf(element, parts);
    return geometry && (center === null || isIn({ geometry }, [center.longitude, center.latitude])) ? [geometry] : [];
  });
  const [smallest] = shapes.map((geometry) => ({ geometry, size: widthOf(geometry) })).sort((a, b) => a.size - b.size);
  return smallest?.geometry ?? null;
}

const widthOf = (geometry: PolygonGeometry): number =>
  polygons(geometry)
    .map(boundingBox)
    .reduce((sum, { west, east, south, north }) => sum + (east - west) * (north - south), 0);

/** Kilometers from the center to the farthest corner of the border, and a margin. */
function reachOf(border: PolygonGeometry, { latitude, longitude }: Point): number {
  let farthest = 0;
  for (const [ring = []] of polygons(border)) {
    for (const [x, y] of ring) farthest = Math.max(farthest, distance(latitude, longitude, y, x));
  }
  return Math.min(Math.ceil(farthest / METERS_PER_KM) + MARGIN_KM, MAX_RADIUS_KM);
}

/** Without a center, everything is. */
function isWithin(center: Point | null, radiusKm: number, { latitude, longitude }: Point): boolean {
  return center === null || distance(center.latitude, center.longitude, latitude, longitude) <= radiusKm * METERS_PER_KM;
}

function venueElement(element: OsmElement, parts: OsmParts, isHere: (position: Position) => boolean): OsmVenueElement[] {
  const { type, id, tags = {} } = element;
  const point = pointOfElement(element, parts);
  if (!point || !isHere([point.lon, point.lat])) return [];
  return [type === 'node' ? { type, id, ...point, tags } : { type, id, center: point, tags }];
}

function nearest(venues: OsmVenueElement[], center: Point | null): OsmVenueElement[] {
  if (venues.length <= MAX_VENUES || center === null) return venues;
  const far = ({ lat = 0, lon = 0, center: { lat: north, lon: east } = { lat, lon } }: OsmVenueElement): number =>
    distance(center.latitude, center.longitude, north, east);
  const ordered = venues.map((venue) => ({ venue, meters: far(venue) })).sort((a, b) => a.meters - b.meters);
  return ordered.slice(0, MAX_VENUES).map(({ venue }) => venue);
}

function middleOf(border: PolygonGeometry): Point {
  const [longitude, latitude] = pointInside(border);
  return { latitude, longitude };
}

function mostOf(counts: ReadonlyMap<string, number>): string | null {
  const [first] = [...counts].sort(([, a], [, b]) => b - a);
  return first?.[0] ?? null;
}

/** One for tags, one for the ways of relations, one for the nodes of ways. */
const MAX_PASSES = 3;
const VERB = 'read the extract';
const MAX_VENUES = READER_LIMITS.listings;
const FORMAT_NAMES: Readonly<Record<string, string>> = { geojson: 'GeoJSON', table: 'a table' };
/** Events just outside of a city are of interest, and a file may have only a part of the neighborhoods. */
const MARGIN_KM = 20;
/** As much as `city.json` takes. */
const MAX_RADIUS_KM = 1000;
