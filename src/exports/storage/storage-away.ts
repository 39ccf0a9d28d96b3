/** Tells a storage that cannot be used right now from a fault of the export. */

import { isFileTrouble } from '../../values/file-trouble.ts';
import type { ExportStorage } from './storage.ts';

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

const FULL = ['ENOSPC', 'EDQUOT'];
