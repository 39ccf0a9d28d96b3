/** One pass over an extract finds what its tags say; further ones find the ways and nodes that those elements name. */

import { createNodeTable, type OsmElement } from '../addresses/index.ts';
import { isOsmVenue } from '../providers/index.ts';
import { slugify } from '../records/index.ts';
import type { Point } from '../values/distance.ts';
import type { NamedNode } from './extract-areas.ts';
import { type OsmParts, pointOfElement } from './osm-shapes.ts';

export interface TaggedElements {
  areas: OsmElement[];
  names: NamedNode[];
  /** Of the city itself. */
  borders: OsmElement[];
  /** With the name of the city. */
  places: TaggedPlace[];
  /** Of the addresses in the city if there are some, else of all that has a tag. */
  middle: Point | null;
  countries: Map<string, number>;
  venues: OsmElement[];
  houseNumbers: number;
}

export interface TaggedPlace {
  at: Point;
  /** A city has a higher one than a town. */
  rank: number;
  population: number;
}

type Tags = Readonly<Record<string, string>>;

export async function findTagged(batches: AsyncIterable<readonly OsmElement[]>, citySlug: string): Promise<TaggedElements> {
  const found: TaggedElements = {
    areas: [],
    names: [],
    borders: [],
    places: [],
    middle: null,
    countries: new Map(),
    venues: [],
    houseNumbers: 0,
  };
  const [all, addressed] = [createMiddle(), createMiddle()];
  for await (const batch of batches) {
    for (const element of batch) {
      const { tags } = element;
      if (!tags || !hasAny(tags)) continue;
      all.add(element);
      if (tags['addr:city'] !== undefined && slugify(tags['addr:city']) === citySlug) addressed.add(element);
      noteTags(found, element, tags, citySlug);
    }
  }
  found.middle = addressed.find(MIN_ADDRESSES) ?? all.find(1);
  return found;
}

/** Half of the points are north of it, and half east of it: a place far off moves it little. */
function createMiddle() {
  const [latitudes, longitudes]: [number[], number[]] = [[], []];
  const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  return {
    add(element: OsmElement): void {
      const point = pointOfElement(element, NO_PARTS);
      if (!point) return;
      latitudes.push(point.lat);
      longitudes.push(point.lon);
    },
    find: (least: number): Point | null =>
      latitudes.length < least ? null : { latitude: median(latitudes), longitude: median(longitudes) },
  };
}

function hasAny(tags: Tags): boolean {
  for (const _ in tags) return true;
  return false;
}

function noteTags(found: TaggedElements, element: OsmElement, tags: Tags, citySlug: string): void {
  if (tags['addr:housenumber'] !== undefined) found.houseNumbers++;
  const country = tags['addr:country']?.trim().toUpperCase() ?? '';
  if (/^[A-Z]{2}$/.test(country)) found.countries.set(country, (found.countries.get(country) ?? 0) + 1);
  if (tags.name === undefined) return;
  if (isOsmVenue(tags)) found.venues.push(element);
  noteArea(found, element, tags, citySlug);
}

/** The use of an element for the city that is created; null: none. */
function roleOf({ type }: OsmElement, tags: Tags, citySlug: string): 'city' | 'area' | null {
  const { place = '', admin_level: level = '' } = tags;
  const isBoundary = tags.boundary === 'administrative' && type !== 'node';
  const isOf = (places: { has(place: string): boolean }, levels: ReadonlySet<string>) =>
    places.has(place) || (isBoundary && levels.has(level));
  if (isOf(CITY_PLACES, CITY_LEVELS) && isNamed(tags, citySlug)) return 'city';
  return isOf(REACH_METERS, AREA_LEVELS) ? 'area' : null;
}

const isNamed = (tags: Tags, citySlug: string): boolean =>
  NAME_KEYS.some((key) => tags[key]?.split(';').some((name) => slugify(name) === citySlug));

function noteArea(found: TaggedElements, element: OsmElement, tags: Tags, citySlug: string): void {
  const role = roleOf(element, tags, citySlug);
  if (role === null) return;
  if (element.type !== 'node') {
    (role === 'city' ? found.borders : found.areas).push(element);
    return;
  }
  const point = pointOfElement(element, NO_PARTS);
  if (!point) return;
  const at = { latitude: point.lat, longitude: point.lon };
  const { place = '', population = '' } = tags;
  if (role === 'area') found.names.push({ name: nameOf(element), ...at, reach: REACH_METERS.get(place) ?? 0 });
  else found.places.push({ at, rank: CITY_PLACES.get(place) ?? 0, population: Number(population.replace(/\D/g, '')) });
}

/** The ways and nodes that these elements name without their shape. */
export async function findParts(
  read: () => AsyncIterable<readonly OsmElement[]>,
  elements: readonly OsmElement[],
): Promise<OsmParts> {
  const memberWays = elements.flatMap(({ members = [] }) =>
    members.filter(({ type, geometry }) => type === 'way' && !geometry).map(({ ref }) => ref),
  );
  const wanted = new Set(memberWays);
  const ways = new Map<number, OsmElement>();
  if (wanted.size > 0) {
    for await (const batch of read()) {
      for (const element of batch) if (element.type === 'way' && wanted.has(element.id)) ways.set(element.id, element);
    }
  }
  const lines = [...elements.filter(({ type }) => type === 'way'), ...ways.values()].filter(({ geometry }) => !geometry);
  if (lines.length === 0) return { ...NO_PARTS, ways };
  const nodes = createNodeTable(lines);
  for await (const batch of read()) for (const element of batch) nodes.set(element);
  return { ways, nodes };
}

export const nameOf = ({ tags }: OsmElement): string => tags?.name?.trim().slice(0, MAX_NAME_CHARS) ?? '';

const NO_PARTS: OsmParts = { nodes: { get: () => null }, ways: new Map() };
/** Places that are part of a city, and how far one without an area reaches. */
const REACH_METERS: ReadonlyMap<string, number> = new Map([
  ['borough', 2_500],
  ['suburb', 1_200],
  ['quarter', 800],
  ['neighbourhood', 500],
]);
/** Places that may be the city, with their rank. */
const CITY_PLACES: ReadonlyMap<string, number> = new Map([
  ['city', 5],
  ['town', 4],
  ['municipality', 3],
  ['village', 2],
  ['hamlet', 1],
]);
/** Of boundaries (wiki.openstreetmap.org, "Key:admin_level"): cities and towns, then their parts. */
const CITY_LEVELS: ReadonlySet<string> = new Set(['4', '5', '6', '7', '8']);
const AREA_LEVELS: ReadonlySet<string> = new Set(['9', '10', '11']);
/** An operator may type the name in another language, or the short one. */
const NAME_KEYS = ['name', 'name:en', 'int_name', 'official_name', 'short_name', 'alt_name'];
const MAX_NAME_CHARS = 200;
/** Fewer may be a slip. */
const MIN_ADDRESSES = 10;
