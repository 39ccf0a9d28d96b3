import { type Kysely, sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { connectStore, type Database, openStore } from '../../src/store/index.ts';
import { type Migration, migrate, readMigrations } from '../../src/store/migrate.ts';
import { describeEachEngine, openNewTestStore, type TestStore } from '../support/store.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

test('the migrations are numbered without gap and each has a text', () => {
  const migrations = readMigrations();
  expect(migrations.map(({ name }) => name.slice(0, 4))).toEqual(
    migrations.map((_, index) => String(index + 1).padStart(4, '0')),
  );
  for (const { text } of migrations) expect(text.trim()).not.toBe('');
});

describeEachEngine('migrating', (engine) => {
  test('many pools at once apply each migration once', async () => {
    const { store } = await openHere();
    const migrations = [
      ...readMigrations(),
      added('0900-slow', 'create table slow as select 1 as a from pg_sleep(0.2)'),
      added('0901-next', 'create table next (a int)'),
    ];
    const pools = Array.from({ length: 4 }, () => connectStore(store.address, 1));
    for (const pool of pools) cleanups.push(() => pool.close());
    const applied = await Promise.all(pools.map(({ db }) => migrate(db, migrations)));
    expect(applied.flat()).toEqual(['0900-slow', '0901-next']);
  });

  test('an error leaves nothing behind and says which migration failed', async () => {
    const { store } = await openHere();
    const migrations = [
      ...readMigrations(),
      added('0900-good', 'create table good (a int)'),
      added('0901-bad', 'create tabel bad (a int)'),
    ];
    await expect(migrate(store.db, migrations)).rejects.toMatchObject({
      code: 'migration_failed',
      message: expect.stringContaining('0901-bad'),
    });
    expect(await exists(store.db, 'good')).toBe(false);
    expect(await migrate(store.db, migrations.slice(0, -1))).toEqual(['0900-good']);
  });

  test('a table that is in use is waited for without giving up', async () => {
    const { store } = await openHere();
    const other = connectStore(store.address, 1);
    cleanups.push(() => other.close());
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const locked = Promise.withResolvers<void>();
    const reader = other.db.transaction().execute(async (trx) => {
      await sql`lock table city in access share mode`.execute(trx);
      locked.resolve();
      await held;
    });
    await locked.promise;
    const migrations = [...readMigrations(), added('0900-alter', 'alter table city add column mayor text')];
    const migrated = migrate(store.db, migrations);
    setTimeout(release, engine === 'postgres' ? 2500 : 100);
    expect(await migrated).toEqual(['0900-alter']);
    await reader;
  });

  test('a database of a newer version is refused', async () => {
    const { store, options } = await openHere();
    await sql`insert into migration (name, checksum) values ('9999-future', 'x')`.execute(store.db);
    await expect(openStore(options)).rejects.toMatchObject({
      code: 'database_newer',
      message: 'The database was migrated by a newer version of Marquee (migration 9999-future is unknown here).',
    });
  });

  test('a migration that was edited after it was applied is refused', async () => {
    const { store, options } = await openHere();
    await sql`update migration set checksum = 'x' where name = '0001-directory'`.execute(store.db);
    await expect(openStore(options)).rejects.toMatchObject({
      code: 'migration_edited',
      message: expect.stringContaining('0001-directory'),
    });
  });

  async function openHere(): Promise<TestStore> {
    const each = await openNewTestStore(engine);
    cleanups.push(() => each.dispose());
    return each;
  }
});

function added(name: string, text: string): Migration {
  return { name, text, checksum: text };
}

async function exists(db: Kysely<Database>, table: string): Promise<boolean> {
  const { rows } = await sql<{ there: boolean }>`select to_regclass(${table}) is not null as there`.execute(db);
  return rows[0]!.there;
}
