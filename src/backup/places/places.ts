/** Where backups are written and read: a file, or a pipe. */

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { BackupError } from '../model.ts';
import { type BackupTarget, createTarget, openFileTarget, REASONS } from './file-place.ts';

/** `-` is standard output. Rejects with a `BackupError`. */
export async function openTarget(place: string): Promise<BackupTarget> {
  if (place !== PIPE) return openFileTarget(place);
  const out = createTarget(
    'standard output',
    (chunk) => new Promise((resolve, reject) => process.stdout.write(chunk, (error) => (error ? reject(error) : resolve(null)))),
  );
  return { out, keep: async () => {}, discard: async () => {} };
}

export interface BackupSource {
  stream: Readable;
  /** Null where nobody knows before the end. */
  bytes: number | null;
}

/** `-` is standard input. Rejects with a `BackupError`. */
export async function openSource(place: string): Promise<BackupSource> {
  if (place === PIPE) return { stream: process.stdin, bytes: null };
  try {
    const found = await stat(place);
    if (!found.isFile() && !found.isFIFO()) throw new Error('it is not a file');
    return { stream: createReadStream(place), bytes: found.isFile() ? found.size : null };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new BackupError('cannot_read', { file: place, reason: REASONS[code ?? ''] ?? message }, error);
  }
}

const PIPE = '-';
