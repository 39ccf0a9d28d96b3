import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createCommitWatcher } from '../../src/store/commit-watcher.ts';
import { createCommitMemory, NO_LIST_MARK, openCommitCount } from '../../src/store/engine/commit-count.ts';
import { appendToList, type CommitWatcher, followList, openStore, type Store, transact } from '../../src/store/index.ts';
import { countQueries } from '../support/database/counted-queries.ts';
import { openNewTestStore, type TestStore } from '../support/database/store.ts';
import { eventually, openStoreChild } from '../support/processes/child-process.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** A lookout whose last look has just seen all. */
function rested(store: Store): CommitWatcher {
  const commitWatcher = store.createCommitWatcher();
  commitWatcher.begin()();
  return commitWatcher;
}

describe('a lookout on the embedded engine', () => {
  let testStore: TestStore;
  let store: Store;
  beforeAll(async () => {
    testStore = await openNewTestStore('embedded');
    store = testStore.store;
    await sql`create table note (id int primary key)`.execute(store.db);
    await sql`create function write_note(id int) returns int language sql as 'insert into note values ($1) returning 1'`.execute(
      store.db,
    );
  });
  afterAll(() => testStore.dispose());

  test('has something new before the first look, and after one that did not see all', () => {
    const commitWatcher = store.createCommitWatcher();
    expect(commitWatcher.nothingNew()).toBe(false);
    commitWatcher.begin();
    expect(commitWatcher.nothingNew()).toBe(false);
    commitWatcher.begin()();
    expect(commitWatcher.nothingNew()).toBe(true);
  });

  test.each([
    ['a statement by itself', () => sql`insert into note values (${1})`.execute(store.db)],
    ['a statement without parameters', () => sql`insert into note values (2)`.execute(store.db)],
    ['a question that calls what writes', () => sql`select write_note(${3})`.execute(store.db)],
    [
      'a question with a part that writes',
      () => sql`with n as (delete from note where id = ${3} returning 1) select * from n`.execute(store.db),
    ],
    ['a transaction', () => transact(store.db, (trx) => sql`insert into note values (${4})`.execute(trx))],
    ['an entry of a list', () => append(store)],
    [
      'a transaction of statements that say they append to no list',
      () => transact(store.db, (trx) => sql`${sql.raw(NO_LIST_MARK)} insert into note values (${5})`.execute(trx)),
    ],
  ])('knows of %s when its writer does', async (_name, write) => {
    const commitWatcher = rested(store);
    await write();
    expect(commitWatcher.nothingNew()).toBe(false);
    expect(rested(store).nothingNew()).toBe(true);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['questions', () => sql`select * from note where id > ${0}`.execute(store.db)],
    ['a rolled back transaction', () => transact(store.db, () => Promise.reject(new Error('no'))).catch(() => {})],
    ['a refused statement', () => sql`insert into note values (${1})`.execute(store.db).catch(() => {})],
    [
      'a statement that says it appends to no list',
      () => sql`${sql.raw(NO_LIST_MARK)} insert into note values (${6})`.execute(store.db),
    ],
  ])('is not roused by %s', async (_name, work) => {
    const commitWatcher = rested(store);
    await work();
    expect(commitWatcher.nothingNew()).toBe(true);
  });

  test('takes a commit during a look for new', async () => {
    const commitWatcher = store.createCommitWatcher();
    const sawAll = commitWatcher.begin();
    await append(store);
    sawAll();
    expect(commitWatcher.nothingNew()).toBe(false);
  });

  test('knows of what another process writes, and never vouches there', async () => {
    const commitWatcher = rested(store);
    const guest = await openStore(testStore.options);
    cleanups.push(() => guest.close());
    expect(rested(guest).nothingNew()).toBe(false);
    expect(commitWatcher.nothingNew()).toBe(true);
    await append(guest);
    expect(commitWatcher.nothingNew()).toBe(false);
    const other = rested(store);
    const child = await openStoreChild(testStore.options);
    cleanups.push(() => child.close());
    child.tell({ kind: 'write', writers: 1, seed: 1 });
    await child.next('acknowledged');
    expect(other.nothingNew()).toBe(false);
  });

  test('spares a follower its questions, and keeps no change from it', async () => {
    const { db, asked } = countQueries(store.db);
    const seen: number[] = [];
    const handler = (rows: { seq: number }[]) => void seen.push(...rows.map(({ seq }) => seq));
    const follower = followList({ db, list: 'change', after: 0, pollMs: 2, commitWatcher: store.createCommitWatcher(), handler });
    cleanups.push(() => follower.close());
    await follower.catchUp();
    const before = asked();
    const since = follower.status().lastSuccessAt ?? 0;
    await eventually(() => (follower.status().lastSuccessAt ?? 0) > since + 20);
    expect(asked()).toBe(before);
    for (let turn = 0; turn < 20; turn++) {
      const head = (await append(store)).last;
      await eventually(() => seen.at(-1) === head);
      await delay(turn % 4);
    }
    expect(seen).toEqual(Array.from({ length: seen.length }, (_, index) => index + 1));
  });
});

test('what was counted here is worth nothing after the engine was elsewhere for a while', () => {
  const memory = createCommitMemory();
  const count = openCommitCount(memory);
  const commitWatcher = createCommitWatcher(memory);
  count.engineCame();
  commitWatcher.begin()();
  expect(commitWatcher.nothingNew()).toBe(true);
  count.engineLeft();
  expect(commitWatcher.nothingNew()).toBe(false);
  count.engineCame();
  expect(commitWatcher.nothingNew()).toBe(false);
});

test('a look is worth while every half minute, whatever the count says', () => {
  const memory = createCommitMemory();
  openCommitCount(memory).engineCame();
  let now = 0;
  const commitWatcher = createCommitWatcher(memory, () => now);
  commitWatcher.begin()();
  now = 29_999;
  expect(commitWatcher.nothingNew()).toBe(true);
  now = 30_000;
  expect(commitWatcher.nothingNew()).toBe(false);
});

test('a server vouches for nothing', () => {
  const commitWatcher = createCommitWatcher(undefined);
  commitWatcher.begin()();
  expect(commitWatcher.nothingNew()).toBe(false);
});

function append(store: Store): Promise<{ first: number; last: number }> {
  const entry = { kind: 'updated', entity: 'event', entity_id: crypto.randomUUID() };
  return transact(store.db, (trx) => appendToList(trx, 'change', [entry], new Date(0)));
}
