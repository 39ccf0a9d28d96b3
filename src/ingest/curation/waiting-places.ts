/** Places that wait for a person: names whose street nobody knows, and listings that name no place. */

import { type Kysely, sql } from 'kysely';
import { nameKey } from '../../facts/index.ts';
import { loadAreaVenues, readCity, readNeighborhoods } from '../../records/index.ts';
import type { Database, Store } from '../../store/index.ts';
import type { Point } from '../../values/distance.ts';
import { loadPlaceAnswers, placeOfSource } from '../decisions/place-answers.ts';
import { redactKeys } from '../oversee-sources.ts';
import { readVenueRecords } from '../records/read-records.ts';
import { areasOf } from '../run/find-place.ts';
import { isAtCenter, isWaiting } from '../run/resolve-venues.ts';
import { findLikelyHouses, hostOf, type LikelyHouse } from './likely-houses.ts';

export interface WaitingPlace {
  /** What answers are about: the name, or `source:NAME` for the listings of a source that name no place. */
  name: string;
  /** Whose listings name no place; null for a name. The location is without keys. */
  source: { name: string; location: string } | null;
  /** Listings that are still to come. */
  count: number;
  /** The first of them. */
  samples: { title: string; localStart: string; source: string; address: string | null }[];
  /** Venues, and houses of imported files, that may be meant: the likeliest first. */
  houses: LikelyHouse[];
}

/**
 * Those without an answer, the one with the most listings first. Listings with a name are listed in their area meanwhile; those that name
 * no place wait, in one row for each source.
 *
 * @param now milliseconds: what is over does not count.
 * @param most how many are told of; `total` counts all.
 */
export async function listWaitingPlaces({
  store: { db },
  now,
  most = Number.POSITIVE_INFINITY,
}: {
  store: Pick<Store, 'db'>;
  now: number;
  most?: number;
}): Promise<{ total: number; places: WaitingPlace[] }> {
  const city = await readCity(db);
  if (!city) return { total: 0, places: [] };
  const areas = areasOf(city, await readNeighborhoods(db));
  const answered = new Set((await loadPlaceAnswers(db)).map(({ key }) => key));
  const byName = Map.groupBy(await loadListingsInAreas(db, now), ({ name }) => nameKey(name));
  const named = [...byName].flatMap(([key, there]) => {
    const name = there[0]?.name ?? '';
    return !answered.has(key) && isWaiting(name, { area: 'around' }, areas) ? [{ name, source: null, there }] : [];
  });
  const bySource = Map.groupBy(await loadListingsWithoutPlace(db, now), ({ source }) => source);
  const unnamed = [...bySource].flatMap(([source, there]) => {
    const name = placeOfSource(source);
    const location = redactKeys(there[0]?.location ?? '');
    return answered.has(name) ? [] : [{ name, source: { name: source, location }, there }];
  });
  const waiting: Waiting[] = [...named, ...unnamed];
  waiting.sort((a, b) => b.there.length - a.there.length || (a.name < b.name ? -1 : 1));
  const shown = waiting.slice(0, most);
  const questions = shown.map(({ name, source: of, there }) => ({
    name: of?.name ?? name,
    hosts: new Set(there.map(({ location }) => hostOf(location))),
    near: pointOf(there, city),
  }));
  const houses = await findLikelyHouses(db, questions, { records: await readVenueRecords(db), center: city });
  const places = shown.map(({ name, source: of, there }, index) => ({
    name,
    source: of,
    count: there.length,
    samples: there
      .slice(0, MAX_SAMPLES)
      .map(({ title, localStart, source, address }) => ({ title, localStart, source, address })),
    houses: houses[index] ?? [],
  }));
  return { total: waiting.length, places };
}

interface Waiting extends Pick<WaitingPlace, 'name' | 'source'> {
  there: readonly WaitingListing[];
}

interface WaitingListing {
  title: string;
  localStart: string;
  source: string;
  /** Of the source. */
  location: string | null;
  address: string | null;
  /** Of the listing. */
  latitude: number | null;
  longitude: number | null;
  /** Of the area that it is in. */
  areaLatitude: number | null;
  areaLongitude: number | null;
}

/** Where the first listing that says more than the city is. */
function pointOf(there: readonly WaitingListing[], city: Point): Point | null {
  const points = there.flatMap((each) => [
    { latitude: each.latitude, longitude: each.longitude },
    { latitude: each.areaLatitude, longitude: each.areaLongitude },
  ]);
  for (const { latitude, longitude } of points) {
    if (latitude === null || longitude === null) continue;
    if (!isAtCenter({ latitude, longitude }, { city })) return { latitude, longitude };
  }
  return null;
}

/** Listings of sources at venues of which only the area is known; sorted, so that samples stay the same. */
async function loadListingsInAreas(db: Kysely<Database>, now: number): Promise<(WaitingListing & { name: string })[]> {
  const venueIds = await loadAreaVenues(db);
  const { rows } = await sql<WaitingListing & { name: string }>`
    select event.listing -> 'place' ->> 'name' as name, event.listing ->> 'title' as title,
      event.listing ->> 'localStart' as "localStart", source.name as source, source.location,
      event.listing -> 'place' ->> 'address' as address,
      (event.listing -> 'place' ->> 'latitude')::float8 as latitude,
      (event.listing -> 'place' ->> 'longitude')::float8 as longitude,
      (venue.listing ->> 'latitude')::float8 as "areaLatitude", (venue.listing ->> 'longitude')::float8 as "areaLongitude"
    from record as venue join record as event on event.source_id = venue.source_id and event.kind = 'event'
      and event.facts ->> 'venueKey' = venue.external_id
    join source on source.id = event.source_id
    where venue.kind = 'venue' and venue.gone_at is null and venue.listing ->> 'area' is not null
      and venue.venue_id = any(${venueIds}::uuid[]) and event.gone_at is null and event.starts_at >= ${new Date(now)}
    order by event.starts_at, event.id`.execute(db);
  return rows;
}

/** Listings that no venue is known of, and that name none. */
async function loadListingsWithoutPlace(db: Kysely<Database>, now: number): Promise<WaitingListing[]> {
  const { rows } = await sql<WaitingListing>`
    select event.listing ->> 'title' as title, event.listing ->> 'localStart' as "localStart", source.name as source,
      source.location as location, event.listing -> 'place' ->> 'address' as address,
      (event.listing -> 'place' ->> 'latitude')::float8 as latitude,
      (event.listing -> 'place' ->> 'longitude')::float8 as longitude,
      null as "areaLatitude", null as "areaLongitude"
    from record as event join source on source.id = event.source_id
    where event.kind = 'event' and event.event_id is null and event.gone_at is null and event.starts_at >= ${new Date(now)}
      and event.facts -> 'place' ->> 'name' = ''
    order by event.starts_at, event.id`.execute(db);
  return rows;
}

const MAX_SAMPLES = 3;
