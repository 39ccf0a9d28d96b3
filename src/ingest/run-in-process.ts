/** A run on a thread of its own: parsing, matching and writing tens of thousands of listings must not hold up who serves. */

import { Worker } from 'node:worker_threads';
import type { StoreAddress } from '../store/index.ts';
import { IngestError, type IngestErrorCode } from './ingest-error.ts';
import type { SourceReport } from './run/run-source.ts';

export interface ThreadOptions {
  address: StoreAddress;
  name: string;
  /** The setting `MARQUEE_NOW`. */
  nowSetting: string | undefined;
  allowedHosts: readonly string[];
  /** Keys of providers' APIs by the name of their setting. */
  providerKeys: Readonly<Record<string, string>>;
}

export type ThreadReport = { report: SourceReport } | { code: IngestErrorCode | null; message: string };

/** As `runSource`; an unexpected error of the thread arrives as an `Error`. `signal` ends it where it stands. */
export async function runInThread(options: ThreadOptions, signal?: AbortSignal): Promise<SourceReport> {
  const worker = new Worker(new URL('./run-worker.ts', import.meta.url), {
    workerData: options,
    resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MB },
  });
  const { promise, resolve, reject } = Promise.withResolvers<ThreadReport>();
  worker.once('message', resolve);
  worker.once('error', reject);
  worker.once('exit', (code) => reject(new Error(`the run's thread ended without a report (${code})`)));
  const stop = () => void worker.terminate();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    const answer = await promise;
    if ('report' in answer) return answer.report;
    throw answer.code === null ? new Error(answer.message) : new IngestError(answer.code, answer.message);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/** Fifty thousand listings take a third of it. */
const MOST_HEAP_MB = 1024;
