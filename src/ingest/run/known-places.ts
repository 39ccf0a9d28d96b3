/**
 * What a run knows of places beside the words of its source: venues of others, imported addresses and names, answers of people, and
 * earlier defaults.
 */

import { hash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { type AddressPlacer, type Geocoder, type GeocoderQuestion, loadPlacer, registerDigest } from '../../addresses/index.ts';
import { createLocator, type KnownDefaults, nameKey, type VenueRecord } from '../../facts/index.ts';
import type { City, Neighborhood } from '../../records/index.ts';
import type { Database } from '../../store/index.ts';
import { DAY_MS } from '../../values/duration.ts';
import { answersByName, loadPlaceAnswers, type PlaceAnswers, resolveAnswers } from '../decisions/place-answers.ts';
import { readVenueRecords } from '../records/read-records.ts';
import { BUNDLE_SOURCE } from '../sources/sources.ts';
import { areasOf, createPlaceFinder, type KnownPlaces, othersPlaces, textsOf } from './find-place.ts';
import { openHouseNames } from './known-houses.ts';
import { isAtCenter, isLocated } from './resolve-venues.ts';
import type { ParsedRun } from './source-run.ts';

/** What is compared from run to run: if it is the same, the same listings stand at the same places. */
export interface PlaceFactsOfOthers {
  places: ReturnType<typeof othersPlaces>;
  /** With the points that they rest on. */
  answers: PlaceAnswers;
  /** Of the imported addresses, with the geocoder that is asked. */
  register: string;
}

export async function loadPlaceFacts(
  db: Kysely<Database>,
  venueRecords: readonly VenueRecord[],
  sourceId: string,
  geocoder: Geocoder | null,
): Promise<PlaceFactsOfOthers> {
  return {
    places: othersPlaces(venueRecords, sourceId),
    answers: resolveAnswers(await loadPlaceAnswers(db), venueRecords),
    register: (await registerDigest(db)) + (geocoder?.service ?? ''),
  };
}

export function digestOfPlaces({ places, answers, register }: PlaceFactsOfOthers): string {
  const byId = [...places].sort((a, b) => (a.id < b.id ? -1 : 1));
  return hash('sha256', JSON.stringify([byId, answers, register]), 'base64url');
}

interface RunPlaces {
  city: City;
  neighborhoods: readonly Neighborhood[];
  facts: PlaceFactsOfOthers;
  /** Of the places that are to be found. */
  names: Iterable<string>;
  /** Null: none is asked. */
  geocoder: Geocoder | null;
}

/** Reads the imported addresses; the first text that is placed builds their index. */
export async function openKnownPlaces(
  db: Kysely<Database>,
  { city, neighborhoods, facts, names, geocoder }: RunPlaces,
): Promise<Omit<KnownPlaces, 'neighborhood' | 'unnamed'> & Pick<AddressPlacer, 'questionOf'>> {
  const areas = areasOf(city, neighborhoods);
  const venues = facts.places.flatMap(({ name, address, latitude, longitude, isApproximate }) =>
    latitude === null || longitude === null || isApproximate ? [] : [{ name, address, latitude, longitude }],
  );
  const answers = geocoder ? { answers: await geocoder.load(city) } : {};
  const placer = await loadPlacer(db, { city, areas, venues, ...answers });
  return {
    places: facts.places,
    areas,
    locate: createLocator(neighborhoods),
    placeText: placer.find,
    houseNamed: await openHouseNames(db, names, { city, neighborhoods }),
    questionOf: placer.questionOf,
    answerOf: answersByName(facts.answers),
  };
}

/** The names of all places of listings. */
export const namesOf = ({ events, venues }: Pick<ParsedRun['listed'], 'events' | 'venues'>): Set<string> =>
  new Set([...events.map(({ place }) => place.name), ...venues.map(({ name }) => name)].filter((name) => name !== ''));

/**
 * What a geocoder may be asked: about places that would only stand for an area. What most listings wait for comes first. Nothing is written,
 * so the directory need not be taken for it.
 */
export async function openQuestions(run: ParsedRun, geocoder: Geocoder): Promise<GeocoderQuestion[]> {
  const { db, source, city, neighborhoods, cityFacts, listed } = run;
  const venueRecords = await readVenueRecords(db);
  const facts = await loadPlaceFacts(db, venueRecords, source.id, geocoder);
  const names = namesOf(listed);
  const opened = await openKnownPlaces(db, { city, neighborhoods, facts, names, geocoder: null });
  const whereIs = createPlaceFinder([], { ...opened, neighborhood: cityFacts.neighborhood, unnamed: null }, () => false);
  const counts = new Map<string, number>();
  for (const place of [...listed.events.map((event) => event.place), ...listed.venues]) {
    if (place.name === '' || (isLocated(place) && !isAtCenter(place, opened.areas))) continue;
    const at = whereIs(place);
    if (at === 'known' || at.area === undefined) continue;
    for (const text of textsOf(place)) counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const texts = [...counts].sort(([, a], [, b]) => b - a).map(([text]) => text);
  return texts.map(opened.questionOf).filter((question) => question !== null);
}

/** What was dropped of listings of the last half year, and the names of areas and of houses that others or people know. */
export async function loadKnownDefaults(
  db: Kysely<Database>,
  sourceId: string,
  { neighborhood, now }: Pick<KnownPlaces, 'neighborhood'> & { now: number },
): Promise<KnownDefaults> {
  const since = new Date(now - REMEMBERED_MS);
  const earlier = await sql<{ key: string }>`
    select distinct jsonb_array_elements_text(facts -> 'defaults') as key
    from record where source_id = ${sourceId} and kind = 'event' and facts -> 'defaults' is not null
      and starts_at >= ${since} and (gone_at is null or gone_at >= ${since})`.execute(db);
  const houses = new Set([...(await namesOfHouses(db, sourceId)), ...(await answeredKeys(db))]);
  return {
    earlier: earlier.rows.map(({ key }) => key),
    isPlace: (name) => houses.has(nameKey(name)) || neighborhood(name) !== null,
  };
}

/**
 * The keys of venues of other sources. A default of one provider may pass for a venue where another source lists little of it, so that
 * a name counts if a bundle lists it, if it is verified or has an address, or if two sources list it.
 */
async function namesOfHouses(db: Kysely<Database>, sourceId: string): Promise<string[]> {
  const { rows } = await sql<{ source: string; name: string; isSure: boolean }>`
    select source.id as source, listing ->> 'name' as name,
      bool_or(source.kind = ${BUNDLE_SOURCE} or listing ->> 'address' is not null or listing ->> 'isVerified' = 'true') as "isSure"
    from record join source on source.id = source_id
    where source_id <> ${sourceId} and record.kind = 'venue' and gone_at is null and listing -> 'area' is null
    group by 1, 2`.execute(db);
  const byKey = Map.groupBy(rows, ({ name }) => nameKey(name));
  const isHouse = (same: typeof rows) => same.some(({ isSure }) => isSure) || new Set(same.map(({ source }) => source)).size > 1;
  return [...byKey].filter(([, same]) => isHouse(same)).map(([key]) => key);
}

/** Names that people called venues. */
const answeredKeys = async (db: Kysely<Database>): Promise<string[]> =>
  (await loadPlaceAnswers(db)).filter(({ act }) => act !== 'ignore').map(({ key }) => key);

const REMEMBERED_MS = 180 * DAY_MS;
