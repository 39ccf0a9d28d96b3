/** Makes a used store as empty as it was, or says that it cannot: a test that changed more than rows has a store of its own. */

import { readdirSync } from 'node:fs';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database, Store } from '../../../src/store/index.ts';

export interface Emptying {
  /** False when the store is closed, its engine is elsewhere, or its tables or its folder are not what they were. */
  empty(): Promise<boolean>;
}

/** For a migrated store that nobody has written to. */
export async function prepareEmptying(store: Store, folder: string): Promise<Emptying> {
  const { db } = store;
  const tables = (await namesOfTables(db)).filter((name) => name !== 'migration');
  const rows = await rowsAtFirst(db, tables);
  const place = { owner: store.ownsEngine(), files: filesOf(folder), shape: await shapeOf(db) };
  return {
    async empty() {
      try {
        const found = { owner: store.ownsEngine(), files: filesOf(folder), shape: await shapeOf(db) };
        if (JSON.stringify(found) !== JSON.stringify(place)) return false;
        await emptyTables(db, tables, rows);
        return true;
      } catch {
        return false;
      }
    },
  };
}

async function namesOfTables(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(db);
  return rows.map(({ name }) => name).sort();
}

/** What migrations put into the tables, as JSON by table. */
async function rowsAtFirst(db: Kysely<Database>, tables: readonly string[]): Promise<Map<string, string>> {
  const first = new Map<string, string>();
  for (const table of tables) {
    const { rows } = await sql<{ json: string | null }>`select json_agg(t)::text as json from ${sql.table(table)} t`.execute(db);
    if (rows[0]?.json) first.set(table, rows[0].json);
  }
  return first;
}

/** All columns, indexes, constraints and applied migrations as one text. */
async function shapeOf(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ shape: string }>`select md5(concat(
    (select string_agg(concat_ws(' ', c.relname, a.attname, a.atttypid, a.attnotnull, a.atthasdef), ',' order by c.relname, a.attnum)
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and not a.attisdropped),
    (select string_agg(concat_ws(' ', conrelid, conname), ',' order by conrelid, conname)
     from pg_constraint where connamespace = 'public'::regnamespace),
    (select string_agg(concat_ws(' ', tgrelid, tgname), ',' order by tgrelid, tgname) from pg_trigger),
    (select string_agg(concat_ws(' ', name, checksum), ',' order by name) from migration))) as shape`.execute(db);
  return rows[0]?.shape ?? '';
}

async function emptyTables(db: Kysely<Database>, tables: readonly string[], first: ReadonlyMap<string, string>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // Somebody who still holds a row of a test that is over.
    await sql`set local lock_timeout = '5s'`.execute(trx);
    await deleteRows(trx, tables);
    for (const [table, json] of first) {
      const target = sql.table(table);
      await sql`insert into ${target} select * from json_populate_recordset(null::${target}, ${json}::json)`.execute(trx);
    }
    await sql`select setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
      from pg_sequences where schemaname = 'public'`.execute(trx);
  });
}

/**
 * All rows of these tables, whatever refers to what; within a transaction. The few rows of a test go several times as fast as by
 * `truncate`, which makes the files of each table and each index anew.
 */
export async function deleteRows(trx: Transaction<Database>, tables: readonly string[]): Promise<void> {
  // The order of the tables does not matter when nothing is checked.
  await sql`set local session_replication_role = replica`.execute(trx);
  await sql.raw(tables.map((table) => `delete from "${table}"`).join(';')).execute(trx);
}

function filesOf(folder: string): string[] {
  return readdirSync(folder).sort();
}
