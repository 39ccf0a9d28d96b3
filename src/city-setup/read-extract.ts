/** `readExtract`: what an extract of OpenStreetMap knows of a city: where it is, its neighborhoods and its venues. */

import { isOsmVenue } from '../providers/index.ts';
import { slugify } from '../records/index.ts';
import type { Point } from '../values/distance.ts';
import { type PolygonGeometry, type Position, pointInside } from '../values/polygon.ts';
import { type AreaFeature, chooseAreas, isIn, type NamedNode, type NamedPolygon } from './extract-areas.ts';
import { type ExtractElement, type OsmParts, pointOfElement, polygonOf } from './osm-shapes.ts';

export interface CityExtract {
  /** The city itself if the extract names it, else the middle of all that has a tag; null: it holds nothing with a point. */
  center: Point | null;
  /** ISO 3166-1, as most addresses say; null if none does. */
  country: string | null;
  neighborhoods: AreaFeature[];
  /** Areas that cross the edge of the extract, by name. */
  cutAreas: string[];
  /** Elements that the kind `osm` reads, each with a point. */
  venues: OsmVenueElement[];
  /** House numbers: what `place import` would find. */
  houseNumbers: number;
}

export interface OsmVenueElement extends Pick<ExtractElement, 'type' | 'id' | 'lat' | 'lon' | 'center' | 'tags'> {}

/** @param open gives all elements, from the beginning: it is asked up to three times. */
export async function readExtract(open: () => AsyncIterable<ExtractElement>, cityName: string): Promise<CityExtract> {
  const found = await findTagged(open(), slugify(cityName));
  const parts = await findParts(open, [...found.areas, ...found.borders, ...found.venues]);
  const border = found.borders.map((element) => polygonOf(element, parts)).find((polygon) => polygon !== null) ?? null;
  const named = found.areas.map((element) => ({ name: nameOf(element), geometry: polygonOf(element, parts) }));
  const whole = named.filter((area): area is NamedPolygon => area.geometry !== null);
  const isHere = (position: Position): boolean => border === null || isIn({ geometry: border }, position);
  const neighborhoods = chooseAreas(
    whole.filter(({ geometry }) => isHere(pointInside(geometry))),
    found.names.filter(({ latitude, longitude }) => isHere([longitude, latitude])),
  );
  const known = new Set(neighborhoods.map(({ properties }) => properties.name));
  return {
    center: found.center ?? (border && middleOf(border)) ?? found.middle,
    country: mostOf(found.countries),
    neighborhoods,
    cutAreas: named.flatMap(({ name, geometry }) => (geometry === null && !known.has(name) ? [name] : [])),
    venues: found.venues.flatMap((element) => venueElement(element, parts)),
    houseNumbers: found.houseNumbers,
  };
}

interface TaggedElements {
  areas: ExtractElement[];
  names: NamedNode[];
  /** Of the city itself. */
  borders: ExtractElement[];
  center: Point | null;
  middle: Point | null;
  countries: Map<string, number>;
  venues: ExtractElement[];
  houseNumbers: number;
}

async function findTagged(elements: AsyncIterable<ExtractElement>, citySlug: string): Promise<TaggedElements> {
  const found: TaggedElements = {
    areas: [],
    names: [],
    borders: [],
    center: null,
    middle: null,
    countries: new Map(),
    venues: [],
    houseNumbers: 0,
  };
  const points: Point[] = [];
  for await (const element of elements) {
    const { tags } = element;
    if (!tags || Object.keys(tags).length === 0) continue;
    const point = pointOfElement(element, NO_PARTS);
    if (point) points.push({ latitude: point.lat, longitude: point.lon });
    noteAddress(found, tags);
    if (tags.name === undefined) continue;
    if (isOsmVenue(tags)) found.venues.push(element);
    noteArea(found, element, tags, citySlug);
  }
  return { ...found, middle: middleOfPoints(points) };
}

/** Half of the points are north of it, and half east of it: a place far off moves it little. */
function middleOfPoints(points: readonly Point[]): Point | null {
  if (points.length === 0) return null;
  const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  return {
    latitude: median(points.map(({ latitude }) => latitude)),
    longitude: median(points.map(({ longitude }) => longitude)),
  };
}

function noteAddress(found: TaggedElements, tags: Readonly<Record<string, string>>): void {
  if (tags['addr:housenumber'] !== undefined) found.houseNumbers++;
  const country = tags['addr:country']?.trim().toUpperCase() ?? '';
  if (/^[A-Z]{2}$/.test(country)) found.countries.set(country, (found.countries.get(country) ?? 0) + 1);
}

/** What an element is to the city that is created; null: nothing. */
function roleOf({ type }: ExtractElement, tags: Readonly<Record<string, string>>, citySlug: string): 'city' | 'area' | null {
  const { place = '', admin_level: level = '' } = tags;
  const isBoundary = tags.boundary === 'administrative' && type !== 'node';
  const isOf = (places: { has(place: string): boolean }, levels: ReadonlySet<string>) =>
    places.has(place) || (isBoundary && levels.has(level));
  if (isOf(CITY_PLACES, CITY_LEVELS) && slugify(tags.name ?? '') === citySlug) return 'city';
  return isOf(REACH_METERS, AREA_LEVELS) ? 'area' : null;
}

function noteArea(
  found: TaggedElements,
  element: ExtractElement,
  tags: Readonly<Record<string, string>>,
  citySlug: string,
): void {
  const role = roleOf(element, tags, citySlug);
  if (role === null) return;
  if (element.type !== 'node') {
    (role === 'city' ? found.borders : found.areas).push(element);
    return;
  }
  const point = pointOfElement(element, NO_PARTS);
  if (!point) return;
  const at = { latitude: point.lat, longitude: point.lon };
  if (role === 'city') found.center ??= at;
  else found.names.push({ name: nameOf(element), ...at, reach: REACH_METERS.get(tags.place ?? '') ?? 0 });
}

/** The ways and nodes that these elements name without their shape. */
async function findParts(open: () => AsyncIterable<ExtractElement>, elements: readonly ExtractElement[]): Promise<OsmParts> {
  const memberWays = elements.flatMap(({ members = [] }) =>
    members.filter(({ type, geometry }) => type === 'way' && !geometry).map(({ ref }) => ref),
  );
  const ways = await collect(open, 'way', new Set(memberWays));
  const lines = [...elements.filter(({ type }) => type === 'way'), ...ways.values()].filter(({ geometry }) => !geometry);
  const nodes = await collect(open, 'node', new Set(lines.flatMap((way) => way.nodes ?? [])));
  const points = [...nodes].flatMap(([id, { lat, lon }]) =>
    lat === undefined || lon === undefined ? [] : [[id, [lon, lat]] as [number, Position]],
  );
  return { ways, nodes: new Map(points) };
}

async function collect(
  open: () => AsyncIterable<ExtractElement>,
  type: ExtractElement['type'],
  ids: ReadonlySet<number>,
): Promise<Map<number, ExtractElement>> {
  const found = new Map<number, ExtractElement>();
  if (ids.size === 0) return found;
  for await (const element of open()) if (element.type === type && ids.has(element.id)) found.set(element.id, element);
  return found;
}

function venueElement(element: ExtractElement, parts: OsmParts): OsmVenueElement[] {
  const { type, id, tags = {} } = element;
  const point = pointOfElement(element, parts);
  if (!point) return [];
  return [type === 'node' ? { type, id, ...point, tags } : { type, id, center: point, tags }];
}

function middleOf(border: PolygonGeometry): Point {
  const [longitude, latitude] = pointInside(border);
  return { latitude, longitude };
}

function mostOf(counts: ReadonlyMap<string, number>): string | null {
  const [first] = [...counts].sort(([, a], [, b]) => b - a);
  return first?.[0] ?? null;
}

const nameOf = ({ tags }: ExtractElement): string => tags?.name?.trim().slice(0, MAX_NAME_CHARS) ?? '';

const NO_PARTS: OsmParts = { nodes: new Map(), ways: new Map() };
/** Places that are part of a city, and how far one without an area reaches. */
const REACH_METERS: ReadonlyMap<string, number> = new Map([
  ['borough', 2_500],
  ['suburb', 1_200],
  ['quarter', 800],
  ['neighbourhood', 500],
]);
const CITY_PLACES: ReadonlySet<string> = new Set(['city', 'town', 'village', 'municipality', 'hamlet']);
/** Of boundaries (wiki.openstreetmap.org, "Key:admin_level"): cities and towns, then their parts. */
const CITY_LEVELS: ReadonlySet<string> = new Set(['4', '5', '6', '7', '8']);
const AREA_LEVELS: ReadonlySet<string> = new Set(['9', '10', '11']);
const MAX_NAME_CHARS = 200;
