/**
 * The pages in a thread of their own, seen from both sides: however long a page takes, the API waits for none of it. The thread begins
 * with the first page that is asked for, which is the front page while the service starts.
 */

import { constants, setPriority } from 'node:os';
import type { ReadableStream } from 'node:stream/web';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { expose, proxy, type Remote, releaseProxy, transfer, wrap } from 'comlink';
import type { Allowance, Attempts } from '../../../accounts/index.ts';
import type { Log } from '../../../log.ts';
import type { Build } from './build-pages.ts';
import { endpoint, type Pages, type PagesHost } from './page-messages.ts';

export interface PagesThreadOptions {
  /** The module that runs in the thread; it calls `runPagesThread`. */
  module: URL;
  /** The thread begins when it is there. */
  build: Promise<Build>;
  /** What that module is told, beside the build and the ways to this thread. Can be cloned. */
  facts: object;
  host: PagesHost;
  /** Called with the port that the thread follows the read model by. */
  relay(reader: MessagePort): void;
  log: Log;
}

interface PagesThread extends Pages {
  close(): Promise<void>;
}

interface Running {
  worker: Worker;
  pages: Remote<ThreadPages>;
  /** Of answers that are waited for. */
  waiting: Set<(error: Error) => void>;
  exited: Promise<void>;
}

/** A thread that dies takes the answers with it that were waited for; the next request for a page begins another. */
export function openPagesThread({ module, build, facts, host, relay, log }: PagesThreadOptions): PagesThread {
  let running: Running | null = null;
  let isClosing = false;

  function begin(built: Build): Running {
    const ways = { pages: new MessageChannel(), host: new MessageChannel(), search: new MessageChannel() };
    const ends = { pages: ways.pages.port2, host: ways.host.port2, search: ways.search.port2 };
    const { exposed, leave } = hostFor(host);
    expose(exposed, endpoint(ways.host.port1));
    relay(ways.search.port1);
    const worker = new Worker(module, {
      name: 'pages',
      workerData: { facts: { ...facts, build: built }, ends },
      resourceLimits: HEAP,
      transferList: Object.values(ends),
    });
    const exited = Promise.withResolvers<void>();
    const begun: Running = {
      worker,
      pages: wrap<ThreadPages>(endpoint(ways.pages.port1)),
      waiting: new Set(),
      exited: exited.promise,
    };
    let failure = new Error('the pages thread has ended');
    worker.on('error', (error) => {
      failure = error as Error;
    });
    worker.once('exit', () => {
      if (running === begun) running = null;
      leave();
      for (const { port1 } of Object.values(ways)) port1.close();
      for (const reject of begun.waiting) reject(failure);
      exited.resolve();
      if (!isClosing) log.error({ err: failure }, 'the pages thread has died; the next page request starts another');
    });
    return begun;
  }

  return {
    async answer(request) {
      const built = await build;
      running ??= begin(built);
      const { pages, waiting } = running;
      const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<Pages['answer']>>>();
      waiting.add(reject);
      pages.answer(request).then(resolve, reject);
      return promise.finally(() => waiting.delete(reject));
    },
    end: () => void running?.pages.end(),
    async close() {
      isClosing = true;
      if (!running) return;
      const { worker, pages, exited } = running;
      const patience = setTimeout(() => void worker.terminate(), CLOSE_PATIENCE_MS);
      void pages.close();
      await exited;
      clearTimeout(patience);
    },
  };
}

/** The host as it is called from the other thread. `leave` ends what is watched for a thread that is gone. */
function hostFor(host: PagesHost): { exposed: HostCalls; leave(): void } {
  const watches = new Set<() => void>();
  const watch: PagesHost['gate']['watch'] = (id, listener) => {
    // Of the other thread, where it may fail or be gone: that is not this thread's trouble.
    const tell = listener as (allowance: Allowance) => unknown;
    const unwatch = host.gate.watch(id, (allowance) => void Promise.resolve(tell(allowance)).catch(() => undefined));
    watches.add(unwatch);
    return proxy(() => {
      watches.delete(unwatch);
      unwatch();
    });
  };
  const { gate, attempts, ...others } = host;
  return {
    exposed: {
      ...others,
      ...{ allowancesOf: gate.allowancesOf, flush: gate.flush, watch },
      ...{ takeAttempt: attempts.take, giveAttemptBack: attempts.giveBack },
    },
    leave() {
      for (const unwatch of watches) unwatch();
    },
  };
}

/** The ends of the ways to the serving thread. */
export interface ThreadEnds {
  pages: MessagePort;
  host: MessagePort;
  search: MessagePort;
}

interface ThreadPages extends Pages {
  close(): void;
}

/** `open` is given what only the serving thread has. Questions that come before the pages are open wait. */
export async function runPagesThread(
  { pages: asked, host }: ThreadEnds,
  open: (host: PagesHost) => Promise<{ pages: Pages; close(): Promise<void> }>,
): Promise<void> {
  stepBack();
  const { pages, close } = await open(hostFrom(wrap<HostCalls>(endpoint(host))));
  const answers: ThreadPages = {
    async answer(request) {
      const answer = await pages.answer(request);
      const isStream = answer && 'body' in answer && answer.body && 'getReader' in answer.body;
      return isStream ? transfer(answer, [answer.body as ReadableStream]) : answer;
    },
    end: () => pages.end(),
    close: () => void close().finally(() => process.exit()),
  };
  expose(answers, endpoint(asked));
}

/** Where Linux keeps a priority for each thread, those who ask the API come first. Elsewhere it would be that of the whole process. */
function stepBack(): void {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
}

/** The host as it is called across threads. */
type HostCalls = PagesHost['gate'] &
  Omit<PagesHost, 'gate' | 'attempts'> & { takeAttempt: Attempts['take']; giveAttemptBack: Attempts['giveBack'] };

function hostFrom(host: Remote<HostCalls>): PagesHost {
  return {
    gate: {
      allowancesOf: (ids) => host.allowancesOf([...ids]),
      flush: () => host.flush(),
      watch(id, listener) {
        const watching = host.watch(id, proxy(listener)) as unknown as Promise<Remote<() => void>>;
        return () =>
          void watching.then(async (unwatch) => {
            await unwatch();
            unwatch[releaseProxy]();
          });
      },
    },
    attempts: {
      take: (name, key) => host.takeAttempt(name, key),
      giveBack: (name, key) => host.giveAttemptBack(name, key),
    },
    answerTimes: () => host.answerTimes(),
    credits: () => host.credits(),
    status: () => host.status(),
    askApi: (request) => host.askApi(request),
    wake: () => void host.wake(),
  };
}

/** What a page is made of lives shortly: a small nursery keeps the process small. The rest is a bound, several times what is needed. */
const HEAP = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 };
/** E-mails on their way are waited for. */
const CLOSE_PATIENCE_MS = 15_000;
