/** Databases beside the one that is used: a copy to read in peace, and a new one that takes its place when it is whole. */

import { existsSync, rmSync, statfsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../log.ts';
import { isConnectionLost } from './connection-error.ts';
import { copyDatabase, databaseBytes } from './engine/copy-database.ts';
import { type DataFolder, openDataFolder, takeLock, takeOwnership } from './engine/data-folder.ts';
import { markRunning, replaceDatabase } from './engine/database-folder.ts';
import { openPglite } from './engine/durable-pglite.ts';
import { makePrivateFolder } from './engine/owner.ts';
import { hasEmbedded, openStore, type Store } from './open-store.ts';
import { StoreError } from './store-error.ts';

/**
 * Lends a store with the data of one moment, which nobody writes. A server shows such a moment to every transaction; the embedded
 * database is copied, so that its users wait for the copy only. `onCopied`: the users wait no longer.
 */
export async function withStoreCopy<T>(
  { store, dataDir, log, onCopied = () => {} }: { store: Store; dataDir: string; log: Log; onCopied?: () => void },
  work: (store: Store) => Promise<T>,
): Promise<T> {
  if (store.kind === 'postgres') {
    onCopied();
    return work(store);
  }
  const folder = openDataFolder(dataDir);
  return withWorkFolder(folder, COPY, async (workFolder) => {
    await checkRoom(folder);
    for (let move = 1; ; move++) {
      try {
        await copyDatabase(store.db, folder.databaseFolder, join(workFolder, 'database'));
        break;
      } catch (error) {
        if (move === MAX_MOVES || !isConnectionLost(error)) throw error;
      }
    }
    onCopied();
    const copy = await openStore({ dataDir: workFolder, log });
    try {
      return await work(copy);
    } finally {
      await copy.close();
    }
  });
}

/** Asks a database that nobody else uses. */
export type RunQuery = (text: string) => Promise<Record<string, unknown>[]>;

export interface ReplaceOptions {
  dataDir: string;
  /** Rejects when the present database must stay. */
  check(query: RunQuery): Promise<void>;
  /** Makes the new database in a data folder of its own, and closes it. */
  build(dataDir: string): Promise<void>;
}

/** Puts a new embedded database in the place of the present one, whole or not at all. Until then no process may open the data folder. */
export async function replaceEmbedded({ dataDir, check, build }: ReplaceOptions): Promise<void> {
  const folder = openDataFolder(dataDir);
  const giveBack = takeOwnership(folder);
  if (!giveBack) throw new StoreError('data_folder_in_use', { folder: folder.path });
  try {
    await checkPresent(folder, check);
    await withWorkFolder(folder, RESTORE, async (workFolder) => {
      await build(workFolder);
      replaceDatabase(folder.databaseFolder, join(workFolder, 'database'));
    });
  } finally {
    giveBack();
  }
}

async function checkPresent({ path, databaseFolder }: DataFolder, check: ReplaceOptions['check']): Promise<void> {
  if (!hasEmbedded(path)) return;
  const unmark = markPresent(path, databaseFolder);
  const db = await openPglite({ directory: databaseFolder });
  try {
    await check(async (text) => (await db.query<Record<string, unknown>>(text)).rows);
  } finally {
    await db.close();
    unmark();
  }
}

function markPresent(folder: string, databaseFolder: string): () => void {
  try {
    return markRunning(databaseFolder);
  } catch (error) {
    throw new StoreError('engine_failed', { folder, reason: (error as Error).message }, error);
  }
}

/** Copies as large as the database that a killed backup or restore has left. One that somebody works in stays. */
export async function removeLeftCopies(dataDir: string): Promise<void> {
  const left = [COPY, RESTORE].filter((name) => existsSync(join(dataDir, name)));
  if (left.length === 0) return;
  const folder = openDataFolder(dataDir);
  for (const name of left) {
    const giveBack = lockWorkFolder(folder, name);
    if (!giveBack) continue;
    await rm(join(folder.path, name), { recursive: true, force: true }).finally(giveBack);
  }
}

/** One process at a time uses the folder; what a killed one left in it goes. */
async function withWorkFolder<T>(folder: DataFolder, name: string, work: (path: string) => Promise<T>): Promise<T> {
  const giveBack = lockWorkFolder(folder, name);
  if (!giveBack) throw new StoreError('copy_busy', { folder: folder.path });
  const path = join(folder.path, name);
  const remove = () => rmSync(path, { recursive: true, force: true, maxRetries: 20 });
  try {
    remove();
    makePrivateFolder(path);
    return await work(path);
  } finally {
    remove();
    giveBack();
  }
}

const lockWorkFolder = ({ path }: DataFolder, name: string) => takeLock(path, join(path, `${name}.lock`));

async function checkRoom({ path, databaseFolder }: DataFolder): Promise<void> {
  const { bavail, bsize } = statfsSync(path);
  const [needed, free] = [(await databaseBytes(databaseFolder)) + SPARE_BYTES, bavail * bsize];
  if (free >= needed) return;
  const megabytes = (bytes: number) => String(Math.ceil(bytes / 2 ** 20));
  throw new StoreError('copy_without_room', { needed: megabytes(needed), free: megabytes(free), folder: path });
}

const COPY = 'database.copy';
const RESTORE = 'database.restore';
const MAX_MOVES = 5;
/** For the log of the copy, and for what others write meanwhile. */
const SPARE_BYTES = 128 * 2 ** 20;
