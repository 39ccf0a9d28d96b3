import { mkdirSync, readdirSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { openDataFolder } from '../../src/store/engine/data-folder.ts';
import { connectStore, listHead, openStore, readList, type Store, type StoreOptions } from '../../src/store/index.ts';
import { appendInTransaction } from '../support/database/list-writer.ts';
import { copyDataFolder, temporaryFolder } from '../support/database/store.ts';
import { eventually, openStoreChild, startStoreChild } from '../support/processes/child-process.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

describe('the data folder of the embedded engine', () => {
  test('is owned by the first process and shared by the next', async () => {
    const options = await newFolder();
    const owner = await openStoreChild(options);
    cleanups.push(() => owner.close());
    expect(owner.reports).toEqual([{ kind: 'open', owns: true }]);
    const guest = await open(options);
    expect(guest.ownsEngine()).toBe(false);
    expect((await appendInTransaction(guest, 1))?.first).toBe(1);
  });

  test('keeps every acknowledged commit when its owner is killed while writing, time and again', async () => {
    const options = await newFolder();
    let acknowledged = 0;
    for (let round = 0; round < 2; round++) {
      const owner = await openStoreChild(options);
      owner.tell({ kind: 'write', writers: 4, seed: round * 1000 });
      await eventually(() => owner.reports.length > 20 + round * 10);
      await owner.kill();
      const store = await openStore(options);
      const head = await listHead(store.db, 'change');
      const rows = await readList(store.db, 'change', 0, head);
      expect(rows.map((row) => row.seq)).toEqual(Array.from({ length: head }, (_, index) => index + 1));
      for (const report of owner.reports) {
        if (report.kind !== 'acknowledged') continue;
        acknowledged += report.ids.length;
        expect(rows.slice(report.first - 1, report.first - 1 + report.ids.length).map((row) => row.entity_id)).toEqual(
          report.ids,
        );
      }
      await store.close();
    }
    expect(acknowledged).toBeGreaterThan(50);
  });

  test('is taken over at once when its owner is killed, and who was writing goes on without losing a commit', async () => {
    const options = await newFolder();
    const owner = await openStoreChild(options);
    const guest = await openStoreChild(options);
    cleanups.push(() => guest.close());
    const store = await open(options);
    for (const child of [owner, guest]) child.tell({ kind: 'write', writers: 2, seed: 1 });
    await eventually(() => owner.reports.length > 20 && guest.reports.length > 20);
    await owner.kill();
    const then = guest.reports.length;
    await eventually(() => guest.reports.length > then + 20);
    expect((await appendInTransaction(store, 1))?.first).toBeGreaterThan(40);
    guest.tell({ kind: 'stop' });
    await guest.next('stopped');
    guest.tell({ kind: 'owns' });
    expect((await guest.next('owns')).owns).toBe(!store.ownsEngine());
    const rows = await readList(store.db, 'change', 0, await listHead(store.db, 'change'));
    for (const report of [...owner.reports, ...guest.reports]) {
      if (report.kind !== 'acknowledged') continue;
      expect(rows.slice(report.first - 1, report.first - 1 + report.ids.length).map((row) => row.entity_id)).toEqual(report.ids);
    }
  });

  test('is taken over by one of those who share it when its owner closes, and the others go on with that one', async () => {
    const options = await newFolder();
    const owner = await openStore(options);
    const guests = [await open(options), await open(options)];
    await Promise.all(guests.map((guest) => guest.ping()));
    const lookouts = guests.map((guest) => guest.createCommitWatcher());
    const sawAll = () => {
      for (const commitWatcher of lookouts) commitWatcher.begin()();
    };
    sawAll();
    await owner.close();
    const written = await Promise.all([...guests, ...guests].map((guest) => appendInTransaction(guest, 1)));
    expect(written.map((each) => each?.first).sort()).toEqual([1, 3, 5, 7]);
    expect(guests.filter((guest) => guest.ownsEngine())).toHaveLength(1);
    // What was seen before the engine came counts for nothing; from then on its owner knows, the others do not.
    expect(lookouts.map((commitWatcher) => commitWatcher.nothingNew())).toEqual([false, false]);
    sawAll();
    expect(lookouts.map((commitWatcher) => commitWatcher.nothingNew())).toEqual(guests.map((guest) => guest.ownsEngine()));
  });

  test('is opened by many processes at the same moment, one of which owns it', async () => {
    const options = await newFolder();
    const children = Array.from({ length: 3 }, () => startStoreChild(options));
    for (const child of children) cleanups.push(() => child.close());
    const opened = await Promise.all(children.map((child) => child.next('open')));
    expect(opened.filter((report) => report.owns)).toHaveLength(1);
    expect(statSync(join(options.dataDir, '.s.PGSQL.5432')).mode & 0o777).toBe(0o600);
  });

  test('is made for its owner alone', () => {
    const { folder, remove } = temporaryFolder();
    cleanups.push(remove);
    const { path } = openDataFolder(join(folder, 'new', 'data'));
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  test('keeps its database for its owner alone, also in a folder that others may look into', async () => {
    const { folder, remove } = temporaryFolder();
    cleanups.push(remove);
    const dataDir = join(folder, 'data');
    mkdirSync(dataDir, { mode: 0o755 });
    await (await openStore({ dataDir })).close();
    expect(statSync(join(dataDir, 'database')).mode & 0o777).toBe(0o700);
  });

  test('serves worker threads through a pool of their own, also across a change of owner', async () => {
    const options = await newFolder();
    const owner = await openStore(options);
    const store = await open(options);
    const worker = new Worker(
      `const { parentPort, workerData } = require('node:worker_threads');
       import(workerData.index).then(async ({ connectStore, listHead }) => {
         const { db, close } = connectStore(workerData.address);
         parentPort.on('message', async (message) => {
           if (message === 'close') { await close(); process.exit(0); }
           parentPort.postMessage(await listHead(db, 'change').catch((error) => error.message));
         });
       });`,
      {
        eval: true,
        execArgv: [],
        workerData: { address: store.address, index: new URL('../../src/store/index.ts', import.meta.url).href },
      },
    );
    const ask = () =>
      new Promise((resolve) => {
        worker.once('message', resolve);
        worker.postMessage('head');
      });
    await appendInTransaction(store, 1);
    expect(await ask()).toBe(2);
    await owner.close();
    expect(await ask()).toBe(2);
    worker.postMessage('close');
  });

  test('is started again in place when the engine gives up', async () => {
    const options = await newFolder();
    const store = await open(options);
    await appendInTransaction(store, 1);
    const { socketFolder } = store.address as { socketFolder: string };
    const client = new pg.Client({ host: socketFolder, port: 5432, user: 'anyone', database: 'any' });
    client.on('error', () => {});
    await client.connect();
    // One session cannot take bytes that come later: the engine ends itself.
    await expect(client.query('copy change from stdin')).rejects.toThrow(/terminated/);
    await eventually(() => store.ping().then(() => true, () => false)); // biome-ignore format: one line
    expect(await listHead(store.db, 'change')).toBe(2);
    expect(store.ownsEngine()).toBe(true);
  });

  test('may have a path longer than a socket can have', async () => {
    const options = await newFolder(join('a'.repeat(100), 'b'.repeat(100)));
    const store = await open(options);
    const guest = await open(options);
    expect(guest.ownsEngine()).toBe(false);
    await guest.ping();
    const { socketFolder } = store.address as { socketFolder: string };
    cleanups.unshift(() => rmdirSync(socketFolder));
    expect(statSync(socketFolder).mode & 0o777).toBe(0o700);
    expect(readdirSync(socketFolder)).toEqual(['.s.PGSQL.5432']);
  });

  test('leaves nothing running and no socket when it is closed', async () => {
    const options = await newFolder();
    const store = await openStore(options);
    const { db, close } = connectStore(store.address);
    await sql`select 1`.execute(db);
    await close();
    await store.close();
    expect(readdirSync(options.dataDir).sort()).toEqual(['database', 'owner.lock']);
  });

  async function newFolder(below?: string): Promise<StoreOptions> {
    const { options, remove } = await copyDataFolder(below);
    cleanups.push(remove);
    return options;
  }

  async function open(options: StoreOptions): Promise<Store> {
    const store = await openStore(options);
    cleanups.push(() => store.close());
    return store;
  }
});
