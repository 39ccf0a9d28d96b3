import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './store.ts';

export interface RunningService {
  /** Without a trailing slash. */
  url: string;
  /** One per tier, as printed at the start. */
  keys: { starter: string; growth: string; enterprise: string };
  process: ChildProcess;
  /** What it has printed so far, standard output and standard error. */
  printed(): string;
  /** SIGTERM; gives the exit code. Removes the data folder. */
  stop(): Promise<number | null>;
}

/** What `npm start` runs, on an empty data folder and a free port, until it says that it listens. */
export async function startDemoService(env: Record<string, string> = {}): Promise<RunningService> {
  const { folder, remove } = temporaryFolder();
  const child = spawn(process.execPath, [join(ROOT, 'bin/marquee.mjs'), 'start'], {
    env: {
      ...process.env,
      PORT: '0',
      MARQUEE_DATA_DIR: folder,
      MARQUEE_METRICS_PORT: 'off',
      LOG_LEVEL: 'warn',
      NODE_OPTIONS: '',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const ended = once(child, 'exit');
  const url = await new Promise<string>((resolve, reject) => {
    const take = (chunk: Buffer) => {
      printed += chunk.toString();
      const [, address] = /^listening on (http:\S+)$/m.exec(printed) ?? [];
      if (address) resolve(address);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.once('exit', (code) => reject(new Error(`ended with ${code} before it listened: ${printed}`)));
  });
  return {
    url,
    keys: JSON.parse(readFileSync(join(folder, 'demo-keys.json'), 'utf8')),
    process: child,
    printed: () => printed,
    async stop() {
      child.kill('SIGTERM');
      const [code] = await ended;
      remove();
      return code;
    },
  };
}

const ROOT = new URL('../../', import.meta.url).pathname;
