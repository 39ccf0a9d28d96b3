import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { openStore } from '../../src/store/index.ts';
import { describeEachEngine, openNewTestStore, type TestStore } from '../support/database/store.ts';

const opened: TestStore[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.dispose();
});

describeEachEngine('a store', (engine) => {
  test('opens migrated and empty', async () => {
    const { store } = await openHere();
    expect(store.kind).toBe(engine);
    await store.ping();
    expect(await store.db.selectFrom('list_head').select(['list', 'seq']).orderBy('list').execute()).toEqual([
      { list: 'access_change', seq: '0' },
      { list: 'change', seq: '0' },
    ]);
    expect(await store.db.selectFrom('event').select('id').execute()).toEqual([]);
  });

  test('keeps what was written when it is opened again', async () => {
    const { store, options } = await openHere();
    await store.db
      .insertInto('city')
      .values({ slug: 'x', name: 'X', timezone: 'UTC', currency: 'EUR', locale: 'en', latitude: 1.5, longitude: 2 })
      .execute();
    const again = await openStore(options);
    expect(await again.db.selectFrom('city').select(['slug', 'latitude']).execute()).toEqual([{ slug: 'x', latitude: 1.5 }]);
    await again.close();
  });

  test('reads a calendar day as text and a moment as a Date', async () => {
    const { store } = await openHere();
    const { rows } = await sql`select date '2026-11-01' as day, timestamptz '2026-11-01T00:00:00-05:00' as moment`.execute(
      store.db,
    );
    expect(rows).toEqual([{ day: '2026-11-01', moment: new Date('2026-11-01T05:00:00Z') }]);
  });

  async function openHere(): Promise<TestStore> {
    const each = await openNewTestStore(engine);
    opened.push(each);
    return each;
  }
});
