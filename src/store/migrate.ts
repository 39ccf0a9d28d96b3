/** Brings the database to the form this version needs: the SQL files of `migrations/`, in name order, forward only. */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import { allowLongQueries } from './deadline.ts';
import type { Database } from './schema.ts';
import { StoreError } from './store-error.ts';

export interface Migration {
  name: string;
  checksum: string;
  text: string;
}

/** The migrations in the order in which they are applied. */
export function readMigrations(folder: URL = MIGRATIONS_FOLDER): Migration[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => {
      const text = readFileSync(new URL(file, folder), 'utf8').replaceAll('\r\n', '\n');
      return { name: file.slice(0, -'.sql'.length), checksum: createHash('sha256').update(text).digest('hex'), text };
    });
}

/**
 * Applies what is missing, all or nothing, and gives the names. Any number of processes may do so at once: one works, the others
 * wait and find nothing left. A lock that a running server holds on a table is waited for 2 s at a time, so that the server's own
 * statements do not queue up behind the migration.
 */
export async function migrate(db: Kysely<Database>, migrations: readonly Migration[] = readMigrations()): Promise<string[]> {
  if (missing(migrations, await appliedMigrations(db)).length === 0) return [];
  for (let attempt = 1; ; attempt++) {
    try {
      return await allowLongQueries(() =>
        db.transaction().execute(async (trx) => {
          await lockMigrations(trx);
          return await applyMigrations(trx, migrations);
        }),
      );
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE || attempt === ATTEMPTS) throw error;
      await delay(RETRY_MS * attempt * (0.5 + Math.random()));
    }
  }
}

/** What `migrate` would apply, in order. Changes nothing. Throws a `StoreError` when the database's past is not this version's past. */
export const pendingMigrations = async (db: Kysely<Database>): Promise<Migration[]> =>
  missing(readMigrations(), await appliedMigrations(db));

/** Whether an earlier version made the database. If all migrations are pending, there is none of Marquee. */
export const isOlder = (pending: readonly Migration[]): boolean => pending.length > 0 && pending.length < readMigrations().length;

export const describePending = ({ length }: readonly Migration[]): string =>
  `${length} ${length === 1 ? 'migration is' : 'migrations are'} pending`;

/** What a migration is about: the first sentence of the comment that it begins with. */
export function describeMigration({ text }: Migration): string {
  const [comment = ''] = /^(?:--.*\n)+/m.exec(text) ?? [];
  const words = comment.replace(/^-- ?/gm, '').replace(/\s+/g, ' ').trim();
  return /^.*?[.](?= |$)/.exec(words)?.[0] ?? words;
}

/** Until the transaction ends, nobody else migrates. A statement may take long from here on, but a lock only 2 s. */
export async function lockMigrations(trx: Transaction<Database>): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(trx);
  await sql`set local lock_timeout = 0`.execute(trx);
  await sql`select pg_advisory_xact_lock(${ADVISORY_LOCK})`.execute(trx);
  await sql`set local lock_timeout = '2s'`.execute(trx);
}

/** Applies what is missing, and gives the names. After `lockMigrations`. */
export async function applyMigrations(trx: Transaction<Database>, migrations: readonly Migration[]): Promise<string[]> {
  await sql`create table if not exists migration (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`.execute(trx);
  const todo = missing(migrations, await appliedMigrations(trx));
  for (const { name, checksum, text } of todo) {
    try {
      await sql.raw(text).execute(trx);
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      if (code === LOCK_NOT_AVAILABLE || error instanceof StoreError) throw error;
      throw new StoreError('migration_failed', { migration: name, reason: message }, error);
    }
    await sql`insert into migration (name, checksum) values (${name}, ${checksum})`.execute(trx);
  }
  return todo.map((migration) => migration.name);
}

/** Throws a `StoreError` when the database's past is not this version's past. */
function missing(migrations: readonly Migration[], past: ReadonlyMap<string, string>): Migration[] {
  const known = new Set(migrations.map((migration) => migration.name));
  for (const name of past.keys()) {
    if (!known.has(name)) throw new StoreError('database_newer', { migration: name });
  }
  return migrations.filter(({ name, checksum }) => {
    const then = past.get(name);
    if (then !== undefined && then !== checksum) throw new StoreError('migration_edited', { migration: name });
    return then === undefined;
  });
}

/** The checksums of the migrations that the database has had, by name. */
export async function appliedMigrations(db: Kysely<Database>): Promise<Map<string, string>> {
  const found = await sql<{ there: boolean }>`select to_regclass('migration') is not null as there`.execute(db);
  if (!found.rows[0]?.there) return new Map();
  const past = await sql<{ name: string; checksum: string }>`select name, checksum from migration`.execute(db);
  return new Map(past.rows.map((row) => [row.name, row.checksum]));
}

const MIGRATIONS_FOLDER = new URL('./migrations/', import.meta.url);
/** Any number will do that nothing else in the database uses: "marq" in ASCII. */
const ADVISORY_LOCK = 0x6d617271;
const LOCK_NOT_AVAILABLE = '55P03';
const ATTEMPTS = 30;
const RETRY_MS = 100;
