/** Where a place is that lists no point of its own: what people said of its name, a venue that is known, where its address lies, or its area. */

import type { NamedHouse, PlacedText } from '../../addresses/index.ts';
import {
  type AreaIndex,
  createAreaIndex,
  createLocator,
  createPlaceIndex,
  type FoundArea,
  type NormalEvent,
  type NormalVenue,
  type PlaceFacts,
  placeFacts,
  placeName,
  readAddress,
  type VenueRecord,
} from '../../facts/index.ts';
import type { PlaceHint } from '../../providers/index.ts';
import type { City, Neighborhood } from '../../records/index.ts';
import type { PlaceAnswer } from '../decisions/place-answers.ts';
import { knownHouse } from './known-houses.ts';

export interface KnownPlaces {
  /** Present venues of the directory. */
  places: readonly (PlaceFacts & { id: string; provider: string })[];
  /** By slug or name, a point inside it; null when there is none such. */
  neighborhood(name: string): { slug: string; latitude: number; longitude: number } | null;
  areas: AreaIndex;
  /** The slug of the neighborhood at a point. */
  locate(latitude: number, longitude: number): string | null;
  placeText: TextLookup;
  /** The only imported house in the city with this full name. */
  houseNamed(name: string): NamedHouse | null;
  /** What people have answered about the places of this name. */
  answerOf(name: string): PlaceAnswer | null;
  /** What they have answered about listings of this source that name no place. */
  unnamed: PlaceAnswer | null;
}

/** Where the text of an address lies, and how sure that is; null when nobody knows. */
export type TextLookup = (text: string) => TextPlace | null;

export type TextPlace = Pick<PlacedText, 'latitude' | 'longitude' | 'precision'>;

export interface Located {
  latitude: number;
  longitude: number;
  isApproximate?: true;
  /** The point only stands for an area. */
  area?: 'itself' | 'around';
  /** Slug of the area, if it is a neighborhood. */
  neighborhood?: string | null;
  /** A person said that the place is this venue, or has this address. */
  answer?: PlaceAnswer;
  /** The point is that of the address, or of a house that an imported file names so. */
  isByAddress?: true;
  /** Of that house. */
  address?: string | null;
}

/** `known`: a venue of its name has coordinates. */
export type FoundPlace = Located | 'known';

/**
 * Every place is found: what nobody knows better is somewhere in the city.
 *
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
    const found = find(place, index, known) ?? areaOf(place, known, isArea(place.name));
    answers.set(key, found);
    return found;
  };
}

type PlaceIndex = ReturnType<typeof createPlaceIndex>;

function find(place: NormalVenue, index: PlaceIndex, known: KnownPlaces): FoundPlace | null {
  const { name, address, hints } = place;
  const byText = findByText(place, known);
  const door = byText && isDoor(byText) ? byText : null;
  const answer = door ? null : known.answerOf(name);
  if (answer) return followAnswer(answer);
  const quarter = known.areas.quarterOf(name) ?? undefined;
  const there = index.find({ name, address, latitude: null, longitude: null, ...(quarter === undefined ? {} : { quarter }) });
  // A house that has only its address as a name is told by this listing what it is called.
  const isName = there !== null && isDoorName(there.place.name) && !isDoorName(name) && door !== null;
  if (there && !isName) return 'known';
  const venueHint = hints.reduce<Located | null>(
    (found, hint) => found ?? (hint.kind === 'venue' ? venueNamed(hint.name, index) : null),
    null,
  );
  // The name of a house says more than its street.
  const placed = venueHint ?? door ?? knownHouse(place, known) ?? byText;
  if (placed) return placed;
  for (const hint of hints) {
    const at = followHint(hint, place, known);
    if (at) return at;
  }
  return venueAmong(name, index);
}

export const followAnswer = (answer: PlaceAnswer): Located => ({
  latitude: answer.latitude,
  longitude: answer.longitude,
  ...(answer.isApproximate ? { isApproximate: true } : {}),
  neighborhood: null,
  answer,
});

/** A point that the text of an address has to a street or better. The name may hold the address: `CubeSpace at 12 Marrow St`. */
export function findByText(
  { name, address }: Pick<NormalVenue, 'name' | 'address'>,
  known: Pick<KnownPlaces, 'placeText' | 'locate'>,
): Located | null {
  for (const text of textsOf({ name, address })) {
    const at = known.placeText(text);
    if (at && at.precision !== 'area' && at.precision !== 'city') return placedBy(at, known);
  }
  return null;
}

/** The address, and a name that may hold one. */
export function textsOf({ name, address }: Pick<NormalVenue, 'name' | 'address'>): string[] {
  const texts = [address, ...(mayBeAddress(name) ? [name, AFTER_NAME.exec(name)?.[1] ?? null] : [])];
  return texts.filter((text) => text !== null);
}

function placedBy({ latitude, longitude, precision }: TextPlace, { locate }: Pick<KnownPlaces, 'locate'>): Located {
  if (precision === 'exact') return { latitude, longitude, isByAddress: true };
  return { latitude, longitude, isByAddress: true, isApproximate: true, neighborhood: locate(latitude, longitude) };
}

/** Whether a name can hold an address: a house number or a corner. A street alone may be the name of a club. */
const mayBeAddress = (name: string): boolean => isDoorName(name) || placeName(name).kind === 'corner' || AFTER_NAME.test(name);

/** `5 Quay St`. */
const isDoorName = (name: string): boolean => readAddress(name)?.from != null;

const isDoor = (at: Located): boolean => at.isApproximate !== true;

/** One of several names: `Sternberg Park (Lindsey Park)`, `Pelham Bay Park and Orchard Beach: Picnic Area`. */
function venueAmong(name: string, index: PlaceIndex): Located | null {
  const [house = ''] = name.split(':', 1);
  const names = [house, ...house.split(SEVERAL)].map((each) => each.trim()).filter((each) => each !== '' && each !== name);
  return names.reduce<Located | null>((found, each) => found ?? venueNamed(each, index), null);
}

/**
 * The area that the provider names before that of the name: `Westlake Park` in `Downtown`. Then that of the address. What has a house
 * number is no area, and of what nobody knows an area for it is known that it is in the city.
 */
function areaOf({ name, address, neighborhood }: NormalVenue, { areas, placeText }: KnownPlaces, isArea: boolean): Located {
  const [house = name] = name.split(':', 1);
  const own = readAddress(house)?.from == null ? areas.find(house) : null;
  const told = neighborhood === null ? null : areas.find(neighborhood);
  if (told && isPartOfCity(told, areas)) return inArea({ ...told, isItself: own?.isItself === true && isSameArea(own, told) });
  if (own && (own.slug !== null || own.isItself)) return inArea(own);
  const at = address === null ? null : placeText(address);
  if (at?.precision === 'area') return { ...pointOf(at), isApproximate: true, area: 'around', neighborhood: null };
  return inArea({ ...areas.city, isItself: isArea });
}

const isPartOfCity = (area: FoundArea, { city }: AreaIndex): boolean => area.slug !== null || !isSameArea(area, city);

const isSameArea = (a: FoundArea, b: FoundArea): boolean =>
  a.slug === b.slug && a.latitude === b.latitude && a.longitude === b.longitude;

const pointOf = ({ latitude, longitude }: TextPlace) => ({ latitude, longitude });

function inArea({ slug, latitude, longitude, isItself }: FoundArea): Located {
  return { latitude, longitude, isApproximate: true, area: isItself ? 'itself' : 'around', neighborhood: slug };
}

function followHint(hint: PlaceHint, { name }: NormalVenue, { areas }: KnownPlaces): Located | null {
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
/** `CubeSpace at 12 Marrow St`, `Tin Room - 1945 Marrow`, `Tin Room @ Marrow St & 5th Ave`. */
const AFTER_NAME = /\s(?:at|@|[-–—])\s+(\S.*)$/i;

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
 * Places of the directory that this source has not brought itself, without those that were placed by an answer or in an area. What it
 * knows of its own places stands in the answer at hand: a place that was guessed in one run would be taken for known in the next.
 */
export function othersPlaces(records: readonly VenueRecord[], sourceId: string) {
  const isListed = ({ listing: { area, placedBy } }: VenueRecord) => area === undefined && placedBy !== 'answer';
  return records.filter((record) => record.sourceId !== sourceId && isListed(record)).map(placeFacts);
}
