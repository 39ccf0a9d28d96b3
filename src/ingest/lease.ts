/**
 * One writer of the directory at a time, in whatever process. A plan is made of what is held and written in several transactions;
 * nobody else may match or merge in between.
 */

import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';
import { type Database, tryLease } from '../store/index.ts';
import { IngestError } from './ingest-error.ts';
import { isFence } from './sources/source-state.ts';

export interface DirectoryLease {
  /** Makes sure, inside a transaction, that this is still the holder, and prolongs the lease. Throws an `IngestError` otherwise. */
  check(trx: Transaction<Database>): Promise<void>;
  release(): Promise<void>;
}

/** Waits until the directory is free. */
export async function takeLease(db: Kysely<Database>, patienceMs = PATIENCE_MS): Promise<DirectoryLease> {
  for (let waited = 0; ; waited += RETRY_MS) {
    const lease = await tryLease(db, 'directory', LENGTH_SECONDS);
    if (lease) {
      return {
        async check(trx) {
          if (!(await lease.prolong(trx)))
            throw new IngestError('run_superseded', 'another run has taken over; nothing more was written');
        },
        release: lease.release,
      };
    }
    if (waited >= patienceMs)
      throw new IngestError('directory_busy', 'another run has been writing for too long; try again later');
    await delay(RETRY_MS);
  }
}

/** What the run of a source must show: the number that it raised the fence of the source to. */
export interface Fence {
  sourceId: string;
  value: string;
}

/** Throws an `IngestError` once a later run of the source has begun. */
export async function checkFence(trx: Transaction<Database>, { sourceId, value }: Fence): Promise<void> {
  if (!(await isFence(trx, sourceId, value)))
    throw new IngestError('run_superseded', 'a later run of this source has started; nothing more was written');
}

/** Longer than any single step of a run. */
const LENGTH_SECONDS = 120;
const PATIENCE_MS = 15 * 60_000;
const RETRY_MS = 250;
