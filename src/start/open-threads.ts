/** The threads that accept connections, seen from the main thread. They live and end together, and the process with them. */

import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { type Remote, wrap } from 'comlink';
import type { Metrics } from '../api/index.ts';
import { type Log, writeLines } from '../log.ts';
import type { Search } from '../search/index.ts';
import { refusedPort, type Server } from '../server/index.ts';
import type { ServingCalls, ServingFacts, ServingThreadData, ThreadReport } from './serving-thread.ts';

export interface ServingThreads {
  /** See `Server`. */
  announceEnd(): Promise<void>;
  /** Writes the counters of all. */
  flush(): Promise<void>;
  /** Adds to the metrics what the threads have observed. A thread that is busy is not waited for. */
  collect(): Promise<void>;
  /** Lets them answer what they were asked, and ends them. */
  close(): Promise<void>;
}

export interface ServingThreadOptions {
  facts: ServingFacts;
  relay: Search['relay'];
  takeTunnel: Server['takeTunnel'];
  metrics: Pick<Metrics, 'add'>;
  log: Log;
}

interface ServingThread {
  worker: Worker;
  calls: Remote<ServingCalls>;
  listening: Promise<void>;
  exited: Promise<void>;
}

/** Resolves when all of them listen. Rejects with an `ExpectedError` when they cannot. */
export async function openServingThreads(options: ServingThreadOptions): Promise<ServingThreads> {
  const { facts, metrics } = options;
  let isEnding = false;
  /** One that dies may hold a lock of the counters, and has lost what it counted: the process ends, as after any surprise. */
  const onDeath = (error: Error): void => {
    if (isEnding) return;
    isEnding = true;
    setImmediate(() => {
      throw error;
    });
  };
  const threads = Array.from({ length: facts.threads }, (_, index) => begin(options, index + 1, onDeath));
  async function close(): Promise<void> {
    isEnding = true;
    const patience = setTimeout(() => {
      for (const { worker } of threads) void worker.terminate();
    }, CLOSE_PATIENCE_MS);
    for (const { calls } of threads) void calls.close();
    await Promise.all(threads.map(({ exited }) => exited));
    clearTimeout(patience);
  }
  const ofAll = async <T>(ask: (calls: Remote<ServingCalls>) => Promise<T>): Promise<T[]> =>
    Promise.all(threads.map(({ calls }) => ask(calls)));
  try {
    await Promise.all(threads.map(({ listening }) => listening));
  } catch (error) {
    isEnding = true;
    await Promise.all(threads.map(({ worker }) => worker.terminate()));
    throw error;
  }
  return {
    announceEnd: async () => void (await ofAll((calls) => calls.announceEnd())),
    flush: async () => void (await ofAll((calls) => calls.flush())),
    async collect() {
      const collecting = ofAll(async (calls) => {
        const taken = await calls.takeStats();
        if (taken) metrics.add(taken);
      });
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, COLLECT_MS);
      await Promise.race([collecting, late.promise]);
      clearTimeout(timer);
    },
    close,
  };
}

function begin(
  { facts, relay, takeTunnel, metrics, log }: ServingThreadOptions,
  number: number,
  onDeath: (error: Error) => void,
): ServingThread {
  const ways = { search: new MessageChannel(), calls: new MessageChannel() };
  const ends = { search: ways.search.port2, calls: ways.calls.port2 };
  relay(ways.search.port1);
  const worker = new Worker(SERVING_THREAD, {
    name: `serving ${number}`,
    workerData: { facts, ends } satisfies ServingThreadData,
    transferList: Object.values(ends),
  });
  const listening = Promise.withResolvers<void>();
  const exited = Promise.withResolvers<void>();
  worker.on('message', (report: ThreadReport) => {
    if (report.kind === 'lines') writeLines(log, report.lines);
    else if (report.kind === 'stats') metrics.add(report.stats);
    else if (report.kind === 'tunnel') takeTunnel(report.port, report.address);
    else if (report.kind === 'listening') listening.resolve();
    else listening.reject(refusalOf(report, facts));
  });
  let failure = new Error(`serving thread ${number} has ended`);
  worker.on('error', (error) => {
    failure = error as Error;
  });
  worker.once('exit', () => {
    listening.reject(failure);
    exited.resolve();
    onDeath(failure);
    for (const { port1 } of Object.values(ways)) port1.close();
  });
  return { worker, calls: wrap<ServingCalls>(endpoint(ways.calls.port1)), listening: listening.promise, exited: exited.promise };
}

function refusalOf({ code, message }: Extract<ThreadReport, { kind: 'refused' }>, { address }: ServingFacts): Error {
  return refusedPort(Object.assign(new Error(message), { code }), address.host, address.port, 'PORT');
}

/** Comlink's word for what Node's ports are, too. */
const endpoint = (port: MessagePort): Parameters<typeof wrap>[0] => port as unknown as Parameters<typeof wrap>[0];

const SERVING_THREAD = new URL('./serving-thread.ts', import.meta.url);
/** Longer than the server waits for requests in flight. */
const CLOSE_PATIENCE_MS = 32_000;
const COLLECT_MS = 500;
