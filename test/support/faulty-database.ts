/** A database that can go away under a whole service: the engine of another process that is stopped, or a network that goes silent. */

import { openStoreChild } from './child-process.ts';
import { openTcpProxy } from './tcp-proxy.ts';

export interface FaultyDatabase {
  /** For the service that is to use it. */
  settings: Record<string, string>;
  /** From now on nothing is answered; nothing is closed either. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

/** The embedded engine of a data folder, in a process of its own; started before the service is. */
export async function engineElsewhere(dataDir: string): Promise<FaultyDatabase> {
  const child = await openStoreChild({ dataDir });
  return {
    settings: {},
    freeze: () => void child.process.kill('SIGSTOP'),
    thaw: () => void child.process.kill('SIGCONT'),
    async close() {
      child.process.kill('SIGCONT');
      await child.close();
    },
  };
}

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
    close: () => proxy.close(),
  };
}
