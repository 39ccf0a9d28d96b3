/**
 * A copy of the embedded database while processes use it. The engine serves one connection at a time, so whoever holds it in a
 * transaction holds everybody's writes; the copy takes a second or two where reading all rows would take half a minute.
 *
 *     begin ─► checkpoint ─► copy the files ─► commit        the engine writes nothing in between
 */

import { constants, statSync } from 'node:fs';
import { copyFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../schema.ts';
import { makePrivateFolder } from './owner.ts';

/**
 * Copies the database in `from` to `to`, which must not be there; the copy opens like one that was killed after a checkpoint. Rejects
 * when the engine moved to another process meanwhile: nothing then says that the files are of one moment.
 */
export async function copyDatabase(db: Kysely<Database>, from: string, to: string): Promise<void> {
  await db.connection().execute(async (connection) => {
    await sql`begin`.execute(connection);
    try {
      await sql`checkpoint`.execute(connection);
      const { rows } = await sql<{ name: string }>`
        select pg_walfile_name(redo_lsn) as name from pg_control_checkpoint()
        union select pg_walfile_name(pg_current_wal_lsn())`.execute(connection);
      await keepHold(connection, () => copyFiles(from, to, new Set(rows.map(({ name }) => name))));
      // Answered on the same connection and in the same transaction: the engine was held all the time.
      await sql`commit`.execute(connection);
    } catch (error) {
      await sql`rollback`.execute(connection).catch(() => undefined);
      await rm(to, { recursive: true, force: true });
      throw error;
    }
  });
}

/** In bytes, without the log. */
export async function databaseBytes(folder: string): Promise<number> {
  const files = await listFiles(folder, isData);
  return files.reduce((sum, { path }) => sum + (statSync(join(folder, path), { throwIfNoEntry: false })?.size ?? 0), 0);
}

/** The engine lets go of a connection that says nothing for a minute. */
async function keepHold<T>(connection: Kysely<Database>, work: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => void sql`select 1`.execute(connection).catch(() => undefined), SIGN_OF_LIFE_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** `wal`: the files of the log that recovery reads. */
async function copyFiles(from: string, to: string, wal: ReadonlySet<string>): Promise<void> {
  makePrivateFolder(to);
  const entries = await listFiles(from, (path) => isData(path) || wal.has(path.slice(WAL.length)), true);
  for (const { path } of entries.filter(({ isFolder }) => isFolder)) makePrivateFolder(join(to, path));
  const files = entries.filter(({ isFolder }) => !isFolder);
  for (let at = 0; at < files.length; at += AT_ONCE) {
    // Where the file system can share the blocks of two files, nothing is copied.
    await Promise.all(
      files
        .slice(at, at + AT_ONCE)
        .map(({ path }) => copyFile(join(from, path), join(to, path), constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL)),
    );
  }
}

/** Paths below the folder, parents first. */
async function listFiles(folder: string, isWanted: (path: string) => boolean, withFolders = false) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .map((entry) => ({ path: join(entry.parentPath, entry.name).slice(folder.length + 1), isFolder: entry.isDirectory() }))
    .filter(({ path, isFolder }) => (isFolder ? withFolders : isWanted(path)))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The mark of a process that runs the database belongs to the original. */
const isData = (path: string): boolean =>
  !path.startsWith('marquee-running') && !path.startsWith(WAL) && path !== 'postmaster.pid';

const WAL = 'pg_wal/';
const AT_ONCE = 8;
const SIGN_OF_LIFE_MS = 10_000;
