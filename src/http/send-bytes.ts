/** Answers with bytes: compressed where that is wanted, and 304 for what the caller has. */

import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { COMPRESS_FROM_BYTES, chooseEncoding, compress, matchesTag } from './negotiation.ts';

export interface SentBytes {
  bytes: Buffer;
  /** Of the bytes before compression. */
  tag: string;
  headers: Readonly<Record<string, string>>;
  /** Of bytes that are sent again and again: what they were compressed to, by encoding. */
  compressed?: Map<string, Promise<Buffer>>;
}

export async function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  { bytes, tag, headers, compressed = new Map() }: SentBytes,
): Promise<unknown> {
  const accepted = request.headers['accept-encoding'];
  const encoding =
    bytes.length > COMPRESS_FROM_BYTES ? chooseEncoding(Array.isArray(accepted) ? accepted.join() : accepted) : null;
  const etag = `"${tag}${encoding === null ? '' : `-${encoding}`}"`;
  const vary = headers.Vary === undefined ? 'Accept-Encoding' : `Accept-Encoding, ${headers.Vary}`;
  reply.headers({ ...headers, Vary: vary, ETag: etag });
  if (matchesTag(request.headers['if-none-match'], `W/${etag}`)) return reply.status(304).send();
  if (encoding === null) return reply.send(bytes);
  if (!compressed.has(encoding)) compressed.set(encoding, compress(bytes, encoding));
  return reply.header('Content-Encoding', encoding).send(await compressed.get(encoding));
}

/** The same for a route of the app, whose answers the server compresses. `headers` go with a 304, too; `further` do not. */
export function respondWithBytes(
  request: Request,
  bytes: Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>>,
  further: Readonly<Record<string, string>>,
): Response {
  const tag = `"${hash('sha1', bytes, 'base64url')}"`;
  const kept = { ETag: tag, ...headers };
  if (matchesTag(request.headers.get('if-none-match') ?? undefined, tag))
    return new Response(null, { status: 304, headers: kept });
  return new Response(bytes, { headers: { ...kept, ...further } });
}
