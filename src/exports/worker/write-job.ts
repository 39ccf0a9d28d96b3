/** Writes the files of one job into a folder: all of what its query finds now, or what has changed since the export before. */

import { setTimeout as delay } from 'node:timers/promises';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { Kysely } from 'kysely';
import { loadAccountTier } from '../../accounts/index.ts';
import type { Clock } from '../../clock.ts';
import type { Feeds } from '../../feeds/index.ts';
import { parseEventQuery } from '../../query/index.ts';
import { readLogState } from '../../records/index.ts';
import type { Search, Snapshot } from '../../search/index.ts';
import type { Database } from '../../store/index.ts';
import { PERIOD_MS } from '../export-request.ts';
import { createManifest } from '../manifest.ts';
import type { ExportContent, ExportFilter, Manifest } from '../model.ts';
import type { SigningKey } from '../signing-key.ts';
import type { ExportStorage } from '../storage.ts';
import { KNOWN_RECORDS_FILE, type WrittenExport } from '../write-export.ts';
import { folderOf } from './export-files.ts';
import { readSurroundings } from './export-folder.ts';
import type { ExportThreadData } from './export-thread.ts';
import type { ExportJob } from './queue.ts';

export interface WriteJobOptions {
  db: Kysely<Database>;
  /** The read model for as long as `work` takes. */
  withSearch<T>(work: (search: ExportSearch) => Promise<T>): Promise<T>;
  feeds: Pick<Feeds, 'find'>;
  storage: Pick<ExportStorage, 'fetch'>;
  key: SigningKey;
  /** The directory's clock. */
  now: Clock;
  maxPartBytes: number;
}

/** Gives the manifest, which is not among the files. Rejects with a `FinalError`, with the reason of `signal`, or for a surprise. */
type WriteJob = (job: ExportJob, folder: string, signal: AbortSignal) => Promise<Manifest>;

/** An export that fails for a reason that its owner can understand, and that no further attempt changes. */
export class FinalError extends Error {}

export function createWriteJob(options: WriteJobOptions): WriteJob {
  const { db, withSearch, feeds, storage, key, now, maxPartBytes } = options;

  async function loadQuery({ accountId, feedId }: ExportJob): Promise<string | null> {
    if ((await loadAccountTier(db, accountId, now())) !== 'enterprise') {
      throw new FinalError('Exports need an active Enterprise plan.');
    }
    const feed = feedId === null ? null : await feeds.find(accountId, feedId);
    if (feedId !== null && !feed) throw new FinalError('The saved query was removed.');
    return feed?.query ?? null;
  }

  function readFilter(query: string | null, at: { timezone: string; now: number }): ExportFilter | null {
    if (query === null) return null;
    const parsed = parseEventQuery(query, { ...at, mayBeOver: true });
    if (!parsed.ok) throw new FinalError(`The saved query cannot be read: ${parsed.errors[0]?.detail ?? 'it is not valid'}.`);
    return parsed.query;
  }

  return async (job, folder, signal) => {
    const query = await loadQuery(job);

    /** Null: the snapshot is of another history than the log. */
    async function writeFrom({ snapshot, write }: HeldSnapshot): Promise<Manifest | null> {
      const at = now();
      const filter = readFilter(query, { timezone: snapshot.city.timezone, now: at });
      const content: ExportContent = { format: job.format, columns: job.columns, filter };
      const surroundings = await readSurroundings(db, snapshot, content);
      if (!surroundings) return null;
      const { position, city, credits, neighborhoods } = surroundings;
      const before = await findPrevious(db, job, { query, epoch: position.epoch, now: now() });
      const known = before && (await storage.fetch(folderOf(before), KNOWN_RECORDS_FILE, signal));
      try {
        const data = { content, now: at, folder, neighborhoods, previous: known?.path ?? null, maxPartBytes };
        const written = await write(data, signal);
        const previous = before && { id: before.id, epoch: before.manifest.epoch, sequence: before.manifest.sequence };
        return createManifest({ position, now: at, query, content, city, credits, written, previous }, key);
      } finally {
        await known?.release();
      }
    }

    async function writeFromCurrent(search: ExportSearch): Promise<Manifest | null> {
      const { head } = await readLogState(db);
      await inTime(search.caughtUp(head), signal);
      const held = holdSnapshot(search);
      try {
        return await writeFrom(held);
      } finally {
        held.release();
      }
    }

    return withSearch(async (search) => {
      for (;;) {
        const manifest = await writeFromCurrent(search);
        if (manifest) return manifest;
        await delay(LOOK_AGAIN_MS, undefined, { signal });
      }
    });
  };
}

/** What was committed before an export was asked for is in it, unless the builder of snapshots is away. Rejects with the reason of `signal`. */
async function inTime(caughtUp: Promise<void>, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  const late = delay(CATCH_UP_MS, undefined, { signal: AbortSignal.any([signal, over.signal]) });
  await Promise.race([caughtUp.catch(() => {}), late.catch(() => {})]);
  over.abort();
  signal.throwIfAborted();
}

interface EarlierExport {
  id: string;
  attempt: number;
  manifest: Manifest;
}

/** Null when a full export is due, or nothing is there to be compared with: another history, or another query. */
async function findPrevious(
  db: Kysely<Database>,
  job: ExportJob,
  { query, epoch, now }: { query: string | null; epoch: string; now: number },
): Promise<EarlierExport | null> {
  const last = await loadLast(db, job, now);
  if (!last?.manifest) return null;
  const manifest = JSON.parse(last.manifest) as Manifest;
  const isSame = manifest.epoch === epoch && manifest.query === query;
  return isSame ? { id: last.id, attempt: last.attempts, manifest } : null;
}

async function loadLast(db: Kysely<Database>, { requestId, repeat }: ExportJob, now: number) {
  if (repeat !== 'hourly') return null;
  const full = await db
    .selectFrom('export')
    .select('finished_at')
    .where('request_id', '=', requestId)
    .where('state', '=', 'ready')
    .where('is_full', '=', true)
    .where('finished_at', '>', new Date(now - PERIOD_MS.daily + PERIOD_MS.hourly / 2))
    .executeTakeFirst();
  // Once a day it is full, so that whoever comes later has something to begin with.
  if (!full) return null;
  return db
    .selectFrom('export')
    .select(['id', 'attempts', 'manifest'])
    .where('request_id', '=', requestId)
    .where('state', '=', 'ready')
    .orderBy('finished_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst();
}

/* An export written beside the serving thread, from the snapshot that is current when it is asked for. */

type ExportSearch = Pick<Search, 'current' | 'relay' | 'caughtUp'>;

interface HeldSnapshot {
  snapshot: Snapshot;
  /** Once. Rejects when the thread fails, or with the reason of `signal`. */
  write(data: Omit<ExportThreadData, 'search'>, signal: AbortSignal): Promise<WrittenExport>;
  release(): void;
}

/** Holds the current snapshot, so that what is read beside it can be of the same moment. */
export function holdSnapshot(search: ExportSearch): HeldSnapshot {
  const { port1, port2 } = new MessageChannel();
  const snapshot = search.current();
  // In the same turn: this one and no later one.
  search.relay(port1);
  const release = () => {
    port1.close();
    port2.close();
  };
  return {
    snapshot,
    release,
    async write(data, signal) {
      signal.throwIfAborted();
      const workerData: ExportThreadData = { ...data, search: port2 };
      const worker = new Worker(EXPORT_THREAD, { workerData, transferList: [port2], resourceLimits: HEAP });
      const { promise, resolve, reject } = Promise.withResolvers<WrittenExport>();
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', (code) => reject(new Error(`the thread of an export ended with ${code}`)));
      const stop = () => reject(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      try {
        return await promise;
      } finally {
        signal.removeEventListener('abort', stop);
        await worker.terminate();
        port1.close();
      }
    },
  };
}

const EXPORT_THREAD = new URL('./export-thread.ts', import.meta.url);
/**
 * Records live shortly: a small nursery keeps the process small. V8 lets a heap grow to four times what was live if it may have
 * gigabytes, and to twice with a bound as this one, unless Node's own `--max-old-space-size` is set: that is the bound of every
 * thread. The read model is outside of it.
 */
const HEAP = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 };
const CATCH_UP_MS = 30_000;
/** For a read model that is being loaded again. */
const LOOK_AGAIN_MS = 250;
