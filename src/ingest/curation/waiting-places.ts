/** Places that wait for a person: names whose street nobody knows, and listings that name no place. */

import { type Kysely, sql } from 'kysely';
import { nameKey, nameLikeness, nameWords, type VenueRecord } from '../../facts/index.ts';
import { loadAreaVenues, readCity, readNeighborhoods } from '../../records/index.ts';
import type { Database, Store } from '../../store/index.ts';
import { loadPlaceAnswers, placeOfSource } from '../decisions/place-answers.ts';
import { redactKeys } from '../oversee-sources.ts';
import { readVenueRecords } from '../records/read-records.ts';
import { areasOf } from '../run/find-place.ts';
import { isWaiting } from '../run/resolve-venues.ts';

export interface WaitingPlace {
  /** What answers are about: the name, or `source:NAME` for the listings of a source that name no place. */
  name: string;
  /** Whose listings name no place; null for a name. The location is without keys. */
  source: { name: string; location: string } | null;
  /** Listings that are still to come. */
  count: number;
  /** The first of them. */
  samples: { title: string; localStart: string; source: string; address: string | null }[];
  /** Venues that may be meant, the likeliest first. */
  houses: LikelyHouse[];
}

interface LikelyHouse {
  venueId: string;
  name: string;
  address: string | null;
  /** 0–1. */
  likeness: number;
  /** Why, as a part of a sentence. */
  reason: string;
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
  const housesOf = createHouseFinder(await readVenueRecords(db));
  const places = waiting.slice(0, most).map(({ name, source: of, there }) => ({
    name,
    source: of,
    count: there.length,
    samples: there
      .slice(0, MAX_SAMPLES)
      .map(({ title, localStart, source, address }) => ({ title, localStart, source, address })),
    houses: housesOf(of?.name ?? name, new Set(there.map(({ location }) => hostOf(location)))),
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
}

/** Listings of sources at venues of which only the area is known; sorted, so that samples stay the same. */
async function loadListingsInAreas(db: Kysely<Database>, now: number): Promise<(WaitingListing & { name: string })[]> {
  const venueIds = await loadAreaVenues(db);
  const { rows } = await sql<WaitingListing & { name: string }>`
    select event.listing -> 'place' ->> 'name' as name, event.listing ->> 'title' as title,
      event.listing ->> 'localStart' as "localStart", source.name as source, source.location,
      event.listing -> 'place' ->> 'address' as address
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
      source.location as location, event.listing -> 'place' ->> 'address' as address
    from record as event join source on source.id = event.source_id
    where event.kind = 'event' and event.event_id is null and event.gone_at is null and event.starts_at >= ${new Date(now)}
      and event.facts -> 'place' ->> 'name' = ''
    order by event.starts_at, event.id`.execute(db);
  return rows;
}

/**
 * Venues that share a word with a name which tells it from others: `library` is in too many to tell. And those on whose own website the
 * listings are: the calendar of a house is about this house.
 */
function createHouseFinder(records: readonly VenueRecord[]): (name: string, hosts: ReadonlySet<string | null>) => LikelyHouse[] {
  const houses = records.filter(({ listing, targetId }) => listing.area === undefined && targetId !== null);
  const byWord = new Map<string, Set<VenueRecord>>();
  for (const record of houses)
    for (const word of nameWords(record.listing.name)) byWord.set(word, (byWord.get(word) ?? new Set()).add(record));
  const byHost = Map.groupBy(houses, ({ listing }) => hostOf(listing.website));
  return (name, hosts) => {
    const sharing = nameWords(name).map((word) => byWord.get(word) ?? new Set<VenueRecord>());
    const alike = new Set(sharing.filter(({ size }) => size <= MAX_SHARING).flatMap((there) => [...there]));
    const [host = null, ...others] = hosts;
    const onSite = new Set(host === null || others.length > 0 ? [] : byHost.get(host));
    if (new Set([...onSite].map(({ targetId }) => targetId)).size > MAX_ON_SITE) onSite.clear();
    const found = [...alike.union(onSite)]
      .map((record): LikelyHouse => {
        const { targetId, listing } = record;
        const ofName = Number(nameLikeness(name, listing.name).toFixed(2));
        const isOnSite = onSite.has(record) && ofName < SITE_LIKENESS;
        return {
          venueId: targetId ?? '',
          name: listing.name,
          address: listing.address,
          likeness: isOnSite ? SITE_LIKENESS : ofName,
          reason: isOnSite ? `its website is on ${host}` : ofName === 1 ? 'it has the same name' : 'its name is similar',
        };
      })
      .filter(({ likeness }) => likeness >= MIN_LIKENESS)
      .sort((a, b) => b.likeness - a.likeness || (a.name < b.name ? -1 : 1) || (a.venueId < b.venueId ? -1 : 1));
    return [...new Map(found.toReversed().map((house) => [house.venueId, house])).values()].toReversed().slice(0, MAX_HOUSES);
  };
}

/** Of an address on the web, without `www.`; null for a file. */
function hostOf(address: string | null): string | null {
  const url = address === null ? null : URL.parse(address);
  return url?.protocol.startsWith('http') ? url.hostname.replace(/^www\./, '') : null;
}

const MAX_SAMPLES = 3;
const MAX_HOUSES = 3;
const MIN_LIKENESS = 0.4;
/** Nearly as sure as the same name: a house may list what takes place elsewhere. */
const SITE_LIKENESS = 0.9;
/** More venues with a website on one host are those of a portal. */
const MAX_ON_SITE = 3;
/** Venues with one word. */
const MAX_SHARING = 100;
