/** Transactions that are tried again when the database asks for it. */

import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';
import { isConnectionLost } from './connection-error.ts';
import type { Database } from './schema.ts';
import type { StoreErrorCode } from './store-error.ts';

/**
 * Runs `work` in a transaction and commits. After a serialization failure or a deadlock, or when the connection is lost before
 * the commit was asked for, the whole work runs again, at most three more times; once more where the server has become read-only,
 * as an old primary is. It must have no effect but through `trx`. Inside
 * it only `trx` may be used: on the embedded engine a query on another connection would wait for this transaction to end. When the
 * connection is lost while committing, whether it was committed is not known, and the error says so no better.
 */
export async function transact<T>(db: Kysely<Database>, work: (trx: Transaction<Database>) => Promise<T>): Promise<T> {
  for (let retries = 0; ; retries++) {
    let committing = false;
    try {
      return await db.transaction().execute(async (trx) => {
        const result = await work(trx);
        committing = true;
        return result;
      });
    } catch (error) {
      const { code } = error as { code?: string };
      const isFirstReadOnly = retries === 0 && code === READ_ONLY;
      const retried = RETRIED_STATES.has(code ?? '') || (!committing && isConnectionLost(error)) || isFirstReadOnly;
      if (retries === MAX_RETRIES || !retried) throw error;
      await delay(RETRY_MS * 2 ** retries * (0.5 + Math.random()));
    }
  }
}

/**
 * `write` makes a statement of each piece and sends it; the statements run one after the other, in order, on the one connection of a
 * transaction. Rejects as the first that fails.
 */
export async function inPieces<T>(items: readonly T[], write: (piece: readonly T[]) => Promise<unknown>): Promise<void> {
  const sent: Promise<unknown>[] = [];
  for (let from = 0; from < items.length; from += PIECE) {
    // One is being taken and one is ready: `pg` wants no more to wait, and no more would be gained.
    await sent.at(-2);
    const piece = write(items.slice(from, from + PIECE));
    // Awaited below, with the others; a failure before that must not count as unhandled.
    piece.catch(() => {});
    sent.push(piece);
    // A statement leaves only when this thread is not busy.
    await turn();
  }
  await Promise.all(sent);
}

const MAX_RETRIES = 3;
const RETRY_MS = 20;
/** serialization_failure, deadlock_detected (PostgreSQL documentation, appendix A). */
const RETRIED_STATES: ReadonlySet<string> = new Set(['40001', '40P01']);
/** The first error of a primary that has become a standby. The next connection finds the new primary. */
const READ_ONLY: StoreErrorCode = 'database_read_only';
/** Of 125, 250, 500 and all 2 000 rows of a batch, an import was quickest with these. */
const PIECE = 500;
