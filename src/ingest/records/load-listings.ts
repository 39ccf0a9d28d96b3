/** What sources list of events and venues, with how far each source is trusted. */

import { type Kysely, sql } from 'kysely';
import type { Database } from '../../store/index.ts';
import type { RecordKind } from './records.ts';

type Db = Kysely<Database>;

/** The records of these events with their sources, the oldest first, gone ones included. */
export async function loadListingsOfEvents(db: Db, eventIds: readonly string[]) {
  return await db
    .selectFrom('record')
    .innerJoin('source', 'source.id', 'record.source_id')
    .select(['record.id', 'event_id', 'source.name', 'source.kind as source_kind', 'source.trust', 'source.last_ok_at'])
    .select(['external_id', 'listing', 'facts', 'first_seen_at', 'last_seen_at', 'gone_at', 'record.starts_at', 'night'])
    .select(['source_id', 'content_hash', 'own_id'])
    .where('event_id', '=', sql<string>`any(${eventIds}::uuid[])`)
    .orderBy('first_seen_at')
    .orderBy('record.id')
    .execute();
}

/** The same of one venue. */
export async function loadListingsOfVenue(db: Db, venueId: string) {
  return await db
    .selectFrom('record')
    .innerJoin('source', 'source.id', 'record.source_id')
    .select(['record.id', 'source.name', 'source.kind as source_kind', 'source.trust', 'source.last_ok_at'])
    .select(['external_id', 'listing', 'first_seen_at', 'last_seen_at', 'gone_at', 'source_id', 'content_hash', 'own_id'])
    .where('venue_id', '=', venueId)
    .where('record.kind', '=', 'venue')
    .orderBy('first_seen_at')
    .orderBy('record.id')
    .execute();
}

export interface ListedPlace {
  sourceId: string;
  externalId: string;
  venueId: string;
  /** The source knows only roughly where it is. */
  isApproximate: boolean;
}

/** The venues that sources know by these external ids. */
export async function loadPlaces(db: Db, keys: readonly { sourceId: string; externalId: string }[]): Promise<ListedPlace[]> {
  if (keys.length === 0) return [];
  const [sourceIds, externalIds] = [keys.map(({ sourceId }) => sourceId), keys.map(({ externalId }) => externalId)];
  const { rows } = await sql<{ source_id: string; external_id: string; venue_id: string; is_approximate: boolean }>`
    select source_id, external_id, venue_id, coalesce(listing ->> 'isApproximate' = 'true', false) as is_approximate from record
    where kind = 'venue' and venue_id is not null and (source_id, external_id) in (
      select source, key from unnest(${sourceIds}::uuid[], ${externalIds}::text[]) as r (source, key))`.execute(db);
  return rows.map((row) => ({
    sourceId: row.source_id,
    externalId: row.external_id,
    venueId: row.venue_id,
    isApproximate: row.is_approximate,
  }));
}

/** What each run found otherwise than the one before, the newest first. */
export interface ListedChange {
  recordId: string;
  externalId: string;
  source: string;
  /** As it is listed now. */
  listing: Record<string, unknown>;
  goneAt: Date | null;
  run: { id: string; kind: string; state: string; startedAt: Date };
  /** As it was listed before the run; null: it was not. */
  before: { listing: Record<string, unknown> | null; goneAt: string | null } | null;
}

export async function loadListedChanges(db: Db, kind: RecordKind, targetId: string, limit: number): Promise<ListedChange[]> {
  const { rows } = await sql<{
    record_id: string;
    external_id: string;
    source: string;
    listing: Record<string, unknown>;
    gone_at: Date | null;
    run: string;
    run_kind: string;
    run_state: string;
    started_at: Date;
    before: ListedChange['before'];
  }>`
    select record.id as record_id, external_id, source.name as source, listing, gone_at, run.id as run, run.kind as run_kind,
      run.state as run_state, run.started_at, run_record.before
    from record join source on source.id = record.source_id join run_record on run_record.record_id = record.id
      join run on run.id = run_record.run_id
    where record.kind = ${kind} and ${sql.ref(`record.${kind}_id`)} = ${targetId}
    order by run.started_at desc, run.id desc limit ${limit}`.execute(db);
  return rows.map((row) => ({
    recordId: row.record_id,
    externalId: row.external_id,
    source: row.source,
    listing: row.listing,
    goneAt: row.gone_at,
    run: { id: row.run, kind: row.run_kind, state: row.run_state, startedAt: row.started_at },
    before: row.before,
  }));
}

/** Titles or names as they are listed, by record. */
export async function loadListedTitles(db: Db, recordIds: readonly string[]): Promise<Map<string, string>> {
  if (recordIds.length === 0) return new Map();
  const rows = await db.selectFrom('record').select(['id', 'listing']).where('id', 'in', recordIds).execute();
  return new Map(
    rows.map(({ id, listing }) => {
      const { title, name } = listing as { title?: unknown; name?: unknown };
      return [id, String(title ?? name ?? '')];
    }),
  );
}

/** The titles that the providers of an event give it, by provider; null where its own words are not at hand, as of a bundle. */
export async function loadTitlesByProvider(db: Db, eventId: string): Promise<Map<string | null, string | null>> {
  const rows = await db
    .selectFrom('record')
    .where('event_id', '=', eventId)
    .where('gone_at', 'is', null)
    .select([sql<string | null>`facts ->> 'provider'`.as('name'), sql<string | null>`listing ->> 'title'`.as('title')])
    .orderBy('id')
    .execute();
  return new Map(rows.map(({ name, title }) => [name, title]));
}

/** Whether these records are of events or venues, by record. */
export async function loadRecordKinds(db: Db, recordIds: readonly string[]): Promise<Map<string, RecordKind>> {
  if (recordIds.length === 0) return new Map();
  const rows = await db.selectFrom('record').select(['id', 'kind']).where('id', 'in', recordIds).execute();
  return new Map(rows.map(({ id, kind }) => [id, kind]));
}

/** The events or venues that have this id at a source; one look into the index for each source. */
export async function loadTargetsByExternalId(db: Db, kind: RecordKind, externalId: string): Promise<string[]> {
  const id = sql.ref(`record.${kind}_id`);
  const { rows } = await sql<{ id: string }>`
    select distinct ${id} as id from source join record on record.source_id = source.id
    where record.kind = ${kind} and record.external_id = ${externalId} and ${id} is not null`.execute(db);
  return rows.map((row) => row.id);
}
