/** What a place of backups gives to whoever writes or reads one. */

import { type Readable, Writable } from 'node:stream';
import { BackupError } from '../model.ts';

/** Where a backup is written. */
export interface BackupTarget {
  out: Writable;
  /** After all was written: gives it its name. */
  keep(): Promise<void>;
  /** Leaves nothing. */
  discard(): Promise<void>;
}

export interface BackupSource {
  stream: Readable;
  /** Null where nobody knows before the end. */
  bytes: number | null;
}

/** What the system says against a write is told in a sentence. */
export function createTarget(
  name: string,
  write: (chunk: Buffer) => Promise<unknown>,
  end: () => Promise<unknown> = async () => {},
): Writable {
  return new Writable({
    write: (chunk: Buffer, _, done) =>
      void write(chunk).then(
        () => done(),
        (error) => done(cannotWrite(name, error)),
      ),
    final: (done) =>
      void end().then(
        () => done(),
        (error) => done(cannotWrite(name, error)),
      ),
  });
}

export const cannotWrite = (file: string, error: unknown): BackupError =>
  new BackupError('cannot_write', { file, reason: reasonOf(error) }, error);

export const cannotRead = (file: string, error: unknown): BackupError =>
  new BackupError('cannot_read', { file, reason: reasonOf(error) }, error);

function reasonOf(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return REASONS[code] ?? message;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'the folder or file does not exist',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left',
  EDQUOT: 'no space is left',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is a file',
  EPIPE: 'nobody reads it any more',
};
