import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { runInProcess } from '../../src/ingest/index.ts';
import { describeMigration, type Migration, openStore, pendingMigrations, readMigrations } from '../../src/store/index.ts';
import { migrate } from '../../src/store/migrate.ts';
import { describeEachEngine, type Engine, openNewTestStore, type TestStore, temporaryFolder } from '../support/database/store.ts';
import { marquee, marqueeHere } from '../support/rigs/service.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

describeEachEngine('migrate --check', (engine) => {
  test('says that nothing is to be done', async () => {
    const { check } = await openHere(engine);
    expect(await check()).toEqual({
      status: 0,
      stdout: `The database is up to date (${readMigrations().length} migrations).\n`,
      stderr: '',
    });
  });

  test('tells each pending migration in a sentence and changes nothing; migrate applies them', async () => {
    const { rig, check, command } = await openOlder(engine);
    const known = readMigrations();
    const { db } = rig.store;
    const before = await sql`select * from migration order by name`.execute(db);
    const { status, stdout, stderr } = await check();
    expect(status).toBe(2);
    for (const migration of known.slice(-PENDING)) {
      expect(stdout).toContain(migration.name);
      expect(stdout).toContain(describeMigration(migration));
    }
    expect(stdout.trim().split('\n')).toHaveLength(PENDING + 1);
    expect(stderr).toMatch(
      new RegExp(`^The database is of an older version: ${PENDING} migrations are pending\\. Back up .+\\.\n$`),
    );
    // The older version could not restore what this one writes.
    const file = join(rig.options.dataDir, 'before.backup');
    const backup = await command('backup', file, '--without-secret');
    expect([backup.status, existsSync(file)]).toEqual([1, false]);
    expect(backup.stderr).toMatch(/^The database is of an older version\. Back it up with that version, .+\.\n$/);
    expect((await sql`select * from migration order by name`.execute(db)).rows).toEqual(before.rows);

    expect(await command('migrate')).toMatchObject({ status: 0, stdout: expect.stringContaining('up to date now') });
    expect((await check()).status).toBe(0);
  });

  test('says that a database is of a newer version, or has another past', async () => {
    const { rig, check } = await openHere(engine);
    await sql`insert into migration (name, checksum) values ('9999-future', 'x')`.execute(rig.store.db);
    expect(await check()).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'A newer version of Marquee migrated this database (unknown migration: 9999-future). Use that version or a newer one.\n',
    });
    await sql`update migration set name = '0001-directory-2' where name = '9999-future'`.execute(rig.store.db);
    expect((await check()).status).toBe(1);
  });
});

describeEachEngine('a database of an older version', (engine) => {
  test('is migrated by no other command: each is refused in a sentence, and doctor tells what it can', async () => {
    const { rig, command, env } = await openOlder(engine);
    const { db } = rig.store;
    const before = await sql`select * from migration order by name`.execute(db);
    for (const words of [
      ['key', 'list', '--account', 'ada@marquee.example'],
      ['run', 'list'],
      ['demo', 'load'],
      ['export', join(rig.options.dataDir, 'export')],
    ]) {
      expect([words, await command(...words)]).toEqual([words, { status: 1, stdout: '', stderr: expect.stringMatching(OLDER) }]);
    }
    const doctor = await marqueeHere(['doctor'], { ...env, MARQUEE_BACKUP_URL: rig.options.dataDir });
    expect([doctor.status, doctor.stderr]).toEqual([0, '']);
    expect(doctor.stdout).toContain(
      `schema        OF AN OLDER VERSION: ${PENDING} migrations are pending; marquee migrate --check lists them\n`,
    );
    expect(doctor.stdout).toMatch(/^store {9}\S+, responds in /m);
    expect(doctor.stdout).toMatch(/^backups {7}not checked; the database is of an older version$/m);
    expect(doctor.stdout).toMatch(/^events {8}0$/m);
    expect((await sql`select * from migration order by name`.execute(db)).rows).toEqual(before.rows);
  });

  test('is migrated by no process of a running service either', async () => {
    const { rig } = await openOlder(engine);
    const place = { allowedHosts: [], userAgent: 'Marquee', geocoder: null, providerKeys: {}, nowSetting: undefined };
    await expect(runInProcess({ store: rig.options, name: 'any', ...place })).rejects.toThrow(OLDER_REASON);
    expect(await pendingMigrations(rig.store.db)).toHaveLength(PENDING);
  });

  if (engine === 'postgres')
    test('is migrated by no restore into it', async () => {
      const { rig, command } = await openOlder(engine);
      const file = join(rig.options.dataDir, 'good.backup');
      const { options, dispose } = await openNewTestStore('embedded');
      cleanups.push(dispose);
      expect(await marquee(['backup', file], { MARQUEE_DATA_DIR: options.dataDir })).toMatchObject({ status: 0 });
      expect(await command('restore', file)).toEqual({ status: 1, stdout: '', stderr: expect.stringMatching(OLDER) });
      expect(await pendingMigrations(rig.store.db)).toHaveLength(PENDING);
    });
});

test('doctor makes no database', async () => {
  const { folder, remove } = temporaryFolder();
  cleanups.push(remove);
  const dataDir = join(folder, 'data');
  const { status, stdout, stderr } = await marqueeHere(['doctor'], { MARQUEE_DATA_DIR: dataDir });
  expect([status, stderr, existsSync(dataDir)]).toEqual([0, '', false]);
  expect(stdout).toMatch(/^store {9}none yet; the first start creates it$/m);
  expect(stdout).toMatch(/^disk {10}.*GB free/m);
});

test('migrate --check and backup make no data folder', async () => {
  const { folder, remove } = temporaryFolder();
  cleanups.push(remove);
  const dataDir = join(folder, 'data');
  const file = join(folder, 'nothing.backup');
  const backup = await marqueeHere(['backup', file], { MARQUEE_DATA_DIR: dataDir });
  expect([backup.status, existsSync(dataDir), existsSync(file)]).toEqual([1, false, false]);
  expect(backup.stderr).toBe(
    `There is no database of Marquee in ${dataDir}, so there is nothing to back up. Check MARQUEE_DATA_DIR and DATABASE_URL.\n`,
  );
  const { status, stderr } = await marqueeHere(['migrate', '--check'], { MARQUEE_DATA_DIR: dataDir });
  expect([status, existsSync(dataDir)]).toEqual([2, false]);
  expect(stderr).toContain('There is no database of Marquee yet');
  await (await openStore({ dataDir })).close();
  rmSync(dataDir, { recursive: true });
});

test('migrate --check and backup say in a sentence that something else is in the place of the database', async () => {
  const { folder, remove } = temporaryFolder();
  cleanups.push(remove);
  mkdirSync(join(folder, 'database'));
  writeFileSync(join(folder, 'database', 'notes.txt'), 'not ours');
  for (const words of [
    ['migrate', '--check'],
    ['backup', join(folder, 'nothing.backup')],
  ]) {
    const { status, stderr } = await marqueeHere(words, { MARQUEE_DATA_DIR: folder });
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^The embedded database in \S+ did not start: \S+ holds files .+ start again\.\n$/),
    ]);
  }
});

describe('each migration', () => {
  test.each(readMigrations().map((migration) => [migration.name, migration] as const))(
    '%s says in a sentence what it is about',
    (_, migration) => {
      expect(describeMigration(migration as Migration)).toMatch(/^[A-Z`].{20,}\.$/);
    },
  );
});

interface Rig {
  rig: TestStore;
  env: Record<string, string>;
  command(...words: string[]): ReturnType<typeof marqueeHere>;
  check(): ReturnType<typeof marqueeHere>;
}

/** Beside the service of a version that knows no scheduled backups yet. */
async function openOlder(engine: Engine): Promise<Rig> {
  const opened = await openHere(engine);
  const { db } = opened.rig.store;
  await sql`drop schema public cascade`.execute(db);
  await sql`create schema public`.execute(db);
  await migrate(db, readMigrations().slice(0, -PENDING));
  return opened;
}

const PENDING = readMigrations().filter(({ name }) => name >= '0040').length;
const OLDER_REASON = `The database is of an older version: ${PENDING} migrations are pending. Nothing was changed.`;
const OLDER = new RegExp(`^${OLDER_REASON.replaceAll('.', '\\.')} .+\\.\n$`);

async function openHere(engine: Engine): Promise<Rig> {
  const rig = await openNewTestStore(engine);
  cleanups.push(rig.dispose);
  const { dataDir, databaseUrl } = rig.options;
  const env = { MARQUEE_DATA_DIR: dataDir, ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) };
  const command = (...words: string[]) => marqueeHere(words, env);
  return { rig, env, command, check: () => command('migrate', '--check') };
}
