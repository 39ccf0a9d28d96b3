/** Where an event takes place, or what a listed venue is. */

import type { VenueListing } from '../../providers/index.ts';
import { CAPACITY_TIERS, type CapacityTier, VENUE_TYPES } from '../../records/index.ts';
import { distance, METERS_PER_KM } from '../../values/distance.ts';
import { LIMITS } from '../limits.ts';
import { type Bounds, type CityFacts, type Fix, type NormalContext, type NormalVenue, type Rejected, refused } from '../model.ts';
import { cutAtWord, folded, idOf, oneLine, webAddress } from '../text.ts';
import { isCity } from '../titles/title-endings.ts';
import { cleanVenueName, saysElsewhere, saysOnline, saysPrivate } from '../titles/venue-name.ts';

/** A place without a name names nothing: no venue, address or area. */
export function normalizePlace(
  listing: VenueListing,
  { city, defaultPoints = NO_POINTS }: Pick<NormalContext, 'city' | 'defaultPoints'>,
  fix: Fix,
): { ok: true; place: NormalVenue } | Rejected {
  const said = oneLine(listing.name);
  if (saysOnline(said)) return refused('venue.name', 'online', `it takes place online: ${quoted(said)}`);
  if (saysPrivate(said)) return refused('venue.name', 'private', `it is at a private place: ${quoted(said)}`);
  const address = cutAtWord(oneLine(listing.address), LIMITS.address) || null;
  const isDefault = defaultPoints.has(pointKey(listing));
  if (isDefault) fix('coordinates_dropped');
  const point = isDefault ? NOWHERE : readPoint(listing, address, city, fix);
  if ('ok' in point) return point;
  const name = nameOf(listing, address, city, fix);
  if (name === '' && saysElsewhere(said)) return refuseNameless(said);
  return {
    ok: true,
    place: {
      externalId: shortId(listing.externalId),
      name,
      type: VENUE_TYPES.find((type) => type === listing.type) ?? null,
      address,
      ...point,
      capacityTier: CAPACITY_TIERS.find((tier) => tier === listing.capacityTier) ?? tierOf(listing.capacity),
      isVerified: listing.isVerified ?? false,
      website: webAddress(listing.website),
      neighborhood: cutAtWord(oneLine(listing.neighborhood), MAX_AREA_CHARS) || null,
      hints: listing.hints.filter((hint) => hint.kind !== 'point' || isNear(hint, city)),
    },
  };
}

/** No name is that of a venue. */
export const refuseNameless = (said: string | null): Rejected =>
  refused('venue.name', 'no_venue', `wanted the name of a venue, got ${said ? quoted(said) : 'nothing'}`);

/** '' when nothing names a place. A name that says nothing, or only the city, gives way to an address, and both to an area. */
function nameOf(listing: VenueListing, address: string | null, city: CityFacts, fix: Fix): string {
  const cleaned = cleanVenueName(listing.name, city, fix);
  if (cleaned !== '' && !isCity(cleaned, city)) return cleaned;
  const street = nameFrom(address, city, fix);
  if (street !== '') return street;
  if (cleaned !== '') return city.name;
  const hint = listing.hints.find((each) => each.kind !== 'point')?.name ?? null;
  const area = [listing.neighborhood, hint]
    .map((text) => cleanVenueName(text, city, () => undefined))
    .find((text) => text !== '');
  const isInCity = area === undefined && (namesCity(address, city) || listing.hints.length > 0);
  if (area !== undefined || isInCity) fix('venue_from_area');
  return area ?? (isInCity ? city.name : '');
}

/** An id of a venue that cannot be kept is left out; the name and the point remain. */
function shortId(id: string | null): string | null {
  const clean = idOf(id);
  return clean === '' || clean.length > LIMITS.externalId ? null : clean;
}

interface Point {
  latitude: number | null;
  longitude: number | null;
}

/** 0/0, in the sea off Africa, is what unknown coordinates look like. */
function readPoint(
  { name, latitude, longitude }: VenueListing,
  address: string | null,
  city: CityFacts,
  fix: Fix,
): Point | Rejected {
  if (latitude === null && longitude === null) return NOWHERE;
  if (latitude === null || longitude === null || (latitude === 0 && longitude === 0)) {
    fix('coordinates_dropped');
    return NOWHERE;
  }
  const [straight, swapped] = [
    { latitude, longitude },
    { latitude: longitude, longitude: latitude },
  ];
  if (isOnMap(straight) && isNear(straight, city)) return straight;
  if (isOnMap(swapped) && (city.bounds || city.circle) && isNear(swapped, city)) {
    fix('coordinates_swapped');
    return swapped;
  }
  if (!isOnMap(straight) || namesCity(address, city) || namesCity(oneLine(name), city)) {
    fix('coordinates_dropped');
    return NOWHERE;
  }
  return refused('venue.latitude', 'outside_city', `wanted a place in ${city.name}, got ${latitude}, ${longitude}`);
}

function isOnMap({ latitude, longitude }: { latitude: number; longitude: number }): boolean {
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
}

function isNear(point: { latitude: number; longitude: number }, { bounds, circle }: CityFacts): boolean {
  if (bounds) return isInBounds(point, bounds);
  if (!circle) return true;
  return distance(point.latitude, point.longitude, circle.latitude, circle.longitude) <= circle.radiusKm * METERS_PER_KM;
}

function isInBounds({ latitude, longitude }: { latitude: number; longitude: number }, bounds: Bounds): boolean {
  const north = MARGIN_KM / KM_PER_DEGREE;
  const east = north / Math.max(Math.cos((latitude * Math.PI) / 180), MIN_COSINE);
  return (
    latitude >= bounds.south - north &&
    latitude <= bounds.north + north &&
    longitude >= bounds.west - east &&
    longitude <= bounds.east + east
  );
}

/** `…, Chicago, IL` or `Kettle Hall - Chicago`: the city stands alone between signs, so that `West Chicago` is another. */
function namesCity(text: string | null, city: CityFacts): boolean {
  const parts = text?.split(/[,;()|\n]|\s[-–—]\s/) ?? [];
  return parts.some((part) => isCity(part.replace(/\d[\d-]*/g, ' '), city));
}

/** Points by their key: the same for the same numbers. */
const pointKey = ({ latitude, longitude }: Pick<VenueListing, 'latitude' | 'longitude'>): string => `${latitude},${longitude}`;

/**
 * Points outside the city that a provider gives to listings that have nothing to do with each other: its default for what it cannot find,
 * such as a point in the sea. A house abroad has one name and one address.
 */
export function defaultPointsOf(listings: readonly VenueListing[], city: CityFacts): ReadonlySet<string> {
  const far = listings.filter(
    ({ latitude, longitude }) => latitude !== null && longitude !== null && !isNear({ latitude, longitude }, city),
  );
  const points = Map.groupBy(far, pointKey);
  return new Set([...points].filter(([, there]) => areUnrelated(there, city)).map(([key]) => key));
}

function areUnrelated(listings: readonly VenueListing[], city: CityFacts): boolean {
  if (listings.length < MIN_UNRELATED) return false;
  const names = new Set(listings.map(({ name }) => folded(cleanVenueName(name, city, () => undefined))));
  const addresses = new Set(listings.map(({ address }) => folded(oneLine(address))));
  return names.has('') || names.size >= MIN_UNRELATED || addresses.size >= MIN_UNRELATED;
}

/** A listing without a venue may still say where: `12 Rue Oberkampf, 75011 Paris`, `Kettle Hall, 12 Marrow St`. */
function nameFrom(address: string | null, city: CityFacts, fix: Fix): string {
  const [first = ''] = address?.split(/[,\n]/) ?? [];
  if (!/\p{L}{3}/u.test(folded(first))) return '';
  const name = /\d/.test(first) ? first.trim() : cleanVenueName(first, city, () => undefined);
  if (name === '' || isCity(name, city)) return '';
  fix('venue_from_address');
  return cutAtWord(name, LIMITS.name);
}

function tierOf(capacity: number | null): CapacityTier | null {
  if (capacity === null || !(capacity > 0)) return null;
  return TIERS.find(([, most]) => capacity <= most)?.[0] ?? 'large';
}

const quoted = (text: string): string => JSON.stringify(text.slice(0, MAX_PRINTED));

const NO_POINTS: ReadonlySet<string> = new Set();
/** Listings, names or addresses at one point: fewer may be one house. */
const MIN_UNRELATED = 4;
const NOWHERE: Point = { latitude: null, longitude: null };
/** People: how many fit into a tier at most. */
const TIERS: readonly (readonly [CapacityTier, number])[] = [
  ['intimate', 200],
  ['small', 1000],
  ['medium', 5000],
];
/** Around the box of the neighborhoods: a stadium beyond the border, or a borough without neighborhoods, is where the city goes. */
const MARGIN_KM = 20;
const KM_PER_DEGREE = 111.32;
/** Near the poles a degree of longitude is nothing. */
const MIN_COSINE = 0.01;
const MAX_AREA_CHARS = 100;
const MAX_PRINTED = 64;
