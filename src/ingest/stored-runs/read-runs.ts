/** Runs for people who watch over them: lists without reports, and one run whole. */

import { type Kysely, sql } from 'kysely';
import type { Database } from '../../store/index.ts';
import { isUuid } from '../../values/uuid.ts';
import type { RunSummary, SourceReport } from './run-report.ts';
import type { RunKind, RunState } from './runs.ts';

type Store = { db: Kysely<Database> };

export interface RunLine {
  id: string;
  /** Null: it was of no source, such as a decision, or its source was removed. */
  source: { id: string; name: string } | null;
  kind: RunKind;
  state: RunState;
  startedAt: number;
  finishedAt: number | null;
  /** Null while it runs, and where it failed. */
  summary: RunSummary | null;
  /** Reason for the failure or was held. */
  error: string | null;
}

export interface WholeRun extends RunLine {
  /** Lists cut at 500 lines; `summary` has the whole figures. */
  report: (Pick<SourceReport, 'difference'> & Partial<SourceReport>) | null;
  /** How many listings say something else since: what taking it back would touch. */
  touched: number;
}

/** The latest first; of one source, or of all. */
export async function readRunLines({
  store,
  sourceId,
  limit = 20,
}: {
  store: Store;
  sourceId?: string;
  limit?: number;
}): Promise<RunLine[]> {
  let query = lines(store).orderBy('started_at', 'desc').orderBy('run.id', 'desc').limit(limit);
  if (sourceId !== undefined) query = query.where('run.source_id', '=', sourceId);
  return (await query.execute()).map(toLine);
}

/** Null when there is no such run. */
export async function readRun({ store, id }: { store: Store; id: string }): Promise<WholeRun | null> {
  if (!isUuid(id)) return null;
  const row = await lines(store).select('report').where('run.id', '=', id.toLowerCase()).executeTakeFirst();
  if (!row) return null;
  const { touched } = await store.db
    .selectFrom('run_record')
    .select(sql<number>`count(*)::int`.as('touched'))
    .where('run_id', '=', row.id)
    .executeTakeFirstOrThrow();
  return { ...toLine(row), report: row.report as WholeRun['report'], touched };
}

/** The latest run of each source. */
export async function readLastRuns({ db }: Store): Promise<Map<string, RunLine>> {
  const rows = await lines({ db })
    .where(
      'run.id',
      'in',
      db
        .selectFrom('source')
        .innerJoinLateral(
          (last) =>
            last
              .selectFrom('run')
              .select('run.id')
              .whereRef('run.source_id', '=', 'source.id')
              .where('run.kind', '=', 'ingest')
              .orderBy('run.started_at', 'desc')
              .orderBy('run.id', 'desc')
              .limit(1)
              .as('last'),
          (join) => join.onTrue(),
        )
        .select('last.id'),
    )
    .execute();
  return new Map(rows.flatMap((row) => (row.sourceId === null ? [] : [[row.sourceId, toLine(row)] as const])));
}

const lines = ({ db }: Store) =>
  db
    .selectFrom('run')
    .leftJoin('source', 'source.id', 'run.source_id')
    .select(['run.id', 'run.kind', 'run.state', 'started_at', 'finished_at', 'summary', 'error'])
    .select(['source.id as sourceId', 'source.name as sourceName']);

type Row = Awaited<ReturnType<ReturnType<typeof lines>['execute']>>[number];

function toLine(row: Row): RunLine {
  return {
    id: row.id,
    source: row.sourceId === null || row.sourceName === null ? null : { id: row.sourceId, name: row.sourceName },
    kind: row.kind as RunKind,
    state: row.state as RunState,
    startedAt: row.started_at.getTime(),
    finishedAt: row.finished_at?.getTime() ?? null,
    summary: row.summary as RunSummary | null,
    error: row.error,
  };
}
