/** Works on the queue: claims exports, has each written in a thread, keeps its files, and clears away what is over. */

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../../log.ts';
import { type CommitWatcher, limitQueries } from '../../store/index.ts';
import { createSemaphore } from '../../values/waiting/semaphore.ts';
import { formatManifest } from '../manifest.ts';
import { MANIFEST_FILE, type Manifest } from '../model.ts';
import { type ExportStorage, isFullStorage, StorageAwayError, tellAway } from '../storage.ts';
import { MAX_PART_BYTES } from '../write-export.ts';
import { createSweep, folderOf } from './export-files.ts';
import { createExportQueue, type ExportJob, type ExportQueue, MAX_ATTEMPTS, type QueueOptions } from './queue.ts';
import { enqueueDue, expireExports, nextDue } from './schedule.ts';
import { createWriteJob, FinalError, type WriteJobOptions } from './write-job.ts';

export interface ExportRunnerOptions extends Omit<WriteJobOptions, 'storage' | 'maxPartBytes'> {
  commitWatcher: CommitWatcher;
  storage: ExportStorage;
  /** Where files are while they are written. */
  workFolder: string;
  log: Log;
  leaseMs?: number;
  maxPartBytes?: number;
  onReady?: QueueOptions['onReady'];
}

export interface ExportRunner {
  /** Starts what waits, and does not wait for its end. */
  look(): Promise<void>;
  /** Resolves when nothing is being written. */
  onIdle(): Promise<void>;
  /** What is being written goes back to the queue. */
  close(): Promise<void>;
}

export function createExportRunner(options: ExportRunnerOptions): ExportRunner {
  const { db, commitWatcher, workFolder, now, log, leaseMs = LEASE_MS, maxPartBytes = MAX_PART_BYTES } = options;
  const storage = tellAway(options.storage);
  const queue = createExportQueue({ db, now, leaseMs, ...(options.onReady && { onReady: options.onReady }) });
  const sweep = createSweep(db, storage, workFolder, log);
  const writeJob = createWriteJob({ ...options, storage, maxPartBytes });
  const ending = new AbortController();
  const running = new Map<string, Promise<void>>();
  let dueAt = Number.NEGATIVE_INFINITY;
  // Two looks that count at once would begin too many.
  const inTurn = createSemaphore({ atOnce: 1, waiting: Number.POSITIVE_INFINITY });

  async function look(): Promise<void> {
    if (ending.signal.aborted || (commitWatcher.nothingNew() && now() < dueAt && running.size === 0)) return;
    const sawAll = commitWatcher.begin();
    await expireExports(db, now);
    await enqueueDue(db, now);
    dueAt = await nextDue(db);
    while (running.size < MAX_RUNNING && !ending.signal.aborted) {
      const job = await queue.claim();
      if (!job) break;
      const work = run(job).finally(() => {
        running.delete(job.claim);
        // Another one may have waited for the room.
        if (!ending.signal.aborted) inTurn(look).catch((err: unknown) => log.error({ err }, 'cannot check for due exports'));
      });
      running.set(job.claim, work);
    }
    await sweep().catch((err: unknown) => log.warn({ err }, 'cannot look for files of exports that are over'));
    sawAll();
  }

  async function run(job: ExportJob): Promise<void> {
    const stopping = new AbortController();
    const signal = AbortSignal.any([ending.signal, stopping.signal]);
    const onLost = () => stopping.abort(new Error('the export was canceled or taken over'));
    const lease = keepLease(job, { queue, leaseMs, log, onLost });
    const folder = join(workFolder, folderOf(job));
    try {
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const manifest = await writeJob(job, folder, signal);
      signal.throwIfAborted();
      await keepFiles(job, folder, manifest, { queue, storage, signal });
    } catch (err) {
      if (stopping.signal.aborted) log.info({ export: job.id }, 'an export was canceled');
      else await returnJob(job, err);
    } finally {
      lease.end();
      await rm(folder, { recursive: true, force: true }).catch((err: unknown) =>
        log.warn({ err }, 'cannot delete the files of an export'),
      );
    }
  }

  /** It failed for good, or it is tried again. */
  async function returnJob(job: ExportJob, err: unknown): Promise<void> {
    if (err instanceof StorageAwayError || isFullStorage(storage, err)) return waitForStorage(job, err);
    const isFinal = err instanceof FinalError;
    const isEnding = ending.signal.aborted;
    if (!isFinal && !isEnding) log.error({ err, export: job.id }, 'an export failed');
    const isOver = isFinal || (!isEnding && job.attempt - job.storageTries >= MAX_ATTEMPTS);
    const told = isFinal ? err.message : 'The export could not be written.';
    await (isOver ? queue.fail(job, told) : queue.putBack(job)).catch((error: unknown) =>
      log.error({ err: error }, 'cannot return an export to the queue'),
    );
  }

  async function waitForStorage(job: ExportJob, err: unknown): Promise<void> {
    try {
      const retryAt = await queue.waitForStorage(job);
      const told = { err, export: job.id, tries: job.storageTries + 1 };
      if (retryAt === null) log.error(told, 'an export failed: the storage did not answer for a day');
      else log.warn({ ...told, retryAt: new Date(retryAt) }, 'the storage of exports does not answer; trying again later');
    } catch (error) {
      log.error({ err: error }, 'cannot return an export to the queue');
    }
  }

  return {
    look: () => limitQueries(QUERY_MS, () => inTurn(look)),
    async onIdle() {
      await Promise.all(running.values());
    },
    async close() {
      ending.abort(new Error('the service ends'));
      await Promise.all(running.values());
    },
  };
}

/** Hands the files of a finished export to the storage, and makes it ready. One that was lost meanwhile leaves nothing. */
async function keepFiles(
  job: ExportJob,
  folder: string,
  manifest: Manifest,
  { queue, storage, signal }: { queue: ExportQueue; storage: ExportStorage; signal: AbortSignal },
): Promise<void> {
  const text = formatManifest(manifest);
  await writeFile(join(folder, MANIFEST_FILE), text, { mode: 0o600 });
  await storage.keep(folderOf(job), folder, signal);
  const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
  const finished = { isFull: manifest.previous === null, rows: manifest.rows, bytes, manifest: text };
  if (!(await queue.finish(job, finished))) await storage.remove(folderOf(job));
}

interface KeepLeaseOptions {
  queue: Pick<ExportQueue, 'renew' | 'isHeld'>;
  leaseMs: number;
  log: Log;
  /** The job is another's by now, or cancelled. */
  onLost(): void;
}

/** Renews the lease from time to time, and looks far more often whether it is still ours. */
function keepLease(job: ExportJob, { queue, leaseMs, log, onLost }: KeepLeaseOptions): { end(): void } {
  let dueAt = performance.now() + leaseMs / 3;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const check = async (): Promise<void> => {
    const isDue = performance.now() >= dueAt;
    if (isDue) dueAt = performance.now() + leaseMs / 3;
    try {
      if (!(await (isDue ? queue.renew(job) : queue.isHeld(job)))) return onLost();
    } catch (err) {
      if (isDue) log.warn({ err, export: job.id }, 'cannot renew the lease of an export');
    }
    if (!isOver) timer = setTimeout(check, WATCH_EVERY_MS);
  };
  timer = setTimeout(check, WATCH_EVERY_MS);
  return {
    end() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

/** In one process. A third one would take processor time from the requests. */
const MAX_RUNNING = 2;
const LEASE_MS = 30_000;
/** On a server, where a network may go silent; also for the exports that a look begins. */
const QUERY_MS = 5_000;
/** An export that is cancelled ends within a second. */
const WATCH_EVERY_MS = 400;
