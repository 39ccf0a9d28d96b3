/**
 * A run in a process of its own, on the same store: tens of thousands of listings neither hold up who serves nor fill its memory, and
 * should a run ever outgrow its heap, it ends alone.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { doManualWork, ManualChangeResult, ManualWork } from '../curation/index.ts';
import { printLines } from '../log.ts';
import { IngestError, type IngestErrorCode, type SourceReport } from '../sources/index.ts';
import type { RunSourceOptions } from './run/run-source.ts';

export interface ProcessPlace {
  /** Where the store is: as `openStore` takes it. */
  store: { dataDir: string; databaseUrl?: string | undefined };
  /** The setting `MARQUEE_NOW`. */
  nowSetting: string | undefined;
  allowedHosts: readonly string[];
  /** Keys of providers' APIs by the name of their setting. */
  providerKeys: Readonly<Record<string, string>>;
}

export interface ProcessOptions extends ProcessPlace {
  /** Of the source. */
  name: string;
}

/** What the process is to do: run a source by name, take a run back by id, or merge and split by hand. */
export type ProcessTask = ProcessPlace & ({ name: string } | { undo: string } | { hand: ManualWork; patienceMs: number });
type HandReport = Awaited<ReturnType<typeof doManualWork>>;
type TaskReport = SourceReport | ManualChangeResult | HandReport;

export type Progress = Parameters<NonNullable<RunSourceOptions['onProgress']>>[0];
export type ProcessReport =
  | { kind: 'ready' }
  | { kind: 'progress'; progress: Progress }
  | { kind: 'done'; report: TaskReport }
  | { kind: 'failed'; code: IngestErrorCode | null; message: string };

/** As `runSource`; an unexpected error of the process arrives as an `Error`. `signal` ends it where it stands. */
export async function runInProcess(options: ProcessOptions, watch: Watch = {}): Promise<SourceReport> {
  return (await perform(options, watch)) as SourceReport;
}

/** As `undoRun`: an undoing may be as large as the run was. */
export async function undoInProcess(options: ProcessPlace & { undo: string }, watch: Watch = {}): Promise<ManualChangeResult> {
  return (await perform(options, watch)) as ManualChangeResult;
}

/** As `doManualWork`: whatever is matched anew, all that is to come is looked at. */
export async function workInProcess(options: ProcessPlace & { hand: ManualWork; patienceMs: number }): Promise<HandReport> {
  return (await perform(options, {})) as HandReport;
}

interface Watch {
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
}

async function perform(task: ProcessTask, { signal, onProgress }: Watch): Promise<TaskReport> {
  const child = fork(new URL('./run-process.ts', import.meta.url), {
    execArgv: [`--max-old-space-size=${MAX_HEAP_MB}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  if (child.stderr) printLines(child.stderr);
  const stop = () => void child.kill('SIGKILL');
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) stop();
  const ended = once(child, 'exit');
  try {
    return await reportOf(child, task, onProgress);
  } finally {
    signal?.removeEventListener('abort', stop);
    if (child.connected) child.disconnect();
    await ended;
  }
}

function reportOf(
  child: ChildProcess,
  task: ProcessTask,
  onProgress: ((progress: Progress) => void) | undefined,
): Promise<TaskReport> {
  const { promise, resolve, reject } = Promise.withResolvers<TaskReport>();
  child.on('message', (message: ProcessReport) => {
    if (message.kind === 'ready') child.send(task);
    else if (message.kind === 'progress') onProgress?.(message.progress);
    else if (message.kind === 'done') resolve(message.report);
    else reject(message.code === null ? new Error(message.message) : new IngestError(message.code, message.message));
  });
  child.once('error', reject);
  child.once('exit', (code, signal) => reject(new Error(`the run process ended without a report (${signal ?? code})`)));
  return promise;
}

/** Fifty thousand listings live in half of it. */
const MAX_HEAP_MB = 448;
