/**
 * Defaults of a provider: points and texts that stand for many unrelated listings, because the provider knows no better. They are counted
 * over all listings of one source, so their order makes no difference. Listings go in, keys of defaults come out.
 */

import type { VenueListing } from '../../providers/index.ts';
import type { Point } from '../../values/distance.ts';
import { readAddress } from '../identity/place-address.ts';
import { LIMITS } from '../limits.ts';
import type { CityFacts } from '../model.ts';
import { cutAtWord, folded, oneLine } from '../text.ts';
import { isCity } from '../titles/title-endings.ts';
import { cleanVenueName } from '../titles/venue-name.ts';
import { isNearCity, kilometersTo, namesCity } from './border.ts';

/** The key of a default, as `pointKey` or `textKey` writes it. */
export type DefaultKey = string;

/** What is known beside the listings at hand. */
export interface KnownDefaults {
  /**
   * Defaults by which records of the source were read before: a listing that comes alone is read as the others were. They do not count
   * for a text that has a house of its own now.
   */
  earlier: readonly DefaultKey[];
  /** Whether others know a venue or an area of this name: it stands for itself. */
  isPlace: (name: string) => boolean;
}

export interface ListingAtPlace {
  title: string | null;
  venue: VenueListing;
}

export function defaultsOf(
  listings: readonly ListingAtPlace[],
  city: CityFacts,
  { earlier, isPlace }: KnownDefaults = NOTHING_KNOWN,
): ReadonlySet<DefaultKey> {
  const keys = new Map<string | null, DefaultKey | null>();
  const keyOf = (name: string | null): DefaultKey | null => {
    if (!keys.has(name)) keys.set(name, textKey(name, city));
    return keys.get(name) ?? null;
  };
  const read = listings.map((listing) => readListing(listing, city, keyOf));
  const points = defaultPoints(read);
  const { defaults, houses } = countTexts(read, points, earlier);
  const abroad = [...defaults.values()].flatMap(({ pointKeys }) => pointKeys);
  const texts = [...earlier.filter((key) => !houses.has(key)), ...defaults.keys()];
  return new Set([...points, ...abroad, ...texts.filter((key) => !isPlace(key))]);
}

const NOTHING_KNOWN: KnownDefaults = { earlier: [], isPlace: () => false };

/** The same for the same numbers. No text has this form. */
const pointKey = ({ latitude, longitude }: Pick<VenueListing, 'latitude' | 'longitude'>): DefaultKey =>
  `${latitude},${longitude}`;

/** Null of what names no venue anyway. */
function textKey(name: string | null, city: CityFacts): DefaultKey | null {
  const cleaned = cleanVenueName(name, city, () => undefined);
  return cleaned === '' || isCity(cleaned, city) ? null : folded(cleaned) || null;
}

interface ReadPlace {
  title: string | null;
  text: DefaultKey | null;
  address: string;
  at: DefaultKey;
  /** Of the point. */
  side: 'inside' | 'outside' | 'none';
  kilometers: number;
  /** The name or the address says the city. */
  saysCity: boolean;
}

function readListing(
  { title, venue }: ListingAtPlace,
  city: CityFacts,
  keyOf: (name: string | null) => DefaultKey | null,
): ReadPlace {
  const name = oneLine(venue.name);
  const listed = cutAtWord(oneLine(venue.address), LIMITS.address);
  const point = pointOf(venue);
  const side = point === null ? 'none' : isInside(point, city) ? 'inside' : 'outside';
  return {
    title,
    text: keyOf(venue.name),
    address: folded(listed) === folded(name) ? '' : listed,
    at: pointKey(venue),
    side,
    kilometers: point === null || side === 'inside' ? 0 : kilometersTo(point, city),
    saysCity: namesCity(listed, city) || namesCity(name, city),
  };
}

export interface DroppedDefaults {
  keys: DefaultKey[];
  hidesName: boolean;
  /** Also another point abroad, beside a text that is a default and no address. */
  hidesPoint: boolean;
}

/** Which defaults a listing has. */
export function defaultsIn(venue: VenueListing, defaults: ReadonlySet<DefaultKey>, city: CityFacts): DroppedDefaults {
  const [at, text] = defaults.size === 0 ? [null, null] : [pointKey(venue), textKey(venue.name, city)];
  const hidesName = text !== null && defaults.has(text);
  const isAtDefault = at !== null && defaults.has(at);
  const point = hidesName && oneLine(venue.address) === '' ? pointOf(venue) : null;
  const keys = [isAtDefault ? at : null, hidesName ? text : null].filter((key) => key !== null);
  return { keys, hidesName, hidesPoint: isAtDefault || (point !== null && !isInside(point, city)) };
}

/** 0/0 is no point. */
const pointOf = ({ latitude, longitude }: VenueListing): Point | null =>
  latitude === null || longitude === null || (latitude === 0 && longitude === 0) ? null : { latitude, longitude };

/** Also if latitude and longitude were exchanged, which is repaired. */
const isInside = ({ latitude, longitude }: Point, city: CityFacts): boolean =>
  isNearCity({ latitude, longitude }, city) || isNearCity({ latitude: longitude, longitude: latitude }, city);

/** Points outside the city, such as a point in the sea. A house abroad has one name and one address. */
function defaultPoints(listings: readonly ReadPlace[]): Set<DefaultKey> {
  const far = Map.groupBy(
    listings.filter(({ side }) => side === 'outside'),
    ({ at }) => at,
  );
  return new Set([...far].filter(([, there]) => areUnrelated(there)).map(([key]) => key));
}

function areUnrelated(listings: readonly ReadPlace[]): boolean {
  if (listings.length < MIN_UNRELATED) return false;
  const names = new Set(listings.map(({ text }) => text));
  const addresses = new Set(listings.map(({ address }) => folded(address)));
  return names.has(null) || names.size >= MIN_UNRELATED || addresses.size >= MIN_UNRELATED;
}

interface DefaultText {
  /** The points outside the city at which it stands. */
  pointKeys: DefaultKey[];
}

/** Texts that are no house, as the counts of the source show, and those of `earlier` that are one. */
function countTexts(listings: readonly ReadPlace[], points: ReadonlySet<DefaultKey>, earlier: readonly DefaultKey[]) {
  const all = countSides(listings, points);
  const wereDefaults = new Set(earlier);
  const defaults = new Map<DefaultKey, DefaultText>();
  const houses = new Set<DefaultKey>();
  let names: ReturnType<typeof namesBySpot> | undefined;
  for (const [text, there] of Map.groupBy(listings, (each) => each.text)) {
    if (text === null || there.length < MIN_HOUSE_TITLES) continue;
    const abroad = defaultAbroad(there, subtract(all, countSides(there, points)));
    if (abroad !== null) {
      defaults.set(text, abroad);
    } else if (wereDefaults.has(text) || mayBeAtHousesOfOthers(there)) {
      names ??= namesBySpot(listings);
      const { isHouse, isAtOthers } = housesOf(there, names);
      if (isHouse) houses.add(text);
      else if (isAtOthers) defaults.set(text, { pointKeys: [] });
    }
  }
  return { defaults, houses };
}

/** Null of what is no default abroad. */
function defaultAbroad(there: readonly ReadPlace[], others: Sides): DefaultText | null {
  const abroad = there.filter(({ side, address, saysCity }) => side === 'outside' && address === '' && !saysCity);
  if (countTitles(abroad) < MIN_TITLES || hasOneHouse(there) || !areAtHome(others, abroad)) return null;
  return { pointKeys: [...new Set(abroad.map(({ at }) => at))] };
}

/** Without figures: `Yoga 1` and `Yoga 2` are related. */
const titleKey = ({ title }: ReadPlace): string => folded(oneLine(title)).replace(/\d+/g, '');

const countTitles = (listings: readonly ReadPlace[]): number => new Set(listings.map(titleKey)).size;

interface Sides {
  home: number;
  away: number;
}

/** Of the listings of which it is known. */
function countSides(listings: readonly ReadPlace[], points: ReadonlySet<DefaultKey>): Sides {
  const sides: Sides = { home: 0, away: 0 };
  for (const { at, side, saysCity } of listings) {
    if (points.has(at)) continue;
    if (side === 'inside' || saysCity) sides.home++;
    else if (side === 'outside') sides.away++;
  }
  return sides;
}

const subtract = (all: Sides, own: Sides): Sides => ({ home: all.home - own.home, away: all.away - own.away });

/** Whether some of them stand at a house in the city, or at a few of one name: the point abroad may be that of another branch. */
function hasOneHouse(listings: readonly ReadPlace[]): boolean {
  const located = listings.filter(({ side }) => side !== 'none');
  const inside = located.filter(({ side }) => side === 'inside');
  const houses = new Set(inside.map(({ at }) => at)).size;
  return houses < MIN_UNRELATED && inside.length > located.length * (1 - MIN_HOME_SHARE);
}

/**
 * Whether the source is one of this city: then a text that is only abroad is none of its houses. A list of a region has other towns,
 * too. Points on another continent are a geocoder's mistakes more often than towns, so that most of the listings are enough.
 */
function areAtHome({ home, away }: Sides, abroad: readonly ReadPlace[]): boolean {
  const isFar = abroad.every(({ kilometers }) => kilometers >= FAR_KM);
  return home >= MIN_UNRELATED && home >= (home + away) * (isFar ? MIN_HOME_SHARE_FAR : MIN_HOME_SHARE);
}

const mayBeAtHousesOfOthers = (there: readonly ReadPlace[]): boolean =>
  there.length >= MIN_TITLES &&
  new Set(there.map(({ address }) => address)).size >= MIN_UNRELATED &&
  countTitles(there) >= MIN_TITLES;

/**
 * Whether a text has a house of its own, which only it names and where many of its titles are, and whether most of its titles are at
 * houses of others. A title that comes again at a house counts once: a weekly class makes no house.
 */
function housesOf(there: readonly ReadPlace[], names: ReadonlyMap<string, ReadonlySet<DefaultKey>>) {
  const titlesAt = new Map<string | null, Set<string>>();
  for (const each of there) {
    const spot = spotOf(each);
    titlesAt.set(spot, (titlesAt.get(spot) ?? new Set()).add(titleKey(each)));
  }
  let [all, own, most, shared, doors] = [0, 0, 0, 0, 0];
  for (const [spot, { size }] of titlesAt) {
    all += size;
    if (spot === null) continue;
    if ((names.get(spot)?.size ?? 0) > 1) {
      shared += size;
      doors++;
    } else {
      own += size;
      most = Math.max(most, size);
    }
  }
  const isHouse = most >= MIN_HOUSE_TITLES && most >= all * MIN_HOUSE_SHARE;
  return { isHouse, isAtOthers: mayBeAtHousesOfOthers(there) && doors >= MIN_UNRELATED && shared >= own };
}

function namesBySpot(listings: readonly ReadPlace[]): Map<string, Set<DefaultKey>> {
  const names = new Map<string, Set<DefaultKey>>();
  for (const each of listings) {
    const spot = each.text === null ? null : spotOf(each);
    if (spot === null || each.text === null) continue;
    names.set(spot, (names.get(spot) ?? new Set()).add(each.text));
  }
  return names;
}

/** The door, or the point of an address without a number. A point alone may be the middle of the city. */
const spotOf = ({ address, side, at }: ReadPlace): string | null =>
  address === '' ? null : (doorOf(address) ?? (side === 'inside' ? at : null));

function doorOf(address: string): string | null {
  const read = readAddress(address);
  return read?.from == null ? null : `${read.from} ${read.street}`;
}

/** Listings, names, addresses or doors: fewer may be one house. */
const MIN_UNRELATED = 4;
/** Titles of a text: a house abroad has fewer in the calendar of a city. */
const MIN_TITLES = 6;
/** Titles of a text at a house of its own, and their share of all its titles. */
const MIN_HOUSE_TITLES = 3;
const MIN_HOUSE_SHARE = 0.25;
/** Of the other listings of which it is known: how many are in the city. */
const MIN_HOME_SHARE = 0.9;
const MIN_HOME_SHARE_FAR = 0.5;
/** Farther away than any region that a list of towns covers. */
const FAR_KM = 1000;
