/** The runs: when each began, how it ended and what it did. */

import { type Kysely, sql } from 'kysely';
import type { Database } from '../../store/index.ts';
import { loadEventRecordsAt } from '../records/load-others.ts';
import { type Reported, shortened, summaryOf } from './run-report.ts';

export type RunKind = 'ingest' | 'undo' | 'decision';

export type RunState = 'running' | 'done' | 'failed' | 'held' | 'undone';

export interface Run {
  id: string;
  source: string | null;
  kind: RunKind;
  state: RunState;
  startedAt: number;
  finishedAt: number | null;
  report: object | null;
  error: string | null;
}

/** Notes the beginning; runs of the same source that never ended have failed. */
export async function beginRun(
  db: Kysely<Database>,
  { id, sourceId, kind, now }: { id: string; sourceId: string | null; kind: RunKind; now: number },
): Promise<void> {
  const at = new Date(now);
  if (sourceId !== null) {
    await db
      .updateTable('run')
      .set({ state: 'failed', finished_at: at, error: 'the run stopped before it finished' })
      .where('source_id', '=', sourceId)
      .where('state', '=', 'running')
      .execute();
  }
  await db.insertInto('run').values({ id, source_id: sourceId, kind, state: 'running', started_at: at }).execute();
}

export async function endRun(
  db: Kysely<Database>,
  id: string,
  end: { state: Exclude<RunState, 'running'>; now: number; report: Reported | null; error: string | null },
): Promise<void> {
  await db
    .updateTable('run')
    .set({
      state: end.state,
      finished_at: new Date(end.now),
      report: end.report && JSON.stringify(shortened(end.report)),
      summary: end.report && JSON.stringify(summaryOf(end.report)),
      error: end.error,
    })
    .where('id', '=', id)
    .execute();
  await sql`
    delete from run where state <> 'running' and source_id = (select source_id from run where id = ${id}) and id not in (
      select id from run where source_id = (select source_id from run where id = ${id}) order by started_at desc, id desc limit ${MAX_KEPT_RUNS})`.execute(
    db,
  );
}

/** The latest first; of one source, or of all. */
export async function listRuns(options: {
  store: { db: Kysely<Database> };
  source?: string | undefined;
  limit?: number;
}): Promise<Run[]> {
  const { store, source, limit = 20 } = options;
  let query = store.db
    .selectFrom('run')
    .leftJoin('source', 'source.id', 'run.source_id')
    .select(['run.id', 'source.name', 'run.kind', 'run.state', 'started_at', 'finished_at', 'report', 'error'])
    .orderBy('started_at', 'desc')
    .orderBy('run.id', 'desc')
    .limit(limit);
  if (source !== undefined) query = query.where('source.name', '=', source);
  const rows = await query.execute();
  return rows.map((row) => ({
    id: row.id,
    source: row.name,
    kind: row.kind as RunKind,
    state: row.state as RunState,
    startedAt: row.started_at.getTime(),
    finishedAt: row.finished_at?.getTime() ?? null,
    report: row.report,
    error: row.error,
  }));
}

/**
 * What runs have written that did not come to their end: their last transaction, with review candidates and clocks, is missing. Records of
 * events that the runs of a source have written since its last run that ended, and those at the venues that they have written.
 */
export async function loadUnfinishedRecords(db: Kysely<Database>, sourceId: string): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select distinct record_id as id from run join run_record on run_record.run_id = run.id
    where run.source_id = ${sourceId} and run.kind = 'ingest' and run.state = 'failed' and not exists (
      select from run as later where later.source_id = run.source_id and later.kind = 'ingest' and later.state = 'done'
        and (later.started_at, later.id) > (run.started_at, run.id))`.execute(db);
  const written = rows.map(({ id }) => id);
  return new Set(written.length === 0 ? [] : [...written, ...(await loadEventRecordsAt(db, written))]);
}

/** Of each source. Older ones can be undone no longer. */
const MAX_KEPT_RUNS = 50;
