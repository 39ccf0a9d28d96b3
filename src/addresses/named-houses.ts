/** Houses that have a name in an imported file. They are looked up by name, and never held in memory as a whole. */

import { type Kysely, sql } from 'kysely';
import { isTellingName, nameKey, nameWords } from '../facts/index.ts';
import type { Database } from '../store/index.ts';
import { distanceInCity, type Point } from '../values/distance.ts';
import { OSM_CREDIT } from '../values/osm-credit.ts';
import type { PlacedText } from './model.ts';

export interface NamedHouse extends Point {
  /** It changes when the file is imported again. */
  id: string;
  name: string;
  /** See `nameKey` of `facts`. */
  key: string;
  /** Each word once, as `nameWords` of `facts` gives them. */
  words: string[];
  address: string | null;
  /** Whether the point is that of the house: false for the middle of wide grounds. */
  isExact: boolean;
  /** Who says so: the name of the file, or OpenStreetMap. */
  origin: string;
}

/** Houses by the keys of these names. */
export async function loadHousesNamed(
  db: Kysely<Database>,
  names: Iterable<string>,
): Promise<ReadonlyMap<string, readonly NamedHouse[]>> {
  const keys = [...new Set([...names].map(nameKey))];
  const found: NamedHouse[] = [];
  for (let at = 0; at < keys.length; at += MAX_KEYS)
    found.push(
      ...(await selectHouses(db)
        .where('name_key', 'in', keys.slice(at, at + MAX_KEYS))
        .execute()),
    );
  return Map.groupBy(found, ({ key }) => key);
}

/**
 * Houses of these very names, and those that share a word with one of them: unless very many have the name or the word. `words` of an
 * answer are those by which it is similar.
 */
export async function loadSimilarHouses(db: Kysely<Database>, names: readonly string[]): Promise<NamedHouse[]> {
  const words = [...new Set(names.flatMap(nameWords))];
  if (words.length === 0) return [];
  const { rows } = await sql<{ word: string }>`
    select word from (select unnest(words) as word from address_name where words && ${words}::text[]) as each
    where word = any(${words}::text[]) group by word having count(*) <= ${MAX_SHARING}`.execute(db);
  const telling = rows.map(({ word }) => word);
  const sharing = await selectHouses(db).where(sql<boolean>`words && ${telling}::text[]`).execute();
  const same = [...(await loadHousesNamed(db, names)).values()].filter((there) => there.length <= MAX_SHARING).flat();
  const houses = [...new Map([...sharing, ...same].map((house) => [house.id, house])).values()];
  return houses.map((house) => ({ ...house, words: house.words.filter((word) => telling.includes(word)) }));
}

/** Null if the file was imported again meanwhile, or never had it. */
export async function loadNamedHouse(db: Kysely<Database>, id: string): Promise<NamedHouse | null> {
  if (!/^\d{1,18}$/.test(id)) return null;
  return (await selectHouses(db).where('address_name.id', '=', id).executeTakeFirst()) ?? null;
}

/**
 * The house that a full name means: the only one of this name in the city. Null for a name that every town has, such as that of a town hall.
 * @param isInCity whether a point is in the city; files may be of a whole region.
 */
export function onlyHouse(there: readonly NamedHouse[], isInCity: (point: Point) => boolean): NamedHouse | null {
  const inCity = there.filter(isInCity);
  const [first] = inCity.toSorted(
    (a, b) =>
      Number(b.isExact) - Number(a.isExact) ||
      (a.address === null ? 1 : 0) - (b.address === null ? 1 : 0) ||
      // Ids are new with each import, and must move nothing.
      (orderKey(a) < orderKey(b) ? -1 : 1),
  );
  if (!first || !isTellingName(first.name)) return null;
  return inCity.every((other) => distanceInCity(first, other) <= MAX_HOUSE_METERS) ? first : null;
}

const orderKey = ({ address, latitude, longitude, name }: NamedHouse): string =>
  JSON.stringify([address, latitude, longitude, name]);

/** Where a text is that is the full name of one imported house, with or without words behind a comma. */
export async function findHouseByName(
  db: Kysely<Database>,
  text: string,
  isInCity: (point: Point) => boolean,
): Promise<PlacedText | null> {
  const names = [text, text.split(',', 1)[0] ?? ''].filter((name) => name.trim() !== '');
  const houses = await loadHousesNamed(db, names);
  const house = names.reduce<NamedHouse | null>(
    (found, name) => found ?? onlyHouse(houses.get(nameKey(name)) ?? [], isInCity),
    null,
  );
  if (!house) return null;
  const { latitude, longitude, isExact } = house;
  return { latitude, longitude, precision: isExact ? 'exact' : 'street', via: 'house name' };
}

const selectHouses = (db: Kysely<Database>) =>
  db
    .selectFrom('address_name')
    .innerJoin('address_file', 'address_file.id', 'address_name.file_id')
    .select(({ eb }) => [
      'address_name.id',
      'address_name.name',
      'name_key as key',
      'words',
      'address',
      'latitude',
      'longitude',
      'is_exact as isExact',
      eb
        .case()
        .when('address_file.credit', '=', OSM_CREDIT)
        .then('OpenStreetMap')
        .else(eb.ref('address_file.name'))
        .end()
        .as('origin'),
    ])
    .orderBy('address_name.id');

/** In one question to the database. */
const MAX_KEYS = 5_000;
/** A word in more names tells nothing. */
const MAX_SHARING = 100;
/** Entries of one name that are nearer are one house: a building, its entrance and a shop in it. */
const MAX_HOUSE_METERS = 150;
