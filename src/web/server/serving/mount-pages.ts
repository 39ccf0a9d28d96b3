/** The pages inside the server: requests of browsers in, their answers and the files they load out. */

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { matchesTag, type Problem, type Refuse, wantedBytes } from '../../../http/index.ts';
import { TILES_PATH } from '../../model/map.ts';
import type { Build } from './build-pages.ts';
import type { BrowserRequest, PageResponse, Pages } from './page-messages.ts';

export interface MountOptions {
  /** Where the files are; they wait for it. */
  build: Promise<Build>;
  /** The file with the tiles of the map; null: none. */
  tiles: string | null;
  /** Makes a page, or says why there is none for this address now. */
  limit<T>(address: string, make: () => Promise<T>): Promise<T | Problem>;
  /** Writes a refusal as the server does. */
  refuse: Refuse;
}

/** Mounted once, before the server listens. */
export function mountPages(pages: Pages, { build, tiles, refuse, limit }: MountOptions): FastifyPluginCallback {
  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const answered = await limit(request.ip, () => pages.answer(browserRequestOf(request)));
    if (!answered) reply.callNotFound();
    else if ('code' in answered) refuse(request, reply, answered);
    else send(answered, reply);
    return reply;
  }

  return (scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    // Forms and signed messages arrive unparsed: the route reads them. The server's limit of size applies.
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => parsed(null, body));
    // Streams would keep a draining service waiting.
    scope.addHook('preClose', async () => pages.end());
    serveAssets(scope, build);
    if (tiles !== null) serveTiles(scope, tiles);
    // What a page does not take it refuses itself. OPTIONS is answered by the server, for every address alike.
    const method = scope.supportedMethods.filter((each) => each !== 'OPTIONS');
    scope.route({ method, url: '/*', handler: answer });
    scope.route({ method, url: '/', handler: answer });
    done();
  };
}

/** Names of assets hold their digests: what is found once never changes. */
function serveAssets(scope: FastifyInstance, build: Promise<Build>): void {
  scope.register(fastifyStatic, {
    root: import.meta.dirname,
    serve: false,
    preCompressed: true,
    maxAge: A_YEAR_MS,
    immutable: true,
  });
  scope.get('/assets/*', async (request, reply) => {
    const { client } = await build;
    return reply.sendFile((targetOf(request).split('?', 1)[0] ?? '').slice(1), client);
  });
}

function send({ status, headers, body }: PageResponse, reply: FastifyReply): FastifyReply {
  reply.status(status);
  // Fastify gathers cookies; of all else there is one.
  for (const [name, value] of headers) reply.header(name, value);
  if (body === null) return reply.send();
  return reply.send(body instanceof Uint8Array ? Buffer.from(body.buffer, body.byteOffset, body.length) : Readable.fromWeb(body));
}

function browserRequestOf(request: FastifyRequest): BrowserRequest {
  const { method, raw, body } = request;
  const headers = raw.headersDistinct as Record<string, string[]>;
  return {
    requestId: request.id,
    method,
    target: targetOf(request),
    headers,
    body: method === 'POST' && Buffer.isBuffer(body) ? body : null,
    address: request.ip,
  };
}

function serveTiles(scope: FastifyInstance, file: string): void {
  scope.get(TILES_PATH, (request, reply) => answerTiles(request, reply, file));
}

async function answerTiles({ headers, method }: FastifyRequest, reply: FastifyReply, file: string): Promise<FastifyReply> {
  const found = await stat(file).catch(() => null);
  if (!found) return reply.callNotFound() as unknown as FastifyReply;
  const { size, mtimeMs } = found;
  const etag = `"${size.toString(36)}-${Math.trunc(mtimeMs).toString(36)}"`;
  reply.headers({
    ETag: etag,
    'Accept-Ranges': 'bytes',
    'Cache-Control': CACHE,
    'Content-Type': 'application/vnd.pmtiles',
    'Cross-Origin-Resource-Policy': 'same-origin',
  });
  if (matchesTag(headers['if-none-match'], etag)) return reply.code(304).send();
  const ifRange = headers['if-range']?.toString();
  // By its tag alone: the file may be replaced twice in a second.
  const wanted = wantedBytes(method === 'GET' ? headers.range : undefined, ifRange, { bytes: size, etag, modifiedAt: null });
  if (wanted.kind === 'none') return reply.code(416).header('Content-Range', `bytes */${size}`).send();
  const { start, end } = wanted.kind === 'whole' ? { start: 0, end: size - 1 } : wanted;
  if (wanted.kind === 'part') reply.code(206).header('Content-Range', `bytes ${start}-${end}/${size}`);
  reply.header('Content-Length', String(end - start + 1));
  // An empty answer would have its own length.
  if (method === 'HEAD') return reply.send(Readable.from([]));
  return reply.send(createReadStream(file, { start, end }));
}

const targetOf = ({ raw }: FastifyRequest): string => raw.url ?? '/';

const A_YEAR_MS = 31_536_000_000;
/** A day; a browser asks again with the tag. */
const CACHE = 'public, max-age=86400';
