/** What a place of backups gives to whoever writes or reads one. */

import { type Readable, Writable } from 'node:stream';
import { describeFileTrouble } from '../../values/file-trouble.ts';
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
  new BackupError('cannot_write', { file, reason: describeFileTrouble(error) }, error);

export const cannotRead = (file: string, error: unknown): BackupError =>
  new BackupError('cannot_read', { file, reason: describeFileTrouble(error) }, error);
