/** The data folder: where the engine's files, its lock and its socket are. */

import { createHash } from 'node:crypto';
import { accessSync, chmodSync, closeSync, constants, lstatSync, mkdirSync, openSync, realpathSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../store-error.ts';
import { giveToOwner } from './owner.ts';

export interface DataFolder {
  /** The folder itself, with every symbolic link followed: all processes name it alike. */
  path: string;
  /** PostgreSQL's files. */
  databaseFolder: string;
  /** The folder to give to `pg` as host, and `SOCKET_PORT` as port. */
  socketFolder: string;
  socketPath: string;
  lockPath: string;
}

/** Makes the folder (mode 0700) if it is not there. Throws a `StoreError` if it cannot be written. */
export function openDataFolder(dataDir: string): DataFolder {
  try {
    makeFolder(resolve(dataDir));
    accessSync(dataDir, constants.W_OK);
    const path = realpathSync(dataDir);
    const socketFolder = fitsSocket(path) ? path : shortFolder(path);
    return {
      path,
      databaseFolder: join(path, 'database'),
      socketFolder,
      socketPath: join(socketFolder, SOCKET_NAME),
      lockPath: join(path, 'owner.lock'),
    };
  } catch (error) {
    throw notWritable(dataDir, error);
  }
}

/** Takes the ownership of the folder if nobody has it; gives the function that returns it, or undefined. */
export const takeOwnership = (folder: DataFolder): (() => void) | undefined => takeLock(folder.path, folder.lockPath);

/**
 * Takes the lock of a file in `folder` if nobody has it; gives the function that returns it, or undefined. SQLite's exclusive lock
 * is used because the kernel drops it in the moment the process ends, however it ends: there is no stale lock and no process
 * number to guess about. Nothing else may open the file: closing any descriptor of it would drop the lock (POSIX fcntl).
 */
export function takeLock(folder: string, path: string): (() => void) | undefined {
  let lock: DatabaseSync | undefined;
  try {
    makeLockFile(path);
    lock = new DatabaseSync(path);
    lock.exec('pragma journal_mode = memory; pragma locking_mode = exclusive; begin exclusive');
    const held = lock;
    return () => held.close();
  } catch (error) {
    lock?.close();
    const { errcode } = error as { errcode?: number };
    if (errcode === SQLITE_BUSY) return undefined;
    if (errcode === SQLITE_NOTADB) throw new StoreError('lock_file_foreign', { file: path }, error);
    throw notWritable(folder, error);
  }
}

/** SQLite would let others read it. One that is there may be locked by this process, and must not be opened and closed. */
function makeLockFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', PRIVATE_FILE_MODE));
    giveToOwner(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, PRIVATE_FILE_MODE);
  }
}

/** As `mkdir -p`. Node's own `recursive` never returns where the kernel refuses new names, as below /proc. */
function makeFolder(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  if (!found && dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path, PRIVATE_MODE);
  } catch (error) {
    // Another process may have been quicker.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

function fitsSocket(folder: string): boolean {
  return Buffer.byteLength(join(folder, SOCKET_NAME)) <= MAX_SOCKET_PATH_BYTES;
}

function shortFolder(path: string): string {
  const folder = join(tmpdir(), `marquee-${createHash('sha256').update(path).digest('hex').slice(0, 16)}`);
  mkdirSync(folder, { recursive: true, mode: PRIVATE_MODE });
  // The name can be guessed and the parent is everyone's: a folder somebody else put there is not used.
  const found = lstatSync(folder);
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o077) !== 0) {
    throw new Error(`${folder} belongs to another user`);
  }
  return folder;
}

function notWritable(folder: string, error: unknown): StoreError {
  const { code, message } = error as NodeJS.ErrnoException;
  return new StoreError('data_folder_not_writable', { folder, reason: REASONS[code ?? ''] ?? message }, error);
}

/** `pg` finds the socket `/folder/.s.PGSQL.5432` when it is given the folder as host and 5432 as port, and so does `psql`. */
export const SOCKET_PORT = 5432;
const SOCKET_NAME = `.s.PGSQL.${SOCKET_PORT}`;
/** sockaddr_un.sun_path holds 108 bytes on Linux and 104 on macOS, the closing zero included. */
const MAX_SOCKET_PATH_BYTES = 103;
const PRIVATE_MODE = 0o700;
const PRIVATE_FILE_MODE = 0o600;
const SQLITE_BUSY = 5;
const SQLITE_NOTADB = 26;
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left',
  EEXIST: 'a file with that name already exists',
  ENOTDIR: 'a file already exists there',
  ENOENT: 'cannot create it there',
};
