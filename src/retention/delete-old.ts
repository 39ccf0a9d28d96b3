/** The ways in which rows are deleted: a bounded number in one transaction, and none that somebody else has locked. */

import { type RawBuilder, type RawBuilder as Sql, sql, type Transaction } from 'kysely';
import { type Database, lockCleanUp, NO_LIST_MARK, saveCleanUp, transact } from '../store/index.ts';
import { DAY_MS } from '../values/duration.ts';
import type { Batch, DeletionStep } from './model.ts';

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

export function stepOf(affected: bigint | undefined, rows: number): DeletionStep {
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

/** Followers of lists need not look. */
export const NO_LIST: RawBuilder<unknown> = sql.raw(NO_LIST_MARK);
