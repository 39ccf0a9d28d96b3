/** Files of exports in storage that speaks S3. Addresses have the bucket in the path, which every such storage understands. */

import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, openAsBlob } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { AwsClient } from 'aws4fetch';
import type { ExportStorage } from './storage.ts';

export interface S3Place {
  /** `https://s3.eu-central-1.amazonaws.com`, without a trailing slash. */
  endpoint: string;
  bucket: string;
  /** Before the names of folders: empty, or with a slash at its end. */
  prefix: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** The storage answered what it should not. Never holds a key or an address with a signature. */
class S3Error extends Error {
  readonly code = 's3';
}

/** `workFolder`: for files that are needed on this machine for a while. */
export function createS3Storage(place: S3Place, workFolder: string): ExportStorage {
  const { endpoint, bucket, prefix, region, accessKeyId, secretAccessKey } = place;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: RETRIES });
  const root = `${endpoint}/${bucket}`;
  const addressOf = (key: string): string => `${root}/${key.split('/').map(encodeURIComponent).join('/')}`;
  const keyOf = (folder: string, name: string): string => `${prefix}${folder}/${name}`;

  async function ask(
    method: string,
    address: string,
    init: RequestInit = {},
    allowed: readonly number[] = [],
  ): Promise<Response> {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
    const answer = await client.fetch(address, { method, ...init, signal });
    if (answer.ok || allowed.includes(answer.status)) return answer;
    const [, code = ''] = /<Code>(\w+)<\/Code>/.exec(await answer.text()) ?? [];
    throw new S3Error(`the export storage answered ${method} with ${answer.status} ${code}`.trimEnd());
  }

  async function put(key: string, path: string, signal: AbortSignal): Promise<void> {
    const hash = createHash('sha256');
    await pipeline(createReadStream(path), hash, { signal });
    // Read from the disk as it is sent. The storage compares it with the hash.
    const body = await openAsBlob(path);
    await ask('PUT', addressOf(key), { body, signal, headers: { 'X-Amz-Content-Sha256': hash.digest('hex') } });
  }

  /** All keys, or the folders, that begin so. */
  async function list(begin: string, delimiter: string): Promise<string[]> {
    const found: string[] = [];
    for (let token = ''; ; ) {
      const query = new URLSearchParams({ 'list-type': '2', prefix: begin });
      if (delimiter) query.set('delimiter', delimiter);
      if (token) query.set('continuation-token', token);
      const text = await (await ask('GET', `${root}?${query}`)).text();
      const wanted = delimiter ? /<CommonPrefixes>\s*<Prefix>([^<]*)<\/Prefix>/g : /<Key>([^<]*)<\/Key>/g;
      found.push(...[...text.matchAll(wanted)].map(([, key = '']) => unescapeXml(key)));
      token = unescapeXml(/<NextContinuationToken>([^<]*)</.exec(text)?.[1] ?? '');
      if (token === '') return found;
    }
  }

  return {
    sweepEveryMs: SWEEP_EVERY_MS,
    async keep(folder, localFolder, signal) {
      for (const name of await readdir(localFolder)) await put(keyOf(folder, name), join(localFolder, name), signal);
      await rm(localFolder, { recursive: true, force: true });
    },
    async open(folder, name) {
      const address = addressOf(keyOf(folder, name));
      const head = await ask('HEAD', address, {}, [404]);
      if (head.status === 404) return null;
      return {
        bytes: Number(head.headers.get('content-length')),
        async read(range) {
          const headers: Record<string, string> = range ? { Range: `bytes=${range.start}-${range.end}` } : {};
          const answer = await ask('GET', address, { headers });
          return answer.body ? Readable.fromWeb(answer.body as ReadableStream) : Readable.from([]);
        },
      };
    },
    async fetch(folder, name) {
      const answer = await ask('GET', addressOf(keyOf(folder, name)), {}, [404]);
      if (answer.status === 404 || !answer.body) return null;
      await mkdir(workFolder, { recursive: true, mode: 0o700 });
      const path = join(workFolder, `${folder}.${process.pid}.${name}`);
      await pipeline(Readable.fromWeb(answer.body as ReadableStream), createWriteStream(path, { mode: 0o600 }));
      return { path, release: () => rm(path, { force: true }) };
    },
    async folders() {
      return (await list(prefix, '/')).map((each) => each.slice(prefix.length).replace(/\/$/, ''));
    },
    async remove(folder) {
      for (const key of await list(`${prefix}${folder}/`, '')) await ask('DELETE', addressOf(key), {}, [404]);
    },
  };
}

const unescapeXml = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|apos|#39);/g, (_, name: string) => XML_CHARACTERS[name] ?? '');
const XML_CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", '#39': "'" };

/** Of a request that was refused for the moment. */
const RETRIES = 3;
/** A part of 64 MB over 2 Mbit/s. */
const TIMEOUT_MS = 300_000;
/** A list of folders is a request that may cost something. */
const SWEEP_EVERY_MS = 60_000;
