import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { inPieces, transact } from '../../src/store/index.ts';
import { describeEachEngine, openTestStore } from '../support/database/store.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const slugs = Array.from({ length: 2_345 }, (_, index) => `slug-${index}`);
const shape = { type: 'Polygon', coordinates: [] };

describeEachEngine('writing in pieces', (engine) => {
  test('writes everything once, in order, also what one statement refers to of another', async () => {
    const { db } = await openHere();
    const sizes: number[] = [];
    await transact(db, (trx) =>
      inPieces(slugs, (piece) => {
        sizes.push(piece.length);
        // Each piece is numbered after those before it.
        return sql`insert into neighborhood (id, slug, name, latitude, longitude, geometry, updated_at)
          select gen_random_uuid(), slug, (select count(*) from neighborhood) + nr, 0, 0, ${JSON.stringify(shape)}::jsonb, now()
          from unnest(${piece}::text[]) with ordinality as r (slug, nr)`.execute(trx);
      }),
    );
    expect(sizes.reduce((sum, size) => sum + size)).toBe(slugs.length);
    expect(sizes.length).toBeGreaterThan(2);
    const rows = await db.selectFrom('neighborhood').select(['slug', 'name']).execute();
    expect(Object.fromEntries(rows.map(({ slug, name }) => [slug, name]))).toEqual(
      Object.fromEntries(slugs.map((slug, index) => [slug, String(index + 1)])),
    );
  });

  test('fails as the first piece that fails, and leaves nothing behind', async () => {
    const { db } = await openHere();
    let calls = 0;
    const work = transact(db, (trx) =>
      inPieces(slugs, (piece) => {
        calls += 1;
        const id = calls < 3 ? 'gen_random_uuid()' : "'no id'::uuid";
        return sql`insert into neighborhood (id, slug, name, latitude, longitude, geometry, updated_at)
          select ${sql.raw(id)}, slug, slug, 0, 0, ${JSON.stringify(shape)}::jsonb, now()
          from unnest(${piece}::text[]) as r (slug)`.execute(trx);
      }),
    );
    await expect(work).rejects.toThrow('invalid input syntax for type uuid: "no id"');
    expect(await db.selectFrom('neighborhood').select('slug').execute()).toEqual([]);
  });

  test('has two under way at most', async () => {
    const under = { way: 0, most: 0 };
    await inPieces(slugs, async () => {
      under.way += 1;
      under.most = Math.max(under.most, under.way);
      await new Promise((resolve) => setTimeout(resolve, 5));
      under.way -= 1;
    });
    expect(under).toEqual({ way: 0, most: 2 });
  });

  test('does nothing for nothing', async () => {
    await inPieces([], () => Promise.reject(new Error('called')));
  });

  async function openHere() {
    const { store, dispose } = await openTestStore(engine);
    cleanups.push(dispose);
    return store;
  }
});
