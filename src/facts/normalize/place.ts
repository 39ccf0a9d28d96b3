/** Where an event takes place, or what a listed venue is. */

import type { VenueListing } from '../../providers/index.ts';
import { CAPACITY_TIERS, type CapacityTier, VENUE_TYPES } from '../../records/index.ts';
import { LIMITS } from '../limits.ts';
import { type Bounds, type CityFacts, type Fix, type NormalVenue, type Rejected, refused } from '../model.ts';
import { cutAtWord, folded, idOf, oneLine, webAddress } from '../text.ts';
import { isCity } from '../titles/title-endings.ts';
import { cleanVenueName, saysOnline, saysPrivate } from '../titles/venue-name.ts';

export function normalizePlace(listing: VenueListing, city: CityFacts, fix: Fix): { ok: true; place: NormalVenue } | Rejected {
  const said = oneLine(listing.name);
  if (saysOnline(said)) return refused('venue.name', 'online', `it takes place online: ${quoted(said)}`);
  if (saysPrivate(said)) return refused('venue.name', 'private', `it is at a private place: ${quoted(said)}`);
  const address = cutAtWord(oneLine(listing.address), LIMITS.address) || null;
  const point = readPoint(listing, address, city, fix);
  if ('ok' in point) return point;
  const cleaned = cleanVenueName(listing.name, city, fix);
  const name = cleaned || (said === '' ? nameFrom(address, fix) : '');
  if (name === '')
    return refused('venue.name', 'no_venue', `wanted the name of a venue, got ${said === '' ? 'nothing' : quoted(said)}`);
  // A city is no place to go to, unless something in it is called so.
  if (point.latitude === null && address === null && listing.hints.length === 0 && isCity(name, city)) {
    return refused('venue.name', 'no_venue', `wanted a venue in the city, got the city: ${quoted(name)}`);
  }
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
      hints: listing.hints.filter((hint) => hint.kind !== 'point' || isNear(hint, city.bounds)),
    },
  };
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
function readPoint({ latitude, longitude }: VenueListing, address: string | null, city: CityFacts, fix: Fix): Point | Rejected {
  if (latitude === null && longitude === null) return NOWHERE;
  if (latitude === null || longitude === null || (latitude === 0 && longitude === 0)) {
    fix('coordinates_dropped');
    return NOWHERE;
  }
  const [straight, swapped] = [
    { latitude, longitude },
    { latitude: longitude, longitude: latitude },
  ];
  if (isOnMap(straight) && isNear(straight, city.bounds)) return straight;
  if (isOnMap(swapped) && city.bounds && isNear(swapped, city.bounds)) {
    fix('coordinates_swapped');
    return swapped;
  }
  if (!isOnMap(straight) || namesCity(address, city)) {
    fix('coordinates_dropped');
    return NOWHERE;
  }
  return refused('venue.latitude', 'outside_city', `wanted a place in ${city.name}, got ${latitude}, ${longitude}`);
}

function isOnMap({ latitude, longitude }: { latitude: number; longitude: number }): boolean {
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
}

function isNear({ latitude, longitude }: { latitude: number; longitude: number }, bounds: Bounds | null | undefined): boolean {
  if (!bounds) return true;
  const north = MARGIN_KM / KM_PER_DEGREE;
  const east = north / Math.max(Math.cos((latitude * Math.PI) / 180), MIN_COSINE);
  return (
    latitude >= bounds.south - north &&
    latitude <= bounds.north + north &&
    longitude >= bounds.west - east &&
    longitude <= bounds.east + east
  );
}

/** `…, Chicago, IL`: the city stands between commas, so that `West Chicago` is another. */
function namesCity(address: string | null, city: CityFacts): boolean {
  const parts = address?.split(',').slice(1) ?? [];
  return parts.some((part) => isCity(part.replace(/\d[\d-]*/g, ' '), city));
}

/** A listing without a venue may still say where: `12 Rue Oberkampf, 75011 Paris`. */
function nameFrom(address: string | null, fix: Fix): string {
  const [street = ''] = address?.split(/[,\n]/) ?? [];
  const words = folded(street);
  if (!/\d/.test(words) || !/\p{L}{3}/u.test(words)) return '';
  fix('venue_from_address');
  return cutAtWord(street.trim(), LIMITS.name);
}

function tierOf(capacity: number | null): CapacityTier | null {
  if (capacity === null || !(capacity > 0)) return null;
  return TIERS.find(([, most]) => capacity <= most)?.[0] ?? 'large';
}

const quoted = (text: string): string => JSON.stringify(text.slice(0, MAX_PRINTED));

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
