/** A PostgreSQL server whose pages are zeros or cut off, and whose indexes are wrong: found with the rights of a superuser and without. */

import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkRelations, openStore, type RelationCheck, type Store } from '../../src/store/index.ts';
import { countPages, cutPages, zeroPages } from '../support/database/damage.ts';
import { type Cluster, POSTGRES_PROGRAMS, startCluster } from '../support/database/postgres.ts';
import { temporaryFolder } from '../support/database/store.ts';
import { marquee } from '../support/rigs/service.ts';

describe.skipIf(POSTGRES_PROGRAMS === null)('a server', () => {
  let cluster: Cluster;
  const { folder, remove } = temporaryFolder();
  beforeAll(async () => {
    cluster = await startCluster();
    const store = await openStore({ databaseUrl: cluster.url, dataDir: folder });
    await sql`create role plain login`.execute(store.db);
    await sql`alter default privileges grant select on tables to plain`.execute(store.db);
    await sql`grant select on all tables in schema public to plain`.execute(store.db);
    await store.close();
  });
  afterAll(async () => {
    await cluster?.dispose();
    remove();
  });

  function urlOf(user: string): string {
    const url = new URL(cluster.url);
    url.username = user;
    return url.href;
  }

  async function withStore<T>(user: string, work: (store: Store) => Promise<T>): Promise<T> {
    const store = await openStore({ databaseUrl: urlOf(user), dataDir: folder, onOlder: 'keep' });
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  }

  const check = (user: string): Promise<RelationCheck> => withStore(user, ({ db }) => checkRelations(db));

  /** A table of 1,000 rows in many pages; `isVacuumed`: each page is marked as visible to all. */
  async function makeSongs({ db }: Store, table: string, { isVacuumed }: { isVacuumed: boolean }): Promise<string> {
    await sql`create table ${sql.table(table)} (id int primary key, name text)`.execute(db);
    await sql`insert into ${sql.table(table)} select n, repeat(md5(n::text), 10) from generate_series(1, 1000) n`.execute(db);
    if (isVacuumed) await sql`vacuum ${sql.table(table)}`.execute(db);
    const { rows } = await sql<{ path: string }>`select pg_relation_filepath(${table}::regclass) as path`.execute(db);
    return join(cluster.folder, 'cluster', rows[0]?.path ?? '');
  }

  /** Changes files while nobody has them open. */
  async function damage(work: () => void): Promise<void> {
    await cluster.stop();
    work();
    await cluster.start();
  }

  async function dropAll(...tables: string[]): Promise<void> {
    await withStore('marquee', async ({ db }) => {
      for (const table of tables) await sql`drop table ${sql.table(table)}`.execute(db);
    });
  }

  test('that is sound has no fault for anybody, and doctor says what was read how', async () => {
    const superuser = await check('marquee');
    expect(superuser).toMatchObject({ faults: [], without: { amcheck: null, pageinspect: null } });
    const plain = await check('plain');
    expect(plain).toMatchObject({
      faults: [],
      without: {
        amcheck: expect.stringContaining('permission denied'),
        pageinspect: expect.stringContaining('permission denied'),
      },
    });
    // All but those of PostgreSQL itself.
    expect(plain.indexes).toBeGreaterThan(100);
    expect(plain.notRead.filter((each) => !each.endsWith(' (gin)'))).toEqual([]);
    expect(plain.notRead).toContain('event_words (gin)');
    const { status, stdout } = await marquee(['doctor', '--deep'], { DATABASE_URL: urlOf('plain'), MARQUEE_DATA_DIR: folder });
    expect(stdout).toMatch(/^rows {10}\d+ tables and \d+ indexes read; none is damaged$/m);
    expect(stdout).toMatch(
      /^ {14}indexes were read by ordered scans, and nothing of PostgreSQL's own catalog: permission denied .+; a superuser can run/m,
    );
    expect(stdout).toMatch(/^ {14}indexes NOT read: .*event_words \(gin\)/m);
    expect(status).toBe(0);
  });

  test('whose pages are zeros or cut off has a damaged table, whoever looks', async () => {
    const [zeroed, cut, cutUnseen] = await withStore('marquee', async (store) => [
      await makeSongs(store, 'song_zeroed', { isVacuumed: true }),
      await makeSongs(store, 'song_cut', { isVacuumed: true }),
      await makeSongs(store, 'song_cut_unseen', { isVacuumed: false }),
    ]);
    const pages = countPages(cut as string);
    await damage(() => {
      zeroPages(zeroed as string, 4, 5);
      cutPages(cut as string, 2);
      cutPages(cutUnseen as string, 2);
    });
    const superuser = await check('marquee');
    const plain = await check('plain');
    await dropAll('song_zeroed', 'song_cut', 'song_cut_unseen');
    const lost = `blocks ${pages - 2}, ${pages - 1} are lost`;
    expect(superuser.faults).toEqual([
      `table song_cut: ${lost}: index song_cut_pkey lists rows there`,
      `table song_cut_unseen: ${lost}: index song_cut_unseen_pkey lists rows there`,
      'table song_zeroed: blocks 4, 5 are lost: index song_zeroed_pkey lists rows there',
    ]);
    expect(plain.faults).toEqual([
      expect.stringMatching(/^table song_cut: index song_cut_pkey lists 1000 rows, of which the table has \d+$/),
      expect.stringMatching(/^table song_cut_unseen: could not read block/),
      expect.stringMatching(/^table song_zeroed: index song_zeroed_pkey lists 1000 rows, of which the table has \d+$/),
    ]);
  });

  test('whose user may use amcheck alone still finds pages that are lost', async () => {
    const file = await withStore('marquee', async (store) => {
      await sql`create extension amcheck`.execute(store.db);
      await sql`create role checker login`.execute(store.db);
      await sql`grant select on all tables in schema public to checker`.execute(store.db);
      await sql`grant execute on all functions in schema public to checker`.execute(store.db);
      const path = await makeSongs(store, 'song', { isVacuumed: true });
      await sql`grant select on song to checker`.execute(store.db);
      return path;
    });
    await damage(() => zeroPages(file, 6));
    const { faults, without } = await check('checker');
    await dropAll('song');
    await withStore('marquee', ({ db }) => sql`drop extension amcheck`.execute(db));
    expect(without).toEqual({ amcheck: null, pageinspect: expect.any(String) });
    expect(faults).toEqual([expect.stringMatching(/^table song: index song_pkey lists 1000 rows, of which the table has \d+$/)]);
  });

  test('whose indexes lack rows or are out of order names them without special rights, and reads each kind of key', async () => {
    await withStore('marquee', async ({ db }) => {
      await sql`create function odd(text) returns text immutable language sql as $$ select $1 $$`.execute(db);
      await sql`create table song (name text, year int, "Odd name" varchar(40))`.execute(db);
      await sql`insert into song select nullif(md5(n::text), md5('7')), nullif(n % 10, 3), 'Song ' || n from generate_series(1, 500) n`.execute(
        db,
      );
      await sql`create index song_odd on song (odd(name))`.execute(db);
      await sql`create index song_lacking on song (year desc, name)`.execute(db);
      await sql`create index song_late on song (year desc nulls last, name desc nulls first)`.execute(db);
      await sql`create index song_pattern on song (name text_pattern_ops, year)`.execute(db);
      await sql`create index song_collated on song (name collate "POSIX" desc)`.execute(db);
      await sql`create index song_partial on song (("Odd name" || 'x'), (year + 1)) include (name) where year > 4`.execute(db);
      await sql`create index song_partial_lacking on song (name) where year > 5`.execute(db);
      await sql`create or replace function odd(text) returns text immutable language sql as $$ select reverse($1) $$`.execute(db);
      const setValid = (is: boolean) =>
        sql`update pg_index set indisvalid = ${is}, indisready = ${is}
        where indexrelid in ('song_lacking'::regclass, 'song_partial_lacking'::regclass)`.execute(db);
      await setValid(false);
      await sql`insert into song select 'more', 9, n from generate_series(1, 20) n`.execute(db);
      await setValid(true);
    });
    const plain = await check('plain');
    await dropAll('song');
    expect(plain.faults).toEqual([
      'index song_lacking: lists 500 of 520 rows',
      expect.stringMatching(/^index song_odd: \d+ rows are out of order$/),
      'index song_partial_lacking: lists 200 of 220 rows',
    ]);
    expect(plain.notRead.filter((each) => each.startsWith('song_'))).toEqual([]);
  });

  test('has no fault while rows are written, deleted and vacuumed', async () => {
    await withStore('marquee', async (store) => {
      await makeSongs(store, 'song', { isVacuumed: false });
      let isOver = false;
      const writing = (async () => {
        while (!isOver) {
          await sql`insert into song select n, md5(n::text) from generate_series(2000, 4000) n`.execute(store.db);
          await sql`update song set name = name || 'a', id = -id where id % 7 = 0`.execute(store.db);
          await sql`delete from song where id > 1000 or id < 0`.execute(store.db);
          await sql`vacuum song`.execute(store.db);
        }
      })();
      for (const user of ['marquee', 'plain', 'marquee', 'plain']) expect(await check(user)).toMatchObject({ faults: [] });
      isOver = true;
      await writing;
    });
    await dropAll('song');
  });
});
