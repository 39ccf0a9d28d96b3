/** What an experiment works with: services of its own in a folder of its own, their database, and keys. All of it ends with it. */

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Accounts, createAccounts, type TierName } from '../../src/accounts/index.ts';
import { openDataFolder } from '../../src/store/engine/data-folder.ts';
import { type Connection, connectStore } from '../../src/store/index.ts';
import { copyDemoFolder } from '../support/database/demo-folder.ts';
import { temporaryFolder } from '../support/database/store.ts';
import { marquee, type RunningService, startService } from '../support/rigs/service.ts';
import type { Cluster } from './cluster.ts';
import type { Engine } from './experiment.ts';

export interface Context {
  engine: Engine;
  /** Of a run that may take three minutes altogether. */
  short: boolean;
  /** The data folder. */
  folder: string;
  /** Of the services; null on the embedded engine. */
  databaseUrl: string | null;
  /** The server of `databaseUrl`. */
  cluster: Cluster | null;
  /** Starts `serve` on a free port. */
  start(options?: StartOptions): Promise<Service>;
  /** The database, past the services. With the embedded engine a service must run. */
  connect(): Connection;
  /** Keys of one account, each with a quota of its own. */
  makeKeys(count: number, tier?: TierName): Promise<MadeKey[]>;
  accounts(): Accounts;
  /** Adds something that is closed with the context. */
  onClose(close: () => unknown): void;
  close(): Promise<void>;
}

export interface StartOptions {
  words?: readonly string[];
  env?: Record<string, string>;
}

export interface Service extends RunningService {
  /** 0 for a worker. */
  port: number;
  pid: number;
  kill(): Promise<void>;
  isRunning(): boolean;
}

export interface MadeKey {
  key: string;
  id: string;
  subscriptionId: string;
}

export interface ContextOptions {
  engine: Engine;
  short: boolean;
  cluster: Cluster | null;
}

export async function openContext({ engine, short, cluster }: ContextOptions): Promise<Context> {
  const { folder, remove } = engine === 'embedded' ? await copyDemoFolder() : temporaryFolder();
  const databaseUrl = engine === 'postgres' && cluster ? await cluster.createDatabase(DEMO_DATABASE) : null;
  const closers: (() => unknown)[] = [remove];
  let connection: Connection | null = null;
  let people = 0;

  const connect = () => {
    if (connection) return connection;
    const opened = connectStore(
      databaseUrl
        ? { kind: 'postgres', databaseUrl }
        : { kind: 'embedded', socketFolder: openDataFolder(folder).socketFolder, commits: new SharedArrayBuffer(8) },
    );
    connection = opened;
    closers.push(() => opened.close());
    return opened;
  };
  const accounts = () => createAccounts({ db: connect().db });

  return {
    engine,
    short,
    folder,
    databaseUrl,
    cluster,
    connect,
    accounts,
    async start({ words = ['serve'], env = {} } = {}) {
      const place = { MARQUEE_DATA_DIR: folder, ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }) };
      const service = asService(await startService(words, { ...place, ...env }, PROGRAM));
      closers.push(service.kill);
      return service;
    },
    async makeKeys(count, tier = 'enterprise') {
      people += 1;
      const email = `faults-${people}-${tier}@marquee.example`;
      const account = await accounts().createAccount({ email, tier });
      if (!account.ok) throw new Error(account.detail);
      const keys: MadeKey[] = [];
      for (let index = 0; index < count; index += 1) {
        const made = await accounts().createKey({ email, name: `key ${index}` });
        if (!made.ok) throw new Error(made.detail);
        keys.push({ key: made.key, id: made.id, subscriptionId: made.subscriptionId });
      }
      return keys;
    },
    onClose: (close) => void closers.push(close),
    async close() {
      for (const close of closers.splice(0).reverse()) await close();
    },
  };
}

/** A database with the demo city, for `createDatabase` to copy; made with `databaseUrl`. */
export async function loadDemo(databaseUrl: string, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const { status, stderr } = await marquee(['demo', 'load'], {
    DATABASE_URL: databaseUrl,
    MARQUEE_DATA_DIR: join(folder, 'loading'),
  });
  rmSync(join(folder, 'loading'), { recursive: true, force: true });
  if (status !== 0) throw new Error(stderr);
}

function asService(running: RunningService): Service {
  const child = running.process;
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const killOnExit = () => child.kill('SIGKILL');
  process.once('exit', killOnExit);
  return {
    ...running,
    port: running.url === '' ? 0 : Number(new URL(running.url).port),
    pid: child.pid ?? 0,
    isRunning,
    async kill() {
      process.off('exit', killOnExit);
      if (isRunning()) await running.stop('SIGKILL');
    },
  };
}

const DEMO_DATABASE = 'fault_1';
const PROGRAM = [process.execPath, new URL('../../bin/marquee.mjs', import.meta.url).pathname] as const;
