/** Works on the queue: claims exports, has each written in a thread, keeps its files, and clears away what is over. */

import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { loadAccountTier } from '../../accounts/index.ts';
import { readLogState } from '../../catalog/index.ts';
import type { Clock } from '../../clock.ts';
import type { Feeds } from '../../feeds/index.ts';
import type { Log } from '../../log.ts';
import { type CommitWatcher, type Database, limitQueries } from '../../store/index.ts';
import { createManifest, formatManifest } from '../manifest.ts';
import { type ExportContent, type ExportFilter, MANIFEST_FILE, type Manifest } from '../model.ts';
import type { SigningKey } from '../signing-key.ts';
import type { ExportStorage } from '../storage/storage.ts';
import { KNOWN_RECORDS_FILE, MAX_PART_BYTES } from '../write-export.ts';
import { readSurroundings } from './export-folder.ts';
import { createExportQueue, type ExportJob, folderOf, MAX_ATTEMPTS, type QueueOptions } from './queue.ts';
import { type ExportSearch, holdSnapshot } from './write-in-thread.ts';

/** Why a query that was saved cannot be read any more. */
export type ParseQuery = (
  query: string,
  at: { timezone: string; now: number },
) => { ok: true; query: ExportFilter } | { ok: false; errors: readonly { detail: string }[] };

export interface ExportRunnerOptions {
  db: Kysely<Database>;
  commitWatcher: CommitWatcher;
  /** The read model for as long as `work` takes. */
  withSearch<T>(work: (search: ExportSearch) => Promise<T>): Promise<T>;
  parseQuery: ParseQuery;
  feeds: Pick<Feeds, 'find'>;
  storage: ExportStorage;
  /** Where files are while they are written. */
  workFolder: string;
  key: SigningKey;
  /** The directory's clock. */
  now: Clock;
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

/** An export that fails for a reason that its owner can understand, and that no further attempt changes. */
class FinalError extends Error {}

export function createExportRunner(options: ExportRunnerOptions): ExportRunner {
  const { db, commitWatcher, withSearch, parseQuery, feeds, storage, workFolder, key, now, log } = options;
  const { leaseMs = LEASE_MS, maxPartBytes = MAX_PART_BYTES } = options;
  const queue = createExportQueue({ db, now, leaseMs, ...(options.onReady && { onReady: options.onReady }) });
  const ending = new AbortController();
  const running = new Map<string, Promise<void>>();
  let dueAt = Number.NEGATIVE_INFINITY;
  let sweptAt = Number.NEGATIVE_INFINITY;

  async function look(): Promise<void> {
    if (ending.signal.aborted || (commitWatcher.nothingNew() && now() < dueAt && running.size === 0)) return;
    const sawAll = commitWatcher.begin();
    await queue.expire();
    await queue.enqueueDue();
    await sweep();
    dueAt = await queue.nextDue();
    while (running.size < MAX_RUNNING && !ending.signal.aborted) {
      const job = await queue.claim();
      if (!job) break;
      const work = run(job).finally(() => {
        running.delete(job.claim);
        // Another one may have waited for the room.
        if (!ending.signal.aborted) look().catch((err: unknown) => log.error({ err }, 'cannot check for due exports'));
      });
      running.set(job.claim, work);
    }
    sawAll();
  }

  /** Files that no export has any more: expired, removed, given up, or left behind by a process that was killed. */
  async function sweep(): Promise<void> {
    if (performance.now() - sweptAt < storage.sweepEveryMs) return;
    sweptAt = performance.now();
    const kept = await storage.folders();
    const begun = (await readdir(workFolder).catch(() => [])) as string[];
    if (kept.length + begun.length === 0) return;
    // Read after the folders: one that is made meanwhile is not among them.
    const inUse = await queue.folders();
    for (const folder of kept) if (!inUse.has(folder)) await storage.remove(folder);
    for (const folder of begun) if (!inUse.has(folder)) await rm(join(workFolder, folder), { recursive: true, force: true });
  }

  async function run(job: ExportJob): Promise<void> {
    const stopping = new AbortController();
    const signal = AbortSignal.any([ending.signal, stopping.signal]);
    const lease = keepLease(job, () => stopping.abort(new Error('the export was canceled or taken over')));
    const folder = join(workFolder, folderOf(job));
    try {
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await write(job, folder, signal);
    } catch (err) {
      if (stopping.signal.aborted) log.info({ export: job.id }, 'an export was canceled');
      else {
        const isFinal = err instanceof FinalError;
        const isOver = isFinal || (!ending.signal.aborted && job.attempt >= MAX_ATTEMPTS);
        if (!isFinal && !ending.signal.aborted) log.error({ err, export: job.id }, 'an export failed');
        const told = isFinal ? err.message : 'The export could not be written.';
        await (isOver ? queue.fail(job, told) : queue.putBack(job)).catch((error: unknown) =>
          log.error({ err: error }, 'cannot return an export to the queue'),
        );
      }
    } finally {
      lease.end();
      await rm(folder, { recursive: true, force: true }).catch((err: unknown) =>
        log.warn({ err }, 'cannot delete the files of an export'),
      );
    }
  }

  /** Renews the lease from time to time, and looks far more often whether it is still ours. */
  function keepLease(job: ExportJob, onLost: () => void): { end(): void } {
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

  async function write(job: ExportJob, folder: string, signal: AbortSignal): Promise<void> {
    if ((await loadAccountTier(db, job.accountId, now())) !== 'enterprise') {
      throw new FinalError('Exports need an active Enterprise plan.');
    }
    const feed = job.feedId === null ? null : await feeds.find(job.accountId, job.feedId);
    if (job.feedId !== null && !feed) throw new FinalError('The saved query was removed.');
    const query = feed?.query ?? null;
    const manifest = await withSearch(async (search) => {
      const { head } = await readLogState(db);
      await inTime(search.caughtUp(head));
      const held = holdSnapshot(search);
      try {
        return await writeFrom(held);
      } finally {
        held.release();
      }
    });
    signal.throwIfAborted();
    const text = formatManifest(manifest);
    await writeFile(join(folder, MANIFEST_FILE), text, { mode: 0o600 });
    await storage.keep(folderOf(job), folder, signal);
    const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
    const finished = { isFull: manifest.previous === null, rows: manifest.rows, bytes, manifest: text };
    if (!(await queue.finish(job, finished))) await storage.remove(folderOf(job));

    async function writeFrom({ snapshot, write: writeFiles }: ReturnType<typeof holdSnapshot>): Promise<Manifest> {
      const at = now();
      const content: ExportContent = { format: job.format, columns: job.columns, filter: null };
      if (query !== null) {
        const parsed = parseQuery(query, { timezone: snapshot.city.timezone, now: at });
        if (!parsed.ok) throw new FinalError(`The saved query cannot be read: ${parsed.errors[0]?.detail ?? 'it is not valid'}.`);
        content.filter = parsed.query;
      }
      const { position, city, neighborhoods } = await readSurroundings(db, snapshot, content);
      const before = await previousOf(job, query, position.epoch);
      const known = before && (await storage.fetch(folderOf(before), KNOWN_RECORDS_FILE));
      try {
        const data = { content, now: at, folder, neighborhoods, previous: known?.path ?? null, maxPartBytes };
        const written = await writeFiles(data, signal);
        const previous = before && { id: before.id, epoch: before.manifest.epoch, sequence: before.manifest.sequence };
        return createManifest({ position, now: at, query, content, city, written, previous }, key);
      } finally {
        await known?.release();
      }
    }
  }

  /** Another history, or another query, has nothing to be compared with. */
  async function previousOf(job: ExportJob, query: string | null, epoch: string) {
    const last = await queue.previous(job);
    if (!last) return null;
    const manifest = JSON.parse(last.manifest) as Manifest;
    return manifest.epoch === epoch && manifest.query === query ? { ...last, manifest } : null;
  }

  return {
    look: () => limitQueries(QUERY_MS, look),
    async onIdle() {
      await Promise.all(running.values());
    },
    async close() {
      ending.abort(new Error('the service ends'));
      await Promise.all(running.values());
    },
  };
}

/** What was committed before an export was asked for is in it, unless the builder of snapshots is away. */
async function inTime(caughtUp: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CATCH_UP_MS);
  });
  await Promise.race([caughtUp.catch(() => {}), late]);
  clearTimeout(timer);
}

/** In one process. A third one would take processor time from the requests. */
const MAX_RUNNING = 2;
const LEASE_MS = 30_000;
/** On a server, where a network may go silent; also for the exports that a look begins. */
const QUERY_MS = 5_000;
const CATCH_UP_MS = 30_000;
/** An export that is cancelled ends within a second. */
const WATCH_EVERY_MS = 400;
