/** What describes the API, for people and programs, without a key: the OpenAPI document, the reference page, the list of errors. */

import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { COMPRESS_FROM_BYTES, compress } from './compress.ts';
import { chooseEncoding, type Encoding, matchesTag } from './negotiation.ts';
import { createOpenApi } from './openapi.ts';
import { writeErrorsPage, writeReferencePage } from './reference-page.ts';

interface Page {
  type: string;
  body: Buffer;
  tag: string;
  compressed: Map<Encoding, Promise<Buffer>>;
}

/** The pages are made once, when they are first asked for: the public address is known by then. */
export function createPages({ publicUrl }: { publicUrl: () => string }): FastifyPluginCallback {
  const made = new Map<string, Page>();
  const writers: Record<string, { type: string; write: () => string }> = {
    '/openapi.json': { type: 'application/json; charset=utf-8', write: () => JSON.stringify(createOpenApi(publicUrl())) },
    '/docs': { type: HTML, write: () => writeReferencePage(createOpenApi(publicUrl())) },
    '/docs/errors': { type: HTML, write: () => writeErrorsPage() },
  };

  const send = async (path: string, request: FastifyRequest, reply: FastifyReply) => {
    let page = made.get(path);
    if (!page) {
      const writer = writers[path];
      if (!writer) throw new Error(`no page at ${path}`);
      const body = Buffer.from(writer.write());
      page = { type: writer.type, body, tag: `W/"${hash('sha1', body, 'base64url')}"`, compressed: new Map() };
      made.set(path, page);
    }
    const { type, body, tag, compressed } = page;
    reply.headers({
      'Cache-Control': 'public, max-age=300',
      ETag: tag,
      Vary: 'Accept-Encoding',
      'Access-Control-Allow-Origin': '*',
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
      'Referrer-Policy': 'no-referrer',
    });
    if (matchesTag(request.headers['if-none-match'], tag)) return reply.status(304).send();
    reply.type(type);
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
    for (const path of Object.keys(writers)) app.get(path, (request, reply) => send(path, request, reply));
    done();
  };
}

const HTML = 'text/html; charset=utf-8';
/** The pages carry their own style and nothing else: no script, no frame, no foreign host. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
