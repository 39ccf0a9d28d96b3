/** All rows of a table as text, batch by batch. */

import { sql, type Transaction } from 'kysely';
import type { Database } from '../../store/index.ts';

/** Each row as PostgreSQL prints it whole, in the order in which the rows lie. Memory for two batches. */
export async function* readRows(trx: Transaction<Database>, table: string): AsyncGenerator<string[]> {
  await sql`declare backup_rows no scroll cursor for select one::text as row from ${sql.table(table)} as one`.execute(trx);
  const fetch = async (count: number): Promise<string[]> => {
    const { rows } = await sql<{ row: string }>`fetch ${sql.lit(count)} from backup_rows`.execute(trx);
    return rows.map(({ row }) => row);
  };
  let next = fetch(FIRST_ROWS);
  for (;;) {
    const rows = await next;
    if (rows.length === 0) break;
    // The next batch is on its way while this one is used.
    next = fetch(rowsOf(rows));
    next.catch(() => undefined);
    yield rows;
  }
  await sql`close backup_rows`.execute(trx);
}

/** As many as have the wanted size. */
function rowsOf(rows: readonly string[]): number {
  const characters = rows.reduce((sum, row) => sum + row.length, 0);
  return Math.max(1, Math.min(MAX_ROWS, Math.floor((BATCH_CHARACTERS * rows.length) / characters)));
}

const FIRST_ROWS = 100;
const MAX_ROWS = 10_000;
const BATCH_CHARACTERS = 1_000_000;
