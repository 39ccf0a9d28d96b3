/** The PostgreSQL cluster of the experiments, made by `.ci/postgres`, and what goes wrong with it. */

import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { eventually } from '../support/processes/child-process.ts';

export interface Cluster {
  /** A copy of the database `template`, or an empty database; gives its URL. */
  createDatabase(template?: string): Promise<string>;
  stop(): Promise<void>;
  /** After `stop` or `kill`. */
  start(): Promise<void>;
  /** SIGKILL to all of its processes. */
  kill(): Promise<void>;
  /** SIGSTOP to all of its processes, and SIGCONT. */
  freeze(): void;
  thaw(): void;
  setReadOnly(on: boolean): Promise<void>;
  /** Stops it for good and removes it. */
  close(): Promise<void>;
}

export async function openCluster(folder: string): Promise<Cluster> {
  const control = async (command: string) => (await promisify(execFile)(SCRIPT, [command, folder])).stdout.trim();
  const url = await control('start');
  let databases = 0;
  const ask = async (statement: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  const signal = (name: NodeJS.Signals) => {
    for (const pid of processes(folder)) process.kill(pid, name);
  };
  return {
    async createDatabase(template = 'template1') {
      databases += 1;
      const name = `fault_${databases}`;
      await ask(`create database ${name} template ${template}`);
      return Object.assign(new URL(url), { pathname: name }).href;
    },
    stop: async () => void (await control('halt')),
    start: async () => void (await control('resume')),
    async kill() {
      const pids = processes(folder);
      signal('SIGKILL');
      // They share memory until the last one has ended.
      await eventually(() => !pids.some(isAlive));
      // PostgreSQL takes a process that nobody has waited for as running.
      rmSync(join(folder, 'cluster', 'postmaster.pid'), { force: true });
      for (const name of readdirSync(folder)) if (name.startsWith('.s.PGSQL')) rmSync(join(folder, name));
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    async setReadOnly(on) {
      await ask(`alter system set default_transaction_read_only = ${on ? 'on' : 'off'}`);
      await ask('select pg_reload_conf()');
    },
    close: async () => void (await control('stop')),
  };
}

/** Of the cluster: the first is the parent of the others. */
function processes(folder: string): number[] {
  const [first = ''] = readFileSync(join(folder, 'cluster', 'postmaster.pid'), 'utf8').split('\n');
  const children = readFileSync(`/proc/${first}/task/${first}/children`, 'utf8').trim();
  return [Number(first), ...children.split(' ').filter(Boolean).map(Number)];
}

function isAlive(pid: number): boolean {
  try {
    // One that nobody has waited for yet has ended all the same.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

const SCRIPT = new URL('../../.ci/postgres', import.meta.url).pathname;
