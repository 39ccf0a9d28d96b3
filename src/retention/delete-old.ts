/** The ways in which rows are deleted: a bounded number in one transaction, and none that somebody else has locked. */

import { type RawBuilder, type RawBuilder as Sql, sql, type Transaction } from 'kysely';
import { type Database, lockCleanUp, NO_LIST_MARK, saveCleanUp, transact } from '../store/index.ts';
import { DAY_MS } from '../values/duration.ts';
import { type Batch, type DeletionStep, dayOf, daysBefore } from './model.ts';

/**
 * Deletes rows of `table` for which `condition` holds, in the order of `order`; an index must answer both. They are chosen once
 * (`materialized`): a subquery may be asked again for each row, and would skip what it has locked and go on beyond `rows`.
 */
export async function deleteWhere(
  { db, rows }: Batch,
  { table, key, condition, order }: { table: string; key: string; condition: Sql<unknown>; order: Sql<unknown> },
): Promise<DeletionStep> {
  const { numAffectedRows } = await sql`${NO_LIST}
    with old as materialized (
      select ${sql.raw(key)} from ${sql.table(table)} where ${condition} order by ${order} limit ${rows} for update skip locked)
    delete from ${sql.table(table)} where (${sql.raw(key)}) in (select ${sql.raw(key)} from old)`.execute(db);
  return stepOf(numAffectedRows, rows);
}

function stepOf(affected: bigint | undefined, rows: number): DeletionStep {
  const deleted = Number(affected ?? 0);
  return { deleted, done: deleted < rows };
}

/**
 * Walks through a table once a day, so much at a time: `work` is told where the last batch ended, and tells where this one ends; null at
 * the end of the table. The place is kept with the deletion in one transaction, so a process that is killed loses neither.
 */
export async function walk(
  { db, moments }: Batch,
  name: string,
  work: (trx: Transaction<Database>, after: string) => Promise<{ deleted: number; upTo: string | null }>,
): Promise<DeletionStep> {
  return await transact(db, async (trx) => {
    const place = await lockCleanUp(trx, name, '');
    const sinceEnd = place.finished_at === null ? Number.POSITIVE_INFINITY : moments.machine - place.finished_at.getTime();
    // A machine whose clock was set back walks again, too.
    if (place.position === '' && sinceEnd >= 0 && sinceEnd < DAY_MS) return { deleted: 0, done: true };
    const { deleted, upTo } = await work(trx, place.position);
    const isEnd = upTo === null;
    await saveCleanUp(trx, name, upTo ?? '', isEnd ? new Date(moments.machine) : undefined);
    return { deleted, done: isEnd };
  });
}

/**
 * Entries of `change` that have reached their age and are not the last of their record. Readers of the log may leave changes of scores out,
 * so the last entry that is more than a score stays beside the last of all. The entries of the city itself, which are few, stay.
 */
export async function compactChanges({ db, moments, rows }: Batch, days: number): Promise<DeletionStep> {
  const cutoff = daysBefore(moments.directory, days);
  return await transact(db, async (trx) => {
    const place = await lockCleanUp(trx, 'change', '0');
    const upTo = await nextOld('change', { trx, after: Number(place.position), cutoff, rows });
    if (upTo === null) return { deleted: 0, done: true };
    const { numAffectedRows } = await sql`
      delete from change
      where seq <= ${upTo} and entity_id = any(
          select entity_id from change where seq > ${place.position}::bigint and seq <= ${upTo} and entity_id is not null)
        and exists (select from change as later where later.entity_id = change.entity_id and later.seq > change.seq
            and (change.kind = 'scored' or later.kind <> 'scored'))`.execute(trx);
    await saveCleanUp(trx, 'change', String(upTo));
    return { deleted: Number(numAffectedRows ?? 0), done: false };
  });
}

/** Entries of `access_change` that have reached their age, oldest first. */
export async function dropAccessChanges({ db, moments, rows }: Batch, days: number): Promise<DeletionStep> {
  const cutoff = daysBefore(moments.directory, days);
  return await transact(db, async (trx) => {
    const place = await lockCleanUp(trx, 'access_change', '0');
    const upTo = await nextOld('access_change', { trx, after: Number(place.position), cutoff, rows });
    if (upTo === null) return { deleted: 0, done: true };
    const { numAffectedRows } = await sql`delete from access_change where seq <= ${upTo}`.execute(trx);
    await saveCleanUp(trx, 'access_change', String(upTo));
    return { deleted: Number(numAffectedRows ?? 0), done: false };
  });
}

/** The last number of the next entries that are all older than `cutoff`; null where the next one is not. */
async function nextOld(
  list: 'change' | 'access_change',
  { trx, after, cutoff, rows }: { trx: Transaction<Database>; after: number; cutoff: Date; rows: number },
): Promise<number | null> {
  const { rows: found } = await sql<{ up_to: string | null }>`${NO_LIST}
    with next as (select seq, at from ${sql.table(list)} where seq > ${after} order by seq limit ${rows})
    select max(seq) as up_to from next
    where seq < coalesce((select min(seq) from next where at >= ${cutoff}), 9223372036854775807)`.execute(trx);
  const upTo = found[0]?.up_to ?? null;
  return upTo === null ? null : Number(upTo);
}

/**
 * A listing of a source whose event has been over for so long that a run rejects it (`too_long_ago`): no source brings it back under
 * another id. Listings that an operator has decided about stay, and so do those of bundles, which have no night.
 */
export async function deleteRecords({ db, moments, rows }: Batch, days: number): Promise<DeletionStep> {
  const cutoff = daysBefore(moments.directory, days);
  const { numAffectedRows } = await sql`${NO_LIST}
    with old as materialized (
      select record.id from record left join event on event.id = record.event_id
      where night < ${dayOf(cutoff)}::date and record.kind = 'event' and record.starts_at < ${cutoff}
        and coalesce((record.facts ->> 'endsAt')::numeric, 0) < ${cutoff.getTime()}
        and coalesce(greatest(event.starts_at, event.ends_at) < ${cutoff}, true)
        and not exists (select from decision where left_id = record.id or right_id = record.id)
      order by night limit ${rows} for update of record skip locked)
    delete from record where id in (select id from old)`.execute(db);
  return stepOf(numAffectedRows, rows);
}

/** What records said before a run changed them. */
export async function deleteRunRecords({ db, moments, rows }: Batch, days: number): Promise<DeletionStep> {
  const { numAffectedRows } = await sql`${NO_LIST}
    with old as materialized (
      select run_id, record_id from run join run_record on run_record.run_id = run.id
      where ${isOldRun(daysBefore(moments.directory, days))} limit ${rows})
    delete from run_record where (run_id, record_id) in (select run_id, record_id from old)`.execute(db);
  return stepOf(numAffectedRows, rows);
}

/** After what belongs to them, so that no deletion of a run deletes more than itself. */
export async function deleteRuns({ db, moments, rows }: Batch, days: number): Promise<DeletionStep> {
  const { numAffectedRows } = await sql`${NO_LIST}
    with old as materialized (
      select id from run where ${isOldRun(daysBefore(moments.directory, days))}
        and not exists (select from run_record where run_id = run.id)
      order by started_at limit ${rows} for update skip locked)
    delete from run where id in (select id from old)`.execute(db);
  return stepOf(numAffectedRows, rows);
}

/** The last run of each source stays. */
const isOldRun = (
  cutoff: Date,
) => sql`run.started_at < ${cutoff} and run.state <> 'running' and (run.source_id is null or exists (
  select from run as later where later.source_id = run.source_id and later.started_at > run.started_at))`;

/** Followers of lists need not look. */
const NO_LIST: RawBuilder<unknown> = sql.raw(NO_LIST_MARK);
