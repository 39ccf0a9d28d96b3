/** Which houses a waiting name may mean: venues, and what imported files name so. */

import type { Kysely } from 'kysely';
import { loadSimilarHouses, type NamedHouse } from '../../addresses/index.ts';
import { nameKey, nameLikeness, nameWords, type VenueRecord } from '../../facts/index.ts';
import type { Database } from '../../store/index.ts';
import { distance, distanceInCity, METERS_PER_KM, type Point } from '../../values/distance.ts';

export interface LikelyHouse extends Point {
  /** Null: it is no venue yet, and `houseId` is the imported house. */
  venueId: string | null;
  houseId: string | null;
  name: string;
  address: string | null;
  /** From where the listings are, as far as it is known; one decimal. */
  distanceKm: number;
  /** What it is measured from: the point or area of a listing, or the center of the city. */
  distanceFrom: 'listing' | 'center';
  /** 0–1. */
  likeness: number;
  /** Why, as a part of a sentence. */
  reason: string;
}

/** Of what is waiting. */
export interface HouseQuestion {
  name: string;
  /** Of the sources. */
  hosts: ReadonlySet<string | null>;
  /** Where the listings say they are; null: the center of the city counts. */
  near: Point | null;
}

/** The likeliest first, for each question. Imported houses are looked up for all questions at once. */
export async function findLikelyHouses(
  db: Kysely<Database>,
  questions: readonly HouseQuestion[],
  { records, center }: { records: readonly VenueRecord[]; center: Point },
): Promise<LikelyHouse[][]> {
  const venues = records.filter(({ listing, targetId }) => listing.area === undefined && targetId !== null);
  const imported = await loadSimilarHouses(
    db,
    questions.map(({ name }) => name),
  );
  const [venuesOf, housesOf] = [createVenueFinder(venues), createImportFinder(imported)];
  return questions.map((question) => {
    const from = question.near ?? center;
    const own = onePerVenue(venuesOf(question));
    const others = housesOf(question.name).filter(
      ({ name, ...at }) =>
        !own.some((venue) => nameKey(venue.name) === nameKey(name) && distanceInCity(venue, at) <= SAME_HOUSE_METERS),
    );
    return [...own, ...others]
      .map((house) => ({
        ...house,
        distanceKm: Number((distance(from.latitude, from.longitude, house.latitude, house.longitude) / METERS_PER_KM).toFixed(1)),
        distanceFrom: question.near ? ('listing' as const) : ('center' as const),
      }))
      .sort(
        (a, b) =>
          b.likeness - a.likeness || Number(a.venueId === null) - Number(b.venueId === null) || a.distanceKm - b.distanceKm,
      )
      .slice(0, MAX_HOUSES);
  });
}

type FoundHouse = Omit<LikelyHouse, 'distanceKm' | 'distanceFrom'>;

/**
 * Venues that share a word with a name which tells it from others: `library` is in too many to tell. And those on whose own website the
 * listings are: the calendar of a house is about this house.
 */
function createVenueFinder(venues: readonly VenueRecord[]): (question: HouseQuestion) => FoundHouse[] {
  const byWord = indexWords(venues, ({ listing }) => nameWords(listing.name));
  const byHost = Map.groupBy(venues, ({ listing }) => hostOf(listing.website));
  return ({ name, hosts }) => {
    const [host = null, ...others] = hosts;
    const onSite = new Set(host === null || others.length > 0 ? [] : byHost.get(host));
    if (new Set([...onSite].map(({ targetId }) => targetId)).size > MAX_ON_SITE) onSite.clear();
    return [...sharing(byWord, name).union(onSite)]
      .map((record): FoundHouse => {
        const { targetId, listing } = record;
        const ofName = likenessOf(name, listing.name);
        const isOnSite = onSite.has(record) && ofName < SITE_LIKENESS;
        return {
          ...{ venueId: targetId, houseId: null, name: listing.name, address: listing.address },
          ...{ latitude: listing.latitude, longitude: listing.longitude },
          likeness: isOnSite ? SITE_LIKENESS : ofName,
          reason: isOnSite ? `its website is on ${host}` : ofName === 1 ? 'it has the same name' : 'its name is similar',
        };
      })
      .filter(({ likeness }) => likeness >= MIN_LIKENESS)
      .sort((a, b) => b.likeness - a.likeness || (a.name < b.name ? -1 : 1));
  };
}

function createImportFinder(imported: readonly NamedHouse[]): (name: string) => FoundHouse[] {
  const byWord = indexWords(imported, ({ words }) => words);
  const byKey = Map.groupBy(imported, ({ key }) => key);
  return (name) => {
    const alike = sharing(byWord, name).union(new Set(byKey.get(nameKey(name))));
    const found = [...alike].map((house): FoundHouse => {
      const { id, name: called, address, latitude, longitude, origin } = house;
      const likeness = likenessOf(name, called);
      const reason = likeness === 1 ? `named so in ${origin}` : `a similar name in ${origin}`;
      return { venueId: null, houseId: id, name: called, address, latitude, longitude, likeness, reason };
    });
    return found.filter(({ likeness }) => likeness >= MIN_LIKENESS);
  };
}

/** The record of a venue whose name is the most similar. */
const onePerVenue = (found: readonly FoundHouse[]): FoundHouse[] => [
  ...new Map(found.toReversed().map((house) => [house.venueId, house])).values(),
];

function indexWords<T>(all: readonly T[], wordsOf: (each: T) => readonly string[]): Map<string, Set<T>> {
  const byWord = new Map<string, Set<T>>();
  for (const each of all) for (const word of wordsOf(each)) byWord.set(word, (byWord.get(word) ?? new Set()).add(each));
  return byWord;
}

/** What shares a word with a name that not very many have. */
function sharing<T>(byWord: ReadonlyMap<string, ReadonlySet<T>>, name: string): Set<T> {
  const there = nameWords(name).map((word) => byWord.get(word) ?? new Set<T>());
  return new Set(there.filter(({ size }) => size <= MAX_SHARING).flatMap((each) => [...each]));
}

const likenessOf = (a: string, b: string): number => (nameKey(a) === nameKey(b) ? 1 : Number(nameLikeness(a, b).toFixed(2)));

/** Of an address on the web, without `www.`; null for a file. */
export function hostOf(address: string | null): string | null {
  const url = address === null ? null : URL.parse(address);
  return url?.protocol.startsWith('http') ? url.hostname.replace(/^www\./, '') : null;
}

const MAX_HOUSES = 5;
const MIN_LIKENESS = 0.4;
/** Nearly as sure as the same name: a house may list what takes place elsewhere. */
const SITE_LIKENESS = 0.9;
/** More venues with a website on one host are those of a portal. */
const MAX_ON_SITE = 3;
/** Houses with one word. */
const MAX_SHARING = 100;
/** An imported house of the same name that is nearer is the venue itself. */
const SAME_HOUSE_METERS = 150;
