/** The numbered changes as readers outside see them: what changed, what it was before, and which history the numbers belong to. */

import { randomUUID } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import { appendToList, type Database, headOf, historyOf } from '../../store/index.ts';
import type { Change, ChangeEntity, ChangeKind, NumberedChange, PreviousValues } from '../model.ts';

export interface LogState {
  /** Numbers are only comparable within one epoch: it changes when numbers might be used again, or every record is printed otherwise. */
  epoch: string;
  /** Which numbering it is: a snapshot is of the log where both have the same. It changes only when numbers might be used again. */
  history: string;
  /** The number of the newest change; 0 for none. */
  head: number;
  /** The number of the last change of the city's settings, by which every record is printed; 0 for none. */
  citySeq: number;
}

export interface LogQuery {
  /** Changes after this number, up to and including that one. */
  after: number;
  upTo: number;
  limit: number;
  entities: readonly ChangeEntity[];
  kinds: readonly ChangeKind[];
  /** Each record once: of its changes of these kinds the last alone. */
  latestOnly?: boolean;
}

export async function readLogState(db: Kysely<Database>): Promise<LogState> {
  const { rows } = await sql<StateRow>`${SELECT_STATE}`.execute(db);
  return toState(rows[0]);
}

interface LogPage extends LogState {
  changes: NumberedChange[];
}

/** The state of the log and its next changes, of one moment. `upTo` beyond the end of the log is its end. */
export async function readLogPage(db: Kysely<Database>, query: LogQuery): Promise<LogPage> {
  const { rows } = await sql<StateRow & (LogRow | Record<keyof LogRow, null>)>`
    select state.*, page.* from (${SELECT_STATE}) as state
      left join lateral (${selectChanges(query)}) as page on true
    order by page.seq`.execute(db);
  const changes = rows.flatMap((row) => (row.seq === null ? [] : [toChange(row)]));
  return { ...toState(rows[0]), changes };
}

interface StateRow {
  epoch: string;
  history: string;
  head: string;
  city_seq: string;
}

const SELECT_STATE = sql`
  select (select epoch from change_log) as epoch, ${historyOf('change')} as history, ${headOf('change')} as head,
    (select coalesce(max(seq), 0) from change where entity_id is null) as city_seq`;

function toState(row: StateRow | undefined): LogState {
  if (!row) throw new Error('the change log has no state');
  const { epoch, history, head, city_seq } = row;
  return { epoch, history, head: Number(head), citySeq: Number(city_seq) };
}

function selectChanges({ after, upTo, limit, entities, kinds, latestOnly = false }: LogQuery) {
  return sql`
    select seq, at, kind, entity, entity_id, previous from change
    where seq > ${after} and seq <= least(${upTo}::bigint, state.head)
      and entity = any(${entities}::text[]) and kind = any(${kinds}::text[])
      ${latestOnly ? WITHOUT_LATER(upTo, kinds) : sql``}
    order by seq limit ${limit}`;
}

function toChange({ seq, at, kind, entity, entity_id, previous }: LogRow): NumberedChange {
  return { seq: Number(seq), at: at.getTime(), kind, entity, entityId: entity_id, ...(previous && { previous }) };
}

interface LogRow {
  seq: string;
  at: Date;
  kind: ChangeKind;
  entity: ChangeEntity;
  entity_id: string | null;
  previous: PreviousValues | null;
}

const WITHOUT_LATER = (upTo: number, kinds: readonly ChangeKind[]) => sql`
  and not exists (select 1 from change as later
    where later.entity_id = change.entity_id and later.seq > change.seq and later.seq <= ${upTo} and later.kind = any(${kinds}::text[]))`;

/** The number of the last change before a moment; 0 for none. Quick for moments that are not long ago. */
export async function lastChangeBefore(db: Kysely<Database>, moment: number): Promise<number> {
  const { rows } = await sql<{ seq: string }>`
    select seq from change where at < ${new Date(moment)} order by seq desc limit 1`.execute(db);
  return Number(rows[0]?.seq ?? 0);
}

/** When the directory changed last, milliseconds; null before its first change. */
export async function loadLastChangeTime(db: Kysely<Database>): Promise<number | null> {
  const change = await db.selectFrom('change').select('at').orderBy('seq', 'desc').limit(1).executeTakeFirst();
  return change ? new Date(change.at).getTime() : null;
}

/** The changes of one record, the newest first. Scores alone are left out. */
export async function loadChangesOf(
  db: Kysely<Database>,
  entityId: string,
  limit: number,
): Promise<{ seq: number; at: number; kind: string }[]> {
  const rows = await db
    .selectFrom('change')
    .select(['seq', 'at', 'kind'])
    .where('entity_id', '=', entityId)
    .where('kind', '<>', 'scored')
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ seq, at, kind }) => ({ seq: Number(seq), at: at.getTime(), kind }));
}

/** One change by its number; `at` with the microseconds that the database keeps. Null where it was deleted. */
export async function loadChange(
  db: Kysely<Database>,
  seq: number,
): Promise<{ at: number; kind: string; entity: string; entityId: string | null } | null> {
  const { rows } = await sql<{ at: number; kind: string; entity: string; entity_id: string | null }>`
    select extract(epoch from at)::float8 * 1000 as at, kind, entity, entity_id from change where seq = ${seq}`.execute(db);
  const [row] = rows;
  return row ? { at: row.at, kind: row.kind, entity: row.entity, entityId: row.entity_id } : null;
}

/** Begins another history: every cursor that was given out is refused from the commit on. */
export async function renewEpoch(trx: Transaction<Database>): Promise<void> {
  await trx.updateTable('change_log').set({ epoch: randomUUID() }).execute();
}

/** Notes the address that records are printed with. Another one than before is another history: all their links differ. */
export async function notePublicUrl(db: Kysely<Database>, publicUrl: string): Promise<void> {
  await db
    .updateTable('change_log')
    .set({ public_url: publicUrl, epoch: sql`case when public_url is null then epoch else ${randomUUID()}::uuid end` })
    .where(sql<boolean>`public_url is distinct from ${publicUrl}`)
    .execute();
}

/** Numbers the changes of a transaction, at `now`. Must be its last act: the list's head is locked until the commit. */
export async function recordChanges(trx: Transaction<Database>, changes: readonly Change[], now: number): Promise<void> {
  if (changes.length === 0) return;
  await appendToList(
    trx,
    'change',
    changes.map(({ kind, entity, entityId, previous }) => ({
      kind,
      entity,
      entity_id: entityId,
      previous: previous ? JSON.stringify(previous) : null,
    })),
    new Date(now),
  );
}
