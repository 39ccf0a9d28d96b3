/** What describes the API to programs, without a key: the OpenAPI document. People read the same on the pages of the site. */

import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { COMPRESS_FROM_BYTES, chooseEncoding, compress, type Encoding, matchesTag } from '../http/index.ts';
import type { Deprecation } from './lifecycle/deprecations.ts';
import { createOpenApi } from './openapi.ts';

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
export function createPages({ publicUrl, deprecations }: PagesOptions): FastifyPluginCallback {
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
