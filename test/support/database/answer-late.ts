import type { Kysely, QueryId } from 'kysely';
import type { Database } from '../../../src/store/index.ts';

/** The database whose answer to the first question about `table` waits for `held`, while others change the table. */
export function answerLate(db: Kysely<Database>, table: keyof Database, held: () => Promise<void>): Kysely<Database> {
  let waiting: QueryId | null | undefined;
  return db.withPlugin({
    transformQuery({ node, queryId }) {
      const isAsked = node.kind === 'SelectQueryNode' && JSON.stringify(node.from ?? null).includes(`"name":"${table}"`);
      if (isAsked && waiting === undefined) waiting = queryId;
      return node;
    },
    async transformResult({ result, queryId }) {
      if (queryId === waiting) await held();
      return result;
    },
  });
}
