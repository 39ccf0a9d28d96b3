/** What a run knows of places beside the words of its source: venues of others, imported addresses, answers of people. */

import { hash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { loadPlacer, registerDigest } from '../../addresses/index.ts';
import { createLocator, type VenueRecord } from '../../facts/index.ts';
import type { City, Neighborhood } from '../../records/index.ts';
import type { Database } from '../../store/index.ts';
import { answersByName, loadPlaceAnswers, type PlaceAnswers, resolveAnswers } from '../decisions/place-answers.ts';
import { areasOf, type KnownPlaces, othersPlaces } from './find-place.ts';

/** What is compared from run to run: if it is the same, the same listings stand at the same places. */
export interface PlaceFactsOfOthers {
  places: ReturnType<typeof othersPlaces>;
  /** With the points that they rest on. */
  answers: PlaceAnswers;
  /** Of the imported addresses. */
  register: string;
}

export async function loadPlaceFacts(
  db: Kysely<Database>,
  venueRecords: readonly VenueRecord[],
  sourceId: string,
): Promise<PlaceFactsOfOthers> {
  return {
    places: othersPlaces(venueRecords, sourceId),
    answers: resolveAnswers(await loadPlaceAnswers(db), venueRecords),
    register: await registerDigest(db),
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
}

/** Reads the imported addresses; the first text that is placed builds their index. */
export async function openKnownPlaces(
  db: Kysely<Database>,
  { city, neighborhoods, facts }: RunPlaces,
): Promise<Omit<KnownPlaces, 'neighborhood' | 'unnamed'>> {
  const areas = areasOf(city, neighborhoods);
  const venues = facts.places.flatMap(({ name, address, latitude, longitude, isApproximate }) =>
    latitude === null || longitude === null || isApproximate ? [] : [{ name, address, latitude, longitude }],
  );
  const placer = await loadPlacer(db, { city, areas, venues });
  return {
    places: facts.places,
    areas,
    locate: createLocator(neighborhoods),
    placeText: (text) => placer.find(text),
    answerOf: answersByName(facts.answers),
  };
}
