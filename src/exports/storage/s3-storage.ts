/** Files of exports in a bucket. */

import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, openAsBlob } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ObjectPlace, openBucket } from '../../object-storage/index.ts';
import type { ExportStorage } from './storage.ts';

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

/** Who downloads is told soon that the storage does not answer. */
const OPEN_MS = 10_000;
/** A list of folders is a request that may cost something. */
const SWEEP_EVERY_MS = 60_000;
