/** The read model of a store: a worker thread builds, this thread serves what was built last. */

import { join } from 'node:path';
import { type MessagePort, Worker } from 'node:worker_threads';
import type { Log } from '../log.ts';
import type { StoreAddress } from '../store/index.ts';
import { openSnapshot } from './open-snapshot.ts';
import type { Search, Snapshot } from './query.ts';
import type { BuilderReport } from './snapshot/builder.ts';
import type { BuilderOrder, BuilderWorkerData } from './snapshot/builder-worker.ts';
import type { SnapshotData } from './snapshot-data.ts';
import { createWeights } from './structures/shared-memory.ts';

export interface SearchOptions {
  /** Snapshots are kept there, so that the next start is quick; undefined: they are not. */
  dataDir: string | undefined;
  /** What the addresses of records begin with. */
  publicUrl: string;
  /** As `MARQUEE_NOW` has it: the builder's thread makes its own clock of it. */
  nowSetting: string | undefined;
  log?: Log | undefined;
}

interface Current {
  snapshot: Snapshot;
  data: SnapshotData;
  builtAt: number;
  buildMs: number;
  /** Of the snapshot as it was built. */
  sharedBytes: number;
  /** See `createWeights`: they are let go of together with the snapshot, and with its trends. */
  weights: { snapshot: ArrayBuffer[]; trends: ArrayBuffer[] };
}

/** A read model whose builder reads what it kept of the last time, while the store is still being opened. */
export interface BegunSearch {
  /**
   * Once, with the address of a store that is open and stays open. Resolves when the first snapshot is there; rejects when there can
   * be none. An empty database gives an empty snapshot.
   */
  open(address: StoreAddress): Promise<Search>;
  /** For one that is not opened after all. */
  cancel(): Promise<void>;
}

/** A builder that dies is started again, more and more slowly; meanwhile the last snapshot serves, and `freshness` tells. */
export function beginSearch(options: SearchOptions, builderThread: URL = BUILDER_THREAD): BegunSearch {
  const { log } = options;
  const first = Promise.withResolvers<void>();
  const waiting = new Set<{ seq: number; resolve: () => void; reject: (error: Error) => void }>();
  const readers = new Set<MessagePort>();
  const weigh = createWeights();
  let current: Current | null = null;
  let headSeq = 0;
  let store: StoreAddress | null = null;
  let worker = startWorker(0);
  let closing: Promise<void> | null = null;
  let restart: NodeJS.Timeout | undefined;

  function startWorker(failures: number): Worker {
    const started = new Worker(builderThread, {
      name: 'search-builder',
      workerData: workerDataOf(options),
      resourceLimits: HEAP,
    });
    if (store) started.postMessage(store satisfies BuilderOrder);
    let failure: Error | null = null;
    let fruitless = failures;
    started.on('message', (report: BuilderReport) => {
      if (report.kind === 'snapshot') fruitless = 0;
      take(report);
    });
    started.on('error', (error) => {
      failure = error as Error;
    });
    started.on('exit', () => {
      if (closing) return;
      const reason = failure?.message ?? 'it ended by itself';
      if (!current) return void first.reject(failure ?? new Error(`The read model could not be built: ${reason}.`));
      const delay = Math.min(MAX_RESTART_MS, FIRST_RESTART_MS * 2 ** fruitless);
      log?.error({ reason, delay }, 'the read model builder died; starting it again');
      restart = setTimeout(() => {
        worker = startWorker(fruitless + 1);
      }, delay);
    });
    return started;
  }

  /** Takes constant time: what was built is only wrapped. */
  function take(report: BuilderReport): void {
    if (report.kind === 'log') return void log?.[report.level](report.facts, report.message);
    if (report.kind === 'head') {
      headSeq = Math.max(headSeq, report.seq);
      return;
    }
    for (const reader of readers) reader.postMessage(report);
    if (report.kind === 'trends') {
      if (!current) return;
      const data = { ...current.data, trends: report.trends };
      const weights = { ...current.weights, trends: weigh(report.sharedBytes) };
      current = { ...current, data, snapshot: openSnapshot(data), weights };
      return;
    }
    const { data, buildMs } = report;
    const { sharedBytes } = report;
    const weights = { snapshot: weigh(sharedBytes), trends: [] };
    current = { data, snapshot: openSnapshot(data), builtAt: Date.now(), buildMs, sharedBytes, weights };
    // A database that was restored has come to less than before.
    headSeq = data.seq;
    first.resolve();
    for (const waiter of waiting) {
      if (waiter.seq > data.seq) continue;
      waiting.delete(waiter);
      waiter.resolve();
    }
  }

  async function close(): Promise<void> {
    clearTimeout(restart);
    for (const waiter of waiting) waiter.reject(new Error('The read model is closed.'));
    waiting.clear();
    if (worker.threadId < 0) return;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    order('stop');
    const patience = setTimeout(() => void worker.terminate(), CLOSE_PATIENCE_MS);
    await ended;
    clearTimeout(patience);
  }

  const order = (what: BuilderOrder): void => worker.postMessage(what);
  const now = (): Current => {
    if (!current) throw new Error('The read model is not there yet.');
    return current;
  };

  const search: Search = {
    current: () => now().snapshot,
    async caughtUp(seq) {
      if (now().snapshot.seq >= seq) return;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      if (closing) throw new Error('The read model is closed.');
      waiting.add({ seq, resolve, reject });
      order('look');
      await promise;
    },
    freshness() {
      const { snapshot, builtAt, buildMs } = now();
      return { seq: snapshot.seq, builtAt, buildMs, headSeq };
    },
    relay(reader) {
      const { data, buildMs, sharedBytes } = now();
      const report: BuilderReport = { kind: 'snapshot', data, buildMs, sharedBytes };
      reader.postMessage(report);
      readers.add(reader);
      reader.once('close', () => readers.delete(reader));
    },
    close() {
      closing ??= close();
      return closing;
    },
  };
  // A builder may fail before anybody waits for it.
  first.promise.catch(() => {});
  return {
    async open(address) {
      store = address;
      order(address);
      await first.promise;
      return search;
    },
    async cancel() {
      closing ??= worker.terminate().then(() => {});
      await closing;
    },
  };
}

function workerDataOf({ dataDir, publicUrl, nowSetting }: SearchOptions): BuilderWorkerData {
  return {
    file: dataDir === undefined ? undefined : join(dataDir, SNAPSHOT_FILE),
    publicUrl: publicUrl.replace(/\/+$/, ''),
    nowSetting,
  };
}

const BUILDER_THREAD = new URL('./snapshot/builder-worker.ts', import.meta.url);
/** What is rendered lives shortly: a small nursery keeps the process small. The old generation has no limit of its own. */
const HEAP = { maxYoungGenerationSizeMb: 24 };
const SNAPSHOT_FILE = 'search.snapshot';
const FIRST_RESTART_MS = 250;
const MAX_RESTART_MS = 10_000;
/** The last snapshot is saved meanwhile. */
const CLOSE_PATIENCE_MS = 15_000;
