/** `openReader`: answers of strangers into listings, in processes that may be killed. */

import type { ListingPage, SourceFacts, SourceResponse } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { heapFor, READER_LIMITS, type ReaderLimits } from './reader-limits.ts';
import { type ReadingProcess, startReadingProcess } from './reading-process.ts';

export interface Reader {
  /**
   * What the provider of this kind makes of an answer. Rejects with a `ProviderError`: the provider's own, `too_slow`, `too_large`, or
   * `crashed`; none of them hurts anything else that is being read.
   */
  read(kind: string, answer: SourceResponse, source: SourceFacts): Promise<ListingPage>;
  /** Ends the processes; what they are reading is `crashed`. */
  close(): Promise<void>;
}

export interface ReaderOptions {
  limits?: Partial<ReaderLimits>;
  /** What the processes run. */
  entry?: URL;
}

export function openReader({ limits: given, entry = READER_PROCESS }: ReaderOptions = {}): Reader {
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
    const started = await startReadingProcess(entry, heapMb, limits);
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

  return {
    async read(kind, answer, source) {
      const { length } = answer.body;
      if (length > limits.bodyBytes)
        throw new ProviderError('too_large', `the response is larger than ${limits.bodyBytes} bytes`);
      await turn();
      try {
        if (isClosed) throw new ProviderError('crashed', 'the reader is closed');
        const process = await take(heapFor(length, limits));
        try {
          return await process.read(kind, answer, source);
        } finally {
          await giveBack(process);
        }
      } finally {
        endTurn();
      }
    },
    async close() {
      isClosed = true;
      for (const timer of idle.values()) clearTimeout(timer);
      await Promise.all([...all].map(drop));
    },
  };
}

const READER_PROCESS = new URL('./reader-worker.ts', import.meta.url);
