/** The API as a whole: the request handler of `/api/v1` and the pages that describe it. */

import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { COMPRESS_FROM_BYTES, chooseEncoding, compress, type Encoding, matchesTag } from '../http/index.ts';
import { createQueryNotes, noteQueriesIn, type Tracing } from '../telemetry/index.ts';
import type { Deprecation } from './deprecations.ts';
import { createObserver, type Observe } from './observer.ts';
import { createOpenApi } from './openapi.ts';
import { createRequestHandler, type RequestHandler, type RequestHandlerOptions } from './request-handler.ts';

export interface ApiOptions extends Omit<RequestHandlerOptions, 'observe' | 'metrics'> {
  metrics?: RequestHandlerOptions['metrics'];
  /** Null: requests are not traced. */
  tracing?: Tracing | null;
}

export interface Api {
  /** Answers every request at or below the prefix. */
  handler: RequestHandler;
  /** Runs what answers a request: where requests are traced, its queries are steps of it. */
  begin: (answer: () => void) => void;
  /** Requests are traced. */
  isTraced: boolean;
  /** `/openapi.json`. */
  pages: FastifyPluginCallback;
  /** Writes an answered request into the log and the figures; the server's other routes use it too. */
  observe: Observe;
  publicUrl: () => string;
  metrics: RequestHandlerOptions['metrics'];
}

export function createApi(options: ApiOptions): Api {
  const metrics = options.metrics ?? null;
  const observe = createObserver(options.log, metrics, options.tracing);
  const isTraced = options.tracing != null;
  return {
    begin: isTraced ? (answer) => noteQueriesIn(createQueryNotes(), answer) : (answer) => answer(),
    isTraced,
    handler: createRequestHandler({ ...options, metrics, observe }),
    pages: createPages(options),
    observe,
    publicUrl: options.publicUrl,
    metrics,
  };
}

interface Made {
  body: Buffer;
  tag: string;
  compressed: Map<Encoding, Promise<Buffer>>;
}

interface PagesOptions {
  publicUrl: () => string;
  /** In place of those of this version. */
  deprecations?: readonly Deprecation[];
}

/** The document is made once, when it is first asked for: the public address is known by then. */
function createPages({ publicUrl, deprecations }: PagesOptions): FastifyPluginCallback {
  let made: Made | null = null;

  const make = (): Made => {
    const body = Buffer.from(JSON.stringify(createOpenApi(publicUrl(), deprecations)));
    return { body, tag: `W/"${hash('sha1', body, 'base64url')}"`, compressed: new Map() };
  };

  const send = async (request: FastifyRequest, reply: FastifyReply) => {
    made ??= make();
    const { body, tag, compressed } = made;
    reply.headers({
      'Cache-Control': 'public, max-age=300',
      ETag: tag,
      Vary: 'Accept-Encoding',
      'Access-Control-Allow-Origin': '*',
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
      'Referrer-Policy': 'no-referrer',
    });
    if (matchesTag(request.headers['if-none-match'], tag)) return reply.status(304).send();
    reply.type('application/json; charset=utf-8');
    const accepted = request.headers['accept-encoding'];
    const encoding =
      body.length > COMPRESS_FROM_BYTES ? chooseEncoding(Array.isArray(accepted) ? accepted.join() : accepted) : null;
    if (encoding === null) return reply.send(body);
    let bytes = compressed.get(encoding);
    if (!bytes) {
      bytes = compress(body, encoding);
      compressed.set(encoding, bytes);
    }
    return reply.header('Content-Encoding', encoding).send(await bytes);
  };

  return (app: FastifyInstance, _options, done) => {
    app.get('/openapi.json', send);
    done();
  };
}
