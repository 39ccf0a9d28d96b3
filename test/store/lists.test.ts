import { sql } from 'kysely';
import { afterEach, expect, test, vi } from 'vitest';
import {
  appendToList,
  type Break,
  type Follower,
  type FollowOptions,
  followList,
  type ListRow,
  listEnd,
  listHead,
  openStore,
  readList,
  renewHistory,
  type Store,
  StoreError,
  transact,
} from '../../src/store/index.ts';
import { appendInTransaction } from '../support/database/list-writer.ts';
import { describeEachEngine, openTestStore, type TestStore } from '../support/database/store.ts';
import { eventually, openStoreChild } from '../support/processes/child-process.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

describeEachEngine('a numbered list', (engine) => {
  test('numbers the entries of a transaction in their order, from where the list ends', async () => {
    const { store } = await openHere();
    const at = new Date('2026-11-01T00:00:00Z');
    const subscription_id = crypto.randomUUID();
    expect(await append(store, 3)).toEqual({ first: 1, last: 3 });
    expect(await append(store, 0)).toEqual({ first: 4, last: 3 });
    expect(await append(store, 2)).toEqual({ first: 4, last: 5 });
    expect(await listHead(store.db, 'change')).toBe(5);
    await transact(store.db, (trx) => appendToList(trx, 'access_change', [{ subscription_id }], at));
    expect(await readList(store.db, 'access_change', 0, 10)).toEqual([{ seq: 1, at, subscription_id }]);
    expect((await readList(store.db, 'change', 3, 10)).map((row) => row.seq)).toEqual([4, 5]);
  });

  test('takes more entries at once than a statement takes parameters', async () => {
    const { store } = await openHere();
    expect(await append(store, 70_000)).toEqual({ first: 1, last: 70_000 });
  });

  test('gives the numbers of a rolled back transaction to the next one', async () => {
    const { store } = await openHere();
    expect(await appendInTransaction(store, 3)).toBeUndefined();
    expect((await appendInTransaction(store, 1))?.first).toBe(1);
  });

  test('has no gap and no other order than that of the commits, with many writers and followers in many processes', async () => {
    const { store, options } = await openHere();
    const second = await openStore(options);
    cleanups.push(() => second.close());
    const child = await openStoreChild(options);
    cleanups.push(() => child.close());

    const seen: number[][] = [[], []];
    const followers = [store, second].map((each, index) =>
      follow(each, (rows) => {
        seen[index]!.push(...rows.map((row) => row.seq));
      }),
    );
    const acknowledged = new Map<number, string>();
    const note = (written: { ids: string[]; first: number } | undefined) =>
      written?.ids.forEach((id, index) => {
        acknowledged.set(written.first + index, id);
      });
    child.tell({ kind: 'write', writers: 3, seed: 1 });
    await Promise.all(
      [store, second, store, second].map(async (each, writer) => {
        for (let turn = 0; turn < 40; turn++) note(await appendInTransaction(each, writer * 1000 + turn));
      }),
    );
    child.tell({ kind: 'stop' });
    await child.next('stopped');
    for (const report of child.reports) if (report.kind === 'acknowledged') note(report);

    for (const follower of followers) await follower.catchUp();
    const head = await listHead(store.db, 'change');
    const numbers = Array.from({ length: head }, (_, index) => index + 1);
    expect(seen).toEqual([numbers, numbers]);
    expect([...acknowledged.keys()].sort((a, b) => a - b)).toEqual(numbers);
    const rows = await readList(store.db, 'change', 0, head);
    expect(rows.map((row) => row.entity_id)).toEqual(numbers.map((number) => acknowledged.get(number)));
    for (const follower of followers) expect(follower.status()).toMatchObject({ position: head, lag: 0, error: undefined });
  });

  test('offers the same entries again after a handler failed, and reports the failure meanwhile', async () => {
    const { store } = await openHere();
    const offered: number[][] = [];
    let failing = true;
    await append(store, 5);
    const follower = follow(
      store,
      (rows) => {
        offered.push(rows.map((row) => row.seq));
        if (failing && rows[0]!.seq === 3) throw new Error('not now');
      },
      { batchSize: 2 },
    );
    await eventually(() => follower.status().error !== undefined);
    expect(follower.status()).toMatchObject({ position: 2, lag: 3, error: new Error('not now') });
    failing = false;
    await eventually(() => follower.status().position === 5);
    expect(follower.status()).toMatchObject({ lag: 0, error: undefined });
    expect(offered.slice(0, 2)).toEqual([[1, 2], [3, 4]]); // biome-ignore format: one line
    expect(offered.slice(-2)).toEqual([[3, 4], [5]]);
  });

  test('goes on where it was when the database was away', async () => {
    const { store, options } = await openHere();
    const lost = await openStore(options);
    const seen: number[] = [];
    const follower = follow(lost, (rows) => {
      seen.push(...rows.map((row) => row.seq));
    });
    await append(store, 2);
    await eventually(() => seen.length === 2);
    await breakTable(store, 'away');
    await eventually(() => follower.status().error !== undefined);
    await breakTable(store, 'back');
    await append(store, 2);
    await eventually(() => seen.length === 4);
    expect(seen).toEqual([1, 2, 3, 4]);
    expect(follower.status().error).toBeUndefined();
    await follower.close();
    await lost.close();
  });

  test('is followed over what was deleted for its age, and is broken where more is missing', async () => {
    const { store } = await openHere();
    await append(store, 9);
    await store.db.insertInto('clean_up').values({ name: 'change', position: '6' }).execute();
    await sql`delete from change where seq in (1, 2, 4, 5, 6)`.execute(store.db);
    const seen: number[] = [];
    const follower = follow(store, (rows) => void seen.push(...rows.map(({ seq }) => seq)), { batchSize: 2 });
    await follower.catchUp();
    expect(seen).toEqual([3, 7, 8, 9]);
    expect(follower.status()).toMatchObject({ position: 9, lag: 0, error: undefined });
    await sql`delete from change where seq = 8`.execute(store.db);
    await expect(follow(store, () => {}).catchUp()).rejects.toMatchObject({ code: 'list_broken' });
    // Those who are past the gap do not care.
    await expect(follow(store, () => {}, { after: 8 }).catchUp()).resolves.toBeUndefined();
  });

  test('says that it is broken when it is shorter than what was seen, or cut', async () => {
    const { store } = await openHere();
    await append(store, 5);
    const ahead = follow(store, () => {}, { after: 9 });
    await expect(ahead.catchUp()).rejects.toMatchObject({ code: 'list_broken' });
    await store.db.deleteFrom('change').where('seq', '<', '3').execute();
    const behind = follow(store, () => expect.unreachable());
    await expect(behind.catchUp()).rejects.toThrow(StoreError);
    expect(behind.status()).toMatchObject({ position: 0, lag: 5 });
  });

  test('is followed from its start again where its numbers are used again, though it has become as long as before', async () => {
    const { store } = await openHere();
    await append(store, 5);
    const seen: number[] = [];
    const breaks: Break[] = [];
    const follower = follow(store, (rows) => void seen.push(...rows.map(({ seq }) => seq)), {
      async startOver(why) {
        breaks.push(why);
        return { ...(await listEnd(store.db, 'change')), seq: 0 };
      },
    });
    await follower.catchUp();
    const { history } = await listEnd(store.db, 'change');
    const lose = async (from: number) => {
      await store.db.deleteFrom('change').where('seq', '>=', String(from)).execute();
      await store.db
        .updateTable('list_head')
        .set({ seq: from - 1 })
        .where('list', '=', 'change')
        .execute();
    };
    // One moment for what was lost and what came instead of it: only their times tell them apart.
    await transact(store.db, async (trx) => {
      await trx.deleteFrom('change').where('seq', '>=', '4').execute();
      await trx.updateTable('list_head').set({ seq: 3 }).where('list', '=', 'change').execute();
      const entry = { kind: 'updated', entity: 'event', entity_id: crypto.randomUUID() };
      await appendToList(trx, 'change', [entry, entry, entry], new Date(1));
    });
    await follower.catchUp();
    expect(breaks).toEqual([{ isLoss: true, history }]);
    expect(seen).toEqual([1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 6]);

    await lose(6);
    await follower.catchUp();
    expect(breaks[1]).toEqual({ isLoss: true, history });

    expect(await transact(store.db, (trx) => renewHistory(trx, crypto.randomUUID()))).toBe(false);
    await follower.catchUp();
    expect(breaks).toHaveLength(2);
    expect(await transact(store.db, (trx) => renewHistory(trx, history))).toBe(true);
    await follower.catchUp();
    expect(breaks[2]).toEqual({ isLoss: false, history });
    expect(seen.slice(-5)).toEqual([1, 2, 3, 4, 5]);
  });

  test('is looked at again within a second, however often a look failed', async () => {
    const { store } = await openHere();
    await append(store, 1);
    const fail = () => Promise.reject(new Error('not now'));
    const timers = vi.spyOn(globalThis, 'setTimeout');
    try {
      const follower = followList({ db: store.db, list: 'change', after: 0, handler: fail });
      cleanups.push(() => follower.close());
      for (let look = 0; look < 6; look++) await expect(follower.catchUp()).rejects.toThrow('not now');
      // This is how a change made during an outage is seen soon after its end.
      const rests = timers.mock.calls.filter(([work]) => work.name === 'poll').map(([, ms]) => Number(ms));
      expect(rests.length).toBeGreaterThanOrEqual(6);
      expect(Math.max(...rests)).toBeLessThanOrEqual(1_000);
    } finally {
      timers.mockRestore();
    }
  });

  test('calls no handler after the follower is closed', async () => {
    const { store } = await openHere();
    let calls = 0;
    const follower = follow(store, () => {
      calls++;
    });
    await append(store, 1);
    await follower.catchUp();
    await follower.close();
    await append(store, 1);
    await expect(follower.catchUp()).rejects.toMatchObject({ code: 'store_closed' });
    expect(calls).toBe(1);
  });

  function follow(
    store: Store,
    handler: (rows: ListRow<'change'>[]) => void,
    options: Partial<Pick<FollowOptions<'change'>, 'after' | 'batchSize' | 'startOver'>> = {},
  ): Follower {
    const follower = followList({ db: store.db, list: 'change', after: 0, pollMs: 5, handler, ...options });
    cleanups.push(() => follower.close());
    return follower;
  }

  function append(store: Store, count: number): Promise<{ first: number; last: number }> {
    const entries = Array.from({ length: count }, () => ({ kind: 'updated', entity: 'event', entity_id: crypto.randomUUID() }));
    return transact(store.db, (trx) => appendToList(trx, 'change', entries, new Date(0)));
  }

  async function breakTable(store: Store, state: 'away' | 'back'): Promise<void> {
    const [from, to] = state === 'away' ? ['list_head', 'list_head_away'] : ['list_head_away', 'list_head'];
    await store.db.schema.alterTable(from!).renameTo(to!).execute();
  }

  async function openHere(): Promise<TestStore> {
    const each = await openTestStore(engine);
    cleanups.push(() => each.dispose());
    return each;
  }
});
