/** Reads a table or an index as the database does: whether rows are sound, and indexes are in order and list every row. */

import { sql, type Transaction } from 'kysely';
import type { Database } from '../schema.ts';
import type { Inspection } from './inspection.ts';
import type { Relation } from './list-relations.ts';

/** Gives what is wrong, null if nothing; undefined: this version reads no such index. */
export function checkWithAmcheck(inspection: Inspection, { oid, kind }: Relation): Promise<string | null | undefined> {
  return inspection.use(async (trx, functionOf) => {
    const call = (name: string) => functionOf('amcheck', name);
    if (kind === 'table') {
      const { rows } = await sql<{ fault: string }>`
        select 'block ' || blkno || ', row ' || offnum || ': ' || msg as fault
        from ${call('verify_heapam')}(${oid}::oid::regclass, check_toast => true) limit 1`.execute(trx);
      return rows[0]?.fault ?? null;
    }
    if (kind === 'btree') await sql`select ${call('bt_index_check')}(${oid}::oid::regclass, true)`.execute(trx);
    else if (!(await hasGinCheck(trx))) return undefined;
    else await sql`select ${call('gin_index_check')}(${oid}::oid::regclass)`.execute(trx);
    return null;
  });
}

/** Since PostgreSQL 18. */
async function hasGinCheck(trx: Transaction<Database>): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`
    select exists (select from pg_proc p join pg_extension e on e.extnamespace = p.pronamespace
      where e.extname = 'amcheck' and p.proname = 'gin_index_check') as is`.execute(trx);
  return rows[0]?.is === true;
}
