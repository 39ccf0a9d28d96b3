import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryLease } from '../../src/store/index.ts';
import { describeEachEngine, openTestStore, type TestStore } from '../support/database/store.ts';

describeEachEngine('a lease', (engine) => {
  let opened: TestStore;
  beforeAll(async () => {
    opened = await openTestStore(engine);
  });
  afterAll(() => opened.dispose());

  test('that was taken while the clock was ahead by mistake keeps nobody out', async () => {
    const { db } = opened.store;
    const lease = await tryLease(db, 'clock', 60);
    expect(await tryLease(db, 'clock', 60)).toBe(null);
    await sql`update lease set until = until + interval '1 year' where name = 'clock'`.execute(db);
    const next = await tryLease(db, 'clock', 60);
    expect(await lease?.prolong()).toBe(false);
    expect(await next?.prolong()).toBe(true);
  });

  test('is free as soon as it is given back, also where the clock is set back then', async () => {
    const { db } = opened.store;
    await (await tryLease(db, 'given back', 60))?.release();
    expect((await sql`select until from lease where name = 'given back'`.execute(db)).rows).toEqual([{ until: new Date(0) }]);
    expect(await tryLease(db, 'given back', 60)).not.toBe(null);
  });
});
