/** Backups in a bucket. One exists there only when it is whole: see `beginUpload`. */

import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  beginUpload,
  describePlace,
  dropUploads,
  type ObjectPlace,
  openBucket,
  PART_BYTES,
  readObject,
  StorageError,
  type Upload,
} from '../../object-storage/index.ts';
import { type BackupSource, type BackupTarget, cannotRead, cannotWrite, createTarget } from './target.ts';

/** Rejects with a `BackupError` when the bucket takes nothing. */
export async function openBucketTarget(place: ObjectPlace, interrupted?: AbortSignal): Promise<BackupTarget> {
  const { path } = place;
  const name = describePlace(place);
  const bucket = openBucket(place);
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let upload: Upload | undefined;

  async function send(): Promise<void> {
    const part = Buffer.concat(pending);
    [pending, pendingBytes] = [[], 0];
    upload ??= await beginUpload(bucket, path);
    await upload.add(part);
  }

  try {
    if (path === '') throw new Error('name a file in the bucket');
    await removeAbandoned(place, Date.now() - ABANDONED_MS, interrupted);
  } catch (error) {
    throw cannotWrite(name, error);
  }
  return {
    out: createTarget(name, async (chunk) => {
      for (let rest = chunk; rest.length > 0; ) {
        const taken = rest.subarray(0, PART_BYTES - pendingBytes);
        pending.push(taken);
        pendingBytes += taken.length;
        rest = rest.subarray(taken.length);
        if (pendingBytes === PART_BYTES) await send();
      }
    }),
    async keep() {
      try {
        if (!upload) {
          const whole = Buffer.concat(pending);
          return await bucket.put(path, whole, createHash('sha256').update(whole).digest('hex'));
        }
        if (pendingBytes > 0) await send();
        await upload.join();
      } catch (error) {
        throw cannotWrite(name, error);
      }
    },
    async discard() {
      // Parts that nobody joined are no backup; the next one to this name frees their room.
      await upload?.drop().catch(() => undefined);
    },
  };
}

/** Rejects with a `BackupError` when there is no such object. */
export async function openBucketSource(place: ObjectPlace): Promise<BackupSource> {
  const name = describePlace(place);
  try {
    const found = await readObject(openBucket(place), place.path);
    if (!found) throw new Error('the bucket has no such object');
    return { stream: Readable.from(namedErrors(found.stream, name), { objectMode: false }), bytes: found.bytes };
  } catch (error) {
    throw cannotRead(name, error);
  }
}

async function* namedErrors(stream: Readable, name: string): AsyncGenerator<Buffer> {
  try {
    yield* stream;
  } catch (error) {
    throw cannotRead(name, error);
  }
}

/** Parts of uploads of this name that were begun before a moment (milliseconds). Not every storage can list them. */
export async function removeAbandoned(place: ObjectPlace, before: number, interrupted?: AbortSignal): Promise<void> {
  await dropUploads(openBucket(place), place.path, before, interrupted).catch((error: unknown) => {
    if (!(error instanceof StorageError)) throw error;
  });
}

/** An upload of a day is still one that somebody may join. */
const ABANDONED_MS = 86_400_000;
