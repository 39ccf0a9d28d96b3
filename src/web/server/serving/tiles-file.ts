/** The file with the tiles of the map: this one file, in ranges (RFC 9110 §14). A browser reads of it what it shows. */

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { matchesTag, wantedBytes } from '../../../http/index.ts';
import { TILES_PATH } from '../../model/map.ts';

export function serveTiles(scope: FastifyInstance, file: string): void {
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

/** A day; a browser asks again with the tag. */
const CACHE = 'public, max-age=86400';
