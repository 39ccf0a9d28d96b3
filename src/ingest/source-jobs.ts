/**
 * Sources by the clock: jobs in the database (pg-boss), so that of many workers one runs a source, and what a worker leaves behind when
 * it dies is found by another. Nothing is opened before a source has a schedule.
 */

import { CompiledQuery, type Kysely } from 'kysely';
import type { PgBoss } from 'pg-boss';
import type { Log } from '../log.ts';
import type { Database } from '../store/index.ts';
import { IngestError } from './ingest-error.ts';
import type { SourceReport } from './run/run-source.ts';
import { fulfilWish, listSources, type Source } from './sources.ts';

export interface SourceJobs {
  /** Sends a job for every source whose time has come; one that has a job already gets no second. Returns their names. */
  look(): Promise<string[]>;
  /** Waits for the runs under way. */
  close(): Promise<void>;
}

export interface SourceJobsOptions {
  store: { db: Kysely<Database> };
  /** Runs one source; `signal` when the service stops. */
  run(name: string, signal: AbortSignal): Promise<SourceReport>;
  now: () => number;
  log: Log;
  /** How often the jobs are asked for. */
  pollSeconds?: number;
}

export function createSourceJobs(options: SourceJobsOptions): SourceJobs {
  const { store, now } = options;
  let opening: Promise<Opened> | null = null;
  const stopping = new AbortController();
  return {
    async look() {
      const due = (await listSources({ store })).filter((source) => isDue(source, now()));
      if (due.length === 0 || stopping.signal.aborted) return [];
      opening ??= openBoss(options, stopping.signal).catch((error: unknown) => {
        opening = null;
        throw error;
      });
      const { boss, worker } = await opening;
      for (const { name } of due) await boss.send(QUEUE, { name }, { singletonKey: name });
      boss.notifyWorker(worker);
      return due.map(({ name }) => name);
    },
    async close() {
      stopping.abort();
      const opened = await opening?.catch(() => null);
      await opened?.boss.stop({ graceful: true, timeout: STOP_MS });
    },
  };
}

/** Its interval has passed; after failures the circuit is open until the time to retry; a paused or held source waits for a person's word. */
function isDue({ everySeconds, lastRunAt, retryAt, state, wantedAt }: Source, now: number): boolean {
  if (wantedAt !== null) return true;
  if (everySeconds === null || state !== 'active') return false;
  if (retryAt !== null) return now >= retryAt;
  return lastRunAt === null || now >= lastRunAt + everySeconds * 1000;
}

interface Opened {
  boss: PgBoss;
  /** Looks for jobs by the clock, and at once when it is told of one. */
  worker: string;
}

async function openBoss(
  { store, run, now, log, pollSeconds = POLL_SECONDS }: SourceJobsOptions,
  signal: AbortSignal,
): Promise<Opened> {
  const { PgBoss: Boss } = await import('pg-boss');
  const boss = new Boss({
    db: {
      async executeSql(text, values = []) {
        const { rows } = await store.db.executeQuery(CompiledQuery.raw(text, [...values]));
        return { rows: (rows ?? []) as unknown[] };
      },
    },
    schedule: false,
    useListenNotify: false,
  });
  boss.on('error', (error) => log.warn({ err: error }, 'the jobs are out of reach'));
  await boss.start();
  // Exclusive: one job of a source at a time, waiting or at work.
  await boss.createQueue(QUEUE, { policy: 'exclusive', retryLimit: 0, expireInSeconds: EXPIRE_SECONDS });
  const worker = await boss.work<{ name: string }>(
    QUEUE,
    { pollingIntervalSeconds: pollSeconds, batchSize: 1 },
    async ([job]) => {
      if (!job) return;
      const { name } = job.data;
      const began = now();
      try {
        const { difference: _, rejected: __, ...report } = await run(name, signal);
        log.info({ source: name, report }, report.held === null ? 'source run' : 'source held');
      } catch (error) {
        // A source that fails keeps its error and its time to retry; the job has done its work.
        if (!(error instanceof IngestError)) throw error;
        log.warn({ source: name, reason: error.message }, 'source failed');
      } finally {
        await fulfilWish(store, name, began);
      }
    },
  );
  return { boss, worker };
}

const QUEUE = 'run-source';
const POLL_SECONDS = 5;
/** A worker that has said nothing for so long is dead; its fence keeps it from writing when it is not. */
const EXPIRE_SECONDS = 3600;
const STOP_MS = 20_000;
