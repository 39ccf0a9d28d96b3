/** What each source has said so far: one row per listing, with the digest of its content, so that the same thing twice does nothing. */

import { hash } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { EventRecord, VenueRecord } from '../../facts/index.ts';
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

export interface RunRecord {
  record: EventRecord | VenueRecord;
  targetId: string | null;
}

/** Which run writes, and when (milliseconds). */
export interface RunMoment {
  runId: string;
  now: number;
}

/** Those that this run brought are written whole, with what they said before kept for an undo; the others only change their target. */
export async function writeRunRecords(
  trx: Transaction<Database>,
  kind: 'event' | 'venue',
  rows: readonly RunRecord[],
  { runId, now }: RunMoment,
): Promise<void> {
  const target = sql.ref(`${kind}_id`);
  const isBrought = ({ record }: RunRecord) => ('isChanged' in record ? record.isChanged : record.listing !== null);
  const brought = rows.filter(isBrought);
  const moved = rows.filter((row) => !isBrought(row) && row.record.targetId !== row.targetId);
  if (moved.length > 0) {
    const ids = moved.map(({ record }) => record.id);
    const targets = moved.map(({ targetId }) => targetId);
    await sql`
      update record set ${target} = r.target_id, own_id = coalesce(record.own_id, r.own_id)
      from unnest(${ids}::uuid[], ${targets}::uuid[], ${moved.map(({ record }) => record.ownId)}::uuid[]) as r (id, target_id, own_id)
      where record.id = r.id`.execute(trx);
  }
  if (brought.length === 0) return;
  await keepBefore(
    trx,
    runId,
    brought.map(({ record }) => record.id),
  );
  const values = brought.map(({ record, targetId }) => ({
    id: record.id,
    source_id: record.sourceId,
    external_id: record.externalId,
    target_id: targetId,
    own_id: record.ownId,
    content_hash: record.contentHash,
    listing: record.listing,
    facts: 'facts' in record ? record.facts : null,
    night: 'night' in record ? record.night : null,
    starts_at: 'startsAt' in record ? new Date(record.startsAt).toISOString() : null,
    first_seen_at: new Date(record.firstSeenAt).toISOString(),
  }));
  await sql`
    insert into record (id, source_id, kind, external_id, ${target}, own_id, content_hash, listing, facts, night, starts_at,
      first_seen_at, last_seen_at)
    select id, source_id, ${kind}, external_id, target_id, own_id, content_hash, listing, facts, night, starts_at, first_seen_at,
      ${new Date(now).toISOString()}
    from json_to_recordset(${JSON.stringify(values)}::json) as r (id uuid, source_id uuid, external_id text, target_id uuid,
      own_id uuid, content_hash text, listing jsonb, facts jsonb, night date, starts_at timestamptz, first_seen_at timestamptz)
    on conflict (source_id, kind, external_id) do update set ${target} = excluded.${target}, own_id = excluded.own_id,
      content_hash = excluded.content_hash, listing = excluded.listing, facts = excluded.facts, night = excluded.night,
      starts_at = excluded.starts_at, last_seen_at = excluded.last_seen_at, gone_at = null`.execute(trx);
}

/** Records of a merged event that have gone belong to the survivor, too: it is what they are when they come back. */
export async function moveToSurvivors(
  trx: Transaction<Database>,
  mergers: readonly { id: string; into: string }[],
): Promise<void> {
  if (mergers.length === 0) return;
  const [ids, into] = [mergers.map(({ id }) => id), mergers.map((merger) => merger.into)];
  await sql`
    update record set event_id = r.into_id from unnest(${ids}::uuid[], ${into}::uuid[]) as r (id, into_id)
    where record.event_id = r.id`.execute(trx);
}

/** Notes that a source has these records no longer. */
export async function markGoneInRun(
  trx: Transaction<Database>,
  ids: readonly string[],
  { runId, now }: RunMoment,
): Promise<void> {
  if (ids.length === 0) return;
  await keepBefore(trx, runId, ids);
  await sql`update record set gone_at = ${new Date(now)} where id = any(${ids}::uuid[])`.execute(trx);
}

/** What the records say until now, once per run; a record that is not there yet has said nothing. */
async function keepBefore(trx: Transaction<Database>, runId: string, ids: readonly string[]): Promise<void> {
  await sql`
    insert into run_record (run_id, record_id, before)
    select ${runId}, r.id, case when record.id is null then null else
      jsonb_build_object('hash', content_hash, 'listing', listing, 'facts', facts, 'night', night, 'startsAt', starts_at, 'goneAt', gone_at) end
    from unnest(${ids}::uuid[]) as r (id) left join record on record.id = r.id
    on conflict (run_id, record_id) do nothing`.execute(trx);
}
