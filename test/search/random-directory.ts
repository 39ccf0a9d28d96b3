/** Made-up directories in which everything collides: few words, few instants, few scores, ids that differ in one place. */

import {
  CAPACITY_TIERS,
  CATEGORIES,
  EVENT_STATUSES,
  type RecordState,
  SIGNAL_KINDS,
  VENUE_TYPES,
} from '../../src/records/index.ts';
import {
  EVENT_SORTS,
  type EventQuery,
  type EventRow,
  FACETS,
  type NeighborhoodRow,
  type VenueQuery,
  type VenueRow,
} from '../../src/search/index.ts';
import { distance } from '../../src/values/distance.ts';

export const NOW = Date.parse('2026-03-08T06:30:00Z');
export const PUBLIC_URL = 'https://example.test';
const HOUR = 3_600_000;

export interface RandomDirectory {
  seq: number;
  city: { slug: string; name: string; timezone: string; currency: string; locale: string; latitude: number; longitude: number };
  neighborhoods: NeighborhoodRow[];
  venues: VenueRow[];
  events: EventRow[];
}

export interface Random {
  below(n: number): number;
  chance(probability: number): boolean;
  one<T>(values: readonly T[]): T;
  some<T>(values: readonly T[]): T[];
}

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const unit = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n: number) => Math.floor(unit() * n);
  return {
    below,
    chance: (probability) => unit() < probability,
    one: (values) => values[below(values.length)]!,
    some: (values) => values.filter(() => unit() < 0.4),
  };
}

export const eventId = (number: number): string =>
  `${(number % 3).toString().repeat(8)}-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;
export const venueId = (number: number): string => `aaaaaaaa-0000-7000-8000-${(number * 7919).toString(16).padStart(12, '0')}`;
const sentence = (random: Random, most: number): string =>
  Array.from({ length: random.below(most + 1) }, () => random.one(WORDS) + random.one(SEPARATORS)).join('');
const instant = (random: Random): number => NOW + (random.below(60) - 20) * HOUR + random.one([-1, 0, 0, 0, 1]);

export function randomVenue(random: Random, number: number, neighborhoods: readonly NeighborhoodRow[], venues: number): VenueRow {
  const { latitude, longitude } = random.one(PLACES);
  return {
    id: venueId(number),
    slug: `venue-${number}`,
    name: sentence(random, 3) || 'Hall',
    type: random.one(VENUE_TYPES.slice(0, 3)),
    address: random.chance(0.5) ? 'Calle "8"' : null,
    latitude,
    longitude,
    capacityTier: random.one([...CAPACITY_TIERS, null]),
    isVerified: random.chance(0.7),
    neighborhood: random.chance(0.8) ? (random.one(neighborhoods)?.slug ?? null) : null,
    website: random.chance(0.5) ? 'https://hall.test' : null,
    parking: null,
    transitNearby: random.some(['A', 'C']),
    openingHours: null,
    ...(random.chance(0.15) ? { locationPrecision: 'area' as const } : {}),
    ...(random.chance(0.2) ? { otherNames: [sentence(random, 2) || 'Old Hall'] } : {}),
    ...(random.chance(0.2) ? { locationPrecision: 'area' as const } : {}),
    ...standing(random, number, venues, venueId),
  };
}

export function randomEvent(random: Random, number: number, venues: readonly VenueRow[], events: number): EventRow {
  const startsAt = instant(random);
  const isFree = random.chance(0.3);
  return {
    id: eventId(number),
    slug: `event-${number}`,
    title: sentence(random, 3) || 'x',
    category: random.one(CATEGORIES.slice(0, 4)),
    startsAt,
    precision: random.one(['time', 'time', 'date', 'all_day']),
    endsAt: random.chance(0.6) ? startsAt + random.below(10) * HOUR : null,
    description: random.chance(0.7) ? sentence(random, 6) : null,
    imageUrl: random.one([null, '/posters/1.svg', 'https://cdn.test/1.jpg']),
    isFree,
    ...randomPrices(random, isFree),
    venueId: random.one(venues).id,
    status: random.chance(0.6) ? 'scheduled' : random.one(EVENT_STATUSES),
    organizer: random.some(['Friends of Jazz']).length > 0 ? { name: 'Friends of Jazz', url: null } : null,
    performers: random.some(['Ana', 'Bo', 'Jazz Madonna', 'The Opera', 'Madonnas']),
    tags: random.some(TAGS),
    sources: random.some(['city', 'radio']),
    discoveryScore: random.one([0, 40, 41, 100]),
    updatedAt: NOW - random.below(5) * 1000 + random.one([-1, 0, 0, 1]),
    revision: random.below(3),
    scoredAt: NOW - HOUR,
    signals: random.chance(0.3)
      ? Array.from({ length: random.below(12) }, (_, day) => ({
          kind: random.one(SIGNAL_KINDS.slice(2)),
          value: random.below(day < 4 ? 4000 : 400),
          observedAt: NOW - day * 24 * HOUR,
        }))
      : [],
    scores: random.chance(0.3) ? [3, 3, 3, random.below(14)].map((score, day) => ({ day: `2026-03-0${4 + day}`, score })) : [],
    ...(random.chance(0.05) ? { state: 'unlisted', mergedInto: null } : standing(random, number, events, eventId)),
  };
}

function randomPrices(random: Random, isFree: boolean): Pick<EventRow, 'priceMin' | 'priceMax'> {
  if (isFree) return { priceMin: 0, priceMax: 0 };
  const [least, most] = [random.one([null, ...AMOUNTS]), random.one([null, ...AMOUNTS])];
  if (least === null || most === null) return { priceMin: least, priceMax: most };
  return { priceMin: Math.min(least, most), priceMax: Math.max(least, most) };
}

/** Merges lead to any other record, so there are chains, circles and dead ends. */
function standing(
  random: Random,
  number: number,
  count: number,
  idOf: (number: number) => string,
): { state: RecordState; mergedInto: string | null } {
  const other = random.below(count);
  if (random.chance(0.9)) return { state: 'published', mergedInto: null };
  if (random.chance(0.2)) return { state: 'hidden', mergedInto: null };
  return other === number || random.chance(0.4)
    ? { state: 'removed', mergedInto: null }
    : { state: 'merged', mergedInto: idOf(other) };
}

export function randomDirectory(random: Random, events: number): RandomDirectory {
  const neighborhoods = Array.from({ length: random.below(4) }, (_, number) => ({
    id: `bbbbbbbb-0000-7000-8000-00000000000${number}`,
    slug: `n${number}`,
    name: random.one(['Étoile', 'Zona', 'zona', 'Eaton']),
    description: null,
    latitude: number,
    longitude: number,
  }));
  const venueCount = 1 + random.below(Math.min(40, 2 + events / 3));
  const venues = Array.from({ length: venueCount }, (_, number) => randomVenue(random, number, neighborhoods, venueCount));
  return {
    seq: 7,
    city: {
      slug: 'city',
      name: 'City',
      // Clocks go forward there within the made-up hours.
      timezone: random.one(['America/New_York', 'Pacific/Chatham', 'UTC']),
      currency: 'USD',
      locale: random.one(['en', 'sv', 'no locale']),
      latitude: 0,
      longitude: 0,
    },
    neighborhoods,
    venues,
    events: Array.from({ length: events }, (_, number) => randomEvent(random, number, venues, events)),
  };
}

export function randomEventQuery(random: Random): EventQuery {
  const from = instant(random);
  const query: EventQuery = {
    from,
    to: random.one([from, from + 5 * HOUR, from + 30 * HOUR, Number.POSITIVE_INFINITY]),
    limit: random.one([1, 3, 20, 100]),
    offset: random.one([0, 0, 0, 1, 5, 1000]),
  };
  if (random.chance(0.4)) query.text = randomText(random);
  if (random.chance(0.2)) query.categories = random.some(CATEGORIES.slice(0, 4));
  if (random.chance(0.2)) query.neighborhood = random.one(['n0', 'n1', 'n2', 'n9', 'a|b']);
  if (random.chance(0.1)) query.venueId = venueId(random.below(4));
  if (random.chance(0.3)) query.ongoing = true;
  if (random.chance(0.15)) query.tags = random.some([...TAGS, 'LIVE', 'Café concert', 'concert', 'concer', 'nowhere']);
  if (random.chance(0.15)) query.priceMax = random.one([0, ...AMOUNTS, 12.504, 1000]);
  if (random.chance(0.15)) query.updatedSince = NOW - random.below(6) * 1000 + random.one([-1, 0, 1]);
  if (random.chance(0.2)) query.free = true;
  if (random.chance(0.3)) query.statuses = random.chance(0.3) ? EVENT_STATUSES : random.some(EVENT_STATUSES);
  if (random.chance(0.3)) query.near = randomCircle(random);
  if (random.chance(0.15)) query.box = random.one(BOXES);
  if (random.chance(0.6)) query.sort = random.one(EVENT_SORTS);
  if (random.chance(0.3)) query.facets = random.some(FACETS);
  return query;
}

export function randomVenueQuery(random: Random): VenueQuery {
  const query: VenueQuery = { limit: random.one([1, 3, 100]), offset: random.one([0, 0, 1, 50]) };
  if (random.chance(0.3)) query.text = randomText(random);
  if (random.chance(0.2)) query.types = random.some(VENUE_TYPES.slice(0, 3));
  if (random.chance(0.2)) query.neighborhood = random.one(['n0', 'n1', 'n9']);
  if (random.chance(0.2)) query.capacities = random.some(CAPACITY_TIERS);
  if (random.chance(0.2)) query.near = randomCircle(random);
  if (random.chance(0.2)) query.box = random.one(BOXES);
  if (random.chance(0.3)) query.anyVerified = true;
  return query;
}

const randomCircle = (random: Random) => ({ ...random.one(PLACES), radius: random.one([0, 1000, 30_000, 50_000, APART]) });

function randomText(random: Random): string {
  const words = Array.from({ length: 1 + random.below(3) }, () => random.one([...WORDS, ...HALF_WORDS])).join(' ');
  return random.chance(0.4) ? `"${words}"` : words;
}

const WORDS = ['Jazz', 'jazz', 'Rock', 'concert', 'concerts', 'Café', 'cafe', 'Madonna', 'madonnas', 'opera', 'The', '8', '音楽'];
/** Beginnings, slips, words of nowhere, separators. */
const HALF_WORDS = ['ja', 'conc', 'madona', 'amdonna', 'oprea', 'nothing', '*', 'c', 'cafés', '音'];
/** Words of the texts and no words, with and without accents. */
const TAGS = ['live', 'late', 'Concerts', 'concert', 'café  Concert', 'opera', '音楽', 'Rock & Roll'];
/** Whole, with cents, with more places than any currency has, one beside another, and the greatest that the database holds. */
const AMOUNTS = [0, 0.01, 1.005, 12.49, 12.5, 12.5001, 13, 15, 15.1, 15.5, 40, 9_999_999_999.9999];
const SEPARATORS = [' ', ' ', ', ', ' – '];
/** Two at one spot, two across the antimeridian, one at the pole. */
const PLACES = [
  { latitude: 40.7, longitude: -74 },
  { latitude: 40.7, longitude: -74 },
  { latitude: 40.705, longitude: -74.005 },
  { latitude: 40.9, longitude: -74.1 },
  { latitude: -17, longitude: 179.99 },
  { latitude: -17, longitude: -179.99 },
  { latitude: 89.99, longitude: 10 },
];
/** As far from the first place as the third: on the edge of its circle. */
const APART = distance(40.7, -74, 40.705, -74.005);
const BOXES = [
  { west: -74, south: 40.7, east: -74, north: 40.7 },
  { west: -75, south: 40, east: -73, north: 41 },
  { west: 179, south: -18, east: -179, north: -16 },
  { west: -180, south: -90, east: 180, north: 90 },
];
