/** The tables of a database without what makes writing slow: keys, references and indexes go before the rows come, and come back after. */

import { sql, type Transaction } from 'kysely';
import type { Database } from '../../store/index.ts';

/** A part of a table, and the statement that makes it. */
interface TablePart {
  table: string;
  name: string;
  kind: 'reference' | 'key' | 'index';
  make: string;
}

/** Drops the parts of these tables; gives the function that makes them again, which fails where rows do not fit them. */
export async function dropParts(trx: Transaction<Database>, tables: readonly string[]): Promise<() => Promise<void>> {
  const parts = [...(await readConstraints(trx, tables)), ...(await readIndexes(trx, tables))];
  const inOrder = (['reference', 'key', 'index'] as const).flatMap((kind) => parts.filter((part) => part.kind === kind));
  for (const { table, name, kind } of inOrder) {
    if (kind === 'index') await sql`drop index ${sql.id(name)}`.execute(trx);
    else await sql`alter table ${sql.table(table)} drop constraint ${sql.id(name)}`.execute(trx);
  }
  return async () => {
    for (const { make } of inOrder.toReversed()) await sql.raw(make).execute(trx);
  };
}

async function readConstraints(trx: Transaction<Database>, tables: readonly string[]): Promise<TablePart[]> {
  const { rows } = await sql<{ table: string; name: string; type: string; definition: string }>`
    select relname as table, conname as name, contype as type, pg_get_constraintdef(pg_constraint.oid) as definition
    from pg_constraint join pg_class on pg_class.oid = conrelid
    where relnamespace = current_schema()::regnamespace and relname = any(${tables}::text[]) and contype in ('f', 'p', 'u', 'x')
    order by relname, conname`.execute(trx);
  return rows.map(({ table, name, type, definition }) => ({
    table,
    name,
    kind: type === 'f' ? 'reference' : 'key',
    make: `alter table "${table}" add constraint "${name}" ${definition}`,
  }));
}

async function readIndexes(trx: Transaction<Database>, tables: readonly string[]): Promise<TablePart[]> {
  const { rows } = await sql<{ table: string; name: string; make: string }>`
    select owner.relname as table, own.relname as name, pg_get_indexdef(indexrelid) as make
    from pg_index join pg_class as owner on owner.oid = indrelid join pg_class as own on own.oid = indexrelid
    where owner.relnamespace = current_schema()::regnamespace and owner.relname = any(${tables}::text[])
      and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))
    order by owner.relname, own.relname`.execute(trx);
  return rows.map((row) => ({ ...row, kind: 'index' }));
}
