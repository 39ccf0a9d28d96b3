/** The records that the directory holds, as a run needs them. */

import { type Kysely, type RawBuilder, sql } from 'kysely';
import {
  type BundleListing,
  type EventRecord,
  type NormalEvent,
  nightOf,
  type StoredFacts,
  type VenueDraft,
  type VenueRecord,
} from '../../facts/index.ts';
import type { Database } from '../../store/index.ts';
import type { CityTime } from '../../values/city-time.ts';
import { BUNDLE_SOURCE } from '../sources/sources.ts';

/** What a source said before, without the listing. */
export interface HeldRecord {
  id: string;
  ownId: string;
  targetId: string | null;
  contentHash: string;
  firstSeenAt: number;
  isGone: boolean;
  /** Null for venues. */
  startsAt: number | null;
  /** The city's clock then. */
  localStart: string | null;
  night: string | null;
}

/** Those of one source by external id, gone ones included. */
export async function readHeld(
  db: Kysely<Database>,
  sourceId: string,
  kind: 'event' | 'venue',
): Promise<Map<string, HeldRecord>> {
  const rows = await db
    .selectFrom('record')
    .select([
      'id',
      'external_id',
      'own_id',
      'event_id',
      'venue_id',
      'content_hash',
      'first_seen_at',
      'gone_at',
      'starts_at',
      'night',
      sql<string | null>`facts ->> 'localStart'`.as('local_start'),
    ])
    .where('source_id', '=', sourceId)
    .where('kind', '=', kind)
    .execute();
  return new Map(
    rows.map((row) => {
      const targetId = row.event_id ?? row.venue_id;
      return [
        row.external_id,
        {
          id: row.id,
          ownId: row.own_id ?? targetId ?? row.id,
          targetId,
          contentHash: row.content_hash,
          firstSeenAt: row.first_seen_at.getTime(),
          isGone: row.gone_at !== null,
          startsAt: row.starts_at?.getTime() ?? null,
          localStart: row.local_start,
          night: row.night,
        },
      ];
    }),
  );
}

/** All present venue records of all sources. */
export async function readVenueRecords(db: Kysely<Database>): Promise<VenueRecord[]> {
  const rows = await db
    .selectFrom('record')
    .innerJoin('source', 'source.id', 'record.source_id')
    .select([
      ...(['record.id', 'source_id', 'source.kind as source_kind', 'external_id', 'own_id', 'venue_id'] as const),
      ...(['content_hash', 'listing', 'first_seen_at'] as const),
    ])
    .where('record.kind', '=', 'venue')
    .where('gone_at', 'is', null)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    sourceId: row.source_id,
    externalId: row.external_id,
    ownId: row.own_id ?? row.venue_id ?? row.id,
    targetId: row.venue_id,
    firstSeenAt: row.first_seen_at.getTime(),
    contentHash: row.content_hash,
    listing: row.listing as VenueDraft,
    isBundle: row.source_kind === BUNDLE_SOURCE,
    isChanged: false,
  }));
}

/**
 * All event records that are matched by themselves, from a night on: the present ones, and those that went at `goneSince`
 * (milliseconds) or later.
 */
export function readEventRecords(db: Kysely<Database>, fromNight: string, goneSince: number): Promise<EventRecord[]> {
  return selectEventRecords(
    db,
    sql<boolean>`night >= ${fromNight}::date and (gone_at is null or gone_at >= ${new Date(goneSince)})`,
  );
}

/** Event records by id, gone ones too; others are left out. */
export async function loadEventRecords(db: Kysely<Database>, ids: readonly string[]): Promise<EventRecord[]> {
  return ids.length === 0 ? [] : selectEventRecords(db, sql<boolean>`id = any(${ids}::uuid[])`);
}

/** Those of sources for which `condition` holds, without their listings. */
async function selectEventRecords(db: Kysely<Database>, condition: RawBuilder<boolean>): Promise<EventRecord[]> {
  const { rows } = await sql<{
    id: string;
    source_id: string;
    external_id: string;
    own_id: string;
    event_id: string | null;
    content_hash: string;
    facts: StoredFacts;
    starts_at: number;
    night: string;
    first_seen_at: number;
    is_gone: boolean;
  }>`
    select id, source_id, external_id, own_id, event_id, content_hash, facts, night, gone_at is not null as is_gone,
      (extract(epoch from starts_at) * 1000)::float8 as starts_at, (extract(epoch from first_seen_at) * 1000)::float8 as first_seen_at
    from record where kind = 'event' and facts is not null and ${condition}`.execute(db);
  return rows.map((row) => ({
    id: row.id,
    sourceId: row.source_id,
    externalId: row.external_id,
    ownId: row.own_id,
    targetId: row.event_id,
    firstSeenAt: Math.round(row.first_seen_at),
    contentHash: row.content_hash,
    facts: row.facts,
    startsAt: Math.round(row.starts_at),
    night: row.night,
    listing: null,
    ...(row.is_gone ? { isGone: true } : {}),
  }));
}

/** What records say, by record. */
export async function readListingsOf(db: Kysely<Database>, recordIds: readonly string[]): Promise<Map<string, NormalEvent>> {
  const found = new Map<string, NormalEvent>();
  for (let from = 0; from < recordIds.length; from += PAGE) {
    const rows = await db
      .selectFrom('record')
      .select(['id', 'listing'])
      .where('id', '=', sql<string>`any(${recordIds.slice(from, from + PAGE)}::uuid[])`)
      .execute();
    for (const { id, listing } of rows) found.set(id, listing as NormalEvent);
  }
  return found;
}

const PAGE = 2000;

interface Said {
  left: string;
  right: string;
  verdict: 'same' | 'different';
}

/** Present records of bundles that a decision names, or that are among `revisit`. Nobody else's are ever matched. */
export async function readBundleRecords(
  db: Kysely<Database>,
  decisions: readonly Said[],
  revisit: ReadonlySet<string>,
  cityTime: CityTime,
): Promise<EventRecord[]> {
  const ids = [...new Set([...decisions.flatMap(({ left, right }) => [left, right]), ...revisit])];
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('record')
    .innerJoin('source', 'source.id', 'record.source_id')
    .select([
      'record.id',
      'source_id',
      'source.name',
      'external_id',
      'own_id',
      'event_id',
      'content_hash',
      'listing',
      'first_seen_at',
    ])
    .where('record.id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('record.kind', '=', 'event')
    .where('source.kind', '=', BUNDLE_SOURCE)
    .where('gone_at', 'is', null)
    .execute();
  return rows.map((row): EventRecord => {
    const listing = row.listing as BundleListing;
    const facts = factsOf(listing, row.name, cityTime);
    return {
      id: row.id,
      sourceId: row.source_id,
      externalId: row.external_id,
      ownId: row.own_id ?? row.event_id ?? row.id,
      targetId: row.event_id,
      firstSeenAt: row.first_seen_at.getTime(),
      contentHash: row.content_hash,
      facts,
      startsAt: listing.startsAt,
      night: nightOf({ ...facts, id: row.id, startsAt: listing.startsAt }),
      listing: null,
      isBundle: true,
    };
  });
}

/** As far as nights go by it: it is compared with nothing. */
function factsOf(listing: BundleListing, provider: string, cityTime: CityTime): StoredFacts {
  const { externalId, title, category, endsAt, startsAt, performers, venue } = listing;
  return {
    provider,
    externalId,
    seriesId: null,
    title,
    category,
    endsAt,
    precision: 'time',
    performers,
    url: null,
    localStart: cityTime.format(startsAt).slice(0, 16),
    place: { name: '', address: null, latitude: null, longitude: null },
    venueKey: venue,
  };
}

/**
 * The present records of sources, from nights before `fromNight`, that are of one event with the named ones, and those that persons have
 * joined to them. The rest of such a night stays as it is.
 */
export async function readOverRecords(
  db: Kysely<Database>,
  decisions: readonly Said[],
  named: ReadonlySet<string>,
  fromNight: string,
): Promise<EventRecord[]> {
  const joined = decisions.filter(({ verdict }) => verdict === 'same');
  const asked = new Set<string>();
  const found = new Map<string, EventRecord>();
  for (let open = [...named]; open.length > 0; ) {
    for (const id of open) asked.add(id);
    const records = await selectEventRecords(
      db,
      sql<boolean>`night < ${fromNight}::date and gone_at is null and (id = any(${open}::uuid[])
        or event_id in (select event_id from record where id = any(${open}::uuid[])))`,
    );
    for (const record of records) found.set(record.id, { ...record, isOver: true });
    const others = joined.flatMap(({ left, right }) => (found.has(left) ? [right] : found.has(right) ? [left] : []));
    open = others.filter((id) => !asked.has(id));
  }
  return [...found.values()];
}
