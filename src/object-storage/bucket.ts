/** Requests to a bucket that speaks S3. Addresses have the bucket in the path, which every such storage understands. */

import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ReadableStream } from 'node:stream/web';
import { setTimeout as delay } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import type { ObjectPlace } from './place.ts';

/** The storage answered what it should not, or not at all. Never holds a key or an address with a signature. */
export class StorageError extends Error {
  readonly code = 's3';
}

export interface RequestOptions {
  body?: Blob | Uint8Array<ArrayBuffer> | string;
  headers?: Record<string, string>;
  query?: Record<string, string>;
  signal?: AbortSignal;
  /** Beside the good ones. */
  allowed?: readonly number[];
}

/** Keys are whole, from the root of the bucket. */
export interface Bucket {
  /** `sha256`: of the body, hexadecimal; the storage compares. */
  put(key: string, body: Blob | Uint8Array<ArrayBuffer>, sha256: string, signal?: AbortSignal): Promise<void>;
  /** Null: there is no such object. */
  head(key: string, signal?: AbortSignal): Promise<{ bytes: number; etag: string | null } | null>;
  /** `start` and `end` are inclusive. Null: there is no such object. `signal` ends what is read, too. */
  get(key: string, range?: { start: number; end: number }, signal?: AbortSignal): Promise<Readable | null>;
  /** All keys that begin so; with a delimiter, the folders. */
  list(begin: string, delimiter?: '/'): Promise<string[]>;
  remove(key: string): Promise<void>;
  /** Any other request about an object, or about the bucket (an empty key). */
  ask(method: string, key: string, options?: RequestOptions): Promise<Response>;
}

export function openBucket(place: Omit<ObjectPlace, 'path'>): Bucket {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey, userAgent } = place;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: RETRIES });
  const addressOf = (key: string, query?: Record<string, string>): string => {
    const path = key === '' ? '' : `/${key.split('/').map(encodeURIComponent).join('/')}`;
    return `${endpoint}/${bucket}${path}${query ? `?${new URLSearchParams(query)}` : ''}`;
  };

  async function ask(method: string, key: string, options: RequestOptions = {}): Promise<Response> {
    const { body, headers = {}, query, signal, allowed = [] } = options;
    const init = { method, headers: { 'User-Agent': userAgent, ...headers }, ...(body !== undefined && { body }) };
    const answer = await persist(method, signal, (patience) =>
      client.fetch(addressOf(key, query), { ...init, signal: patience }),
    );
    if (answer.ok || allowed.includes(answer.status)) return answer;
    throw refused(method, answer.status, await answer.text());
  }

  return {
    ask,
    async put(key, body, sha256, signal) {
      await ask('PUT', key, { body, headers: { 'X-Amz-Content-Sha256': sha256 }, ...(signal && { signal }) });
    },
    async head(key, signal) {
      const { status, headers } = await ask('HEAD', key, { allowed: [404], ...(signal && { signal }) });
      return status === 404 ? null : { bytes: Number(headers.get('content-length')), etag: headers.get('etag') };
    },
    async get(key, range, signal) {
      const headers: Record<string, string> = range ? { Range: `bytes=${range.start}-${range.end}` } : {};
      const { status, body } = await ask('GET', key, { headers, allowed: [404], ...(signal && { signal }) });
      if (status === 404) return null;
      return body ? Readable.fromWeb(body as ReadableStream) : Readable.from([]);
    },
    async list(begin, delimiter) {
      const found: string[] = [];
      for (let token = ''; ; ) {
        const query = { 'list-type': '2', prefix: begin, ...(delimiter && { delimiter }) };
        const text = await (await ask('GET', '', { query: token ? { ...query, 'continuation-token': token } : query })).text();
        if (delimiter) found.push(...textsOf(text, 'CommonPrefixes').map((entry) => textOf(entry, 'Prefix')));
        else found.push(...textsOf(text, 'Contents').map((entry) => textOf(entry, 'Key')));
        token = textOf(text, 'NextContinuationToken');
        if (token === '') return found;
      }
    },
    async remove(key) {
      await ask('DELETE', key, { allowed: [404] });
    },
  };
}

/** What the storage answered to a request that failed, in a sentence. */
export function refused(method: string, status: number, body: string): StorageError {
  return new StorageError(`the storage answered ${method} with ${status} ${textOf(body, 'Code')}`.trimEnd());
}

/** A connection that breaks is tried again. `POST` may have had its effect. */
async function persist(method: string, signal: AbortSignal | undefined, send: Send): Promise<Response> {
  const attempts = method === 'POST' ? 1 : 1 + RETRIES;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await sendWithin(TIMEOUT_MS, signal, send);
    } catch (error) {
      if (!(error instanceof BrokenConnectionError) || attempt === attempts) throw error;
      await delay(RETRY_MS * attempt, undefined, signal && { signal });
    }
  }
}

async function sendWithin(milliseconds: number, signal: AbortSignal | undefined, send: Send): Promise<Response> {
  const timeout = AbortSignal.timeout(milliseconds);
  try {
    return await send(signal ? AbortSignal.any([signal, timeout]) : timeout);
  } catch (cause) {
    if (signal?.aborted) throw cause;
    if (timeout.aborted) throw new StorageError(`the storage did not answer within ${milliseconds / 1000} s`, { cause });
    throw new BrokenConnectionError(`the storage cannot be reached: ${describe(cause as Error)}`, { cause });
  }
}

class BrokenConnectionError extends StorageError {}

type Send = (patience: AbortSignal) => Promise<Response>;

/** The message of a failed `fetch` says nothing; its cause does. */
function describe({ message, cause }: Error): string {
  const { code, message: reason } = (cause ?? {}) as NodeJS.ErrnoException;
  return code ?? reason ?? message;
}

/** What stands in each element of this name. */
export function textsOf(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([^]*?)</${name}>`, 'g'))].map(([, inner = '']) => inner);
}

/** The text of the first such element, or nothing. */
export const textOf = (xml: string, name: string): string => unescapeXml(textsOf(xml, name)[0] ?? '');

export const escapeXml = (text: string): string => text.replace(/[&<>]/g, (letter) => ESCAPES[letter] ?? letter);

const unescapeXml = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|apos|#39|#34);/g, (_, name: string) => XML_CHARACTERS[name] ?? '');

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

/** Of a request that was refused for the moment. */
const RETRIES = 3;
const RETRY_MS = 200;
/** A part of 64 MB over 2 Mbit/s. */
const TIMEOUT_MS = 300_000;
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const XML_CHARACTERS: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" },
  ...{ '#39': "'", '#34': '"' },
};
const RANGE_BYTES = 8 * 2 ** 20;
const MAX_ATTEMPTS = 3;
