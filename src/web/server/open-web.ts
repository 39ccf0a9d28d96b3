/** The pages inside the service: requests of browsers in, answers of the React Router app out. */

import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router';
import { COMPRESS_FROM_BYTES, chooseEncoding, compress } from '../../api/index.ts';
import type { Log } from '../../log.ts';
import { pageHeaders } from './answer-headers.ts';
import { type Build, buildPages } from './build-pages.ts';
import { isFromOurPages } from './cross-site.ts';
import { createPageFinder, type PageFinder } from './find-page.ts';
import { createOnce } from './once.ts';
import { type Rooms, requestFacts, rooms as roomsContext } from './rooms.ts';
import { createWorkTurns } from './work-turns.ts';

export interface WebOptions {
  rooms: Omit<Rooms, 'ending' | 'once'>;
  log: Log;
  /** The finished build; made if need be unless given. */
  build?: Promise<Build>;
  /** Origins that forms may lead to beside our own. */
  formTargets?: readonly string[];
}

export interface Web {
  /** Mounted once, before the server listens. Answers wait for the build while it is made; 503 when it cannot be made. */
  routes: FastifyPluginCallback;
}

/** Never rejects: a build that fails is logged, and takes the pages down but nothing else. */
export function openWeb({ rooms, log, build = buildPages(), formTargets = [] }: WebOptions): Web {
  const ending = new AbortController();
  const once = createOnce();
  const takeTurn = createWorkTurns();
  build.catch((err: unknown) => log.error({ err }, 'there are no pages'));
  let app: Promise<App> | null = null;
  /** Loaded for the first page that is asked for: a service that only answers the API never pays for it. */
  const theApp = (): Promise<App> => {
    app ??= build.then(loadApp);
    return app;
  };

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { handle, find } = await theApp();
    const path = pathOf(request);
    if (find(path) === 'unknown' && !acceptsPages(request)) {
      reply.callNotFound();
      return reply;
    }
    const nonce = randomBytes(NONCE_BYTES).toString('base64url');
    reply.headers(pageHeaders(nonce, rooms.publicUrl, formTargets));
    if (!isFromOurPages(senderOf(request), rooms.publicUrl)) {
      return reply.status(403).type('text/plain; charset=utf-8').send(NOT_FROM_OUR_PAGES);
    }
    await takeTurn();
    const left = new AbortController();
    reply.raw.once('close', () => left.abort());
    const context = new RouterContextProvider();
    context.set(roomsContext, { ...rooms, once, ending: ending.signal });
    context.set(requestFacts, { takeTurn, requestId: request.id, address: request.ip, isLocal: isLocal(request), nonce, log });
    return send(await handle(toWebRequest(request, rooms.publicUrl, left.signal), context), request, reply);
  }

  return {
    routes(scope, _options, done) {
      scope.removeAllContentTypeParsers();
      // Forms and signed messages are read as they are, by whoever the address belongs to; the server's limit of size holds.
      scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => parsed(null, body));
      // Streams would keep a draining service waiting.
      scope.addHook('preClose', async () => ending.abort());
      serveAssets(scope, build);
      scope.route({ method: ['GET', 'HEAD', 'POST'], url: '/*', handler: answer });
      scope.route({ method: ['GET', 'HEAD', 'POST'], url: '/', handler: answer });
      done();
    },
  };
}

interface App {
  handle(request: Request, context: RouterContextProvider): Promise<Response>;
  find: PageFinder;
}

async function loadApp({ server }: Build): Promise<App> {
  const build = (await import(server)) as ServerBuild;
  return { handle: createRequestHandler(build, 'production'), find: createPageFinder(build.routes) };
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
    return reply.sendFile(pathOf(request).slice(1), client);
  });
}

async function send(response: Response, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  reply.status(response.status);
  for (const [name, value] of response.headers) if (name !== 'set-cookie') reply.header(name, value);
  for (const cookie of response.headers.getSetCookie()) reply.header('set-cookie', cookie);
  if (!response.headers.has('cache-control')) reply.header('cache-control', 'private, no-store');
  if (!response.body) return reply.send();
  const stream = Readable.fromWeb(response.body as unknown as NodeStream);
  const type = response.headers.get('content-type') ?? '';
  if (!COMPRESSIBLE.test(type) || response.headers.has('content-encoding')) return reply.send(stream);
  const bytes = await buffer(stream);
  const accepted = request.headers['accept-encoding'];
  const encoding =
    bytes.length < COMPRESS_FROM_BYTES ? null : chooseEncoding(Array.isArray(accepted) ? accepted.join() : accepted);
  reply.header('vary', 'Accept-Encoding, Cookie');
  if (encoding === null) return reply.send(bytes);
  return reply.header('content-encoding', encoding).send(await compress(bytes, encoding));
}

function toWebRequest(request: FastifyRequest, publicUrl: string, signal: AbortSignal): Request {
  const { origin, host } = new URL(publicUrl);
  const headers = new Headers();
  for (const [name, values] of Object.entries(request.raw.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  // Links and checks go by the configured address, whatever a proxy made of it; where it came from has been seen to.
  headers.set('host', host);
  headers.delete('x-forwarded-host');
  if (request.method === 'POST') headers.set('origin', origin);
  const body = request.method === 'POST' && Buffer.isBuffer(request.body) ? new Uint8Array(request.body) : null;
  return new Request(`${origin}${request.raw.url}`, { method: request.method, headers, body, signal });
}

function senderOf(request: FastifyRequest) {
  const { headers, method } = request;
  const fetchSite = headers['sec-fetch-site'];
  return {
    method,
    fetchSite: Array.isArray(fetchSite) ? fetchSite.join() : fetchSite,
    origin: headers.origin,
    host: headers.host,
  };
}

function acceptsPages({ headers, raw }: FastifyRequest): boolean {
  return (headers.accept ?? '').includes('text/html') || raw.url?.split('?', 1)[0]?.endsWith('.data') === true;
}

function isLocal(request: FastifyRequest): boolean {
  return LOOPBACK.test(request.socket.remoteAddress ?? '') && request.headers['x-forwarded-for'] === undefined;
}

const pathOf = (request: FastifyRequest): string => request.raw.url?.split('?', 1)[0] ?? '/';

const NOT_FROM_OUR_PAGES =
  'This form did not come from a page of this site, so nothing was changed. Open the page here and send it again.\n';
const LOOPBACK = /^(?:::1|(?:::ffff:)?127(?:\.\d{1,3}){3})$/;
const COMPRESSIBLE = /^(?:text\/html|text\/x-script|text\/plain|text\/csv|application\/json)/;
const NONCE_BYTES = 16;
const A_YEAR_MS = 31_536_000_000;
