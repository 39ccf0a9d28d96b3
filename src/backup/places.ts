/** Where backups are written and read: a file, a pipe, or an object in a bucket. */

import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
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
} from '../object-storage/index.ts';
import { StoreError, takeLock } from '../store/index.ts';
import { describeFileTrouble } from '../values/file-trouble.ts';
import { BackupError } from './model.ts';

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

/* Backups in files of this machine. A file has its name only when it is whole and on the disk. */

/** Rejects with a `BackupError` when the file cannot be made. */
async function openFileTarget(path: string): Promise<BackupTarget> {
  const folder = dirname(path);
  // Not by the number of the process: in a container the next process has it again, and would meet the draft of a killed one.
  const draft = join(folder, `.${basename(path)}.${randomBytes(4).toString('hex')}${CLAIMED_DRAFT}`);
  try {
    // The draft takes the place of what is there: never of a folder, a device or a pipe.
    const present = await stat(path).catch(() => null);
    if (present && !present.isFile()) throw new Error(present.isDirectory() ? 'it is a folder' : 'it is not a file');
    await removeLeftDrafts(folder, basename(path));
    const file = await open(draft, 'wx', 0o600);
    const release = claim(draft);
    return {
      // Each chunk from where the last one ended, and all of it.
      out: createTarget(
        path,
        (chunk) => file.writeFile(chunk),
        () => file.sync(),
      ),
      async keep() {
        try {
          // Closing it gives the lock back, and a draft without one is removed by others.
          await rename(draft, path);
          await file.close();
          release();
          const place = await open(folder, 'r');
          await place.sync().finally(() => place.close());
        } catch (error) {
          throw cannotWrite(path, error);
        }
      },
      async discard() {
        await rm(draft, { force: true });
        await file.close().catch(() => undefined);
        release();
      },
    };
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

/** Those of one backup that nobody writes any more. */
async function removeDrafts(path: string): Promise<void> {
  const folder = dirname(path);
  const names = await readdir(folder).catch(() => []);
  const ours = names.filter((name) => name.startsWith(`.${basename(path)}.`) && name.endsWith(DRAFT));
  for (const name of ours) await rm(join(folder, name), { force: true });
}

/** Of processes that were killed: drafts of this file whose lock nobody holds, and others to which nobody has written for an hour. */
async function removeLeftDrafts(folder: string, file: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(DRAFT)) continue;
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (!found) continue;
    const isOurs = name.startsWith(`.${file}.`) && name.endsWith(CLAIMED_DRAFT);
    if (Date.now() - found.mtimeMs > DRAFT_ABANDONED_MS || (isOurs && isLeft(path))) await rm(path, { force: true });
  }
}

/** The lock says that the draft is being written. The system gives it back however this process ends; some file systems have none. */
function claim(draft: string): () => void {
  try {
    return takeLock(dirname(draft), draft) ?? (() => undefined);
  } catch {
    return () => undefined;
  }
}

/** Whether nobody holds the lock of a draft. Where that cannot be known, somebody may. */
function isLeft(draft: string): boolean {
  try {
    const release = takeLock(dirname(draft), draft);
    release?.();
    return release !== undefined;
  } catch (error) {
    // Beside a holder, the content is not even looked at.
    return error instanceof StoreError && error.code === 'lock_file_foreign';
  }
}

/* Backups in a bucket. One exists there only when it is whole: see `beginUpload`. */

/** Rejects with a `BackupError` when the bucket takes nothing. */
async function openBucketTarget(place: ObjectPlace, interrupted?: AbortSignal): Promise<BackupTarget> {
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
    await removeAbandoned(place, Date.now() - UPLOAD_ABANDONED_MS, interrupted);
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
async function openBucketSource(place: ObjectPlace): Promise<BackupSource> {
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
async function removeAbandoned(place: ObjectPlace, before: number, interrupted?: AbortSignal): Promise<void> {
  await dropUploads(openBucket(place), place.path, before, interrupted).catch((error: unknown) => {
    if (!(error instanceof StorageError)) throw error;
  });
}

/** Where a backup is written. */
interface BackupTarget {
  out: Writable;
  /** After all was written: gives it its name. */
  keep(): Promise<void>;
  /** Leaves nothing. */
  discard(): Promise<void>;
}

interface BackupSource {
  stream: Readable;
  /** Null where nobody knows before the end. */
  bytes: number | null;
}

/** What the system says against a write is told in a sentence. */
function createTarget(
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

const cannotWrite = (file: string, error: unknown): BackupError =>
  new BackupError('cannot_write', { file, reason: describeFileTrouble(error) }, error);

const cannotRead = (file: string, error: unknown): BackupError =>
  new BackupError('cannot_read', { file, reason: describeFileTrouble(error) }, error);

const PIPE = '-';
const DRAFT = '.marquee-draft';
/** Versions that took no lock wrote drafts without this word. */
const CLAIMED_DRAFT = `.locked${DRAFT}`;
const DRAFT_ABANDONED_MS = 3_600_000;
/** An upload of a day is still one that somebody may join. */
const UPLOAD_ABANDONED_MS = 86_400_000;
