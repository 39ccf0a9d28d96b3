/**
 * A task in a process of its own: long work neither holds up who serves nor fills its memory, and should it ever outgrow its heap, it
 * ends alone.
 *
 *     parent: fork ──────► child: ready ─► task ─► progress … ─► done or failed ─► the parent lets go, and the child ends
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { printLines } from './log.ts';

/** What a child tells of a task that failed. */
export interface TaskFailure {
  code: string | null;
  message: string;
}

type TaskMessage<Report, Progress> =
  | { kind: 'ready' }
  | { kind: 'progress'; progress: Progress }
  | { kind: 'done'; report: Report }
  | ({ kind: 'failed' } & TaskFailure);

export interface TaskOptions<Progress> {
  /** For errors: `the run process`. */
  name: string;
  maxHeapMb: number;
  errorOf(failure: TaskFailure): Error;
  /** Ends the task where it stands. */
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** `program`: calls `serveTask`. */
export async function runTask<Report, Progress = never>(
  program: URL,
  task: object,
  { name, maxHeapMb, errorOf, signal, onProgress }: TaskOptions<Progress>,
): Promise<Report> {
  const child = fork(program, {
    execArgv: [`--max-old-space-size=${maxHeapMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  if (child.stderr) printLines(child.stderr);
  const stop = () => void child.kill('SIGKILL');
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) stop();
  const ended = once(child, 'exit');
  const { promise, resolve, reject } = Promise.withResolvers<Report>();
  child.on('message', (message: TaskMessage<Report, Progress>) => {
    if (message.kind === 'ready') child.send(task);
    else if (message.kind === 'progress') onProgress?.(message.progress);
    else if (message.kind === 'done') resolve(message.report);
    else reject(errorOf(message));
  });
  child.once('error', reject);
  child.once('exit', (code, signal) => reject(new Error(`${name} ended without a report (${signal ?? code})`)));
  try {
    return await promise;
  } finally {
    signal?.removeEventListener('abort', stop);
    if (child.connected) child.disconnect();
    await ended;
  }
}

/** In the child: does the one task that it is told, and ends with its parent. */
export function serveTask<Task, Progress = never>(
  perform: (task: Task, onProgress: (progress: Progress) => void) => Promise<unknown>,
  failureOf: (error: unknown) => TaskFailure,
): void {
  const tell = (message: TaskMessage<unknown, Progress>) => process.send?.(message);
  process.on('disconnect', () => process.exit());
  // A signal of the terminal reaches the whole group; the parent decides what it means.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  // Listening keeps the process until the parent lets go: a report that is still under way is not lost.
  process.on('message', async (task: Task) => {
    try {
      tell({ kind: 'done', report: await perform(task, (progress) => tell({ kind: 'progress', progress })) });
    } catch (error) {
      tell({ kind: 'failed', ...failureOf(error) });
    }
  });
  tell({ kind: 'ready' });
}
