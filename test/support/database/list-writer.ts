import { appendToList, type Store, transact } from '../../../src/store/index.ts';

class Unwanted extends Error {}

/**
 * One transaction that appends 1 to 5 changes; every third is rolled back after its numbers were given. Gives the ids written,
 * in order, and the number of the first; undefined when rolled back.
 */
export async function appendInTransaction(store: Store, seed: number): Promise<{ ids: string[]; first: number } | undefined> {
  const ids = Array.from({ length: 1 + (seed % 5) }, () => crypto.randomUUID());
  try {
    return await transact(store.db, async (trx) => {
      const { first } = await appendToList(
        trx,
        'change',
        ids.map((entity_id) => ({ kind: 'updated', entity: 'event', entity_id })),
        new Date(),
      );
      if (seed % 3 === 0) throw new Unwanted();
      return { ids, first };
    });
  } catch (error) {
    if (error instanceof Unwanted) return undefined;
    throw error;
  }
}
