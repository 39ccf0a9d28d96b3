/** Where backups are written and read: a file, a pipe, or an object in a bucket. */

import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type ObjectPlace, openBucket } from '../../object-storage/index.ts';
import { openBucketSource, openBucketTarget, removeAbandoned } from './bucket-place.ts';
import { openFileTarget, removeDrafts } from './file-place.ts';
import { type BackupSource, type BackupTarget, cannotRead, createTarget } from './target.ts';

/** The path of a file, `-`, or an object. */
export type BackupPlace = string | ObjectPlace;

/** `-` is standard output. Rejects with a `BackupError`, also when it is interrupted while a storage does not answer. */
export async function openTarget(place: BackupPlace, interrupted?: AbortSignal): Promise<BackupTarget> {
  if (typeof place !== 'string') return openBucketTarget(place, interrupted);
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

/** A file in a folder, or an object below a path. */
export function placeIn(folder: BackupPlace, name: string): BackupPlace {
  if (typeof folder === 'string') return join(folder, name);
  return { ...folder, path: folder.path === '' ? name : `${folder.path}/${name}` };
}

/** Null: there is no such file or object. */
export async function findBackup(place: BackupPlace): Promise<{ bytes: number } | null> {
  if (typeof place !== 'string') return openBucket(place).head(place.path);
  const found = await stat(place).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return found?.isFile() ? { bytes: found.size } : null;
}

export async function removeBackup(place: BackupPlace): Promise<void> {
  if (typeof place === 'string') await rm(place, { force: true });
  else await openBucket(place).remove(place.path);
}

/** What a process left behind that was killed while it wrote this one. Nobody writes it any more. */
export async function dropPieces(place: BackupPlace): Promise<void> {
  if (typeof place === 'string') await removeDrafts(place);
  else await removeAbandoned(place, Number.POSITIVE_INFINITY);
}

const PIPE = '-';
