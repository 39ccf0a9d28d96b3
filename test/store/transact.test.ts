import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { allowLongQueries, connectStore, type InTime, limitWaits, transact } from '../../src/store/index.ts';
import { withTimeout } from '../../src/values/waiting/with-timeout.ts';
import { describeEachEngine, openTestStore, type TestStore } from '../support/database/store.ts';

describeEachEngine('a transaction', (engine) => {
  let opened: TestStore;
  beforeAll(async () => {
    opened = await openTestStore(engine);
  });
  afterAll(() => opened.dispose());

  test.each([
    ['serialization failure', '40001'],
    ['deadlock', '40P01'],
  ])('is tried again after a %s, three times at most', async (_, code) => {
    const { db } = opened.store;
    let runs = 0;
    const failing = (times: number) =>
      transact(db, async (trx) => {
        runs++;
        if (runs <= times) await sql`do ${sql.raw(`$$ begin raise 'again' using errcode = '${code}'; end $$`)}`.execute(trx);
        return runs;
      });
    expect(await failing(3)).toBe(4);
    runs = 0;
    await expect(failing(9)).rejects.toMatchObject({ code });
    expect(runs).toBe(4);
  });

  test('is done again once where the server has become read-only, as an old primary is', async () => {
    const { db } = opened.store;
    let runs = 0;
    const failing = (times: number) =>
      transact(db, async (trx) => {
        if (++runs <= times) await sql`do $$ begin raise 'a standby' using errcode = '25006'; end $$`.execute(trx);
        return runs;
      });
    expect(await failing(1)).toBe(2);
    runs = 0;
    await expect(failing(9)).rejects.toMatchObject({ code: 'database_read_only' });
    expect(runs).toBe(2);
  });

  test('has an end if a statement takes too long, unless it is work that may take long', async () => {
    const { db, close } = connectStore(opened.store.address, 1, { queryMs: 100 });
    const slow = () => db.transaction().execute((trx) => sql`select pg_sleep(0.3)`.execute(trx));
    await expect(slow()).rejects.toMatchObject({
      code: 'database_unreachable',
      message: expect.stringMatching(/: no answer in time\.$/),
    });
    await allowLongQueries(slow);
    await close();
  });

  test('of which a statement is given up ends with that statement, before its connection is used again', async () => {
    const { db, close } = connectStore(opened.store.address, 1);
    const given = limitWaits(SHORT_WAIT, () =>
      db.transaction().execute(async (trx) => {
        await sql`create table given_up (id int)`.execute(trx);
        await sql`select pg_sleep(0.4)`.execute(trx);
      }),
    );
    await expect(given).rejects.toThrow('no answer within 100 ms');
    expect((await sql`select to_regclass('given_up') as name`.execute(db)).rows).toEqual([{ name: null }]);
    await close();
  });

  test('that has waited too long for a connection leaves it to the next', async () => {
    const { db, close } = connectStore(opened.store.address, 1);
    const busy = sql`select pg_sleep(0.4)`.execute(db);
    await expect(limitWaits(SHORT_WAIT, () => transact(db, (trx) => sql`select 1`.execute(trx)))).rejects.toThrow(
      'no answer within 100 ms',
    );
    await busy;
    expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
    await close();
  });

  test('is done again when its connection is lost before the commit, not after', async () => {
    const { db } = opened.store;
    const lost = () => new Error('Connection terminated unexpectedly');
    let runs = 0;
    const outcome = await transact(db, async () => {
      if (++runs === 1) throw lost();
      return 'done';
    });
    expect([outcome, runs]).toEqual(['done', 2]);

    const cutAtCommit = new Proxy(db, {
      get: (target, name) =>
        name !== 'transaction'
          ? Reflect.get(target, name)
          : () => ({
              execute: async (work: (trx: unknown) => Promise<unknown>) => {
                await target.transaction().execute(work);
                throw lost();
              },
            }),
    });
    runs = 0;
    await expect(transact(cutAtCommit, async () => ++runs)).rejects.toThrow('terminated');
    expect(runs).toBe(1);
  });

  test('is not tried again after any other error, and leaves nothing', async () => {
    const { db } = opened.store;
    let runs = 0;
    const city = { slug: 'x', name: 'X', timezone: 'UTC', currency: 'EUR', locale: 'en', latitude: 0, longitude: 0 };
    const twice = transact(db, async (trx) => {
      runs++;
      await trx.insertInto('city').values(city).execute();
      await trx.insertInto('city').values(city).execute();
    });
    await expect(twice).rejects.toMatchObject({ code: '23505' });
    expect(runs).toBe(1);
    expect(await db.selectFrom('city').select('slug').execute()).toEqual([]);
  });

  test('of many that add to the same row loses nothing', async () => {
    const { db } = opened.store;
    await Promise.all(
      Array.from({ length: 20 }, () =>
        transact(db, async (trx) => {
          const { seq } = await trx
            .selectFrom('list_head')
            .select('seq')
            .where('list', '=', 'change')
            .forUpdate()
            .executeTakeFirstOrThrow();
          await trx
            .updateTable('list_head')
            .set({ seq: Number(seq) + 1 })
            .where('list', '=', 'change')
            .execute();
        }),
      ),
    );
    expect(await db.selectFrom('list_head').select('seq').where('list', '=', 'change').execute()).toEqual([{ seq: '20' }]);
  });
});

const SHORT_WAIT: InTime = (work) => withTimeout(work, 100);
