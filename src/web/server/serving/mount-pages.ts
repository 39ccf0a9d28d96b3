/** The pages inside the server: requests of browsers in, their answers and the files they load out. */

import { Readable } from 'node:stream';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import type { Problem, Refuse } from '../../../http/index.ts';
import type { Build } from './build-pages.ts';
import type { BrowserRequest, PageResponse, Pages } from './page-messages.ts';
import { serveTiles } from './tiles-file.ts';

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

const targetOf = ({ raw }: FastifyRequest): string => raw.url ?? '/';

const A_YEAR_MS = 31_536_000_000;
