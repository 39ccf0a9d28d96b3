/** Imported houses that listings name. */

import type { Kysely } from 'kysely';
import { loadHousesNamed, type NamedHouse, onlyHouse } from '../../addresses/index.ts';
import {
  compareAddresses,
  isNearCity,
  type NormalVenue,
  nameKey,
  placeName,
  readAddress,
  readCityFacts,
} from '../../facts/index.ts';
import type { City, Neighborhood } from '../../records/index.ts';
import type { Database } from '../../store/index.ts';
import { distanceInCity } from '../../values/distance.ts';
import type { KnownPlaces, Located } from './find-place.ts';

/** Reads the houses of these names; the answer is about them alone. */
export async function openHouseNames(
  db: Kysely<Database>,
  names: Iterable<string>,
  { city, neighborhoods }: { city: City; neighborhoods: readonly Neighborhood[] },
): Promise<KnownPlaces['houseNamed']> {
  const keys = [...names].flatMap((name) => [name, placeName(name).house]).filter((name) => name !== '');
  const houses = await loadHousesNamed(db, keys);
  const facts = readCityFacts(city, neighborhoods);
  return (name) => onlyHouse(houses.get(nameKey(name)) ?? [], (point) => isNearCity(point, facts));
}

/**
 * The imported house whose full name a listing names, or names with a room of it. Null if the listing is about another part of the city, or
 * if its address says more than the city, an area around the house, or its street.
 */
export function knownHouse(place: NormalVenue, known: HouseFacts): Located | null {
  const { name } = place;
  if (known.areas.find(name)?.isItself === true) return null;
  const house = known.houseNamed(name) ?? known.houseNamed(placeName(name).house);
  if (!house || isElsewhere(house, place, known) || !fitsAddress(house, place, known)) return null;
  const { latitude, longitude, isExact } = house;
  return {
    ...{ latitude, longitude, isByAddress: true, address: house.address },
    ...(isExact ? {} : { isApproximate: true, neighborhood: known.locate(latitude, longitude) }),
  };
}

type HouseFacts = Pick<KnownPlaces, 'houseNamed' | 'areas' | 'locate' | 'placeText'>;

/** Whether the listing says another neighborhood, or a point far from the house. */
function isElsewhere(house: NamedHouse, { neighborhood, hints, latitude, longitude }: NormalVenue, known: HouseFacts): boolean {
  const told = [neighborhood, ...hints.map((hint) => (hint.kind === 'neighborhood' ? hint.name : null))];
  if (told.some((name) => name !== null && isOtherArea(house, name, known))) return true;
  const own = latitude === null || longitude === null ? null : { latitude, longitude };
  if (own !== null && distanceInCity(own, house) > MAX_POINT_METERS) return true;
  return hints.some((hint) => hint.kind === 'point' && distanceInCity(hint, house) > MAX_AREA_METERS);
}

function isOtherArea(house: NamedHouse, text: string, { areas, locate }: HouseFacts): boolean {
  const slug = areas.find(text)?.slug ?? null;
  return slug !== null && slug !== locate(house.latitude, house.longitude);
}

/** The first part of an address says most; what follows may still name another town, of which `placeText` knows nothing. */
function fitsAddress(house: NamedHouse, { address }: NormalVenue, known: HouseFacts): boolean {
  const text = address?.trim() ?? '';
  if (text === '') return true;
  const [first = ''] = text.split(',', 1).map((part) => part.trim());
  const isTown = isCity(first, known);
  if (!isTown && readAddress(text)?.from != null) return false;
  const at = known.placeText(text);
  if (!at) return false;
  if (isTown || nameKey(first) === house.key || isOnStreet(house, text)) return true;
  return at.precision === 'area' && !isOtherArea(house, text, known) && distanceInCity(at, house) <= MAX_AREA_METERS;
}

/** `Tidewater`, `12345 Tidewater`: the name of the city, with or without its postcode. */
function isCity(text: string, { areas }: HouseFacts): boolean {
  const found = areas.find(text.replace(POSTCODE, ''));
  return found?.isItself === true && found.latitude === areas.city.latitude && found.longitude === areas.city.longitude;
}

/** Whether a street without a number is that of the house. */
function isOnStreet(house: NamedHouse, text: string): boolean {
  const [told, own] = [readAddress(text), readAddress(house.address)];
  if (!told?.street || !own?.street) return false;
  return compareAddresses(told, own) !== 'different_street';
}

/** Before the name of a town, as in German and French. */
const POSTCODE = /^\d{4,5}\s+(?=\p{L})/u;
/** A point of the listing that is farther off is that of another house. */
const MAX_POINT_METERS = 1_000;
/** A point that stands for an area is farther off. */
const MAX_AREA_METERS = 5_000;
