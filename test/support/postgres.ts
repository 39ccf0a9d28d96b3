/** PostgreSQL clusters of a test's own, to be killed, promoted and restarted; made with `.ci/postgres`. */

import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const SCRIPT = new URL('../../.ci/postgres', import.meta.url).pathname;

/** PostgreSQL's programs, Debian's newest; null where there are none. Tests that need them are reported as skipped. */
export const POSTGRES_PROGRAMS: string | null = findPrograms();

function findPrograms(): string | null {
  try {
    const newest = readdirSync('/usr/lib/postgresql').sort((left, right) => Number(right) - Number(left))[0];
    return newest ? `/usr/lib/postgresql/${newest}/bin` : null;
  } catch {
    return null;
  }
}

export interface Cluster {
  url: string;
  /** Its files, below which `cluster` is. */
  folder: string;
  port: number;
  /** SIGKILL for the postmaster and all of its processes. */
  kill(): Promise<void>;
  /** Starts it again, at the same address, after `kill` or `stop`. */
  start(): Promise<void>;
  stop(mode?: 'fast' | 'immediate'): Promise<void>;
  dispose(): Promise<void>;
}

export async function startCluster(): Promise<Cluster> {
  const folder = mkdtempSync(join(systemTemp(), 'marquee-postgres-'));
  const { stdout } = await run(SCRIPT, ['start', folder]);
  const url = stdout.trim();
  return openCluster(folder, url);
}

export function openCluster(folder: string, url: string): Cluster {
  const port = Number(new URL(url).port);
  const control = (...words: string[]) => program('pg_ctl', ['-D', join(folder, 'cluster'), '-w', '-t', '60', ...words]);
  return {
    url,
    folder,
    port,
    async kill() {
      const postmaster = Number(readFileSync(join(folder, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0]);
      const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(postmaster)], { encoding: 'utf8' });
      for (const pid of [postmaster, ...children.trim().split(/\s+/).map(Number)]) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // It has ended by itself.
        }
      }
    },
    start: () =>
      control('-l', join(folder, 'cluster', 'log'), '-o', `-p ${port} -h 127.0.0.1 -k ${folder} -c max_connections=200`, 'start'),
    stop: (mode = 'fast') => control('-m', mode, 'stop'),
    async dispose() {
      await control('-m', 'immediate', 'stop').catch(() => {});
      for (const path of [folder, `${folder}.log`]) rmSync(path, { recursive: true, force: true });
    },
  };
}

/** Never as root, as PostgreSQL wants it; the environment of the tests stays away from it. */
export async function program(name: string, words: readonly string[]): Promise<void> {
  const path = `${POSTGRES_PROGRAMS}/${name}`;
  const [file, before] =
    process.getuid?.() === 0 ? ['runuser', ['-u', process.env.PG_USER ?? 'postgres', '--', path]] : [path, [] as string[]];
  const child = run(file, [...before, ...words], { cwd: '/' });
  // What the server prints goes to its log; it inherits these pipes, and they would never end.
  child.child.stdout?.destroy();
  child.child.stderr?.destroy();
  await new Promise<void>((resolve, reject) => {
    child.child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${name} ended with ${code}`))));
    child.catch(() => {});
  });
}

/** The folder of the run is closed to the user that PostgreSQL runs as. */
const systemTemp = (): string => (process.getuid?.() === 0 ? '/tmp' : tmpdir());
