/**
 * One engine, many processes: whoever gets the lock of the data folder runs it, the others use its socket. When the owner goes,
 * by its own will or by kill -9, the first of the others that notices takes over at the same place.
 *
 *      ┌─ lock free ──► owner: engine in a worker thread ──┐
 *   look                                                   ├─ engine or line lost ──► look again
 *      └─ lock held ──► guest: a line to the socket ───────┘
 */

import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { readFileLimit } from '../../file-limit.ts';
import type { Log } from '../../log.ts';
import { StoreError } from '../store-error.ts';
import { createCommitMemory, openCommitCount } from './commit-count.ts';
import { type DataFolder, takeOwnership } from './data-folder.ts';
import type { EngineReport, EngineWorkerData } from './engine-worker.ts';

export interface SharedEngine {
  /** Whether the engine runs in this process now. */
  isOwner(): boolean;
  /** Where commits are counted while it does. */
  readonly commits: SharedArrayBuffer;
  readonly databaseFolder: string;
  close(): Promise<void>;
}

/** Resolves when the engine answers, here or elsewhere. Rejects with a `StoreError`. */
export async function shareEngine(folder: DataFolder, log?: Log, patienceMs = START_PATIENCE_MS): Promise<SharedEngine> {
  const commits = createCommitMemory();
  let place: Place | undefined;
  let closed = false;

  async function look(deadline: number): Promise<Place> {
    for (;;) {
      const giveBack = takeOwnership(folder);
      const found = giveBack ? await own(folder, giveBack, commits, log) : await visit(folder);
      if (found) return found;
      if (closed) throw new StoreError('store_closed');
      if (Date.now() > deadline) throw new StoreError('data_folder_busy', { folder: folder.path });
      await delay(LOOK_AGAIN_MS);
    }
  }

  async function lookForEver(): Promise<Place | undefined> {
    while (!closed) {
      try {
        return await look(Number.POSITIVE_INFINITY);
      } catch (error) {
        if (closed) return undefined;
        log?.error({ reason: (error as Error).message }, 'the embedded database is not available');
        await delay(RETRY_MS);
      }
    }
    return undefined;
  }

  async function stay(first: Place): Promise<void> {
    for (let here: Place | undefined = first; here; here = closed ? undefined : await lookForEver()) {
      place = here;
      // Closed while it was looking.
      if (closed) await here.leave();
      await here.lost;
      place = undefined;
    }
  }

  const staying = stay(await look(Date.now() + patienceMs));
  return {
    isOwner: () => place?.owner === true,
    commits,
    databaseFolder: folder.databaseFolder,
    async close() {
      closed = true;
      await place?.leave();
      await staying;
    },
  };
}

interface Place {
  owner: boolean;
  /** Resolves when the engine or the line to it is gone, asked or unasked. */
  lost: Promise<void>;
  leave(): Promise<void>;
}

async function own(folder: DataFolder, giveBack: () => void, commits: SharedArrayBuffer, log?: Log): Promise<Place> {
  const { databaseFolder, socketPath } = folder;
  const limit = readFileLimit();
  if (limit !== null && limit < MIN_FILES) {
    giveBack();
    throw new StoreError('files_too_few', { needed: String(MIN_FILES), limit: String(limit) });
  }
  const data: EngineWorkerData = { databaseFolder, socketPath, commits };
  const commitCount = openCommitCount(commits);
  const worker = new Worker(new URL('./engine-worker.ts', import.meta.url), { workerData: data, execArgv: [] });
  const lost = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      // First: others may commit as soon as the lock is free.
      commitCount.engineLeft();
      giveBack();
      resolve();
    });
  });
  const failure = await new Promise<string | undefined>((resolve) => {
    worker.on('error', (error) => resolve(error instanceof Error ? error.message : String(error)));
    worker.once('exit', (code) => resolve(`it ended with code ${code}`));
    worker.on('message', (report: EngineReport) => {
      if (report.kind === 'ready') return resolve(undefined);
      // Whoever wanted the engine tells it.
      if (report.kind === 'failed') return resolve(report.reason);
      log?.error({ reason: report.reason }, 'the embedded database has a problem');
    });
  });
  if (failure !== undefined) {
    await lost;
    throw new StoreError('engine_failed', { folder: folder.path, reason: failure });
  }
  commitCount.engineCame();
  return {
    owner: true,
    lost,
    async leave() {
      worker.postMessage('close');
      const impatience = setTimeout(() => worker.terminate(), CLOSE_PATIENCE_MS);
      await lost;
      clearTimeout(impatience);
    },
  };
}

async function visit(folder: DataFolder): Promise<Place | undefined> {
  const line = await new Promise<Socket | undefined>((resolve, reject) => {
    const socket = connect(folder.socketPath);
    socket.once('connect', () => resolve(socket));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EACCES' || error.code === 'EPERM') {
        reject(new StoreError('data_folder_not_writable', { folder: folder.path, reason: 'it belongs to another user' }, error));
      } else resolve(undefined);
    });
  });
  if (!line) return undefined;
  line.on('error', () => {});
  // Nothing ever comes, but a stream that is not read does not see its end.
  line.resume();
  const lost = new Promise<void>((resolve) => line.once('close', () => resolve()));
  return {
    owner: false,
    lost,
    async leave() {
      line.destroy();
      await lost;
    },
  };
}

/** A first start makes the database (seconds); a start after kill -9 replays up to the last checkpoint. */
const START_PATIENCE_MS = 60_000;
/** Of the whole process: 50 of a service without its database, those of the database, and a few connections. */
const MIN_FILES = 128;
const CLOSE_PATIENCE_MS = 15_000;
const LOOK_AGAIN_MS = 25;
const RETRY_MS = 1000;
