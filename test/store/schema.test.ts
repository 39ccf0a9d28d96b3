import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeEachEngine, openTestStore, type TestStore } from '../support/database/store.ts';
import { TABLES } from './tables.ts';

const VENUE_ID = '01900000-0000-7000-8000-000000000001';
const EVENT_ID = '01900000-0000-7000-8000-000000000002';

describeEachEngine('the tables', (engine) => {
  let opened: TestStore;
  beforeAll(async () => {
    opened = await openTestStore(engine);
  });
  afterAll(() => opened.dispose());

  test('are those of schema.ts, column for column', async () => {
    const { rows } = await sql<{ table_name: string; column_name: string; type: string }>`
      select table_name, column_name, udt_name || case is_nullable when 'YES' then ' or null' else '' end as type
      from information_schema.columns where table_schema = 'public' and table_name <> 'migration'`.execute(opened.store.db);
    const found: Record<string, Record<string, string>> = {};
    for (const { table_name, column_name, type } of rows) {
      found[table_name] = { ...found[table_name], [column_name]: type };
    }
    expect(found).toEqual(TABLES);
  });

  test('have an index for every reference, so that no removal reads a whole table', async () => {
    const { rows } = await sql`
      select conrelid::regclass::text as table, conname from pg_constraint
      where contype = 'f' and not exists (
        select from pg_index where indrelid = conrelid and indkey[0] = conkey[1])`.execute(opened.store.db);
    expect(rows).toEqual([]);
  });

  test.each([
    ['a free event with a price', { is_free: true, price_min: 0, price_max: 5 }],
    ['a free event without prices', { is_free: true }],
    ['a price range upside down', { price_min: 5, price_max: 4 }],
    ['a negative price', { price_min: -1 }],
    ['a price that is no number', { price_max: 'NaN' }],
    ['an end before the start', { ends_at: '2026-10-31T00:00:00Z' }],
    ['a start at no time', { starts_at: 'infinity' }],
    ['an unknown category', { category: 'Concert' }],
    ['an unknown status', { status: 'gone' }],
    ['a merged event without survivor', { state: 'merged' }],
    ['a published event with a survivor', { merged_into: EVENT_ID }],
    ['a tag that is null', { tags: sql`array[null]::text[]` }],
    ['a title of 301 letters', { title: 'x'.repeat(301) }],
    ['a slug with a space', { slug: 'a b' }],
    ['a score above 100', { discovery_score: 101 }],
    ['a venue that does not exist', { venue_id: '01900000-0000-7000-8000-00000000ffff' }],
  ])('do not take %s', async (_, wrong) => {
    await expect(writeEvent(wrong)).rejects.toMatchObject({ code: expect.stringMatching(/^23/) });
  });

  test('take the event that those were made of', async () => {
    await writeEvent({});
  });

  /** In a transaction that never commits. */
  async function writeEvent(wrong: object): Promise<void> {
    const done = new Error('rolled back');
    const written = opened.store.db.transaction().execute(async (trx) => {
      const at = '2026-11-01T00:00:00Z';
      await trx
        .insertInto('venue')
        .values({
          id: VENUE_ID,
          slug: 'hall',
          name: 'Hall',
          type: 'theater',
          latitude: 1,
          longitude: 2,
          is_verified: true,
          created_at: at,
          updated_at: at,
        })
        .execute();
      const event = {
        id: EVENT_ID,
        slug: 'show',
        title: 'Show',
        category: 'concert',
        starts_at: at,
        is_free: false,
        venue_id: VENUE_ID,
        discovery_score: 50,
        scored_at: at,
        scored_day: '2026-11-01',
        created_at: at,
        updated_at: at,
      };
      await trx
        .insertInto('event')
        .values({ ...event, ...wrong })
        .execute();
      throw done;
    });
    await written.catch((error) => {
      if (error !== done) throw error;
    });
  }
});
