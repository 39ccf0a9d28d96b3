/** Event records that take part in matching because a person has spoken of them: those of bundles, and those of nights that are over. */

import { type Kysely, sql } from 'kysely';
import { type BundleListing, type EventRecord, nightOf, type StoredFacts } from '../../facts/index.ts';
import type { Database } from '../../store/index.ts';
import type { CityTime } from '../../values/city-time.ts';
import { BUNDLE_SOURCE } from '../sources/sources.ts';
import { selectEventRecords } from './read-records.ts';

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
