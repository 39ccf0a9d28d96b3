/** What other sources list, and what takes place where: it decides whether something may leave the directory with its source. */

import { type Kysely, sql } from 'kysely';
import {
  EVENT_VENUES,
  PRESENT_EVENTS,
  survivorsOf,
  VENUE_SCORE_FACTS,
  type VenueScoreFacts,
  venuesOfNeighborhoods,
} from '../../records/index.ts';
import type { Database } from '../../store/index.ts';
import type { RecordKind } from './records.ts';

type Db = Kysely<Database>;

/** The present records of these events or venues, without the records named. */
export async function loadOtherRecords(
  db: Db,
  kind: RecordKind,
  { targetIds, without }: { targetIds: readonly string[]; without: readonly string[] },
): Promise<{ targetId: string; sourceId: string; externalId: string }[]> {
  const target = sql.ref(`${kind}_id`);
  const { rows } = await sql<{ target_id: string; source_id: string; external_id: string }>`
    select ${target} as target_id, source_id, external_id from record
    where ${target} = any(${targetIds}::uuid[]) and gone_at is null and not id = any(${without}::uuid[])`.execute(db);
  return rows.map((row) => ({ targetId: row.target_id, sourceId: row.source_id, externalId: row.external_id }));
}

/** The events at these venues that were not merged or removed, with the external id by which this source lists each. */
export async function loadEventsAtVenues(
  db: Db,
  sourceId: string,
  venueIds: readonly string[],
): Promise<{ venueId: string; externalId: string | null }[]> {
  const { rows } = await sql<{ venue_id: string; external_id: string | null }>`
    select held.venue_id, record.external_id
    from ${PRESENT_EVENTS} as held left join record on record.event_id = held.id and record.kind = 'event' and record.source_id = ${sourceId}
    where held.venue_id = any(${venueIds}::uuid[])`.execute(db);
  return rows.map((row) => ({ venueId: row.venue_id, externalId: row.external_id }));
}

/** The published venues whose source names one of these neighborhoods, with the external id by which this source lists each. */
export async function loadNeighborhoodsInUse(
  db: Db,
  sourceId: string,
  slugs: readonly string[],
): Promise<{ neighborhood: string; externalId: string | null }[]> {
  if (slugs.length === 0) return [];
  const { rows } = await sql<{ neighborhood: string; external_id: string | null }>`
    select place.neighborhood, record.external_id
    from ${venuesOfNeighborhoods(slugs)} as place
      left join record on record.venue_id = place.id and record.kind = 'venue' and record.source_id = ${sourceId}
    where exists (select from record where venue_id = place.id and listing ->> 'neighborhood' is not null)`.execute(db);
  return rows.map((row) => ({ neighborhood: row.neighborhood, externalId: row.external_id }));
}

/** Those of these events or venues that another source lists, too, and the venues where an event takes place. */
export async function loadStillNeeded(db: Db, sourceId: string, kind: RecordKind, ids: readonly string[]): Promise<Set<string>> {
  const target = sql.ref(`${kind}_id`);
  const { rows } = await sql<{ id: string }>`
    select ${target} as id from record where ${target} = any(${ids}::uuid[]) and source_id <> ${sourceId} and gone_at is null
    union
    select venue_id from ${PRESENT_EVENTS} as held where ${kind} = 'venue' and venue_id = any(${ids}::uuid[])`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** The present event records of a source whose event another source lists, too. */
export async function loadSharedEventRecords(db: Db, sourceId: string): Promise<{ id: string; targetId: string | null }[]> {
  return await db
    .selectFrom('record as own')
    .innerJoin('record as other', 'other.event_id', 'own.event_id')
    .select(['own.id', 'own.event_id as targetId'])
    .distinct()
    .where('own.source_id', '=', sourceId)
    .where('own.gone_at', 'is', null)
    .where('other.source_id', '<>', sourceId)
    .where('other.gone_at', 'is', null)
    .execute();
}

/** The present venues of a source with what counts of them for scores, by external id. */
export async function loadVenuesByExternalId(
  db: Db,
  sourceId: string,
  externalIds: readonly string[],
): Promise<Map<string, VenueScoreFacts & { id: string }>> {
  const { rows } = await sql<{ external_id: string; id: string } & Record<'type' | 'capacity_tier' | 'is_verified', unknown>>`
    select record.external_id, place.id, place.type, place.capacity_tier, place.is_verified
    from record join ${VENUE_SCORE_FACTS} as place on place.id = record.venue_id
    where record.source_id = ${sourceId} and record.kind = 'venue' and record.gone_at is null
      and record.external_id = any(${[...new Set(externalIds)]}::text[])`.execute(db);
  return new Map(
    rows.map((row) => [
      row.external_id,
      {
        id: row.id,
        type: row.type as VenueScoreFacts['type'],
        capacityTier: row.capacity_tier as VenueScoreFacts['capacityTier'],
        isVerified: row.is_verified as boolean,
      },
    ]),
  );
}

/** By each of these ids of events or venues, merged ones too, the present records of what it stands for, the oldest first. */
export async function loadMembers(db: Db, kind: RecordKind, ids: readonly string[]): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ id: string; asked_id: string }>`
    select record.id, survivor.asked_id from ${survivorsOf(kind, ids)} as survivor
      join record on record.kind = ${kind} and ${sql.ref(`record.${kind}_id`)} = survivor.id and gone_at is null
    order by first_seen_at, record.id`.execute(db);
  const byId = Map.groupBy(rows, ({ asked_id }) => asked_id);
  return new Map([...byId].map(([askedId, members]) => [askedId, members.map(({ id }) => id)]));
}

/** The present event records at the venues of these venue records. */
export async function loadEventRecordsAt(db: Db, venueRecordIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select held.id from record as held join ${EVENT_VENUES} as event on event.id = held.event_id
    where held.kind = 'event' and held.gone_at is null
      and event.venue_id in (select venue_id from record where id = any(${venueRecordIds}::uuid[]))`.execute(db);
  return rows.map(({ id }) => id);
}
