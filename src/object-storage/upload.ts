/**
 * An object of unknown length, in parts. It exists only when the last request has joined them: until then nobody can list or read it.
 *
 *     POST ?uploads ─► PUT ?partNumber=1 … n ─► POST ?uploadId (joins)      or DELETE ?uploadId (drops all)
 */

import { createHash } from 'node:crypto';
import { type Bucket, escapeXml, refused, textOf, textsOf } from './bucket.ts';

export interface Upload {
  /** All but the last have `PART_BYTES`. */
  add(part: Uint8Array<ArrayBuffer>): Promise<void>;
  join(): Promise<void>;
  drop(): Promise<void>;
}

export async function beginUpload(bucket: Bucket, key: string): Promise<Upload> {
  const begun = await (await bucket.ask('POST', key, { query: { uploads: '' } })).text();
  const uploadId = textOf(begun, 'UploadId');
  const parts: string[] = [];
  return {
    async add(part) {
      const answer = await bucket.ask('PUT', key, {
        body: part,
        query: { partNumber: String(parts.length + 1), uploadId },
        headers: { 'X-Amz-Content-Sha256': createHash('sha256').update(part).digest('hex') },
      });
      parts.push(answer.headers.get('etag') ?? '');
    },
    async join() {
      const list = parts.map((etag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`);
      const body = `<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`;
      const text = await (await bucket.ask('POST', key, { body, query: { uploadId } })).text();
      // The status is sent before the parts are joined: an error may follow it.
      if (textsOf(text, 'Error').length > 0) throw refused('POST', 200, text);
    },
    async drop() {
      await bucket.ask('DELETE', key, { query: { uploadId }, allowed: [404] });
    },
  };
}

/** Frees the room of uploads of this object that were begun before a moment (milliseconds) and never joined. */
export async function dropUploads(bucket: Bucket, key: string, before: number, signal?: AbortSignal): Promise<void> {
  const ended = signal ? { signal } : {};
  const text = await (await bucket.ask('GET', '', { query: { uploads: '', prefix: key }, ...ended })).text();
  for (const entry of textsOf(text, 'Upload')) {
    const isOld = Date.parse(textOf(entry, 'Initiated')) < before;
    if (textOf(entry, 'Key') !== key || !isOld) continue;
    await bucket.ask('DELETE', key, { query: { uploadId: textOf(entry, 'UploadId') }, allowed: [404], ...ended });
  }
}

/** S3 takes 10,000 parts of 5 MB or more. */
export const PART_BYTES = 16 * 2 ** 20;
