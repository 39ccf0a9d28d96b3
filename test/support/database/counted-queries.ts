import { type Kysely, PostgresQueryCompiler, type RootOperationNode } from 'kysely';
import type { Database } from '../../../src/store/index.ts';

/** The same database, and how many queries went through it so far: all, or those whose SQL has `what` in it. */
export function countQueries(db: Kysely<Database>, what = /./): { db: Kysely<Database>; asked: () => number } {
  let asked = 0;
  const compiler = new PostgresQueryCompiler();
  const counted = db.withPlugin({
    transformQuery({ node, queryId }) {
      if (what.test(compiler.compileQuery(node as RootOperationNode, queryId).sql)) asked += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  return { db: counted, asked: () => asked };
}
