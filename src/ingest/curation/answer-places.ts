/** The answers of people about places that wait: a name is a venue, a venue stands here, or nobody has to ask any more. */

import type { Kysely } from 'kysely';
import { loadNamedHouse } from '../../addresses/index.ts';
import { nameKey, placeFacts } from '../../facts/index.ts';
import { loadAreaVenues, loadIdBySlug, loadSurvivor, readCity, readNeighborhoods } from '../../records/index.ts';
import { type Database, type Store, transact } from '../../store/index.ts';
import type { Point } from '../../values/distance.ts';
import { isUuid } from '../../values/uuid.ts';
import {
  loadPlaceAnswers,
  revokePlaceAnswer,
  type StoredAnswer,
  sourceOfPlace,
  storePlaceAnswer,
} from '../decisions/place-answers.ts';
import { IngestError } from '../ingest-error.ts';
import { readVenueRecords } from '../records/read-records.ts';
import type { TextPlace } from '../run/find-place.ts';
import { openKnownPlaces } from '../run/known-places.ts';
import { loadSourceId } from '../sources/sources.ts';

interface AnswerInput {
  store: Pick<Store, 'db'>;
  /** Milliseconds. */
  now: number;
  /** As `listWaitingPlaces` gives it. */
  name: string;
  by: string;
}

/**
 * The name is another name of a venue. Throws an `IngestError` if there is no such venue, or if only its area is known.
 * @param house id or slug of the venue, or the address of its page.
 */
export async function answerSame({ store, now, name, by, house }: AnswerInput & { house: string }): Promise<{ venueId: string }> {
  await checkName(store.db, name);
  const [word = ''] = /[^/?#]*(?=\/?(?:[?#].*)?$)/.exec(house.trim()) ?? [];
  const id = isUuid(word) ? word : await loadIdBySlug(store.db, 'venue', word);
  const venue = id === null ? null : await loadSurvivor(store.db, 'venue', id);
  if (venue?.state !== 'published')
    throw new IngestError(
      'record_unknown',
      `wanted the id or slug of a venue, got ${JSON.stringify(house.slice(0, MAX_PRINTED))}`,
    );
  if ((await loadAreaVenues(store.db)).includes(venue.id))
    throw new IngestError('place_unknown', `only the area of the venue ${venue.id} is known; say where it is first`);
  await transact(store.db, (trx) => storePlaceAnswer(trx, { name, act: 'same', venueId: venue.id, by }, now));
  return { venueId: venue.id };
}

export interface HereInput extends AnswerInput {
  address: string | null;
  /** WGS84 degrees. It wins over the address. */
  point: Point | null;
  /** The `houseId` of a likely house: the venue is called as this house, and has its address and point. */
  house?: string | null;
  /** The name of the venue; null: as its listings say, and for listings without a place as their source. */
  venueName?: string | null;
}

/** The venue as the answer says it. */
interface AnsweredVenue extends Point {
  /** Null: as its listings call it. */
  venueName: string | null;
  address: string | null;
  isExact: boolean;
}

/** A venue of this name stands at an address, a point, or an imported house. Throws an `IngestError` if nobody knows the address or the house. */
export async function answerHere(input: HereInput): Promise<AnsweredVenue> {
  const { store, now, name, by, address, point, house = null, venueName = null } = input;
  await checkName(store.db, name);
  const source = sourceOfPlace(name);
  if (source === null && venueName !== null)
    throw new IngestError('name_invalid', 'only a venue of listings that name no place can be given a name');
  if (venueName !== null) checkText(venueName);
  const here =
    house === null
      ? { venueName: venueName ?? source, address, ...(await placedAt(store.db, address ?? '', point)) }
      : await asHouse(store.db, house);
  await transact(store.db, (trx) =>
    storePlaceAnswer(trx, { name, act: 'here', here: { ...here, name: here.venueName }, by }, now),
  );
  return here;
}

async function asHouse(db: Kysely<Database>, id: string): Promise<AnsweredVenue> {
  const house = await loadNamedHouse(db, id);
  if (!house)
    throw new IngestError(
      'place_unknown',
      `no imported house has the ID ${JSON.stringify(id.slice(0, MAX_PRINTED))}; its file may have been imported again`,
    );
  const { name, address, latitude, longitude, isExact } = house;
  return { venueName: name, address, latitude, longitude, isExact };
}

async function placedAt(db: Kysely<Database>, address: string, point: Point | null) {
  if (point) return { ...point, isExact: true };
  const { latitude, longitude, precision } = await findAddress({ db }, address);
  return { latitude, longitude, isExact: precision === 'exact' };
}

/** The name is not asked about any more. Its listings stay where they are. */
export async function answerIgnore({ store, now, name, by }: AnswerInput): Promise<void> {
  await checkName(store.db, name);
  await transact(store.db, (trx) => storePlaceAnswer(trx, { name, act: 'ignore', by }, now));
}

/** Takes an answer back. Throws an `IngestError` if there is none about this name. */
export async function undoPlaceAnswer({ store, now, name }: Omit<AnswerInput, 'by'>): Promise<void> {
  if (await transact(store.db, (trx) => revokePlaceAnswer(trx, name, now))) return;
  throw new IngestError('answer_unknown', `nobody has answered about ${JSON.stringify(name)}`);
}

/** The answers that count, by name. */
export const listPlaceAnswers = ({ db }: Pick<Store, 'db'>): Promise<StoredAnswer[]> => loadPlaceAnswers(db);

async function checkName(db: Kysely<Database>, name: string): Promise<void> {
  const source = sourceOfPlace(name);
  if (source === null) checkText(name);
  else if ((await loadSourceId(db, source)) === null)
    throw new IngestError('name_invalid', `there is no source ${JSON.stringify(source.slice(0, MAX_PRINTED))}`);
}

function checkText(name: string): void {
  if (nameKey(name) !== '' && name.length <= MAX_NAME_CHARS) return;
  const got = JSON.stringify(name.slice(0, MAX_PRINTED));
  throw new IngestError('name_invalid', `wanted a name of 1 to ${MAX_NAME_CHARS} characters, got ${got}`);
}

/** Where an address is: its street or better. Throws an `IngestError` if nobody knows. Reads all imported house numbers. */
export async function findAddress({ db }: Pick<Store, 'db'>, address: string): Promise<TextPlace> {
  const city = await readCity(db);
  if (!city) throw new IngestError('city_missing', 'the directory has no city yet');
  const venueRecords = await readVenueRecords(db);
  const places = venueRecords.filter(({ listing }) => listing.area === undefined).map(placeFacts);
  const facts = { places, answers: [], register: '' };
  const known = await openKnownPlaces(db, { city, neighborhoods: await readNeighborhoods(db), facts, names: [], geocoder: null });
  const found = known.placeText(address);
  if (!found || found.precision === 'area' || found.precision === 'city')
    throw new IngestError('place_unknown', `nobody knows where ${JSON.stringify(address)} is; give the point`);
  return { latitude: found.latitude, longitude: found.longitude, precision: found.precision };
}

const MAX_NAME_CHARS = 300;
const MAX_PRINTED = 64;
