/** Starts commands and services of this checkout as an operator would, in processes of their own. */

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Target } from './load.ts';

const MARQUEE = fileURLToPath(new URL('../bin/marquee.mjs', import.meta.url));
const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));

export interface Running extends Target {
  url: string;
  stop(): Promise<void>;
}

/** Runs one command to its end; returns what it printed. */
export async function marquee(args: readonly string[], env: Record<string, string>): Promise<string> {
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, [MARQUEE, ...args], {
    env: { ...process.env, ...env },
    maxBuffer: 64 * 2 ** 20,
  });
  return stdout;
}

export const serve = (env: Record<string, string>, options: readonly string[] = []): Promise<Running> =>
  start([MARQUEE, 'serve', ...options], { PORT: '0', MARQUEE_METRICS_PORT: 'off', LOG_LEVEL: 'warn', ...env });
export const serveBare = (recording: string): Promise<Running> => start([here('./bare.ts'), recording], {});
/** With the memory of a service (`bin/marquee.mjs`). A bound of the heap as an option of Node would be that of every thread. */
export const serveMade = (events: number, env: Record<string, string>): Promise<Running> =>
  start([here('./made.ts'), String(events)], { MALLOC_MMAP_THRESHOLD_: '524288', ...env });

async function start(args: readonly string[], env: Record<string, string>): Promise<Running> {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await firstUrl(child);
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid ?? 0,
    stop: async () => {
      if (child.exitCode !== null) return;
      child.kill('SIGINT');
      await once(child, 'exit');
    },
  };
}

async function firstUrl(child: ChildProcess): Promise<string> {
  let printed = '';
  for await (const chunk of child.stdout ?? []) {
    printed += String(chunk);
    const url = /listening on (http:\S+)/.exec(printed)?.[1];
    if (url) {
      child.stdout?.resume();
      return url;
    }
  }
  throw new Error(`the service ended before it listened: ${printed}`);
}
