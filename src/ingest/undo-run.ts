/** `undoRun`: one run of a source taken back. Every record says again what it said before, and the directory follows. */

import { type Kysely, sql } from 'kysely';
import type { ManualChangeResult } from '../curation/index.ts';
import type { EventRecord, StoredFacts, VenueRecord } from '../merge/index.ts';
import type { NormalEvent, VenueDraft } from '../normalize/index.ts';
import { IngestError } from '../sources/index.ts';
import type { Database } from '../store/index.ts';
import { isUuid } from '../values/uuid.ts';
import { applyManualChanges } from './manual-changes.ts';
import type { RunInput } from './plan/plan-run.ts';

/**
 * Events that the run created answer "gone"; what it changed, merged or let vanish is as before. The source is paused, or its next
 * run would do the same again. Rejects with an `IngestError` when there is no such run, it wrote nothing that can be taken back, or a
 * later run has changed the same records.
 */
export async function undoRun(options: {
  store: { db: Kysely<Database> };
  id: string;
  now?: () => number;
}): Promise<ManualChangeResult> {
  const { db } = options.store;
  const now = (options.now ?? Date.now)();
  const run = isUuid(options.id)
    ? await db.selectFrom('run').selectAll().where('id', '=', options.id.toLowerCase()).executeTakeFirst()
    : undefined;
  if (!run) throw new IngestError('run_unknown', `no run has the id ${JSON.stringify(options.id.slice(0, MAX_PRINTED))}`);
  if (run.kind !== 'ingest' || run.state === 'undone' || run.state === 'held') {
    const why = run.state === 'undone' ? 'was already undone' : 'wrote nothing that can be undone';
    throw new IngestError('run_not_undoable', `run ${run.id} ${why}`);
  }
  const amended = await applyManualChanges(db, 'undo', run.source_id, now, async () => {
    await refuseChangedSince(db, run.id);
    return { staged: await before(db, run.id), isUndo: true };
  });
  await db.updateTable('run').set({ state: 'undone' }).where('id', '=', run.id).execute();
  if (run.source_id !== null) {
    const paused = { state: 'paused', etag: null, last_modified: null } as const;
    await db.updateTable('source').set(paused).where('id', '=', run.source_id).execute();
  }
  return amended;
}

async function refuseChangedSince(db: Kysely<Database>, runId: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select distinct later.run_id as id from run_record as mine
      join run_record as later on later.record_id = mine.record_id and later.run_id <> mine.run_id
      join run as later_run on later_run.id = later.run_id and later_run.state <> 'undone' and later_run.kind = 'ingest'
      join run as my_run on my_run.id = mine.run_id
    where mine.run_id = ${runId} and later_run.started_at >= my_run.started_at and later_run.id > my_run.id
    order by 1 desc limit 1`.execute(db);
  const [later] = rows;
  if (later) {
    throw new IngestError('run_not_undoable', `a later run changed the same listings; undo run ${later.id} first`);
  }
}

interface Before {
  hash: string;
  listing: object;
  facts: StoredFacts | null;
  night: string | null;
  startsAt: string | null;
  goneAt: string | null;
}

/** The records as they were; those that were not there vanish. */
async function before(db: Kysely<Database>, runId: string): Promise<RunInput['staged']> {
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

const MAX_PRINTED = 64;
