/**
 * One writer of the directory at a time, in whatever process. A plan is made of what is held and written in several transactions;
 * nobody else may match or merge in between. A holder that slept too long loses the lease, and its next transaction is refused: the
 * token grows with every holder, so an old one can never commit.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../../store/index.ts';
import { IngestError } from '../ingest-error.ts';

export interface Lease {
  /** Makes sure, inside a transaction, that this is still the holder, and prolongs the lease. Throws an `IngestError` otherwise. */
  check(trx: Transaction<Database>): Promise<void>;
  release(): Promise<void>;
}

/** Waits until the directory is free. Times are the database's, so clocks of machines do not matter. */
export async function takeLease(db: Kysely<Database>, patienceMs = PATIENCE_MS): Promise<Lease> {
  for (let waited = 0; ; waited += RETRY_MS) {
    const { rows } = await sql<{ token: string }>`
      insert into lease (name, token, until) values (${NAME}, 1, now() + ${LENGTH}::interval)
      on conflict (name) do update set token = lease.token + 1, until = excluded.until where lease.until < now()
      returning token`.execute(db);
    const [row] = rows;
    if (row) return lease(db, row.token);
    if (waited >= patienceMs)
      throw new IngestError('directory_busy', 'another run has been writing for too long: try again later');
    await delay(RETRY_MS);
  }
}

function lease(db: Kysely<Database>, token: string): Lease {
  return {
    async check(trx) {
      const { rows } = await sql`
        update lease set until = now() + ${LENGTH}::interval where name = ${NAME} and token = ${token} returning token`.execute(
        trx,
      );
      if (rows.length === 0) throw new IngestError('run_superseded', 'another run has taken over: nothing more is written');
    },
    async release() {
      await sql`update lease set until = now() - interval '1 second' where name = ${NAME} and token = ${token}`.execute(db);
    },
  };
}

const NAME = 'directory';
/** Longer than any single step of a run. */
const LENGTH = '2 minutes';
const PATIENCE_MS = 15 * 60_000;
const RETRY_MS = 250;
