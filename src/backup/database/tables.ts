/** The tables of Marquee in a database, as its catalog describes them. */

import { type Kysely, sql } from 'kysely';
import { KEPT_FOREVER, RETENTION } from '../../retention/index.ts';
import type { Database, RunQuery } from '../../store/index.ts';
import { TRACES } from '../left-out.ts';
import type { SequenceState } from '../model.ts';

/** Every table of this version has a rule of retention. */
export const TABLES: readonly string[] = [
  ...RETENTION.map(({ name }) => name).filter((name) => !name.endsWith('/')),
  ...Object.keys(KEPT_FOREVER),
].sort();

/** Says how far the migrations of a database have come. It is made anew by them. */
export const MIGRATION_TABLE = 'migration';

/** The columns of each table of the schema, in their order. */
export async function readColumns(db: Kysely<Database>): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ name: string; columns: string[] }>`
    select relname as name, array_agg(attname::text order by attnum) as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
    group by relname order by relname`.execute(db);
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}

/** As the planner reckons; for a progress bar. */
export async function estimateRows(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select coalesce(sum(greatest(reltuples, 0)), 0)::float8 as rows from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r'`.execute(db);
  return rows[0]?.rows ?? 0;
}

/** The generators of numbers that belong to columns of these tables. */
export async function readSequences(db: Kysely<Database>, tables: readonly string[]): Promise<SequenceState[]> {
  const { rows } = await sql<{ name: string }>`
    select sequence.relname as name
    from pg_class as sequence join pg_depend on objid = sequence.oid and deptype in ('i', 'a')
      join pg_class as owner on owner.oid = refobjid
    where sequence.relkind = 'S' and sequence.relnamespace = current_schema()::regnamespace and owner.relname = any(${tables}::text[])
    order by sequence.relname`.execute(db);
  const states: SequenceState[] = [];
  for (const { name } of rows) {
    const { rows: found } = await sql<{ last: string; called: boolean }>`
      select last_value::text as last, is_called as called from ${sql.id(name)}`.execute(db);
    for (const { last, called } of found) states.push({ sequence: name, last, isCalled: called });
  }
  return states;
}

/** The tables that hold more than a service leaves behind by running. */
export async function findContents(query: RunQuery): Promise<string[]> {
  const there = await query(
    "select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r' order by relname",
  );
  const found: string[] = [];
  for (const { name } of there) {
    const table = String(name);
    if (TRACES.has(table) || !TABLES.includes(table)) continue;
    const rows = await query(`select from "${table}" limit 1`);
    if (rows.length > 0) found.push(table);
  }
  return found;
}
