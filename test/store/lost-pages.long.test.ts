/** Pages of the database that are zeros or cut off. PostgreSQL takes them for pages that were never written. */

import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkPages, checkRelations, openStore, type Store } from '../../src/store/index.ts';
import { countPages, cutPages, zeroPages } from '../support/database/damage.ts';
import { copyDemoFolder } from '../support/database/demo-folder.ts';
import { marquee, startDemoService } from '../support/rigs/service.ts';

describe('pages of the embedded database', () => {
  let dataDir: string;
  let remove: () => void;
  beforeEach(async () => {
    ({ folder: dataDir, remove } = await copyDemoFolder());
  });
  afterEach(() => remove());

  async function withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
    const store = await openStore({ dataDir });
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  }

  const findFaults = () => withStore(async ({ db }) => (await checkRelations(db)).faults);

  /** Where the relation is. */
  const fileOf = (relation: string) =>
    withStore(async ({ db }) => {
      const { rows } = await sql<{ path: string }>`select pg_relation_filepath(${relation}::regclass) as path`.execute(db);
      return join(dataDir, 'database', rows[0]?.path ?? '');
    });

  test('that are zeros in the middle of a table are named by doctor --deep', async () => {
    const file = await fileOf('event');
    const middle = Math.floor(countPages(file) / 2);
    zeroPages(file, middle);
    expect((await checkPages(join(dataDir, 'database'))).damaged).toEqual([]);
    const { status, stdout, stderr } = await marquee(['doctor', '--deep'], { MARQUEE_DATA_DIR: dataDir });
    expect(stdout).toMatch(new RegExp(`^ {14}table event: block ${middle} is lost: index event_\\w+ lists rows there$`, 'm'));
    expect(stderr).toMatch(/^The database in .+ is damaged: table event: block/);
    expect(status).toBe(1);
  });

  test('that are cut off a table are found', async () => {
    const file = await fileOf('event');
    const pages = countPages(file);
    cutPages(file, 7);
    const lost = [7, 6, 5, 4, 3].map((fromEnd) => pages - fromEnd).join(', ');
    expect(await findFaults()).toEqual([
      expect.stringMatching(new RegExp(`^table event: blocks ${lost} and 2 more are lost: index event_\\w+ lists rows there$`)),
    ]);
  });

  test('that are zeros or cut off among values stored apart are found', async () => {
    const { name, file } = await withStore(async ({ db }) => {
      await sql`create table song (id int primary key, words text)`.execute(db);
      await sql`alter table song alter words set storage external`.execute(db);
      await sql`insert into song select n, repeat(md5(n::text), 200) from generate_series(1, 30) n`.execute(db);
      const { rows } = await sql<{ name: string; file: string }>`
        select reltoastrelid::regclass::text as name, pg_relation_filepath(reltoastrelid) as file from pg_class where relname = 'song'`.execute(
        db,
      );
      return { name: rows[0]?.name ?? '', file: join(dataDir, 'database', rows[0]?.file ?? '') };
    });
    zeroPages(file, 3);
    const zeros = await findFaults();
    cutPages(file, 2);
    const cut = await findFaults();
    const ofSong = expect.stringMatching(/^table song: /);
    expect(zeros).toEqual([expect.stringMatching(new RegExp(`^table ${name}: block 3 is lost: index`)), ofSong]);
    expect(cut).toContainEqual(ofSong);
  });

  test('of an index that are zeros or cut off are the fault of the index', async () => {
    const file = await fileOf('signal_pkey');
    zeroPages(file, 5);
    expect(await findFaults()).toEqual([expect.stringMatching(/^index signal_pkey: /)]);
    cutPages(file, 20);
    expect(await findFaults()).toEqual([expect.stringMatching(/^index signal_pkey: /)]);
  });

  test('that were added and not used yet are no fault', async () => {
    for (const relation of ['event', 'event_pkey']) appendFileSync(await fileOf(relation), Buffer.alloc(3 * 8192));
    expect(await findFaults()).toEqual([]);
  });

  test('are sound while a service writes, deletes and vacuums, and after it was killed', async () => {
    const service = await startDemoService();
    const env = { MARQUEE_DATA_DIR: service.folder };
    const store = await openStore({ dataDir: service.folder });
    let isOver = false;
    const writing = (async () => {
      for (let round = 0; !isOver; round += 1) await shake(store, round);
    })();
    const ends = [await marquee(['doctor', '--deep'], env)];
    isOver = true;
    await writing;
    service.process.kill('SIGKILL');
    await store.close();
    ends.push(await marquee(['doctor', '--deep'], env));
    for (const { status, stdout, stderr } of ends) {
      expect([status, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(/^rows {10}\d+ tables and \d+ indexes read; none is damaged$/m);
    }
    await service.stop();
  });
});

/** Tables grow, shrink and are cut off by a vacuum. */
async function shake({ db }: Store, round: number): Promise<void> {
  await sql`insert into source (id, name, kind, created_at)
    select gen_random_uuid(), 'radio ' || ${round}::int || '.' || n, 'json', now() from generate_series(1, 500) n`.execute(db);
  await sql`update source set every_seconds = ${round + 1} where name like 'radio %7'`.execute(db);
  await sql`delete from source where name like 'radio %' and random() < 0.7`.execute(db);
  if (round % 3 !== 0) return;
  await sql`delete from source where name like 'radio %'`.execute(db);
  await sql`vacuum source`.execute(db);
}
