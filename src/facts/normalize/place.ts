/** Where an event takes place, or what a listed venue is. */

import type { VenueListing } from '../../providers/index.ts';
import { CAPACITY_TIERS, type CapacityTier, VENUE_TYPES } from '../../records/index.ts';
import { LIMITS } from '../limits.ts';
import { type CityFacts, type Fix, type NormalContext, type NormalVenue, type Rejected, refused } from '../model.ts';
import { cutAtWord, folded, idOf, oneLine, webAddress } from '../text.ts';
import { isCity } from '../titles/title-endings.ts';
import { cleanVenueName, saysElsewhere, saysOnline, saysPrivate } from '../titles/venue-name.ts';
import { isNearCity, namesCity } from './border.ts';
import { type DefaultKey, defaultsIn } from './defaults.ts';

/** A place without a name names nothing: no venue, address or area. */
export function normalizePlace(
  listing: VenueListing,
  { city, defaults = NO_DEFAULTS }: Pick<NormalContext, 'city' | 'defaults'>,
  fix: Fix,
): { ok: true; place: NormalVenue } | Rejected {
  const said = oneLine(listing.name);
  if (saysOnline(said)) return refused('venue.name', 'online', `it takes place online: ${quoted(said)}`);
  if (saysPrivate(said)) return refused('venue.name', 'private', `it is at a private place: ${quoted(said)}`);
  const address = cutAtWord(oneLine(listing.address), LIMITS.address) || null;
  const dropped = defaultsIn(listing, defaults, city);
  const point = dropped.hidesPoint ? NOWHERE : readPoint(listing, address, city, fix);
  if ('ok' in point) return point;
  const name = dropped.hidesName ? nameOfDefault(listing, { address, point, city }, fix) : nameOf(listing, address, city, fix);
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
      hints: listing.hints.filter((hint) => hint.kind !== 'point' || isNearCity(hint, city)),
      ...(dropped.keys.length > 0 ? { defaults: dropped.keys } : {}),
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

/** What is left beside a text that is a default. A point in the city is called by the text all the same, if nothing else names it. */
function nameOfDefault(
  listing: VenueListing,
  { address, point, city }: { address: string | null; point: Point; city: CityFacts },
  fix: Fix,
): string {
  fix('venue_default_dropped');
  const named = nameOf({ ...listing, name: null }, address, city, fix);
  return named === '' && point.latitude !== null ? cleanVenueName(listing.name, city, fix) : named;
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
  if (isOnMap(straight) && isNearCity(straight, city)) return straight;
  if (isOnMap(swapped) && (city.bounds || city.circle) && isNearCity(swapped, city)) {
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

const NO_DEFAULTS: ReadonlySet<DefaultKey> = new Set();
const NOWHERE: Point = { latitude: null, longitude: null };
/** People: how many fit into a tier at most. */
const TIERS: readonly (readonly [CapacityTier, number])[] = [
  ['intimate', 200],
  ['small', 1000],
  ['medium', 5000],
];
const MAX_AREA_CHARS = 100;
const MAX_PRINTED = 64;
