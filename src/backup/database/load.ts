/** Takes what a backup holds into a store, in one transaction that somebody else commits. */

import { sql, type Transaction } from 'kysely';
import { applyMigrations, type Database, lockMigrations, type Migration, readMigrations } from '../../store/index.ts';
import { LEFT_OUT } from '../left-out.ts';
import { BackupError, type BackupHeader, type BackupManifest, type DataFile, type TableFacts } from '../model.ts';
import type { BackupReader } from '../read-backup.ts';
import { escapeRow, rowArray } from '../read-backup.ts';
import { createRowDigest } from '../row-digest.ts';
import { readRows } from './read-rows.ts';
import { MIGRATION_TABLE, readColumns, TABLES } from './tables.ts';

export interface BackupLoader extends BackupReader {
  /** After the manifest: keys and references come back, which proves the rows. */
  finish(manifest: BackupManifest): Promise<void>;
  /** Reads the tables again and compares them with the manifest; before `migrate`. */
  compare(manifest: BackupManifest): Promise<void>;
  /** Brings the tables to the form of this version; gives the names of the migrations. */
  migrate(): Promise<string[]>;
  /** Of the data folder, as they came. */
  readonly files: readonly DataFile[];
}

/** `trx`: on a store without rows that count. */
export function createBackupLoader(trx: Transaction<Database>): BackupLoader {
  const files: DataFile[] = [];
  const loaded = new Set<string>();
  let columns = new Map<string, string[]>();
  let makeParts: () => Promise<void> = async () => {};
  let schema = '';
  let table = '';
  let sending: Promise<void> = Promise.resolve();

  return {
    files,
    async header(header) {
      const migrations = migrationsOf(header);
      await lockMigrations(trx);
      ({ schema, columns, makeParts } = await makeTables(trx, migrations));
    },
    async beginTable(name, named) {
      const own = columns.get(name);
      if (!own) throw new BackupError('wrong_tables', { what: `it has a table ${name}` });
      if (own.join() !== named.join())
        throw new BackupError('wrong_tables', { what: `${name} has the columns ${named.join(', ')}` });
      loaded.add(name);
      table = name;
    },
    async rows(rows) {
      // While the database takes a batch, the next one is read.
      await sending;
      sending = insert(trx, { schema, table }, rows);
      sending.catch(() => undefined);
    },
    endTable: () => sending,
    async sequence({ sequence, last, isCalled }) {
      await sql`select setval(${sequence}::regclass, ${last}::bigint, ${isCalled})`.execute(trx);
    },
    async file(file) {
      files.push(file);
    },
    async finish() {
      const missing = [...columns.keys()].find((name) => !loaded.has(name));
      if (missing !== undefined) throw new BackupError('wrong_tables', { what: `the table ${missing} is missing` });
      await rejectable(makeParts());
    },
    async compare({ tables }) {
      for (const [name, expected] of Object.entries(tables)) {
        const found = await digestTable(trx, name);
        if (found.rows !== expected.rows || found.digest !== expected.digest) {
          throw new BackupError('other_content', {
            what: `${name} has ${found.rows} rows instead of ${expected.rows}, or other ones`,
          });
        }
      }
    },
    migrate: () => applyMigrations(trx, readMigrations()),
  };
}

/** The migrations that the backup has had. Throws a `BackupError` where this version does not know them. */
export function migrationsOf({ schema, version }: BackupHeader): Migration[] {
  const known = new Map(readMigrations().map((migration) => [migration.name, migration]));
  return schema.map(({ name, checksum }) => {
    const migration = known.get(name);
    if (!migration) throw new BackupError('newer_schema', { version, migration: name });
    if (migration.checksum !== checksum) throw new BackupError('other_schema', { version, migration: name });
    return migration;
  });
}

/** Tables as a backup wants them, and empty: those of this version go, and the migrations of the backup make its own. */
async function makeTables(trx: Transaction<Database>, migrations: readonly Migration[]) {
  const present = await readColumns(trx);
  const own = [MIGRATION_TABLE, ...TABLES].filter((name) => present.has(name));
  if (own.length > 0) await sql`drop table ${sql.join(own.map((name) => sql.table(name)))}`.execute(trx);
  const others = await readColumns(trx);
  await applyMigrations(trx, migrations);
  const columns = await readColumns(trx);
  for (const name of [...others.keys(), MIGRATION_TABLE]) columns.delete(name);
  // Migrations begin some tables with a row.
  for (const name of columns.keys()) await sql`delete from ${sql.table(name)}`.execute(trx);
  const makeParts = await dropParts(trx, [...columns.keys()]);
  for (const name of Object.keys(LEFT_OUT)) columns.delete(name);
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(trx);
  return { schema: rows[0]?.schema ?? '', columns, makeParts };
}

/** `schema`: `record` alone would be a type of PostgreSQL's own. */
async function insert(
  trx: Transaction<Database>,
  { schema, table }: { schema: string; table: string },
  rows: readonly string[],
): Promise<void> {
  const statement = sql`
    insert into ${sql.table(table)} overriding system value
    select * from unnest(${rowArray(rows)}::${sql.id(schema, table)}[])`;
  const { numAffectedRows } = await rejectable(statement.execute(trx));
  if (Number(numAffectedRows) !== rows.length) throw new BackupError('rejected_rows', { reason: `${table} took too few` });
}

/** What the database has against rows is said in a sentence; a lost connection and its like pass as they are. */
async function rejectable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string };
    if (!DATA_STATES.test(code)) throw error;
    throw new BackupError('rejected_rows', { reason: message }, error);
  }
}

async function digestTable(trx: Transaction<Database>, table: string): Promise<TableFacts> {
  const digest = createRowDigest();
  let count = 0;
  for await (const rows of readRows(trx, table)) {
    count += rows.length;
    for (const row of rows) digest.add(escapeRow(row));
  }
  return { rows: count, digest: digest.value() };
}

/** A part of a table, and the statement that makes it. */
interface TablePart {
  table: string;
  name: string;
  kind: 'reference' | 'key' | 'index';
  make: string;
}

/** Drops the parts of these tables; gives the function that makes them again, which fails where rows do not fit them. */
async function dropParts(trx: Transaction<Database>, tables: readonly string[]): Promise<() => Promise<void>> {
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

/** Data exceptions and violations of integrity (PostgreSQL documentation, appendix A). */
const DATA_STATES = /^2[23]/;
