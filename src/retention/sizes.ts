/** What the tables take, as far as it is cheap to say. */

import { type Kysely, sql } from 'kysely';
import type { Database } from '../store/index.ts';
import { RETENTION } from './rules.ts';

export interface TableSize {
  name: string;
  /** With its indexes. */
  bytes: number;
  /** As the planner reckons. */
  rows: number;
  /** `YYYY-MM-DD` of the oldest row, where an index knows it; null for none. */
  oldest: string | null;
  kept: string;
}

/** The tables that are cleaned up, the largest first. */
export async function readSizes(db: Kysely<Database>): Promise<TableSize[]> {
  const sizes: TableSize[] = [];
  for (const { name, kept, oldest } of RETENTION) {
    if (name.endsWith('/')) continue;
    const { rows } = await sql<{ bytes: string; rows: number; oldest: string | null }>`
      select pg_total_relation_size(oid) as bytes, greatest(reltuples, 0)::float8 as rows, ${
        oldest === undefined
          ? sql`null::text`
          : sql`(select to_char(${sql.ref(oldest.at)}, 'YYYY-MM-DD') from ${sql.table(name)}
              where ${sql.ref(oldest.at)} is not null order by ${sql.ref(oldest.by ?? oldest.at)} limit 1)`
      } as oldest
      from pg_class where oid = ${name}::regclass`.execute(db);
    const [row] = rows;
    if (row) sizes.push({ name, bytes: Number(row.bytes), rows: row.rows, oldest: row.oldest, kept });
  }
  return sizes.sort((a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : 1));
}
