import type { Kysely } from 'kysely';
import type { Database } from '../../src/store/index.ts';

/** The same database, and how many queries went through it so far. */
export function countQueries(db: Kysely<Database>): { db: Kysely<Database>; asked: () => number } {
  let asked = 0;
  const counted = db.withPlugin({
    transformQuery({ node }) {
      asked += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  return { db: counted, asked: () => asked };
}
