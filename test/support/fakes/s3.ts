/** A small server on loopback that speaks S3: objects in memory, addresses with the bucket in the path, signatures checked (SigV4). */

import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface S3Stub {
  endpoint: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** By `bucket/key`. */
  objects: Map<string, Buffer>;
  /** Begun and not joined, by their id. */
  uploads: Map<string, StubUpload>;
  /** Methods and paths, as asked. */
  asked: string[];
  /** Answers that many requests with 503, or another status. */
  fail(times: number, status?: number): void;
  /** Keeps the objects of that many requests, and answers them with 504. */
  loseAnswers(times: number): void;
  /** Answers nothing until `answerAgain`. Resolves when it was asked something. */
  fallSilent(): Promise<void>;
  answerAgain(): void;
  close(): Promise<void>;
}

export interface StubUpload {
  key: string;
  initiated: Date;
  parts: Map<number, Buffer>;
}

export async function openS3Stub(): Promise<S3Stub> {
  const [accessKeyId, secretAccessKey] = ['stub-key-id', 'stub-secret'];
  const objects = new Map<string, Buffer>();
  const asked: string[] = [];
  const uploads = new Map<string, StubUpload>();
  let failing = 0;
  let failure = 503;
  let losing = 0;
  let onUnanswered: (() => void) | undefined;
  const server = createServer(async (req, res) => {
    // Whoever breaks off has sent nothing.
    const chunks = await Array.fromAsync(req as AsyncIterable<Buffer>).catch(() => null);
    if (!chunks) return;
    const body = Buffer.concat(chunks);
    const url = new URL(req.url ?? '/', 'http://stub');
    asked.push(`${req.method} ${url.pathname}`);
    if (onUnanswered) return onUnanswered();
    const refuse = (status: number, code: string) => void res.writeHead(status).end(`<Error><Code>${code}</Code></Error>`);
    if (failing > 0) {
      failing -= 1;
      return refuse(failure, failure === 403 ? 'AccessDenied' : 'SlowDown');
    }
    if (!isSigned(req, url, body, { accessKeyId, secretAccessKey })) return refuse(403, 'SignatureDoesNotMatch');
    const key = decodeURIComponent(url.pathname.slice(1));
    if (url.searchParams.has('uploads') || url.searchParams.has('uploadId')) {
      const { status, text, etag } = answerUpload({ objects, uploads }, `${req.method}`, key, url.searchParams, body);
      return void res.writeHead(status, etag === undefined ? {} : { ETag: etag }).end(text);
    }
    if (req.method === 'PUT') {
      if (req.headers['content-length'] === undefined) return refuse(411, 'MissingContentLength');
      objects.set(key, body);
      if (losing === 0) return void res.writeHead(200).end();
      losing -= 1;
      return refuse(504, 'GatewayTimeout');
    }
    if (req.method === 'DELETE') {
      objects.delete(key);
      return void res.writeHead(204).end();
    }
    if (url.searchParams.get('list-type') === '2') return void res.writeHead(200).end(list(objects, key, url.searchParams));
    const object = objects.get(key);
    if (!object) return refuse(404, 'NoSuchKey');
    const etag = etagOf(object);
    if ((req.headers['if-match'] ?? etag) !== etag) return refuse(412, 'PreconditionFailed');
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(req.headers.range ?? '') ?? [];
    const part = start === undefined ? object : object.subarray(Number(start), Number(end) + 1);
    res.writeHead(start === undefined ? 200 : 206, { 'Content-Length': part.length, ETag: etag });
    return void res.end(req.method === 'HEAD' ? undefined : part);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accessKeyId,
    secretAccessKey,
    objects,
    uploads,
    asked,
    fail: (times, status = 503) => {
      failure = status;
      failing = times;
    },
    loseAnswers: (times) => {
      losing = times;
    },
    fallSilent: () =>
      new Promise((resolve) => {
        onUnanswered = resolve;
      }),
    answerAgain() {
      onUnanswered = undefined;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Multipart uploads: the object is there when its parts were joined, and not before. */
function answerUpload(
  { objects, uploads }: Pick<S3Stub, 'objects' | 'uploads'>,
  method: string,
  key: string,
  query: URLSearchParams,
  body: Buffer,
): { status: number; text: string; etag?: string } {
  if (method === 'GET') {
    const found = [...uploads].filter(([, each]) => each.key.startsWith(`${key}/${query.get('prefix')}`));
    const entries = found.map(
      ([id, each]) =>
        `<Upload><Key>${each.key.slice(key.length + 1)}</Key><UploadId>${id}</UploadId>` +
        `<Initiated>${each.initiated.toISOString()}</Initiated></Upload>`,
    );
    return { status: 200, text: `<ListMultipartUploadsResult>${entries.join('')}</ListMultipartUploadsResult>` };
  }
  if (query.has('uploads')) {
    const id = `upload-${uploads.size + 1}-${key.length}`;
    uploads.set(id, { key, initiated: new Date(), parts: new Map() });
    return { status: 200, text: `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>` };
  }
  const id = query.get('uploadId') ?? '';
  const upload = uploads.get(id);
  if (!upload || upload.key !== key) return { status: 404, text: '<Error><Code>NoSuchUpload</Code></Error>' };
  if (method === 'PUT') {
    upload.parts.set(Number(query.get('partNumber')), body);
    return { status: 200, text: '', etag: etagOf(body) };
  }
  uploads.delete(id);
  if (method === 'DELETE') return { status: 204, text: '' };
  const parts = [...upload.parts].sort(([a], [b]) => a - b).map(([, part]) => part);
  const named = [...body.toString().matchAll(/<ETag>([^<]*)<\/ETag>/g)].map(([, etag]) => etag);
  // As the real one does: the status was sent when the fault is found.
  if (named.join() !== parts.map(etagOf).join()) return { status: 200, text: '<Error><Code>InvalidPart</Code></Error>' };
  if (parts.slice(0, -1).some((part) => part.length < MIN_PART_BYTES))
    return { status: 200, text: '<Error><Code>EntityTooSmall</Code></Error>' };
  objects.set(key, Buffer.concat(parts));
  return { status: 200, text: '<CompleteMultipartUploadResult></CompleteMultipartUploadResult>' };
}

const etagOf = (bytes: Buffer): string => `"${createHash('md5').update(bytes).digest('hex')}"`;

/** Two keys a page, so that whoever lists has to turn it. */
function list(objects: ReadonlyMap<string, Buffer>, bucket: string, query: URLSearchParams): string {
  const prefix = query.get('prefix') ?? '';
  const keys = [...objects.keys()].flatMap((key) => (key.startsWith(`${bucket}/`) ? key.slice(bucket.length + 1) : [])).sort();
  const found = keys.filter((key) => key.startsWith(prefix));
  const names = query.get('delimiter')
    ? [...new Set(found.map((key) => key.slice(0, key.indexOf('/', prefix.length) + 1)).filter(Boolean))]
    : found;
  const from = Number(query.get('continuation-token') ?? 0);
  const tag = (name: string) =>
    query.get('delimiter')
      ? `<CommonPrefixes><Prefix>${name}</Prefix></CommonPrefixes>`
      : `<Contents><Key>${name}</Key></Contents>`;
  const next = from + PAGE < names.length ? `<NextContinuationToken>${from + PAGE}</NextContinuationToken>` : '';
  const page = names.slice(from, from + PAGE).map((name) => tag(name.replaceAll('&', '&amp;')));
  return `<ListBucketResult>${page.join('')}${next}</ListBucketResult>`;
}

/** AWS Signature Version 4, as its documentation describes it. */
function isSigned(
  req: IncomingMessage,
  url: URL,
  body: Buffer,
  { accessKeyId, secretAccessKey }: Pick<S3Stub, 'accessKeyId' | 'secretAccessKey'>,
): boolean {
  const [, id, day = '', region = '', headers = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      req.headers.authorization ?? '',
    ) ?? [];
  const content = String(req.headers['x-amz-content-sha256']);
  const isContent = content === 'UNSIGNED-PAYLOAD' || content === createHash('sha256').update(body).digest('hex');
  const query = [...url.searchParams]
    .map(([name, value]) => [encode(name), encode(value)].join('='))
    .sort()
    .join('&');
  const signed = headers.split(';').map((name) => `${name}:${String(req.headers[name]).trim()}\n`);
  const request = [req.method, url.pathname, query, signed.join(''), headers, content].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const digest = createHash('sha256').update(request).digest('hex');
  const text = ['AWS4-HMAC-SHA256', req.headers['x-amz-date'], scope, digest].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `AWS4${secretAccessKey}`,
  );
  return id === accessKeyId && isContent && createHmac('sha256', key).update(text).digest('hex') === signature;
}

const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
const PAGE = 2;
const MIN_PART_BYTES = 5 * 2 ** 20;
