/** The questions as the desk lists them. */

import type { Kysely } from 'kysely';
import type { Database } from '../store/index.ts';
import { isUuid } from '../values/uuid.ts';
import type { ProblemKind, ReportedEntity, ReportState } from './model.ts';

export interface ReportQuery {
  state: ReportState | null;
  kind: ProblemKind | null;
  entity: ReportedEntity | null;
  /** `next` of the page before. */
  after?: string | null;
}

export interface ListedReport {
  id: string;
  entity: ReportedEntity;
  recordId: string;
  kind: ProblemKind;
  state: ReportState;
  reporters: number;
  firstAt: number;
  lastAt: number;
  answeredAt: number | null;
  answeredBy: string | null;
  note: string | null;
  /** What reporters wrote, the latest first; at most 20. */
  words: { at: number; text: string }[];
  /** How many of them wait for the outcome. */
  waiting: number;
}

/** Those that most people reported first, then the latest. */
export async function listReports(
  db: Kysely<Database>,
  { state, kind, entity, after }: ReportQuery,
): Promise<{ reports: ListedReport[]; next: string | null }> {
  const offset = /^\d{1,5}$/.test(after ?? '') ? Number(after) : 0;
  let wanted = db.selectFrom('problem_report').selectAll();
  if (state) wanted = wanted.where('state', '=', state);
  if (kind) wanted = wanted.where('kind', '=', kind);
  if (entity) wanted = wanted.where('entity', '=', entity);
  const rows = await wanted
    .orderBy('reporters', 'desc')
    .orderBy('last_at', 'desc')
    .orderBy('id')
    .offset(offset)
    .limit(PAGE_ROWS + 1)
    .execute();
  const shown = rows.slice(0, PAGE_ROWS);
  const reporters = await loadReporters(
    db,
    shown.map(({ id }) => id),
  );
  const reports = shown.map((row): ListedReport => {
    const own = reporters.get(row.id) ?? [];
    return {
      id: row.id,
      entity: row.entity,
      recordId: row.record_id,
      kind: row.kind as ProblemKind,
      state: row.state,
      reporters: row.reporters,
      firstAt: row.first_at.getTime(),
      lastAt: row.last_at.getTime(),
      answeredAt: row.answered_at?.getTime() ?? null,
      answeredBy: row.answered_by,
      note: row.note,
      words: own.flatMap(({ at, words }) => (words === null ? [] : [{ at: at.getTime(), text: words }])).slice(0, MAX_WORDS),
      waiting: own.filter(({ email }) => email !== null).length,
    };
  });
  return { reports, next: rows.length > PAGE_ROWS ? String(offset + PAGE_ROWS) : null };
}

async function loadReporters(db: Kysely<Database>, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, never[]>();
  const rows = await db
    .selectFrom('problem_reporter')
    .select(['report_id', 'at', 'words', 'email'])
    .where('report_id', 'in', ids)
    .orderBy('at', 'desc')
    .orderBy('id')
    .execute();
  return Map.groupBy(rows, (row) => row.report_id);
}

/** Reports that nobody has answered. */
export async function countOpenReports(db: Kysely<Database>): Promise<number> {
  const { count } = await db
    .selectFrom('problem_report')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Which record a question is about. */
export async function findReport(db: Kysely<Database>, id: string) {
  if (!isUuid(id)) return null;
  const row = await db
    .selectFrom('problem_report')
    .select(['entity', 'record_id', 'kind', 'state'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

const PAGE_ROWS = 30;
const MAX_WORDS = 20;
