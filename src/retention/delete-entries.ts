/** Old entries of the numbered lists. Their heads are never touched, so no writer waits; see the rule at the top of `store/lists.ts`. */

import { sql, type Transaction } from 'kysely';
import { type Database, lockCleanUp, saveCleanUp, transact } from '../store/index.ts';
import { NO_LIST } from './delete-old.ts';
import { type Batch, type DeletionStep, daysBefore } from './model.ts';

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
