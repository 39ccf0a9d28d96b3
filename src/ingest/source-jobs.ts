/**
 * Sources by the clock. Every worker looks which are due and runs them, one at a time; a lease for each source keeps others from running
 * it meanwhile. What a worker leaves behind when it dies stays due, and another takes it up when the lease has ended.
 */

import type { Kysely } from 'kysely';
import type { Log } from '../log.ts';
import { type Database, tryLease } from '../store/index.ts';
import { IngestError } from './ingest-error.ts';
import { findSource, listSources, markFetched, type Source } from './sources/sources.ts';
import type { SourceReport } from './stored-runs/run-report.ts';

export interface SourceJobs {
  /** Looks which sources are due, gives their names, and begins to run those that no worker runs. */
  look(): Promise<string[]>;
  /** Ends the run under way. */
  close(): Promise<void>;
}

export interface SourceJobsOptions {
  store: { db: Kysely<Database> };
  /** Runs one source; `signal` when the service stops, or when another worker has taken over. */
  run(name: string, signal: AbortSignal): Promise<SourceReport>;
  now: () => number;
  log: Log;
}

export function createSourceJobs(options: SourceJobsOptions): SourceJobs {
  const { store, now, log } = options;
  /** Names in the order in which they were found due. */
  const waiting = new Set<string>();
  let running: Promise<void> | null = null;
  const stopping = new AbortController();

  async function runWaiting(): Promise<void> {
    for (const name of waiting) {
      if (stopping.signal.aborted) return;
      await runOnce(options, name, stopping.signal).catch((err: unknown) =>
        log.error({ err, source: name }, 'cannot run a source'),
      );
      waiting.delete(name);
    }
  }

  return {
    async look() {
      const due = (await listSources({ store })).filter((source) => isDue(source, now())).map(({ name }) => name);
      if (stopping.signal.aborted) return [];
      for (const name of due) waiting.add(name);
      running ??= runWaiting().finally(() => {
        running = null;
      });
      return due;
    },
    async close() {
      stopping.abort();
      await running;
    },
  };
}

/** Does nothing when another worker runs the source, or has run it since it was found due. */
async function runOnce({ store, run, now, log }: SourceJobsOptions, name: string, stopping: AbortSignal): Promise<void> {
  const found = await findSource(store, name);
  const lease = found && (await tryLease(store.db, leaseOf(found), LEASE_SECONDS));
  if (!lease) return;
  const lost = new AbortController();
  const beating = setInterval(() => {
    lease.prolong().then(
      (isHeld) => isHeld || lost.abort(),
      (err: unknown) => log.warn({ err, source: name }, 'cannot renew the lease of a run'),
    );
  }, LEASE_SECONDS * 250);
  const began = now();
  let asked = began;
  try {
    const source = await findSource(store, name);
    if (!source || !isDue(source, began)) return;
    // Whoever asked may have a clock that is ahead of ours.
    asked = Math.max(began, source.wantedAt ?? began);
    const { difference: _, rejected: __, ...report } = await run(name, AbortSignal.any([stopping, lost.signal]));
    if (report.remarks.length > 0) log.warn({ source: name, remarks: report.remarks }, 'remarks of a run');
    log.info({ source: name, report }, report.held === null ? 'source run' : 'source on hold');
  } catch (error) {
    // A source that fails keeps its error and its time to retry.
    if (!(error instanceof IngestError)) throw error;
    log.warn({ source: name, reason: error.message }, 'source failed');
  } finally {
    clearInterval(beating);
    if (!stopping.aborted) await markFetched(store, name, asked);
    await lease.release();
  }
}

/**
 * Its interval has passed; after failures the circuit is open until the time to retry; a paused or held source waits for a person's word.
 * What a run noted while the clock was ahead by mistake keeps no source from its next run.
 */
function isDue({ everySeconds, lastRunAt, retryAt, state, wantedAt }: Source, now: number): boolean {
  if (wantedAt !== null) return true;
  if (everySeconds === null || state !== 'active') return false;
  const everyMs = everySeconds * 1000;
  if (lastRunAt !== null && lastRunAt - now >= everyMs) return true;
  if (retryAt !== null) return now >= retryAt;
  return lastRunAt === null || now >= lastRunAt + everyMs;
}

export const leaseOf = ({ id }: Pick<Source, 'id'>): string => `source ${id}`;

/** A worker that has said nothing for so long is dead; the lease of the directory keeps it from writing when it is not. */
const LEASE_SECONDS = 120;
