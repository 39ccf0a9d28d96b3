/** `cleanUp`: one run through the table of rules. */

import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Log } from '../log.ts';
import type { Database } from '../store/index.ts';
import type { RetentionMoments, RetentionRule } from './model.ts';
import { RETENTION } from './rules.ts';

export interface CleanUpOptions {
  db: Kysely<Database>;
  dataDir: string;
  moments: RetentionMoments;
  log: Log;
  /** Ends the run after the batch that is under way. */
  signal?: AbortSignal;
  rules?: readonly RetentionRule[];
  /** How many rows one transaction may delete or look at. */
  rows?: number;
  /** How many transactions a run may spend on one rule; the next run goes on. */
  batches?: number;
  /** Between two transactions, in which others work. */
  pauseMs?: number;
}

/**
 * Deletes what is older than its rule says, in small transactions that may end at any moment. A rule that fails is logged and stops no
 * other. Gives how many rows and files of each rule were deleted; those of nothing are missing.
 */
export async function cleanUp(options: CleanUpOptions): Promise<Record<string, number>> {
  const { db, dataDir, moments, log, signal, rules = RETENTION, rows = ROWS, batches = BATCHES, pauseMs = PAUSE_MS } = options;
  const deleted: Record<string, number> = {};
  for (const { name, deleteSome } of rules) {
    try {
      for (let batch = 0; batch < batches && !signal?.aborted; batch += 1) {
        const step = await deleteSome({ db, dataDir, moments, rows });
        if (step.deleted > 0) deleted[name] = (deleted[name] ?? 0) + step.deleted;
        if (step.done) break;
        await delay(pauseMs, undefined, { ref: false, ...(signal && { signal }) }).catch(() => {});
      }
    } catch (err) {
      log.error({ err, rule: name }, 'clean-up of a table failed; the next run tries again');
    }
  }
  if (Object.keys(deleted).length > 0) log.info({ deleted }, 'old data deleted');
  return deleted;
}

/** Some milliseconds of the embedded engine, in which nobody else is served. */
const ROWS = 500;
/** A hundred thousand rows a run. */
const BATCHES = 200;
const PAUSE_MS = 25;
