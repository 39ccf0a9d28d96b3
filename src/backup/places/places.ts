/** Where backups are written and read: a file, a pipe, or an object in a bucket. */

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { ObjectPlace } from '../../object-storage/index.ts';
import { openBucketSource, openBucketTarget } from './bucket-place.ts';
import { openFileTarget } from './file-place.ts';
import { type BackupSource, type BackupTarget, cannotRead, createTarget } from './target.ts';

/** The path of a file, `-`, or an object. */
export type BackupPlace = string | ObjectPlace;

/** `-` is standard output. Rejects with a `BackupError`. */
export async function openTarget(place: BackupPlace): Promise<BackupTarget> {
  if (typeof place !== 'string') return openBucketTarget(place);
  if (place !== PIPE) return openFileTarget(place);
  const out = createTarget(
    'standard output',
    (chunk) => new Promise((resolve, reject) => process.stdout.write(chunk, (error) => (error ? reject(error) : resolve(null)))),
  );
  return { out, keep: async () => {}, discard: async () => {} };
}

/** `-` is standard input. Rejects with a `BackupError`. */
export async function openSource(place: BackupPlace): Promise<BackupSource> {
  if (typeof place !== 'string') return openBucketSource(place);
  if (place === PIPE) return { stream: process.stdin, bytes: null };
  try {
    const found = await stat(place);
    if (!found.isFile() && !found.isFIFO()) throw new Error('it is not a file');
    return { stream: createReadStream(place), bytes: found.isFile() ? found.size : null };
  } catch (error) {
    throw cannotRead(place, error);
  }
}

const PIPE = '-';
