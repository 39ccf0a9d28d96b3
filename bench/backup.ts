/** What a backup of a running service and its restore take, and what callers of the API feel beside the backup. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { KeyRing } from './keys.ts';
import { percentile } from './load.ts';
import type { Running } from './service.ts';
import { steadyLoad } from './steady-load.ts';

export interface BackupFigures {
  backup: CommandFigures;
  restore: CommandFigures;
  megabytes: number;
  /** Of 200 requests a second before it, in ms. */
  p99Alone: number;
  /** Of as many meanwhile. */
  p99: number;
  worst: number;
}

export interface CommandFigures {
  seconds: number;
  /** Of all threads of the command. */
  cpuSeconds: number;
  peakMb: number;
}

export interface BackupOptions {
  service: Running;
  dataDir: string;
  keys: KeyRing;
  /** For the file and the restored store. */
  folder: string;
}

export async function backupFigures({ service, dataDir, keys, folder }: BackupOptions): Promise<BackupFigures> {
  const file = join(folder, 'bench.backup');
  const restored = join(folder, 'restored');
  const alone = await steadyLoad(service.port, keys, RATE);
  await new Promise((resolve) => setTimeout(resolve, ALONE_MS));
  const p99Alone = percentile(await alone.stop(), 0.99);
  const load = await steadyLoad(service.port, keys, RATE);
  const backup = await command(['backup', file], dataDir);
  const times = await load.stop();
  const restore = await command(['restore', file], restored);
  const megabytes = statSync(file).size / 1e6;
  rmSync(file);
  rmSync(restored, { recursive: true });
  return { backup, restore, megabytes, p99Alone, p99: percentile(times, 0.99), worst: Math.max(...times) };
}

/** The command tells at its end what it took. */
async function command(words: readonly string[], dataDir: string): Promise<CommandFigures> {
  const begun = performance.now();
  const env = { ...process.env, MARQUEE_DATA_DIR: dataDir };
  const child = spawn(process.execPath, ['--import', TELL_USAGE, MARQUEE, ...words], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${words.join(' ')}: ${said}`);
  const [, micros = '0', kilobytes = '0'] = /usage (\d+) (\d+)/.exec(said) ?? [];
  return { seconds: (performance.now() - begun) / 1000, cpuSeconds: Number(micros) / 1e6, peakMb: Number(kilobytes) / 1024 };
}

const MARQUEE = fileURLToPath(new URL('../bin/marquee.mjs', import.meta.url));
const TELL_USAGE = `data:text/javascript,${encodeURIComponent(`process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  process.stderr.write('usage ' + (userCPUTime + systemCPUTime) + ' ' + maxRSS);
});`)}`;
const RATE = 200;
const ALONE_MS = 8_000;
