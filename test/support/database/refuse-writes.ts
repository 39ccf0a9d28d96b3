/** A database that is full or can only be read: each statement that changes something fails, and nobody is told why. */

import { sql } from 'kysely';
import type { Store } from '../../../src/store/index.ts';

/** With this SQLSTATE. */
export async function refuseWrites({ db }: Store, code: string): Promise<void> {
  await sql`create or replace function refuse_write() returns trigger language plpgsql as
    ${sql.lit(`begin raise exception using errcode = '${code}', message = 'a fault'; end`)}`.execute(db);
  for (const { name } of await tables(db))
    await sql`create trigger refuse_write before insert or update or delete on ${sql.table(name)}
      for each statement execute function refuse_write()`.execute(db);
}

export async function takeWrites({ db }: Store): Promise<void> {
  for (const { name } of await tables(db)) await sql`drop trigger if exists refuse_write on ${sql.table(name)}`.execute(db);
}

async function tables(db: Store['db']): Promise<{ name: string }[]> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema()`.execute(db);
  return rows;
}
