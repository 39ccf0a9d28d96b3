import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, type UnknownRow } from 'kysely';
import type { Database } from '../../../src/store/index.ts';

/** A database without a server: every query is answered with these rows, or never. */
export function pretendDatabase(answer: () => Promise<UnknownRow[]>): Kysely<Database> {
  return new Kysely<Database>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    plugins: [
      {
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => ({ ...result, rows: await answer() }),
      },
    ],
  });
}
