/** What undoing a run needs to know of it, and how it is marked. */

import { type Kysely, sql } from 'kysely';
import type { EventRecord, NormalEvent, StoredFacts, VenueDraft, VenueRecord } from '../../facts/index.ts';
import type { Database } from '../../store/index.ts';
import { raiseFence } from '../sources/source-state.ts';

type Db = Kysely<Database>;

export interface RunToUndo {
  id: string;
  sourceId: string | null;
  kind: string;
  state: string;
}

/** `id` is a UUID. */
export async function loadRunToUndo(db: Db, id: string): Promise<RunToUndo | null> {
  const row = await db
    .selectFrom('run')
    .select(['id', 'source_id as sourceId', 'kind', 'state'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/** The latest run that has changed records of this one since; null without one. */
export async function findLaterRun(db: Db, runId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select distinct later.run_id as id from run_record as mine
      join run_record as later on later.record_id = mine.record_id and later.run_id <> mine.run_id
      join run as later_run on later_run.id = later.run_id and later_run.state <> 'undone' and later_run.kind = 'ingest'
      join run as my_run on my_run.id = mine.run_id
    where mine.run_id = ${runId} and later_run.started_at >= my_run.started_at and later_run.id > my_run.id
    order by 1 desc limit 1`.execute(db);
  return rows[0]?.id ?? null;
}

export interface RecordsBefore {
  events: EventRecord[];
  venues: VenueRecord[];
  vanished: { id: string; targetId: string | null }[];
}

/** The records of a run as they were before it; those that were not there vanish. */
export async function loadRecordsBefore(db: Db, runId: string): Promise<RecordsBefore> {
  const rows = await db
    .selectFrom('run_record')
    .innerJoin('record', 'record.id', 'run_record.record_id')
    .selectAll('record')
    .select('before')
    .where('run_id', '=', runId)
    .execute();
  const events: EventRecord[] = [];
  const venues: VenueRecord[] = [];
  const vanished: { id: string; targetId: string | null }[] = [];
  for (const row of rows) {
    const held = row.before as Before | null;
    const targetId = row.event_id ?? row.venue_id;
    if (held === null || held.goneAt !== null) {
      vanished.push({ id: row.id, targetId });
      continue;
    }
    const common = {
      id: row.id,
      sourceId: row.source_id,
      externalId: row.external_id,
      ownId: row.own_id ?? targetId ?? row.id,
      targetId,
      firstSeenAt: row.first_seen_at.getTime(),
      contentHash: held.hash,
    };
    if (row.kind === 'venue') {
      venues.push({ ...common, listing: held.listing as VenueDraft, isBundle: false, isChanged: true });
    } else if (held.facts && held.night && held.startsAt) {
      const startsAt = Date.parse(held.startsAt);
      events.push({ ...common, facts: held.facts, night: held.night, startsAt, listing: held.listing as NormalEvent });
    }
  }
  return { events, venues, vanished };
}

interface Before {
  hash: string;
  listing: object;
  facts: StoredFacts | null;
  night: string | null;
  startsAt: string | null;
  goneAt: string | null;
}

/** Pauses the source of a run that is undone: its next run would do the same again, and so would one that is under way. */
export async function pauseForUndo(db: Db, { sourceId }: Pick<RunToUndo, 'sourceId'>): Promise<void> {
  if (sourceId === null) return;
  await raiseFence(db, sourceId);
  const paused = { state: 'paused', etag: null, last_modified: null } as const;
  await db.updateTable('source').set(paused).where('id', '=', sourceId).execute();
}

export async function markUndone(db: Db, { id }: Pick<RunToUndo, 'id'>): Promise<void> {
  await db.updateTable('run').set({ state: 'undone' }).where('id', '=', id).execute();
}
