/** The builder's thread. One that dies is started again, more and more slowly. */

import { Worker } from 'node:worker_threads';
import type { Log } from '../log.ts';
import type { StoreAddress } from '../store/index.ts';
import type { BuilderReport } from './snapshot/builder.ts';
import type { BuilderOrder, BuilderWorkerData } from './snapshot/builder-worker.ts';

export interface BuilderThread {
  /** The store that it follows, also after it was started again. */
  open(address: StoreAddress): void;
  /** Looks for changes at once. */
  look(): void;
  /** Lets it save its last snapshot. */
  close(): Promise<void>;
  /** Ends it without that. */
  cancel(): Promise<void>;
}

export interface BuilderThreadOptions {
  url: URL;
  workerData: BuilderWorkerData;
  log: Log | undefined;
  onReport(report: BuilderReport): void;
  /** Whether its last snapshot serves: only then is it started again. */
  isServing(): boolean;
  /** It died before it built anything. */
  onFailure(error: Error): void;
}

export function startBuilderThread({ url, workerData, log, ...told }: BuilderThreadOptions): BuilderThread {
  let store: StoreAddress | null = null;
  let isEnding = false;
  let restart: NodeJS.Timeout | undefined;
  let worker = start(0);

  /** `failures`: how often in a row it died without a snapshot. */
  function start(failures: number): Worker {
    const started = new Worker(url, { name: 'search-builder', workerData, resourceLimits: HEAP });
    if (store) started.postMessage(store satisfies BuilderOrder);
    let failure: Error | null = null;
    let fruitless = failures;
    started.on('message', (report: BuilderReport) => {
      if (report.kind === 'snapshot') fruitless = 0;
      told.onReport(report);
    });
    started.on('error', (error) => {
      failure = error as Error;
    });
    started.on('exit', () => {
      if (isEnding) return;
      const reason = failure?.message ?? 'it ended by itself';
      if (!told.isServing()) return void told.onFailure(failure ?? new Error(`The read model could not be built: ${reason}.`));
      const delay = Math.min(MAX_RESTART_MS, FIRST_RESTART_MS * 2 ** fruitless);
      log?.error({ reason, delay }, 'the read model builder died; starting it again');
      restart = setTimeout(() => {
        worker = start(fruitless + 1);
      }, delay);
    });
    return started;
  }

  const order = (what: BuilderOrder): void => worker.postMessage(what);

  return {
    open(address) {
      store = address;
      order(address);
    },
    look: () => order('look'),
    async close() {
      isEnding = true;
      clearTimeout(restart);
      if (worker.threadId < 0) return;
      const ended = new Promise((resolve) => worker.once('exit', resolve));
      order('stop');
      const patience = setTimeout(() => void worker.terminate(), CLOSE_PATIENCE_MS);
      await ended;
      clearTimeout(patience);
    },
    async cancel() {
      isEnding = true;
      await worker.terminate();
    },
  };
}

/** What is rendered lives shortly: a small nursery keeps the process small. The old generation has no limit of its own. */
const HEAP = { maxYoungGenerationSizeMb: 24 };
const FIRST_RESTART_MS = 250;
const MAX_RESTART_MS = 10_000;
/** The last snapshot is saved meanwhile. */
const CLOSE_PATIENCE_MS = 15_000;
