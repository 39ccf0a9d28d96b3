/** Reads an object in ranges: a reader that takes minutes holds no connection open, and a broken one costs one range. */

import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type Bucket, StorageError } from './bucket.ts';

/** Null: there is no such object. */
export async function readObject(bucket: Bucket, key: string): Promise<{ bytes: number; stream: Readable } | null> {
  const found = await bucket.head(key);
  if (!found) return null;
  const { bytes, etag } = found;
  async function* ranges(): AsyncGenerator<Buffer> {
    for (let start = 0; start < bytes; start += RANGE_BYTES) {
      const end = Math.min(start + RANGE_BYTES, bytes) - 1;
      yield await readRange(bucket, key, { start, end, etag });
    }
  }
  return { bytes, stream: Readable.from(ranges(), { objectMode: false }) };
}

interface ObjectRange {
  start: number;
  end: number;
  /** Of the object that was begun: another one in its place is no part of it. */
  etag: string | null;
}

async function readRange(bucket: Bucket, key: string, { start, end, etag }: ObjectRange): Promise<Buffer> {
  const headers = { Range: `bytes=${start}-${end}`, ...(etag !== null && { 'If-Match': etag }) };
  for (let attempt = 1; ; attempt += 1) {
    const { body } = await bucket.ask('GET', key, { headers });
    const part = await buffer(body ?? Readable.from([])).catch((cause: unknown) => {
      if (attempt === MAX_ATTEMPTS) throw new StorageError('the storage ended its answer early', { cause });
      return null;
    });
    if (part?.length === end - start + 1) return part;
    if (attempt === MAX_ATTEMPTS) throw new StorageError('the storage answered with another length than it was asked for');
  }
}

const RANGE_BYTES = 8 * 2 ** 20;
const MAX_ATTEMPTS = 3;
