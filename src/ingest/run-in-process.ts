/**
 * A run in a process of its own, on the same store: tens of thousands of listings neither hold up who serves nor fill its memory, and
 * should a run ever outgrow its heap, it ends alone.
 */

import { runTask } from '../task-process.ts';
import { describeQueries, type Tracing, timeOf } from '../telemetry/index.ts';
import type { GeocoderAddress } from '../values/geocoder-address.ts';
import type { answerHere, HereInput } from './curation/answer-places.ts';
import type { doManualWork, ManualWork } from './curation/manual-merge.ts';
import { IngestError, type IngestErrorCode } from './ingest-error.ts';
import type { ManualChangeResult } from './manual-changes.ts';
import type { TextPlace } from './run/find-place.ts';
import type { RunSourceOptions } from './run/run-source.ts';
import type { StepTimes } from './run/source-run.ts';
import type { SourceReport } from './stored-runs/run-report.ts';

export interface ProcessPlace {
  /** Where the store is: as `openStore` takes it. */
  store: { dataDir: string; databaseUrl?: string | undefined };
  /** The setting `MARQUEE_NOW`. */
  nowSetting: string | undefined;
  allowedHosts: readonly string[];
  userAgent: string;
  /** Null: none is asked. */
  geocoder: GeocoderAddress | null;
  /** Keys of providers' APIs by the name of their setting. */
  providerKeys: Readonly<Record<string, string>>;
}

export interface ProcessOptions extends ProcessPlace {
  /** Of the source. */
  name: string;
}

/** An answer about a place, without what a process has itself. */
type HereTask = Omit<HereInput, 'store' | 'now'>;

/** What the process is to do: run a source by name, take a run back by id, merge and split by hand, apply pending decisions, say where a place is, or place an address. */
export type ProcessTask = ProcessPlace &
  (
    | { name: string; isTraced: boolean }
    | { undo: string }
    | { hand: ManualWork; patienceMs: number }
    | { decisions: 'pending' }
    | { here: HereTask }
    | { address: string }
  );
type HandReport = Awaited<ReturnType<typeof doManualWork>>;
type Here = Awaited<ReturnType<typeof answerHere>>;
type TaskReport = SourceReport | ManualChangeResult | HandReport | Here | TextPlace | null;

export type Progress = Parameters<NonNullable<RunSourceOptions['onProgress']>>[0];
/** What it tells meanwhile. */
export type RunNews = { progress: Progress } | { step: StepTimes };

/** As `runSource`; an unexpected error of the process arrives as an `Error`. `signal` ends it where it stands. */
export async function runInProcess(options: ProcessOptions, watch: Watch = {}): Promise<SourceReport> {
  return (await perform({ ...options, isTraced: watch.onStep !== undefined }, watch)) as SourceReport;
}

/** As `undoRun`: an undoing may be as large as the run was. */
export async function undoInProcess(options: ProcessPlace & { undo: string }, watch: Watch = {}): Promise<ManualChangeResult> {
  return (await perform(options, watch)) as ManualChangeResult;
}

/** As `doManualWork`: whatever is matched anew, all that is to come is looked at. */
export async function workInProcess(options: ProcessPlace & { hand: ManualWork; patienceMs: number }): Promise<HandReport> {
  return (await perform(options, {})) as HandReport;
}

/** As `applyDecisions`; null as well if a run is writing. Another time, they are pending still. */
export async function applyDecisionsInProcess(place: ProcessPlace, watch: Watch = {}): Promise<ManualChangeResult | null> {
  return (await perform({ ...place, decisions: 'pending' }, watch)) as ManualChangeResult | null;
}

/** As `answerHere`: whoever places an address reads all imported house numbers first. */
export async function answerHereInProcess(options: ProcessPlace & { here: HereTask }): Promise<Here> {
  return (await perform(options, {})) as Here;
}

/** As `findAddress`. `signal` ends it where it stands. */
export async function findAddressInProcess(options: ProcessPlace & { address: string }, signal: AbortSignal): Promise<TextPlace> {
  return (await perform(options, { signal })) as TextPlace;
}

interface Watch {
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
  onStep?: (step: StepTimes) => void;
}

function perform(task: ProcessTask, { signal, onProgress, onStep }: Watch): Promise<TaskReport> {
  return runTask<TaskReport, RunNews>(new URL('./run-process.ts', import.meta.url), task, {
    ...{ name: 'the run process', maxHeapMb: MAX_HEAP_MB, signal },
    onProgress: (news) => ('step' in news ? onStep?.(news.step) : onProgress?.(news.progress)),
    errorOf: ({ code, message }) => (code === null ? new Error(message) : new IngestError(code as IngestErrorCode, message)),
  });
}

/** Fifty thousand listings live in half of it. */
const MAX_HEAP_MB = 448;

/** `run` is given a listener only if runs are traced. */
export async function traceRun(
  tracing: Tracing | null,
  source: string,
  run: (onStep?: (step: StepTimes) => void) => Promise<SourceReport>,
): Promise<SourceReport> {
  if (!tracing) return run();
  const steps: StepTimes[] = [];
  const startedAt = timeOf(performance.now());
  const record = (outcome: 'done' | 'held' | 'failed') =>
    tracing.record({
      name: 'run of a source',
      kind: 'internal',
      startedAt,
      endedAt: timeOf(performance.now()),
      // The operator's own name of it.
      attributes: { 'marquee.source': source, 'marquee.outcome': outcome },
      isError: outcome === 'failed',
      steps: steps.map(({ queries, ...step }) => ({ ...step, kind: 'internal', ...describeQueries(queries) })),
    });
  try {
    const report = await run((step) => void steps.push(step));
    record(report.held === null ? 'done' : 'held');
    return report;
  } catch (error) {
    record('failed');
    throw error;
  }
}

/* Addresses of the desk, one at a time: each process reads all imported house numbers. */

export interface AddressFinder {
  /** Throws an `IngestError` if too many are waiting, or if the answer takes too long. */
  find(address: string): Promise<TextPlace>;
  /** Ends what is being looked for, and refuses what waits. */
  close(): void;
}

/** @param lookUp ends where it stands when `signal` says so. */
export function createAddressFinder(
  lookUp: (address: string, signal: AbortSignal) => Promise<TextPlace>,
  patienceMs = PATIENCE_MS,
): AddressFinder {
  const closing = new AbortController();
  let last: Promise<unknown> = Promise.resolve();
  let open = 0;
  const next = async (address: string): Promise<TextPlace> => {
    closing.signal.throwIfAborted();
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(patienceMs)]);
    try {
      return await lookUp(address, signal);
    } catch (error) {
      if (closing.signal.aborted || !signal.aborted) throw error;
      throw new IngestError('directory_busy', `${JSON.stringify(address)} was not found in time; try again, or set a pin`);
    }
  };
  return {
    async find(address) {
      if (open >= MAX_OPEN) throw new IngestError('directory_busy', 'other addresses are being looked for; try again soon');
      open++;
      const found = last.then(() => next(address)).finally(() => open--);
      last = found.catch(() => null);
      return found;
    },
    close: () => closing.abort(new IngestError('directory_busy', 'the server is stopping')),
  };
}

/** The one that is looked for, and those that wait for it. */
const MAX_OPEN = 4;
const PATIENCE_MS = 60_000;
