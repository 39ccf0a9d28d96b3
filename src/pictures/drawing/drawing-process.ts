/** Pictures of strangers are decoded in a process of their own: what breaks the decoder does not break the service. */

import { type ChildProcess, fork } from 'node:child_process';
import { CODE_FOLDERS } from '../../values/code-folders.ts';
import { createSemaphore } from '../../values/waiting/semaphore.ts';
import type { DrawingJob, DrawingReport } from './jobs.ts';

export interface DrawingProcess {
  /** One at a time. Rejects when the job cannot be done, whatever the cause; `BusyError` when too many wait. */
  draw(job: DrawingJob): Promise<Uint8Array[]>;
  close(): Promise<void>;
}

/** Started by the first job, and ended when there is none for a while. */
export function createDrawingProcess({ jobMs = JOB_MS }: { jobMs?: number } = {}): DrawingProcess {
  const inTurn = createSemaphore({ atOnce: 1, waiting: MAX_WAITING });
  let running: Running | null = null;
  let idle: NodeJS.Timeout | undefined;

  async function stop(): Promise<void> {
    const ending = running;
    running = null;
    await ending?.end();
  }

  return {
    draw: (job) =>
      inTurn(async () => {
        clearTimeout(idle);
        running ??= start();
        try {
          await running.ready;
          return await running.ask(job, jobMs);
        } catch (error) {
          if (!(error instanceof JobRejected)) await stop();
          throw error;
        } finally {
          idle = setTimeout(() => void stop(), IDLE_MS).unref();
        }
      }),
    async close() {
      clearTimeout(idle);
      await stop();
    },
  };
}

/** The process lives on. */
class JobRejected extends Error {}

interface Running {
  ready: Promise<unknown>;
  ask(job: DrawingJob, jobMs: number): Promise<Uint8Array[]>;
  end(): Promise<void>;
}

function start(): Running {
  const child = fork(new URL('./drawing-worker.ts', import.meta.url), {
    execArgv: [
      `--max-old-space-size=${HEAP_MB}`,
      '--permission',
      '--allow-addons',
      ...CODE_FOLDERS.map((path) => `--allow-fs-read=${path}`),
    ],
    env: { TZ: 'UTC' },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  child.on('error', () => child.kill('SIGKILL'));
  const ready = nextReport(child, ended, START_MS);
  ready.catch(() => undefined);
  child.unref();
  child.channel?.unref();
  return {
    ready,
    async ask(job, jobMs) {
      const report = nextReport(child, ended, jobMs);
      if (child.connected) child.send(job, () => {});
      const answer = await report;
      if (answer.say === 'drawn') return answer.images;
      throw answer.say === 'rejected' ? new JobRejected(answer.reason) : new Error('the drawing process answered out of turn');
    },
    async end() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Rejects when the process ends before it says anything, or when the time is over. */
async function nextReport(child: ChildProcess, ended: Promise<void>, withinMs: number): Promise<DrawingReport> {
  const { promise, resolve, reject } = Promise.withResolvers<DrawingReport>();
  const timer = setTimeout(() => reject(new Error(`drawing took longer than ${withinMs} ms`)), withinMs);
  child.once('message', resolve);
  void ended.then(() => reject(new Error('the drawing process died')));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    child.off('message', resolve);
  }
}

const HEAP_MB = 256;
const START_MS = 30_000;
const JOB_MS = 15_000;
const IDLE_MS = 60_000;
const MAX_WAITING = 200;
