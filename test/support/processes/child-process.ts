import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { StoreOptions } from '../../../src/store/index.ts';
import { PATIENCE_MS } from '../runs/patience.ts';
import { BRIEF_NODE } from './brief-node.ts';
import type { ChildMessage, ChildReport } from './store-child.ts';

export interface StoreChild {
  readonly process: ChildProcess;
  /** All it has said so far. */
  readonly reports: ChildReport[];
  tell(message: ChildMessage): void;
  /** The first report of this kind from now on. */
  next<K extends ChildReport['kind']>(kind: K): Promise<Extract<ChildReport, { kind: K }>>;
  kill(): Promise<void>;
  close(): Promise<void>;
}

/** Another process on the same store, open when this resolves. */
export async function openStoreChild(options: StoreOptions): Promise<StoreChild> {
  const child = startStoreChild(options);
  await child.next('open');
  return child;
}

/** The same without waiting for it to be open. */
export function startStoreChild(
  { databaseUrl, dataDir }: StoreOptions,
  { execArgv = [], env = {} }: { execArgv?: readonly string[]; env?: Record<string, string> } = {},
): StoreChild {
  const words = [JSON.stringify({ databaseUrl, dataDir })];
  const child = fork(new URL('./store-child.ts', import.meta.url), words, {
    execArgv: [...BRIEF_NODE, ...execArgv],
    env: { ...process.env, ...env },
  });
  const reports: ChildReport[] = [];
  const waiting = new Set<(report: ChildReport) => void>();
  child.on('message', (report: ChildReport) => {
    reports.push(report);
    for (const wait of [...waiting]) wait(report);
  });
  const ended = once(child, 'exit');
  return {
    process: child,
    reports,
    tell: (message) => child.send(message),
    next: (kind) =>
      new Promise((resolve, reject) => {
        const wait = (report: ChildReport) => {
          if (report.kind === 'failed') reject(new Error(report.message));
          if (report.kind !== kind) return;
          waiting.delete(wait);
          resolve(report as never);
        };
        waiting.add(wait);
        child.once('exit', () => reject(new Error(`the process ended before it said ${kind}`)));
      }),
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async close() {
      if (child.connected) child.send({ kind: 'close' } satisfies ChildMessage);
      const impatience = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
      await ended;
      clearTimeout(impatience);
    },
  };
}

/** Resolves when the condition holds. */
export async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`not so after ${PATIENCE_MS} ms: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
