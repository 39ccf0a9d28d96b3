/** Names of places of which nobody knows the street, for people: what is listed there, which houses may be meant, and their answers. */

import { type Kysely, sql } from 'kysely';
import { nameKey, nameLikeness, nameWords, placeFacts, type VenueRecord } from '../../facts/index.ts';
import { loadAreaVenues, loadSurvivor, readCity, readNeighborhoods } from '../../records/index.ts';
import { type Database, type Store, transact } from '../../store/index.ts';
import { isUuid } from '../../values/uuid.ts';
import { loadPlaceAnswers, revokePlaceAnswer, type StoredAnswer, storePlaceAnswer } from '../decisions/place-answers.ts';
import { IngestError } from '../ingest-error.ts';
import { readVenueRecords } from '../records/read-records.ts';
import { areasOf } from '../run/find-place.ts';
import { openKnownPlaces } from '../run/known-places.ts';
import { isWaiting } from '../run/resolve-venues.ts';

export interface WaitingPlace {
  name: string;
  /** Listings that are still to come. */
  count: number;
  /** The first of them. */
  samples: { title: string; localStart: string; source: string; address: string | null }[];
  /** Venues of similar names, the likeliest first. */
  houses: { venueId: string; name: string; address: string | null; likeness: number }[];
}

type Place = { store: Pick<Store, 'db'>; now: number };

/**
 * Those without an answer, the name with the most listings first.
 *
 * @param now milliseconds: what is over does not count.
 * @param most how many are told of; `total` counts all.
 */
export async function listWaitingPlaces({
  store: { db },
  now,
  most = Number.POSITIVE_INFINITY,
}: Place & { most?: number }): Promise<{ total: number; places: WaitingPlace[] }> {
  const city = await readCity(db);
  if (!city) return { total: 0, places: [] };
  const areas = areasOf(city, await readNeighborhoods(db));
  const answered = new Set((await loadPlaceAnswers(db)).map(({ key }) => key));
  const listings = await loadListingsInAreas(db, now);
  const byName = Map.groupBy(listings, ({ name }) => nameKey(name));
  const waiting = [...byName].flatMap(([key, [first, ...others]]) =>
    first && !answered.has(key) && isWaiting(first.name, { area: 'around' }, areas) ? [[first, ...others]] : [],
  );
  const named = waiting.map((there) => ({ name: there[0]?.name ?? '', there }));
  named.sort((a, b) => b.there.length - a.there.length || (a.name < b.name ? -1 : 1));
  const housesOf = createHouseFinder(await readVenueRecords(db));
  const places = named.slice(0, most).map(({ name, there }) => ({
    name,
    count: there.length,
    samples: there
      .slice(0, MAX_SAMPLES)
      .map(({ title, localStart, source, address }) => ({ title, localStart, source, address })),
    houses: housesOf(name),
  }));
  return { total: named.length, places };
}

interface ListingInArea {
  name: string;
  title: string;
  localStart: string;
  source: string;
  address: string | null;
}

/** Listings of sources at venues of which only the area is known; sorted, so that samples stay the same. */
async function loadListingsInAreas(db: Kysely<Database>, now: number): Promise<ListingInArea[]> {
  const venueIds = await loadAreaVenues(db);
  const { rows } = await sql<ListingInArea>`
    select event.listing -> 'place' ->> 'name' as name, event.listing ->> 'title' as title,
      event.listing ->> 'localStart' as "localStart", source.name as source, event.listing -> 'place' ->> 'address' as address
    from record as venue join record as event on event.source_id = venue.source_id and event.kind = 'event'
      and event.facts ->> 'venueKey' = venue.external_id
    join source on source.id = event.source_id
    where venue.kind = 'venue' and venue.gone_at is null and venue.listing ->> 'area' is not null
      and venue.venue_id = any(${venueIds}::uuid[]) and event.gone_at is null and event.starts_at >= ${new Date(now)}
    order by event.starts_at, event.id`.execute(db);
  return rows;
}

/** Venues that share a word with a name which tells it from others: `library` is in too many to tell. */
function createHouseFinder(records: readonly VenueRecord[]): (name: string) => WaitingPlace['houses'] {
  const houses = records.filter(({ listing, targetId }) => listing.area === undefined && targetId !== null);
  const byWord = new Map<string, Set<VenueRecord>>();
  for (const record of houses)
    for (const word of nameWords(record.listing.name)) byWord.set(word, (byWord.get(word) ?? new Set()).add(record));
  return (name) => {
    const sharing = nameWords(name).map((word) => byWord.get(word) ?? new Set<VenueRecord>());
    const alike = new Set(sharing.filter(({ size }) => size <= MAX_SHARING).flatMap((there) => [...there]));
    const found = [...alike]
      .map(({ targetId, listing }) => {
        const likeness = Number(nameLikeness(name, listing.name).toFixed(2));
        return { venueId: targetId ?? '', name: listing.name, address: listing.address, likeness };
      })
      .filter(({ likeness }) => likeness >= MIN_LIKENESS)
      .sort((a, b) => b.likeness - a.likeness || (a.name < b.name ? -1 : 1) || (a.venueId < b.venueId ? -1 : 1));
    return [...new Map(found.toReversed().map((house) => [house.venueId, house])).values()].toReversed().slice(0, MAX_HOUSES);
  };
}

interface AnswerInput extends Place {
  name: string;
  by: string;
}

/** The name is another name of a venue. Throws an `IngestError` if there is no such venue, or if only its area is known. */
export async function answerSame({ store, now, name, by, venueId }: AnswerInput & { venueId: string }): Promise<void> {
  checkName(name);
  const venue = isUuid(venueId) ? await loadSurvivor(store.db, 'venue', venueId) : null;
  if (venue?.state !== 'published')
    throw new IngestError('record_unknown', `wanted the id of a venue, got ${JSON.stringify(venueId)}`);
  if ((await loadAreaVenues(store.db)).includes(venue.id))
    throw new IngestError('place_unknown', `only the area of the venue ${venue.id} is known; say where it is first`);
  await transact(store.db, (trx) => storePlaceAnswer(trx, { name, act: 'same', venueId: venue.id, by }, now));
}

/** A venue of this name stands at an address or a point. Throws an `IngestError` if nobody knows the address. */
export async function answerHere(
  input: AnswerInput & { address: string | null; point: { latitude: number; longitude: number } | null },
): Promise<{ latitude: number; longitude: number; isExact: boolean }> {
  const { store, now, name, by, address, point } = input;
  checkName(name);
  const placed = point ? { ...point, isExact: true } : await placeAddress(store.db, address ?? '');
  const here = { address, ...placed };
  await transact(store.db, (trx) => storePlaceAnswer(trx, { name, act: 'here', here, by }, now));
  return placed;
}

/** The name is not asked about any more. Its listings stay where they are. */
export async function answerIgnore({ store, now, name, by }: AnswerInput): Promise<void> {
  checkName(name);
  await transact(store.db, (trx) => storePlaceAnswer(trx, { name, act: 'ignore', by }, now));
}

/** Takes an answer back. Throws an `IngestError` if there is none about this name. */
export async function undoPlaceAnswer({ store, now, name }: Omit<AnswerInput, 'by'>): Promise<void> {
  if (await transact(store.db, (trx) => revokePlaceAnswer(trx, name, now))) return;
  throw new IngestError('answer_unknown', `nobody has answered about ${JSON.stringify(name)}`);
}

/** The answers that count, by name. */
export const listPlaceAnswers = ({ db }: Pick<Store, 'db'>): Promise<StoredAnswer[]> => loadPlaceAnswers(db);

function checkName(name: string): void {
  if (nameKey(name) === '' || name.length > MAX_NAME_CHARS)
    throw new IngestError(
      'name_invalid',
      `wanted a name of 1 to ${MAX_NAME_CHARS} characters, got ${JSON.stringify(name.slice(0, 64))}`,
    );
}

async function placeAddress(db: Kysely<Database>, address: string) {
  const city = await readCity(db);
  if (!city) throw new IngestError('city_missing', 'the directory has no city yet');
  const venueRecords = await readVenueRecords(db);
  const places = venueRecords.filter(({ listing }) => listing.area === undefined).map(placeFacts);
  const facts = { places, answers: [], register: '' };
  const known = await openKnownPlaces(db, {
    city,
    neighborhoods: await readNeighborhoods(db),
    venueRecords,
    facts,
    geocoder: null,
  });
  const found = known.placeText(address);
  if (!found || found.precision === 'area' || found.precision === 'city')
    throw new IngestError('place_unknown', `nobody knows where ${JSON.stringify(address)} is; give the point`);
  return { latitude: found.latitude, longitude: found.longitude, isExact: found.precision === 'exact' };
}

const MAX_SAMPLES = 3;
const MAX_HOUSES = 3;
const MIN_LIKENESS = 0.4;
/** Venues with one word. */
const MAX_SHARING = 100;
const MAX_NAME_CHARS = 300;
