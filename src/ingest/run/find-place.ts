/** Where a place without coordinates is: at a venue that is known, where the hints lead, or in the area that its name or its provider says. */

import {
  type AreaIndex,
  createAreaIndex,
  createLocator,
  createPlaceIndex,
  type FoundArea,
  isPublicGround,
  type NormalEvent,
  type NormalVenue,
  type PlaceFacts,
  placeFacts,
  type VenueRecord,
} from '../../facts/index.ts';
import type { PlaceHint } from '../../providers/index.ts';
import type { City, Neighborhood } from '../../records/index.ts';

export interface KnownPlaces {
  /** Present venues of the directory. */
  places: readonly (PlaceFacts & { id: string; provider: string })[];
  /** By slug or name, a point inside it; null when there is none such. */
  neighborhood(name: string): { slug: string; latitude: number; longitude: number } | null;
  areas: AreaIndex;
}

export interface Located {
  latitude: number;
  longitude: number;
  isApproximate?: true;
  /** The point only stands for an area. */
  area?: 'itself' | 'around';
  /** Slug of the area, if it is a neighborhood. */
  neighborhood?: string | null;
}

/** `known`: a venue of its name has coordinates. */
export type FoundPlace = Located | 'known' | 'nowhere';

/**
 * @param own places that the source itself locates.
 * @param isArea whether listings use the name as that of an area.
 */
export function createPlaceFinder(
  own: KnownPlaces['places'],
  known: KnownPlaces,
  isArea: (name: string) => boolean,
): (place: NormalVenue) => FoundPlace {
  let index: PlaceIndex | undefined;
  const answers = new Map<string, FoundPlace>();
  return (place) => {
    const key = JSON.stringify([place.name, place.address, place.neighborhood, place.hints]);
    const told = answers.get(key);
    if (told !== undefined) return told;
    index ??= createPlaceIndex([...known.places, ...own]);
    const answer = find(place, index, known) ?? (isArea(place.name) ? inArea(known.areas.city) : 'nowhere');
    answers.set(key, answer);
    return answer;
  };
}

type PlaceIndex = ReturnType<typeof createPlaceIndex>;

function find(place: NormalVenue, index: PlaceIndex, known: KnownPlaces): FoundPlace | null {
  const { name, address, hints } = place;
  const quarter = known.areas.quarterOf(name) ?? undefined;
  if (index.find({ name, address, latitude: null, longitude: null, ...(quarter === undefined ? {} : { quarter }) }))
    return 'known';
  for (const hint of hints) {
    const at = followHint(hint, place, index, known);
    if (at) return at;
  }
  return venueAmong(name, index) ?? areaOf(place, known);
}

/** One of several names: `Sternberg Park (Lindsey Park)`, `Pelham Bay Park and Orchard Beach: Picnic Area`. */
function venueAmong(name: string, index: PlaceIndex): Located | null {
  const [house = ''] = name.split(':', 1);
  const names = [house, ...house.split(SEVERAL)].map((each) => each.trim()).filter((each) => each !== '' && each !== name);
  return names.reduce<Located | null>((found, each) => found ?? venueNamed(each, index), null);
}

/** The area of the provider before that of the name: `Main Street` in `Georgetown`. A ground is in the city at least. */
function areaOf({ name, neighborhood }: NormalVenue, { areas }: KnownPlaces): Located | null {
  const [house = name] = name.split(':', 1);
  const own = areas.find(house);
  if (own?.slug || own?.isItself) return inArea(own);
  const told = neighborhood === null ? null : (areas.find(neighborhood) ?? areas.city);
  if (told) return inArea({ ...told, isItself: false });
  return isPublicGround(house) ? inArea({ ...areas.city, isItself: false }) : null;
}

function inArea({ slug, latitude, longitude, isItself }: FoundArea): Located {
  return { latitude, longitude, isApproximate: true, area: isItself ? 'itself' : 'around', neighborhood: slug };
}

function followHint(hint: PlaceHint, { name }: NormalVenue, index: PlaceIndex, { areas }: KnownPlaces): Located | null {
  if (hint.kind === 'point') {
    const isItself = areas.find(name)?.isItself === true;
    return {
      latitude: hint.latitude,
      longitude: hint.longitude,
      isApproximate: true,
      area: isItself ? 'itself' : 'around',
      neighborhood: areas.find(name)?.slug ?? null,
    };
  }
  // A large park is a neighborhood of its own.
  const venue = hint.kind === 'neighborhood' ? null : venueNamed(hint.name, index);
  if (venue) return venue;
  const area = areas.find(hint.name);
  if (area) return inArea({ ...area, isItself: area.isItself && hint.name === name });
  return hint.kind === 'neighborhood' ? inArea({ ...areas.city, isItself: false }) : null;
}

function venueNamed(name: string, index: PlaceIndex): Located | null {
  const found = index.find({ name, address: null, latitude: null, longitude: null })?.place;
  if (!found || found.latitude === null || found.longitude === null) return null;
  const { latitude, longitude, isApproximate } = found;
  return { latitude, longitude, ...(isApproximate ? { isApproximate } : {}) };
}

const SEVERAL = /\s*[/()]\s*|\s+(?:and|&)\s+/;

/**
 * Names without coordinates and address at which different events go on at one time, on several days: many streets and parks of
 * `Capitol Hill` have one name in a list of permits, while a house has one event at a time.
 */
export function areaNamesOf(events: readonly NormalEvent[]): ReadonlySet<string> {
  const unlocated = events.filter(({ place }) => place.latitude === null && place.address === null);
  const names = Map.groupBy(unlocated, ({ place }) => place.name);
  return new Set([...names].filter(([, there]) => daysOfSeveral(there) >= MIN_DAYS).map(([name]) => name));
}

function daysOfSeveral(events: readonly NormalEvent[]): number {
  const days = Map.groupBy(events, ({ localStart }) => localStart.slice(0, 10));
  return [...days.values()].filter((there) => there.some((one) => there.some((other) => areAtOnce(one, other)))).length;
}

const areAtOnce = (one: NormalEvent, other: NormalEvent): boolean =>
  one.title !== other.title && one.startsAt < endOf(other) && other.startsAt < endOf(one);

const endOf = ({ startsAt, endsAt }: NormalEvent): number => endsAt ?? startsAt + HOUR_MS;

const MIN_DAYS = 2;
/** How long an event is taken to last whose end is unknown. */
const HOUR_MS = 3_600_000;

/** The areas of a city by their names. Several neighborhoods of one description are the parts of a larger area, such as a borough. */
export function areasOf(city: City, neighborhoods: readonly Neighborhood[]): AreaIndex {
  const areas = neighborhoods.map(({ slug, name, description, latitude, longitude }) => ({
    slug,
    name,
    partOf: description,
    latitude,
    longitude,
  }));
  const { name, latitude, longitude } = city;
  return createAreaIndex(areas, { name, latitude, longitude, centerSlug: createLocator(neighborhoods)(latitude, longitude) });
}

/**
 * Exact places of the directory that this source has not brought itself. What it knows of its own places stands in the answer at hand:
 * a place that was guessed in one run would be taken for known in the next.
 */
export function othersPlaces(records: readonly VenueRecord[], sourceId: string) {
  return records.filter((record) => record.sourceId !== sourceId && !record.listing.isApproximate).map(placeFacts);
}
