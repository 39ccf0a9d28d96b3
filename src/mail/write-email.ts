/** E-mails in files, whole or not at all. */

import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { HALF } from './outbox.ts';

/** The whole file or none: a disk that is full would leave a part of it. */
export async function writeWhole(file: string, bytes: Buffer): Promise<void> {
  const half = `${file}${HALF}`;
  try {
    await writeHalf(half, bytes);
    await rename(half, file);
  } catch (error) {
    await rm(half, { force: true });
    throw error;
  }
}

/** Writes more than any e-mail needs, and deletes it again. */
export async function assertWritable(folder: string): Promise<void> {
  const half = join(folder, `${randomUUID()}${HALF}`);
  await writeHalf(half, Buffer.alloc(PROBE_BYTES, 1)).finally(() => rm(half, { force: true }));
}

async function writeHalf(half: string, bytes: Buffer): Promise<void> {
  await mkdir(dirname(half), { recursive: true, mode: 0o700 });
  await writeFile(half, bytes, { mode: 0o600, flush: true });
}

/** With room for the rows that go with an e-mail: the embedded database is on the same disk. */
const PROBE_BYTES = 262_144;
