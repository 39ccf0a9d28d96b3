/** `openReader`: answers of strangers into listings, in processes that may be killed. */

import { type ChildProcess, fork } from 'node:child_process';
import { CODE_FOLDERS } from '../../values/code-folders.ts';
import type { ReadListing } from '../listing.ts';
import type { ListingPage, SourceFacts, SourceResponse } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import type { PageSurvey } from '../survey-page.ts';
import { cpuMsOf } from './cpu-time.ts';
import { heapFor, READER_LIMITS, type ReaderLimits, timeFor } from './reader-limits.ts';
import type { ReaderOrder, ReaderReport } from './serve-reads.ts';

export interface Reader {
  /**
   * What the provider of this kind makes of an answer. Rejects with a `ProviderError`: the provider's own, `too_slow`, `too_large`, or
   * `crashed`; none of them hurts anything else that is being read.
   */
  read(kind: string, answer: SourceResponse, source: SourceFacts): Promise<ListingPage>;
  /** What a page names. Rejects like `read`. */
  readPage(answer: SourceResponse): Promise<PageSurvey>;
  /** Ends the processes; what they are reading is `crashed`. */
  close(): Promise<void>;
}

export interface ReaderOptions {
  limits?: Partial<ReaderLimits>;
  /** What the processes run. */
  entry?: URL;
  /** Milliseconds of CPU that a process has used; null where that is not known, and the clock counts. */
  cpuMs?: (pid: number) => number | null;
}

export function openReader({ limits: given, entry = READER_PROCESS, cpuMs = cpuMsOf }: ReaderOptions = {}): Reader {
  const limits: ReaderLimits = { ...READER_LIMITS, ...given };
  const waiting: (() => void)[] = [];
  const idle = new Map<ReadingProcess, NodeJS.Timeout>();
  const all = new Set<ReadingProcess>();
  let busy = 0;
  let isClosed = false;

  async function turn(): Promise<void> {
    if (busy < limits.processes) busy++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  }

  function endTurn(): void {
    const next = waiting.shift();
    if (next) next();
    else busy--;
  }

  async function take(heapMb: number): Promise<ReadingProcess> {
    for (const [process, timer] of idle) {
      clearTimeout(timer);
      idle.delete(process);
      if (process.heapMb >= heapMb && process.isAlive()) return process;
      await drop(process);
    }
    const started = await startReadingProcess({ entry, heapMb, limits, cpuMs });
    all.add(started);
    return started;
  }

  /** One that was large is not kept: what it holds would be missed elsewhere. */
  async function giveBack(process: ReadingProcess): Promise<void> {
    if (isClosed || !process.isAlive() || process.heapMb > limits.heapMb) return drop(process);
    idle.set(process, setTimeout(() => void drop(process), limits.idleMs).unref());
  }

  async function drop(process: ReadingProcess): Promise<void> {
    idle.delete(process);
    all.delete(process);
    await process.kill();
  }

  async function withProcess<T>({ body: { length } }: SourceResponse, work: (process: ReadingProcess) => Promise<T>): Promise<T> {
    if (length > limits.bodyBytes) throw new ProviderError('too_large', `the response is larger than ${limits.bodyBytes} bytes`);
    await turn();
    try {
      if (isClosed) throw new ProviderError('crashed', 'the reader is closed');
      const process = await take(heapFor(length, limits));
      try {
        return await work(process);
      } finally {
        await giveBack(process);
      }
    } finally {
      endTurn();
    }
  }

  return {
    read: (kind, answer, source) => withProcess(answer, (process) => process.read(kind, answer, source)),
    readPage: (answer) => withProcess(answer, (process) => process.survey(answer)),
    async close() {
      isClosed = true;
      for (const timer of idle.values()) clearTimeout(timer);
      await Promise.all([...all].map(drop));
    },
  };
}

interface ReadingProcess {
  readonly heapMb: number;
  /** Whether it can be given something to read. */
  isAlive(): boolean;
  /** One at a time. Rejects with a `ProviderError`; the process may be dead then. */
  read(kind: string, answer: SourceResponse, source: SourceFacts): Promise<ListingPage>;
  survey(answer: SourceResponse): Promise<PageSurvey>;
  kill(): Promise<void>;
}

/**
 * One process that reads: started with so much memory, no environment, no network, and no files but our own code. Rejects when it does not
 * come up.
 */
async function startReadingProcess({
  entry,
  heapMb,
  limits,
  cpuMs,
}: Required<Pick<ReaderOptions, 'entry' | 'cpuMs'>> & { heapMb: number; limits: ReaderLimits }): Promise<ReadingProcess> {
  const child = fork(entry, {
    // A thread would not do: V8 ends the whole process when a thread's heap is exceeded by one large allocation.
    execArgv: [`--max-old-space-size=${heapMb}`, '--permission', ...CODE_FOLDERS.map((path) => `--allow-fs-read=${path}`)],
    env: { TZ: 'UTC' },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let lastWords = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-MAX_LAST_WORDS);
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const isAlive = (): boolean => child.connected && !child.killed;

  /** The next report; rejects when the process ends before it comes, or when `watch` says that it is too late. */
  async function nextReport(watch: Watch, late: () => Error): Promise<ReaderReport> {
    const { promise, resolve, reject } = Promise.withResolvers<ReaderReport>();
    child.once('message', resolve);
    const watching = watch(() => reject(late()));
    ended.then(() => reject(OUT_OF_MEMORY.test(lastWords) ? tooMuchMemory(heapMb) : crashed(lastWords)));
    try {
      return await promise;
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    } finally {
      watching.stop();
      child.off('message', resolve);
    }
  }

  function tell(order: ReaderOrder): void {
    // What cannot be sent was sent to a process that is ending, which `ended` tells of.
    if (child.connected) child.send(order, () => {});
  }

  /** The first report on an answer. `toOrder`: the order with its limit of the clock. */
  async function begin({ body }: SourceResponse, toOrder: (clockMs: number) => ReaderOrder): Promise<ReaderReport> {
    const timeMs = timeFor(body.length, limits);
    const clockMs = timeMs * limits.clockFactor;
    tell(toOrder(clockMs));
    const byWork = watchWork(() => cpuMs(child.pid ?? 0), timeMs + GRACE_MS, clockMs + GRACE_MS);
    return nextReport(byWork, () => new ProviderError('too_slow', `reading took more than ${timeMs} ms`));
  }

  async function atWork<T>(work: () => Promise<T>): Promise<T> {
    hold(child, true);
    try {
      return await work();
    } finally {
      hold(child, false);
    }
  }

  const byClock = watchClock(limits.startMs);
  const report = await nextReport(byClock, () => new Error('The reading process did not start.'));
  if (report.say !== 'ready') throw new Error(`The reading process began with ${report.say}.`);
  hold(child, false);
  return {
    heapMb,
    isAlive,
    read: (kind, answer, source) =>
      atWork(async () => {
        const given = compacted(answer);
        let report = await begin(answer, (clockMs) => ({ say: 'read', kind, answer: given, source, clockMs, limits }));
        const listings: ReadListing[] = [];
        while (report.say === 'listings') {
          for (const listing of report.listings) listings.push(listing);
          tell({ say: 'more' });
          report = await nextReport(byClock, () => new ProviderError('too_slow', `listings took more than ${limits.startMs} ms`));
        }
        if (report.say !== 'done') throw failureOf(report);
        return { listings, next: report.next };
      }),
    survey: (answer) =>
      atWork(async () => {
        const report = await begin(answer, (clockMs) => ({ say: 'survey', answer: compacted(answer), clockMs }));
        if (report.say !== 'surveyed') throw failureOf(report);
        return report.page;
      }),
    async kill() {
      hold(child, true);
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function failureOf(report: ReaderReport): Error {
  if (report.say === 'failed') return new ProviderError(report.code, report.message);
  return new Error(`A reading process said ${report.say} out of turn.`);
}

type Watch = (tooLate: () => void) => { stop(): void };

function watchClock(afterMs: number): Watch {
  return (tooLate) => {
    const timer = setTimeout(tooLate, afterMs);
    return { stop: () => clearTimeout(timer) };
  };
}

/**
 * Too late after `workMs` of CPU, and after `clockMs` in any case: a process that waits for something uses none. A thread works no faster
 * than the clock runs, so what is left of its time can be waited for before the next look.
 */
function watchWork(used: () => number | null, workMs: number, clockMs: number): Watch {
  return (tooLate) => {
    const begunAt = performance.now();
    const usedBefore = used();
    const look = (): void => {
      const passed = performance.now() - begunAt;
      const usedNow = used();
      const worked = usedBefore === null || usedNow === null ? passed : usedNow - usedBefore;
      const left = Math.min(workMs - worked, clockMs - passed);
      if (left > 0) timer = setTimeout(look, Math.max(left, MIN_LOOK_MS));
      else tooLate();
    };
    let timer = setTimeout(look, Math.min(workMs, clockMs));
    return { stop: () => clearTimeout(timer) };
  };
}

/** Only one that is at work keeps our own process alive. */
function hold(child: ChildProcess, isHeld: boolean): void {
  const each = isHeld ? 'ref' : 'unref';
  child[each]();
  child.channel?.[each]();
  (child.stderr as { ref?(): void; unref?(): void } | null)?.[each]?.();
}

/** A small view on a large buffer would be sent with all of it. */
function compacted(answer: SourceResponse): SourceResponse {
  const { body } = answer;
  return { ...answer, body: body.byteLength === body.buffer.byteLength ? body : new Uint8Array(body) };
}

const tooMuchMemory = (heapMb: number): ProviderError =>
  new ProviderError('too_large', `reading needs more than ${heapMb} MB of memory`);

const crashed = (lastWords: string): ProviderError => {
  const line = lastWords.match(/^\w*Error.*$|^FATAL.*$/m)?.[0] ?? 'it ended without a message';
  return new ProviderError('crashed', `the reading process died: ${line.slice(0, MAX_LINE_CHARS)}`);
};

const READER_PROCESS = new URL('./reader-worker.ts', import.meta.url);
/** As V8 puts it, in all its ways. */
const OUT_OF_MEMORY = /out of memory|Allocation failed|invalid (?:array|table|string) (?:length|size)/i;
const GRACE_MS = 500;
const MIN_LOOK_MS = 20;
const MAX_LAST_WORDS = 4_000;
const MAX_LINE_CHARS = 200;
