/** Opens the store: the embedded engine of a data folder, or a PostgreSQL server; migrated, ready for use. */

import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import type { Log } from '../log.ts';
import type { CommitWatcher } from './commit-watcher.ts';
import { type ConnectOptions, connectStore, type OnQuery, readDatabaseUrl } from './connection.ts';
import { describe, isConnectionLost, type StoreAddress } from './connection-error.ts';
import { createDamageNotes, type DamageNotes } from './damage/inspection.ts';
import { openDataFolder } from './engine/data-folder.ts';
import { isDatabase } from './engine/database-folder.ts';
import { type SharedEngine, shareEngine } from './engine/share-engine.ts';
import { describePending, isOlder, migrate, pendingMigrations } from './migrate.ts';
import type { Database } from './schema.ts';
import { StoreError } from './store-error.ts';

export interface StoreOptions {
  /** A PostgreSQL server (`postgresql://…`); without it the embedded engine runs in `dataDir`. */
  databaseUrl?: string | undefined;
  /** Made when missing. With a server nothing is kept there by the store. */
  dataDir: string;
  log?: Log | undefined;
  poolSize?: number;
  /**
   * What becomes of a database of an older version: a service may run on it that this version would break. A new one is made, unless
   * it is kept. The default is `migrate`.
   */
  onOlder?: 'migrate' | 'refuse' | 'keep';
  onQuery?: OnQuery | undefined;
  /** Told of a sign that the database is damaged, at most once an hour. */
  onDamage?: ((reason: string) => void) | undefined;
}

export interface Store {
  readonly db: Kysely<Database>;
  readonly kind: 'embedded' | 'postgres';
  /** For `connectStore` in a worker thread. Holds a password: never log it. */
  readonly address: StoreAddress;
  /** Of the embedded database: PostgreSQL's files. Null: a server has them, or another thread opened the store. */
  readonly databaseFolder: string | null;
  /** Signs of damage that this process has seen. */
  readonly damage: DamageNotes;
  /** Whether the embedded engine runs in this process now; never for a server. */
  ownsEngine(): boolean;
  /** One for each follower. */
  createCommitWatcher(): CommitWatcher;
  /** One round trip to the database; rejects when it does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Rejects with a `StoreError` whose message is one sentence to print. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { databaseUrl } = options;
  if (databaseUrl) {
    readDatabaseUrl(databaseUrl);
    return openOn({ kind: 'postgres', databaseUrl }, options);
  }
  const folder = openDataFolder(options.dataDir);
  const engine = await shareEngine(folder, options.log);
  return openOn({ kind: 'embedded', socketFolder: folder.socketFolder, commits: engine.commits }, options, engine);
}

/** Whether there is an embedded database in this data folder. Makes and changes nothing. Throws a `StoreError` where something else is in its place. */
export function hasEmbedded(dataDir: string): boolean {
  try {
    return isDatabase(join(dataDir, 'database'));
  } catch (error) {
    throw new StoreError('engine_failed', { folder: dataDir, reason: (error as Error).message }, error);
  }
}

/** In a worker thread: the store that the main thread has opened and keeps open. */
export function joinStore(
  address: StoreAddress,
  {
    poolSize = POOL_SIZE[address.kind],
    damage = createDamageNotes(),
    ...options
  }: ConnectOptions & { poolSize?: number | undefined; damage?: DamageNotes } = {},
): Store {
  const { db, createCommitWatcher, close } = connectStore(address, poolSize, { onDamage: damage.note, ...options });
  return {
    db,
    kind: address.kind,
    address,
    databaseFolder: null,
    damage,
    createCommitWatcher,
    ownsEngine: () => false,
    async ping() {
      await sql`select 1`.execute(db);
    },
    close,
  };
}

async function openOn(address: StoreAddress, options: StoreOptions, engine?: SharedEngine): Promise<Store> {
  const damage = createDamageNotes(options.onDamage);
  const store = joinStore(address, { poolSize: options.poolSize, onQuery: options.onQuery, damage });
  const { db } = store;
  async function close(): Promise<void> {
    await store.close();
    await engine?.close();
  }
  try {
    const names = await throughMoves(async () => {
      await checkVersion(db, address);
      return applySchema(db, options.onOlder);
    });
    if (names.length > 0) options.log?.info({ migrations: names }, 'database migrated');
  } catch (error) {
    await close();
    throw error;
  }
  return { ...store, databaseFolder: engine?.databaseFolder ?? null, ownsEngine: () => engine?.isOwner() ?? false, close };
}

async function applySchema(db: Kysely<Database>, onOlder: StoreOptions['onOlder']): Promise<string[]> {
  if (onOlder === 'keep') return [];
  if (onOlder === 'refuse') {
    const pending = await pendingMigrations(db);
    if (isOlder(pending)) throw new StoreError('database_older', { pending: describePending(pending) });
  }
  return migrate(db);
}

/** The engine may move to another process meanwhile; what is done here may be done again. */
async function throughMoves<T>(work: () => Promise<T>): Promise<T> {
  for (let move = 1; ; move++) {
    try {
      return await work();
    } catch (error) {
      if (move === MAX_MOVES || !isConnectionLost(error)) throw error;
    }
  }
}

async function checkVersion(db: Kysely<Database>, address: StoreAddress): Promise<void> {
  const { rows } = await sql<{ server_version_num: string }>`show server_version_num`.execute(db);
  const version = Number(rows[0]?.server_version_num);
  if (version >= OLDEST_VERSION) return;
  const readable = `${Math.floor(version / 10_000)}.${version % 10_000}`;
  throw new StoreError('database_too_old', { database: describe(address), version: readable });
}

/** As `server_version_num` counts: 15.0. */
const OLDEST_VERSION = 150_000;
/** The embedded engine runs one statement at a time; more connections only wait in another place. */
const POOL_SIZE = { embedded: 5, postgres: 10 } as const;
const MAX_MOVES = 5;
