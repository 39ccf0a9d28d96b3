/**
 * A run in a process of its own, on the same store: tens of thousands of listings neither hold up who serves nor fill its memory, and
 * should a run ever outgrow its heap, it ends alone.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { IngestError, type IngestErrorCode } from './ingest-error.ts';
import type { RunOptions, SourceReport } from './run/run-source.ts';

export interface ProcessOptions {
  /** Where the store is: as `openStore` takes it. */
  store: { dataDir: string; databaseUrl?: string | undefined };
  name: string;
  /** The setting `MARQUEE_NOW`. */
  nowSetting: string | undefined;
  allowedHosts: readonly string[];
  /** Keys of providers' APIs by the name of their setting. */
  providerKeys: Readonly<Record<string, string>>;
}

export type Progress = Parameters<NonNullable<RunOptions['onProgress']>>[0];
export type ProcessReport =
  | { kind: 'ready' }
  | { kind: 'progress'; progress: Progress }
  | { kind: 'done'; report: SourceReport }
  | { kind: 'failed'; code: IngestErrorCode | null; message: string };

/** As `runSource`; an unexpected error of the process arrives as an `Error`. `signal` ends it where it stands. */
export async function runInProcess(
  options: ProcessOptions,
  { signal, onProgress }: { signal?: AbortSignal; onProgress?: (progress: Progress) => void } = {},
): Promise<SourceReport> {
  const child = fork(new URL('./run-process.ts', import.meta.url), {
    execArgv: [`--max-old-space-size=${MOST_HEAP_MB}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const stop = () => void child.kill('SIGKILL');
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) stop();
  const ended = once(child, 'exit');
  try {
    return await reportOf(child, options, onProgress);
  } finally {
    signal?.removeEventListener('abort', stop);
    if (child.connected) child.disconnect();
    await ended;
  }
}

function reportOf(
  child: ChildProcess,
  options: ProcessOptions,
  onProgress: ((progress: Progress) => void) | undefined,
): Promise<SourceReport> {
  const { promise, resolve, reject } = Promise.withResolvers<SourceReport>();
  child.on('message', (message: ProcessReport) => {
    if (message.kind === 'ready') child.send(options);
    else if (message.kind === 'progress') onProgress?.(message.progress);
    else if (message.kind === 'done') resolve(message.report);
    else reject(message.code === null ? new Error(message.message) : new IngestError(message.code, message.message));
  });
  child.once('error', reject);
  child.once('exit', (code, signal) => reject(new Error(`the process of the run ended without a report (${signal ?? code})`)));
  return promise;
}

/** Fifty thousand listings live in half of it. */
const MOST_HEAP_MB = 448;
