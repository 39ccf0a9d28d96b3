/** A backup of an earlier version is restored in its own form first, and then brought to the form of this one. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { readRows } from '../../src/backup/database/read-rows.ts';
import { readColumns } from '../../src/backup/database/tables.ts';
import { openTarget } from '../../src/backup/index.ts';
import { openBackupWriter } from '../../src/backup/write-lines.ts';
import { applyMigrations, lockMigrations, readMigrations } from '../../src/store/index.ts';
import { DEFAULT_ENGINE, openNewTestStore } from '../support/database/store.ts';
import { emptyPlace } from '../support/rigs/backup.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

test.each([12, 24, 33])('of %i migrations', async (count) => {
  const place = await emptyPlace(DEFAULT_ENGINE);
  cleanups.push(place.remove);
  mkdirSync(place.folder, { recursive: true });
  const file = join(place.folder, 'old.backup');
  await writeOldBackup(file, count);
  const { status, stdout, stderr } = await place.type('restore', file, '--json');
  expect([status, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout).migrations).toEqual(
    readMigrations()
      .slice(count)
      .map(({ name }) => name),
  );
  await place.withStore(async ({ db }) => {
    const city = await db.selectFrom('city').select('name').executeTakeFirst();
    expect(city).toEqual({ name: 'Old Port' });
    const account = await db.selectFrom('account').select(['email', 'email_verified']).executeTakeFirst();
    expect(account).toEqual({ email: 'ada@example.org', email_verified: true });
    // As new databases have it: keys and references came back, and later migrations with them.
    const known = await openNewTestStore(DEFAULT_ENGINE);
    cleanups.push(known.dispose);
    expect(await formOf(db)).toEqual(await formOf(known.store.db));
  });
});

/** As a version with the first `count` migrations would have written it. */
async function writeOldBackup(file: string, count: number): Promise<void> {
  const { store, dispose } = await openNewTestStore(DEFAULT_ENGINE);
  try {
    await store.db
      .transaction()
      .execute(async (trx) => {
        const all = [...(await readColumns(trx)).keys()];
        await sql`drop table ${sql.join(all.map((name) => sql.table(name)))}`.execute(trx);
        const migrations = readMigrations().slice(0, count);
        await lockMigrations(trx);
        await applyMigrations(trx, migrations);
        await sql`insert into city values (true, 'old-port', 'Old Port', 'Europe/Lisbon', 'EUR', 'pt-PT', 38.7, -9.1)`.execute(
          trx,
        );
        await sql`insert into account (id, email, email_lower, email_verified_at, email_verified, status, created_at, updated_at)
          values (gen_random_uuid(), 'ada@example.org', 'ada@example.org', now(), true, 'active', now(), now())`.execute(trx);
        const target = await openTarget(file);
        const writer = await openBackupWriter(target.out, {
          ...{ marquee: 'backup', format: 1, version: '0.0.9', engine: store.kind, moment: new Date().toISOString() },
          ...{ epoch: crypto.randomUUID(), sequence: 0, schema: migrations.map(({ name, checksum }) => ({ name, checksum })) },
        });
        const leftOut = new Set(['migration', 'lease', 'usage_writer', 'request_minute']);
        for (const [table, columns] of await readColumns(trx)) {
          if (leftOut.has(table)) continue;
          await writer.beginTable(table, columns);
          for await (const rows of readRows(trx, table)) await writer.writeRows(rows);
          await writer.endTable();
        }
        await writer.finish();
        await target.keep();
        throw new Error('only the file is wanted');
      })
      .catch((error: Error) => expect(error.message).toBe('only the file is wanted'));
  } finally {
    await dispose();
  }
}

/** Columns, constraints and indexes as text. */
async function formOf(db: Parameters<typeof readColumns>[0]): Promise<string[]> {
  const { rows } = await sql<{ part: string }>`
    select table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' || coalesce(column_default, '') as part
      from information_schema.columns where table_schema = 'public'
    union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
      where connamespace = 'public'::regnamespace
    union all select indexdef from pg_indexes where schemaname = 'public'
    union all select attrelid::regclass || '.' || attname || ' statistics ' || attstattarget from pg_attribute
      join pg_class on pg_class.oid = attrelid where relnamespace = 'public'::regnamespace and attstattarget >= 0
    order by 1`.execute(db);
  return rows.map(({ part }) => part);
}
