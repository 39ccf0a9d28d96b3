/** A database that can go away under a whole service: the engine of another process that is stopped, or a network that goes silent. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { openDataFolder, takeOwnership } from '../../../src/store/engine/data-folder.ts';
import { openTcpProxy } from '../network/tcp-proxy.ts';
import { openStoreChild, startStoreChild } from '../processes/child-process.ts';

export interface FaultyDatabase {
  /** For the service that is to use it. */
  settings: Record<string, string>;
  /** From now on nothing is answered; nothing is closed either. */
  freeze(): void;
  thaw(): void;
  /** Nobody is there to connect to, until `start`. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** As `kill -9` does to whoever runs it; somebody else runs it at once. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

/** The embedded engine of a data folder, in a process of its own; started before the service is. */
export async function engineElsewhere(dataDir: string): Promise<FaultyDatabase> {
  const folder = openDataFolder(dataDir);
  let child = await openStoreChild({ dataDir });
  let giveBack: (() => void) | undefined;

  /** Nothing else of this process runs meanwhile: the service in it, which looks for the lock too, cannot be quicker. */
  function takeLock(): () => void {
    for (;;) {
      const taken = takeOwnership(folder);
      if (taken) return taken;
      sleep(10);
    }
  }

  function waitUntilTaken(): void {
    for (;;) {
      sleep(200);
      const taken = takeOwnership(folder);
      if (!taken) return;
      taken();
    }
  }

  return {
    settings: {},
    freeze() {
      child.process.kill('SIGSTOP');
      while (!isStopped(child.process.pid)) sleep(1);
    },
    thaw: () => void child.process.kill('SIGCONT'),
    async stop() {
      child.process.kill('SIGKILL');
      giveBack = takeLock();
    },
    async start() {
      child = startStoreChild({ dataDir });
      const isOpen = child.next('open');
      giveBack?.();
      giveBack = undefined;
      waitUntilTaken();
      await isOpen;
    },
    kill: () => child.kill(),
    async close() {
      giveBack?.();
      child.process.kill('SIGCONT');
      await child.close();
    },
  };
}

/** On a busy machine, threads run on until the one that the signal woke has had its turn. */
function isStopped(pid: number | undefined): boolean {
  const tasks = `/proc/${pid}/task`;
  if (!existsSync(tasks)) return true;
  return readdirSync(tasks).every((task) => /\) [TtZX] /.test(readFileSync(`${tasks}/${task}/stat`, 'utf8')));
}

const sleep = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** A PostgreSQL server behind a network that may go silent. */
export async function networkBefore(databaseUrl: string): Promise<FaultyDatabase> {
  const { hostname, port } = new URL(databaseUrl);
  const proxy = await openTcpProxy({ host: hostname, port: Number(port || 5432) });
  return {
    settings: { DATABASE_URL: proxy.through(databaseUrl) },
    freeze() {
      proxy.silenceNew();
      proxy.silence();
    },
    thaw: () => void proxy.restore(),
    stop: () => proxy.cut(),
    start: () => proxy.restore(),
    async kill() {
      await proxy.cut();
      await proxy.restore();
    },
    close: () => proxy.close(),
  };
}
