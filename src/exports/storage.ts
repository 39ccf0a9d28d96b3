/** Where the files of finished exports are kept. */

import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, openAsBlob } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ObjectPlace, openBucket } from '../object-storage/index.ts';
import { isFileTrouble } from '../values/file-trouble.ts';

export interface StoredFile {
  bytes: number;
  /** Opened once; `start` and `end` are inclusive, as in `Range`. */
  read(range?: { start: number; end: number }): Promise<Readable>;
}

export interface ExportStorage {
  /** How often its folders may be listed. */
  sweepEveryMs: number;
  /**
   * Takes a finished folder over: all of its files, and nothing of it stays where it was. Where that takes time, `signal` ends it;
   * some files may be there then.
   */
  keep(folder: string, localFolder: string, signal: AbortSignal): Promise<void>;
  /** Null where there is no such file. */
  open(folder: string, name: string): Promise<StoredFile | null>;
  /** The path of a file on this machine until `release`; null where there is no such file. Where that takes time, `signal` ends it. */
  fetch(folder: string, name: string, signal: AbortSignal): Promise<{ path: string; release(): Promise<void> } | null>;
  /** Whether others may keep things beside its folders. */
  isShared: boolean;
  folders(): Promise<string[]>;
  remove(folder: string): Promise<void>;
}

/** Files of exports in a folder of this machine. */
export function createLocalStorage(root: string): ExportStorage {
  const sizeOf = async (path: string): Promise<number | null> => {
    const found = await stat(path).catch(ignoreMissing);
    return found?.isFile() ? found.size : null;
  };
  return {
    isShared: false,
    sweepEveryMs: 0,
    async keep(folder, localFolder) {
      await mkdir(root, { recursive: true, mode: 0o700 });
      await rm(join(root, folder), { recursive: true, force: true });
      await rename(localFolder, join(root, folder));
    },
    async open(folder, name) {
      const path = join(root, folder, name);
      const bytes = await sizeOf(path);
      return bytes === null ? null : { bytes, read: async (range) => createReadStream(path, range) };
    },
    async fetch(folder, name) {
      const path = join(root, folder, name);
      return (await sizeOf(path)) === null ? null : { path, release: async () => {} };
    },
    async folders() {
      const entries = (await readdir(root, { withFileTypes: true }).catch(ignoreMissing)) ?? [];
      return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    },
    remove: (folder) => rm(join(root, folder), { recursive: true, force: true }),
  };
}

function ignoreMissing(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  return null;
}

/** `workFolder`: for files that are needed on this machine for a while. */
export function createS3Storage(place: ObjectPlace, workFolder: string): ExportStorage {
  const bucket = openBucket(place);
  const prefix = place.path === '' ? '' : `${place.path}/`;
  const keyOf = (folder: string, name: string): string => `${prefix}${folder}/${name}`;

  async function put(key: string, path: string, signal: AbortSignal): Promise<void> {
    const hash = createHash('sha256');
    await pipeline(createReadStream(path), hash, { signal });
    // Read from the disk as it is sent. The storage compares it with the hash.
    await bucket.put(key, await openAsBlob(path), hash.digest('hex'), signal);
  }

  return {
    isShared: true,
    sweepEveryMs: SWEEP_EVERY_MS,
    async keep(folder, localFolder, signal) {
      for (const name of await readdir(localFolder)) await put(keyOf(folder, name), join(localFolder, name), signal);
      await rm(localFolder, { recursive: true, force: true });
    },
    async open(folder, name) {
      const key = keyOf(folder, name);
      const head = await bucket.head(key, AbortSignal.timeout(OPEN_MS));
      return head && { bytes: head.bytes, read: async (range) => (await bucket.get(key, range)) ?? Readable.from([]) };
    },
    async fetch(folder, name, signal) {
      const body = await bucket.get(keyOf(folder, name), undefined, signal);
      if (!body) return null;
      await mkdir(workFolder, { recursive: true, mode: 0o700 });
      const path = join(workFolder, `${folder}.${process.pid}.${name}`);
      await pipeline(body, createWriteStream(path, { mode: 0o600 }), { signal });
      return { path, release: () => rm(path, { force: true }) };
    },
    async folders() {
      return (await bucket.list(prefix, '/')).map((each) => each.slice(prefix.length).replace(/\/$/, ''));
    },
    async remove(folder) {
      for (const key of await bucket.list(`${prefix}${folder}/`)) await bucket.remove(key);
    },
  };
}

/** The storage cannot be reached, refuses, or is full: an operator or time puts it right, so the export is tried again. */
export class StorageAwayError extends Error {}

/** The same storage. What it cannot keep or fetch rejects with a `StorageAwayError`, unless `signal` has ended it. */
export function tellAway(storage: ExportStorage): ExportStorage {
  async function tell<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
    try {
      return await work;
    } catch (cause) {
      if (signal.aborted || !isAway(storage, cause)) throw cause;
      throw new StorageAwayError('the storage of exports does not answer', { cause });
    }
  }
  return {
    ...storage,
    keep: (folder, localFolder, signal) => tell(storage.keep(folder, localFolder, signal), signal),
    fetch: (folder, name, signal) => tell(storage.fetch(folder, name, signal), signal),
  };
}

/** Whether the disk is full to which both a local storage and the files before it belong. */
export const isFullStorage = ({ isShared }: ExportStorage, error: unknown): boolean =>
  !isShared && FULL.includes((error as NodeJS.ErrnoException).code ?? '');

/** Beside a bucket, a file that fails is one of this machine. */
const isAway = ({ isShared }: ExportStorage, error: unknown): boolean => isFileTrouble(error) !== isShared;

/** Who downloads is told soon that the storage does not answer. */
const OPEN_MS = 10_000;
/** A list of folders is a request that may cost something. */
const SWEEP_EVERY_MS = 60_000;
const FULL = ['ENOSPC', 'EDQUOT'];
