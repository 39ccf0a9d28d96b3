/** PostgreSQL clusters of a test's own, to be killed, promoted and restarted; made with `.ci/postgres`. */

import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../network/free-port.ts';
import { PATIENCE_MS } from '../runs/patience.ts';

const run = promisify(execFile);
const SCRIPT = new URL('../../../.ci/postgres', import.meta.url).pathname;

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
  /** Gives each page a checksum, while it is stopped. */
  addChecksums(): Promise<void>;
  dispose(): Promise<void>;
}

export async function startCluster(): Promise<Cluster> {
  const folder = mkdtempSync(join(systemTemp(), 'marquee-postgres-'));
  const { stdout } = await run(SCRIPT, ['start', folder]);
  const url = stdout.trim();
  return openCluster(folder, url);
}

export interface Standby extends Cluster {
  promote(): Promise<void>;
}

/** Follows the cluster by streaming; open when this resolves. `port`: a free one by default. */
export async function startStandby(of: Cluster, port?: number): Promise<Standby> {
  const folder = mkdtempSync(join(systemTemp(), 'marquee-standby-'));
  if (process.getuid?.() === 0) execFileSync('chown', [process.env.PG_USER ?? 'postgres', folder]);
  const data = join(folder, 'cluster');
  await program('pg_basebackup', ['-D', data, '-R', '-c', 'fast', '--no-sync', '-d', of.url]);
  const url = new URL(of.url);
  url.port = String(port ?? (await freePort()));
  const standby = openCluster(folder, url.href);
  await standby.start();
  return { ...standby, promote: () => program('pg_ctl', ['-D', data, '-w', '-t', SECONDS, 'promote']) };
}

function openCluster(folder: string, url: string): Cluster {
  const port = Number(new URL(url).port);
  const control = (...words: string[]) => program('pg_ctl', ['-D', join(folder, 'cluster'), '-w', '-t', SECONDS, ...words]);
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
      // Where nobody collects the dead, their numbers look alive to the next start.
      rmSync(join(folder, 'cluster', 'postmaster.pid'), { force: true });
    },
    // Memory that the killed processes shared may be in use for a moment.
    start: () =>
      retry(() =>
        control(
          '-l',
          join(folder, 'cluster', 'log'),
          '-o',
          `-p ${port} -h 127.0.0.1 -k ${folder} -c max_connections=200`,
          'start',
        ),
      ),
    stop: (mode = 'fast') => control('-m', mode, 'stop'),
    addChecksums: () => program('pg_checksums', ['--enable', '-D', join(folder, 'cluster')]),
    async dispose() {
      await control('-m', 'immediate', 'stop').catch(() => {});
      for (const path of [folder, `${folder}.log`]) rmSync(path, { recursive: true, force: true });
    },
  };
}

/** Never as root, as PostgreSQL wants it; the environment of the tests stays away from it. */
async function program(name: string, words: readonly string[]): Promise<void> {
  const path = `${POSTGRES_PROGRAMS}/${name}`;
  const [file, before] =
    process.getuid?.() === 0 ? ['runuser', ['-u', process.env.PG_USER ?? 'postgres', '--', path]] : [path, [] as string[]];
  // What the server prints goes to its log; pipes that it inherits would never end.
  const child = spawn(file, [...before, ...words], { cwd: '/', stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${name} ended with ${code}`);
}

async function retry(work: () => Promise<void>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await delay(250);
    }
  }
}

const SECONDS = String(PATIENCE_MS / 1000);
/** The folder of the run is closed to the user that PostgreSQL runs as. */
const systemTemp = (): string => (process.getuid?.() === 0 ? '/tmp' : tmpdir());
