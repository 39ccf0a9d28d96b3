/** Files of the database that do not hold what was written: found page by page, and told in a sentence. */

import { cpSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createLog } from '../../src/log.ts';
import { createDamageNotes } from '../../src/store/damage/inspection.ts';
import {
  checkPages,
  checkRelations,
  namePages,
  openStore,
  type Store,
  type StoreOptions,
  watchDamage,
} from '../../src/store/index.ts';
import { copyDataFolder, createDatabase, describeEachEngine, openTestStore } from '../support/database/store.ts';
import { marqueeHere } from '../support/rigs/service.ts';
import { until } from '../support/runs/patience.ts';

const PAGE = 8192;

/** Flips one bit of a file. `at`: bytes from its beginning. */
function flip(file: string, at: number, bit: number): void {
  const bytes = readFileSync(file);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
  writeFileSync(file, bytes);
}

describe('the pages of the embedded database', () => {
  let options: StoreOptions;
  let remove: () => Promise<void>;
  let databaseFolder: string;
  /** Of a table with rows that lies in several pages, and of its index. */
  let files: { table: string; index: string };
  beforeEach(async () => {
    ({ options, remove } = await copyDataFolder());
    databaseFolder = join(options.dataDir, 'database');
    await withStore(async ({ db }) => {
      await sql`insert into source (id, name, kind, created_at) select gen_random_uuid(), 'radio ' || n, 'json', now() from generate_series(1, 400) n`.execute(
        db,
      );
      const { rows } = await sql<typeof files>`
        select pg_relation_filepath('source') as table, pg_relation_filepath('source_pkey') as index`.execute(db);
      files = rows[0] as typeof files;
    });
  });
  afterEach(() => remove());

  async function withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
    const store = await openStore(options);
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  }

  test('are all whole in a new database, beside the engine that writes them', async () => {
    await withStore(async ({ db }) => {
      const writing = (async () => {
        for (let round = 0; round < 20; round += 1) {
          await sql`update source set every_seconds = ${round + 1}`.execute(db);
          await sql`checkpoint`.execute(db);
        }
      })();
      const looks = [await checkPages(databaseFolder), await checkPages(databaseFolder)];
      await writing;
      for (const { damaged } of looks) expect(damaged).toEqual([]);
      expect(looks[0]?.pages).toBeGreaterThan(1_000);
    });
  });

  test('are found wherever one bit is another', async () => {
    const sound = join(options.dataDir, 'sound');
    cpSync(databaseFolder, sound, { recursive: true });
    const pages = {
      table: readFileSync(join(sound, files.table)).length / PAGE,
      index: readFileSync(join(sound, files.index)).length / PAGE,
    };
    expect(Math.min(pages.table, pages.index)).toBeGreaterThan(1);
    const flips = fc.record({
      relation: fc.constantFrom('table' as const, 'index' as const),
      page: fc.nat(),
      at: fc.nat({ max: PAGE - 1 }),
      bit: fc.nat({ max: 7 }),
    });
    await fc.assert(
      fc.asyncProperty(flips, async ({ relation, page, at, bit }) => {
        const block = page % pages[relation];
        const file = join(databaseFolder, files[relation]);
        flip(file, block * PAGE + at, bit);
        const { damaged } = await checkPages(databaseFolder);
        cpSync(join(sound, files[relation]), file);
        expect(damaged).toEqual([{ relation: files[relation], block }]);
      }),
      { numRuns: 10 },
    );
  });

  describe('whose disk gives only some of them', () => {
    afterEach(() => vi.restoreAllMocks());

    /** Reads of the file fail at a page, as the kernel tells it: what stands before it is given, and nothing from it on. */
    async function breakPage(path: string, broken: number): Promise<void> {
      const { ino } = statSync(path);
      const handle = await open(path);
      const prototype = Object.getPrototypeOf(handle);
      await handle.close();
      const { read } = prototype;
      vi.spyOn(prototype, 'read').mockImplementation(async function (this: FileHandle, ...[into, at, length, from]: unknown[]) {
        const isBroken = (await this.stat()).ino === ino;
        const left = isBroken ? broken * PAGE - Number(from) : Number(length);
        if (left <= 0 && left > -PAGE) throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' });
        return read.call(this, into, at, left > 0 ? Math.min(left, Number(length)) : length, from);
      });
    }

    test.each([0, 2])('are found: the page %i, and what is damaged after it', async (broken) => {
      const file = join(databaseFolder, files.table);
      expect(statSync(file).size / PAGE).toBeGreaterThan(4);
      flip(file, 3 * PAGE + 100, 3);
      const { pages } = await checkPages(databaseFolder);
      await breakPage(file, broken);
      expect(await checkPages(databaseFolder)).toEqual({
        pages,
        damaged: [broken, 3].map((block) => ({ relation: files.table, block })),
      });
    });
  });

  test('of which a part is cut off are found', async () => {
    const file = join(databaseFolder, files.table);
    const blocks = statSync(file).size / PAGE;
    truncateSync(file, (blocks - 1) * PAGE + 100);
    expect((await checkPages(databaseFolder)).damaged).toEqual([{ relation: files.table, block: blocks - 1 }]);
  });

  test('are rejected by the engine in a sentence, and are noted', async () => {
    flip(join(databaseFolder, files.table), 100, 3);
    await withStore(async ({ db, damage }) => {
      expect(damage.last()).toBeNull();
      await expect(sql`select count(*) from source`.execute(db)).rejects.toMatchObject({
        code: 'database_damaged',
        message: expect.stringMatching(/^The database in .+ is damaged: invalid page in block 0 of relation "base\/.+"\. .+\.$/),
      });
      expect(damage.last()).toMatchObject({ reason: expect.stringContaining('invalid page in block 0') });
    });
  });

  test('are found by the watch before anybody needs them, by the name of their table', async () => {
    await withStore(async (store) => {
      flip(join(databaseFolder, files.table), PAGE + 100, 3);
      const end = watchDamage({ store, log: createLog('silent'), restMs: 0, pauseMs: 0 });
      await until(async () => expect(store.damage.last()).not.toBeNull());
      await end();
      expect(store.damage.last()?.reason).toBe(`damaged pages in table source (${files.table}, block 1)`);
    });
  });

  test('of a map beside a table are told as such, and a vacuum repairs them', async () => {
    await withStore(async ({ db }) => {
      await sql`vacuum source`.execute(db);
      await sql`checkpoint`.execute(db);
    });
    for (const map of ['fsm', 'vm']) flip(join(databaseFolder, `${files.table}_${map}`), 100, 3);
    await withStore(async ({ db }) => {
      const { damaged } = await checkPages(databaseFolder);
      expect((await namePages(db, damaged)).toSorted()).toEqual([
        `free space map of table source (${files.table}_fsm, block 0)`,
        `visibility map of table source (${files.table}_vm, block 0)`,
      ]);
      await sql`update source set every_seconds = 1`.execute(db);
      await sql`vacuum source`.execute(db);
      await sql`checkpoint`.execute(db);
      expect((await checkPages(databaseFolder)).damaged).toEqual([]);
    });
  });

  test('of a relation that nobody knows are told by its file', async () => {
    await withStore(async ({ db }) => {
      const damaged = [1, 2, 3, 4, 5, 6].map((block) => ({ relation: 'base/1/1259', block }));
      const named = await namePages(db, [...damaged, { relation: files.index, block: 0 }]);
      expect(named).toEqual(['base/1/1259 (blocks 1, 2, 3, 4, 5 and 1 more)', `index source_pkey (${files.index}, block 0)`]);
    });
  });

  test('of tables are the fault of the table, and of indexes that of the index', async () => {
    flip(join(databaseFolder, files.table), 100, 3);
    const ofTable = await withStore(({ db }) => checkRelations(db));
    flip(join(databaseFolder, files.table), 100, 3);
    flip(join(databaseFolder, files.index), PAGE + 100, 3);
    const ofIndex = await withStore(({ db }) => checkRelations(db));
    expect(ofTable.faults).toEqual([expect.stringMatching(/^table source: .*(invalid page|invalid pages)/)]);
    expect(ofIndex.faults).toEqual([`index source_pkey: invalid page in block 1 of relation "${files.index}"`]);
  });

  test('that opening needs are listed by doctor --deep, which can ask no database for names', async () => {
    const file = await withStore(async ({ db }) => {
      const { rows } = await sql<{ path: string }>`select pg_relation_filepath('migration') as path`.execute(db);
      return rows[0]?.path ?? '';
    });
    flip(join(databaseFolder, file), 100, 3);
    const { status, stdout, stderr } = await marqueeHere(['doctor', '--deep'], { MARQUEE_DATA_DIR: options.dataDir });
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^The database in .+ is damaged: .+\.\n$/)]);
    expect(stdout).toContain(` read; 1 DAMAGED\n${' '.repeat(14)}${file} (block 0)\n`);
  });

  test('that are gone end the reading of their table', async () => {
    rmSync(join(databaseFolder, files.table));
    const { faults } = await withStore(({ db }) => checkRelations(db));
    expect(faults).toContainEqual(expect.stringMatching(/^table source: could not open file/));
  });
});

describeEachEngine('tables and indexes', (engine) => {
  test('are all read, and the extensions that read them are gone afterwards', async () => {
    const { store, dispose } = await openTestStore(engine);
    try {
      const { tables, indexes, faults, without } = await checkRelations(store.db);
      expect([faults, without]).toEqual([[], { amcheck: null, pageinspect: null }]);
      expect(Math.min(tables, indexes)).toBeGreaterThan(100);
      const { rows } = await sql`select 1 from pg_extension where extname in ('amcheck', 'pageinspect')`.execute(store.db);
      expect(rows).toEqual([]);
    } finally {
      await dispose();
    }
  });

  test('that stop their own reading by an error of the database are named, and the others are read', async () => {
    const { options, remove } = engine === 'embedded' ? await copyDataFolder() : await createDatabase();
    const store = await openStore(options);
    try {
      const { db } = store;
      await sql`create function odd(text) returns text immutable language sql as $$ select $1 $$`.execute(db);
      await sql`create table song (name text)`.execute(db);
      await sql`insert into song values ('a')`.execute(db);
      await sql`create index song_odd on song (odd(name))`.execute(db);
      await sql`create or replace function odd(text) returns text immutable language plpgsql
        as $$ begin raise 'MultiXactId 8 has not been created yet' using errcode = 'XX000'; end $$`.execute(db);
      const { tables, faults } = await checkRelations(db);
      expect(faults).toEqual(['index song_odd: MultiXactId 8 has not been created yet']);
      expect(tables).toBeGreaterThan(100);
    } finally {
      await store.close();
      await remove();
    }
  });

  test('are not called damaged because a library is missing', async () => {
    const { store, dispose } = await openTestStore(engine);
    try {
      const library = sql`create function missing() returns int language c as '$libdir/marquee_missing'`;
      await expect(library.execute(store.db)).rejects.toMatchObject({
        code: '58P01',
        message: expect.stringContaining('could not access file'),
      });
      expect(store.damage.last()).toBeNull();
    } finally {
      await dispose();
    }
  });

  test('are found although each page is whole: an index that lists its rows elsewhere', async () => {
    const { options, remove } = engine === 'embedded' ? await copyDataFolder() : await createDatabase();
    const store = await openStore(options);
    try {
      const { db } = store;
      await sql`create function odd(text) returns text immutable language sql as $$ select $1 $$`.execute(db);
      await sql`create table song (name text)`.execute(db);
      await sql`insert into song select md5(n::text) from generate_series(1, 500) n`.execute(db);
      await sql`create index song_odd on song (odd(name))`.execute(db);
      await sql`create or replace function odd(text) returns text immutable language sql as $$ select reverse($1) $$`.execute(db);
      const { faults } = await checkRelations(db);
      expect(faults).toEqual([expect.stringMatching(/^index song_odd: heap tuple .+ lacks matching index tuple/)]);
    } finally {
      await store.close();
      await remove();
    }
  });
});

test('a sign is told once an hour, and forgotten after a day', () => {
  let now = Date.parse('2026-11-24T12:00:00Z');
  const told: string[] = [];
  const notes = createDamageNotes(
    (reason) => told.push(reason),
    () => now,
  );
  const begun = now;
  notes.note('a');
  now += 3_599_999;
  notes.note('b');
  expect([told, notes.last()]).toEqual([['a'], { since: begun, at: now, reason: 'b' }]);
  now += 1;
  notes.note('c');
  expect(told).toEqual(['a', 'c']);
  now += 86_399_999;
  expect(notes.last()).not.toBeNull();
  now += 1;
  expect(notes.last()).toBeNull();
  notes.note('d');
  expect(notes.last()?.since).toBe(now);
  // What was seen a while ago is forgotten so much sooner.
  now += 2 * 86_400_000;
  notes.note('e', now - 86_399_999);
  expect(notes.last()).toMatchObject({ since: now - 86_399_999, reason: 'e' });
  now += 1;
  expect(notes.last()).toBeNull();
});
