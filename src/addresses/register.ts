/** The known addresses of a city, ready to be asked: streets with their houses, towns, postcodes and venues. */

import { distanceInCity, type Point } from '../values/distance.ts';
import { buildStreets, type StreetRow, townKey } from './build-streets.ts';
import { addressForm, namedStreets } from './find-street.ts';
import { keysOf } from './house-number.ts';
import type { PlacerContext } from './model.ts';
import { MICRO_DEGREES } from './packed-street.ts';
import { type AddressToken, readTokens } from './read-text.ts';
import { createStreetIndex, type StreetIndex } from './street-index.ts';
import { type KnownTowns, readTown } from './town-evidence.ts';

export interface Register extends KnownTowns {
  index: StreetIndex;
  cityTown: string;
  /** Middles of the houses of each town and each postcode, with their share of all houses. */
  townCenters: ReadonlyMap<string, Center>;
  postcodeCenters: ReadonlyMap<string, Center>;
  /** The point of the venue whose name these words are; null for none, or for venues of one name at different points. */
  venueNamed(words: string): Point | null;
  /** Whether the point of a house is that of a venue with this address. */
  isVenueHouse(point: Point): boolean;
}

export interface Center extends Point {
  share: number;
}

export function createRegister(rows: readonly StreetRow[], { city, venues }: PlacerContext): Register {
  const cityTown = townKey(city.name);
  const townCenters = centersBy(rows, ({ town }) => townKey(town));
  const postcodeCenters = centersBy(rows, ({ postcode }) => postcode);
  const names = venuesByName(venues);
  const towns = new Set([cityTown, ...townCenters.keys()]);
  const known = {
    towns,
    townStarts: new Set([...towns].map((town) => town.split(' ', 1)[0] ?? '')),
    postcodes: new Set(postcodeCenters.keys()),
    region: REGION.exec(city.locale)?.[1] ?? null,
    center: { latitude: city.latitude, longitude: city.longitude },
  };
  const imported = createStreetIndex(buildStreets(rows));
  const ofVenues = venueRows(venues, imported, { ...known, isLocalName: () => false });
  const index = ofVenues.length === 0 ? imported : createStreetIndex(buildStreets([...ofVenues, ...rows]));
  const venueHouses = new Set(ofVenues.map(({ houses }) => `${houses[1]} ${houses[2]}`));
  return {
    ...known,
    ...{ index, cityTown, townCenters, postcodeCenters },
    isLocalName: (tokens) =>
      index.named(tokens.map(({ word }) => word).join('')).length > 0 || names.has(tokens.map(({ folded }) => folded).join(' ')),
    venueNamed: (words) => names.get(words) ?? null,
    isVenueHouse: ({ latitude, longitude }) => venueHouses.has(`${toMicro(latitude)} ${toMicro(longitude)}`),
  };
}

function centersBy(rows: readonly StreetRow[], keyOf: (row: StreetRow) => string): Map<string, Center> {
  const sums = new Map<string, { latitude: number; longitude: number; count: number }>();
  let all = 0;
  for (const row of rows) {
    const sum = sums.get(keyOf(row)) ?? { latitude: 0, longitude: 0, count: 0 };
    for (let at = 0; at < row.houses.length; at += 3) {
      sum.latitude += row.houses[at + 1] ?? 0;
      sum.longitude += row.houses[at + 2] ?? 0;
      sum.count++;
      all++;
    }
    sums.set(keyOf(row), sum);
  }
  const centers = [...sums].filter(([key, { count }]) => key !== '' && count > 0);
  return new Map(
    centers.map(([key, { latitude, longitude, count }]) => {
      const degrees = (sum: number) => Math.round(sum / count) / MICRO_DEGREES;
      return [key, { latitude: degrees(latitude), longitude: degrees(longitude), share: count / all }];
    }),
  );
}

/** The address of each venue as a house of its street. */
function venueRows(venues: PlacerContext['venues'], index: StreetIndex, known: KnownTowns): StreetRow[] {
  return venues.flatMap(({ address, latitude, longitude }) => {
    if (address === null) return [];
    const tokens = readTokens(address);
    const named = namedStreets(tokens, index).find(({ number }) => number !== null);
    const place = named ?? addressForm(tokens);
    if (!place?.number) return [];
    const { towns, isElsewhere, postcode } = readTown(tokens, place, known);
    if (isElsewhere) return [];
    const [first] = named?.streets ?? [];
    const street = tokens.slice(place.nameStart, place.nameEnd).map(({ folded }) => folded);
    const houses = keysOf(place.number, false).flatMap((key) => [key, toMicro(latitude), toMicro(longitude)]);
    return [
      {
        street: street.join(' '),
        town: towns[0] ?? first?.town ?? '',
        postcode: postcode ?? '',
        houses: Int32Array.from(houses),
        lines: [],
      },
    ];
  });
}

function venuesByName(venues: PlacerContext['venues']): Map<string, Point | null> {
  const names = new Map<string, Point | null>();
  for (const { name, latitude, longitude } of venues) {
    const words = joinWords(readTokens(name));
    const other = names.get(words);
    const isSame = other === undefined || (other !== null && distanceInCity(other, { latitude, longitude }) < MAX_VENUE_METERS);
    if (words.length >= MIN_NAME) names.set(words, isSame ? { latitude, longitude } : null);
  }
  return names;
}

export const joinWords = (tokens: readonly AddressToken[]): string => tokens.map(({ folded }) => folded).join(' ');
const toMicro = (degrees: number): number => Math.round(degrees * MICRO_DEGREES);

const REGION = /-([A-Z]{2})\b/;
const MIN_NAME = 4;
/** Venues of one name nearer to each other are one place. */
const MAX_VENUE_METERS = 150;
