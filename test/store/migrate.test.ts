import { type Kysely, sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { connectStore, type Database, openStore } from '../../src/store/index.ts';
import { type Migration, migrate, readMigrations } from '../../src/store/migrate.ts';
import { describeEachEngine, openNewTestStore, type TestStore } from '../support/database/store.ts';

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
      message:
        'A newer version of Marquee migrated this database (unknown migration: 9999-future). Use that version or a newer one.',
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

  test('0017 takes the last score of each event out of its history, and the words out of its title', async () => {
    const { store } = await openHere();
    const migrations = readMigrations();
    const [before, rest] = [migrations.slice(0, 16), migrations.slice(16, 28)];
    await sql`drop schema public cascade`.execute(store.db);
    await sql`create schema public`.execute(store.db);
    await migrate(store.db, before);
    const [scored, unscored] = ['01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000002'];
    await sql`insert into city values (true, 'york', 'York', 'America/New_York', 'USD', 'en-US', 40, -74)`.execute(store.db);
    await sql`insert into venue (id, slug, name, type, latitude, longitude, is_verified, created_at, updated_at)
      values (${scored}, 'opera', 'Opéra', 'theater', 40, -74, true, now(), now())`.execute(store.db);
    for (const [id, slug] of [
      [scored, 'cafe-ete'],
      [unscored, 'cafe-ete-2'],
    ]) {
      await sql`insert into event (id, slug, title, category, starts_at, is_free, venue_id, discovery_score, scored_at, created_at, updated_at)
        values (${id}, ${slug}, 'Café Été', 'concert', now(), false, ${scored}, 50, '2026-06-17T01:00Z', now(), now())`.execute(
        store.db,
      );
    }
    await sql`insert into score_history (event_id, day, discovery_score, coverage)
      values (${scored}, '2026-06-15', 40, null), (${scored}, '2026-06-16', 50, 7.5)`.execute(store.db);
    expect(await migrate(store.db, [...before, ...rest])).toEqual(rest.map(({ name }) => name));
    const { rows: events } = await sql`select scored_day, coverage, words from event order by slug`.execute(store.db);
    expect(events).toEqual([
      { scored_day: '2026-06-16', coverage: 7.5, words: 'cafe café ete été' },
      { scored_day: '2026-06-16', coverage: null, words: '2 cafe café ete été' },
    ]);
    expect(await store.db.selectFrom('venue').select('words').execute()).toEqual([{ words: 'opera opéra' }]);
    const { rows: history } = await sql`select * from score_history`.execute(store.db);
    expect(history).toEqual([{ event_id: scored, day: '2026-06-15', discovery_score: 40, coverage: null }]);
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
