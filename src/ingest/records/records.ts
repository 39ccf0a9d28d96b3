/** What each source has said so far: one row per listing, with the digest of its content, so that the same thing twice does nothing. */

import { hash } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type Database, inPieces } from '../../store/index.ts';

export type RecordKind = 'event' | 'venue';

export interface RecordHistory {
  recordId: string;
  /** The event or venue that the record became. */
  targetId: string;
  /** What it is when it is alone; another where a person has made it one with others. */
  ownId: string;
  contentHash: string;
  gone: boolean;
}

/** The records of a source that have these external ids, by external id. */
export async function heldRecords(
  db: Kysely<Database>,
  sourceId: string,
  kind: RecordKind,
  externalIds: readonly string[],
): Promise<Map<string, RecordHistory>> {
  const rows = await db
    .selectFrom('record')
    .select(['id', 'external_id', 'event_id', 'venue_id', 'own_id', 'content_hash', 'gone_at'])
    .where('source_id', '=', sourceId)
    .where('kind', '=', kind)
    .where('external_id', '=', sql<string>`any(${externalIds}::text[])`)
    .execute();
  return new Map(
    rows.map((row) => [
      row.external_id,
      {
        recordId: row.id,
        targetId: row.event_id ?? row.venue_id ?? '',
        ownId: row.own_id ?? row.event_id ?? row.venue_id ?? '',
        contentHash: row.content_hash,
        gone: row.gone_at !== null,
      },
    ]),
  );
}

/** A listing as it is compared and kept. */
export interface SourceValues {
  /** JSON. */
  text: string;
  contentHash: string;
}

/** `listing` must be built in one order of keys. */
export function toSourceValues(listing: object): SourceValues {
  const text = JSON.stringify(listing);
  return { text, contentHash: digest(text) };
}

/** The digest of what a listing says; `listing` must be built in one order of keys. */
export function contentHash(listing: object): string {
  return digest(JSON.stringify(listing));
}

const digest = (text: string): string => hash('sha256', text, 'base64url');

export interface RecordWrite {
  recordId: string;
  externalId: string;
  targetId: string;
  /** There is a record of this external id, and it becomes this. */
  isHeld: boolean;
  values: SourceValues;
}

/** Notes what a source says now. */
export async function writeRecords(
  trx: Transaction<Database>,
  sourceId: string,
  kind: RecordKind,
  records: readonly RecordWrite[],
  now: number,
): Promise<void> {
  const moment = new Date(now).toISOString();
  const target = sql.ref(`${kind}_id`);
  // Looking for a conflict at each row costs a third more, and of a first import no row has one.
  for (const [isHeld, some] of Map.groupBy(records, (record) => record.isHeld)) {
    const conflict = isHeld
      ? sql`${RECORD_CONFLICT} do update set ${target} = excluded.${target}, ${RECORD_UPDATE}`
      : NO_CONFLICT;
    await inPieces(some, (piece) =>
      sql`
        insert into record (id, source_id, kind, external_id, ${target}, content_hash, listing, first_seen_at, last_seen_at)
        select id, ${sourceId}, ${kind}, external_id, target_id, content_hash, listing, ${moment}, ${moment}
        from json_to_recordset(${`[${piece.map(rowOf).join()}]`}::json)
          as r (id uuid, external_id text, target_id uuid, content_hash text, listing jsonb)
        ${conflict}`.execute(trx),
    );
  }
}

/** As JSON; what it said is JSON already. */
function rowOf(record: RecordWrite): string {
  const { recordId: id, externalId: external_id, targetId: target_id } = record;
  const { text, contentHash: content_hash } = record.values;
  return `${JSON.stringify({ id, external_id, target_id, content_hash }).slice(0, -1)},"listing":${text}}`;
}

/** Of these records, those whose event or venue other present records are of, too; `sourceId`: of this source. */
export async function sharedRecords(
  db: Kysely<Database>,
  kind: RecordKind,
  recordIds: readonly string[],
  sourceId: string | null = null,
): Promise<Set<string>> {
  if (recordIds.length === 0) return new Set();
  const target = `${kind}_id`;
  const { rows } = await sql<{ id: string }>`
    select id from record where id = any(${recordIds}::uuid[]) and exists (
      select from record as other where ${sql.ref(`other.${target}`)} = ${sql.ref(`record.${target}`)} and other.id <> record.id
        and other.gone_at is null ${sourceId === null ? sql`` : sql`and other.source_id = ${sourceId}`})`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Notes that a source has records no longer. */
export async function markGone(trx: Transaction<Database>, recordIds: readonly string[], now: number): Promise<void> {
  if (recordIds.length === 0) return;
  await trx
    .updateTable('record')
    .set({ gone_at: new Date(now) })
    .where('id', '=', sql<string>`any(${recordIds}::uuid[])`)
    .execute();
}

/**
 * The present records of a source after an external id, in order of external ids by code point, a page at a time. The target of one
 * that waits for its place is ''.
 */
export async function presentRecords(
  db: Kysely<Database>,
  sourceId: string,
  kind: RecordKind,
  after: string,
): Promise<{ recordId: string; externalId: string; targetId: string }[]> {
  const rows = await db
    .selectFrom('record')
    .select(['id', 'external_id', 'event_id', 'venue_id'])
    .where('source_id', '=', sourceId)
    .where('kind', '=', kind)
    .where('gone_at', 'is', null)
    .where(sql`external_id collate "C"`, '>', after)
    .orderBy(sql`external_id collate "C"`)
    .limit(RECORD_PAGE)
    .execute();
  return rows.map((row) => ({ recordId: row.id, externalId: row.external_id, targetId: row.event_id ?? row.venue_id ?? '' }));
}

/**
 * Lets one writer of records work at a time, until its transaction ends: two imports at once wait for each other batch by batch
 * instead of both creating the same event.
 */
export async function lockRecords(trx: Transaction<Database>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${RECORDS_LOCK})`.execute(trx);
}

const NO_CONFLICT = sql``;
const RECORD_CONFLICT = sql`on conflict (source_id, kind, external_id)`;
const RECORD_UPDATE = sql`content_hash = excluded.content_hash, listing = excluded.listing, last_seen_at = excluded.last_seen_at, gone_at = null`;
const RECORD_PAGE = 2000;
/** Any number of our own: "rec" in ASCII. */
const RECORDS_LOCK = 0x726563;
