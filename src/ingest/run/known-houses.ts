/** Imported houses that listings name. */

import type { Kysely } from 'kysely';
import { loadHousesNamed, type NamedHouse, onlyHouse } from '../../addresses/index.ts';
import { isNearCity, type NormalVenue, nameKey, placeName, readAddress, readCityFacts } from '../../facts/index.ts';
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
 * The imported house whose full name a listing names, or names with a room of it. Null if the listing says a street and number, or is about
 * another part of the city.
 */
export function knownHouse(place: NormalVenue, known: Pick<KnownPlaces, 'houseNamed' | 'areas' | 'locate'>): Located | null {
  const { name, address } = place;
  if (readAddress(address)?.from != null || known.areas.find(name)?.isItself === true) return null;
  const house = known.houseNamed(name) ?? known.houseNamed(placeName(name).house);
  if (!house || isElsewhere(house, place, known)) return null;
  const { latitude, longitude, isExact } = house;
  return {
    ...{ latitude, longitude, isByAddress: true, address: house.address },
    ...(isExact ? {} : { isApproximate: true, neighborhood: known.locate(latitude, longitude) }),
  };
}

/** Whether the listing says another neighborhood, or a point far from the house. */
function isElsewhere(
  house: NamedHouse,
  { neighborhood, hints, latitude, longitude }: NormalVenue,
  { areas, locate }: Pick<KnownPlaces, 'areas' | 'locate'>,
): boolean {
  const told = [neighborhood, ...hints.map((hint) => (hint.kind === 'neighborhood' ? hint.name : null))];
  const slugs = told.map((name) => (name === null ? null : (areas.find(name)?.slug ?? null))).filter((slug) => slug !== null);
  const at = locate(house.latitude, house.longitude);
  if (slugs.some((slug) => slug !== at)) return true;
  const own = latitude === null || longitude === null ? [] : [{ latitude, longitude }];
  const points = [...own, ...hints.flatMap((hint) => (hint.kind === 'point' ? [hint] : []))];
  return points.some((point) => distanceInCity(point, house) > MAX_POINT_METERS);
}

/** An approximate point that is farther off is that of another house. */
const MAX_POINT_METERS = 5_000;
