/** The file with the tiles of the map: this one file, in ranges (RFC 9110 §14). A browser reads of it what it shows. */

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { matchesTag } from '../../../http/index.ts';
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
  const isCurrent = headers['if-range'] === undefined || headers['if-range'] === etag;
  const range = isCurrent && method === 'GET' ? parseRange(headers.range, size) : 'all';
  if (range === 'none') return reply.code(416).header('Content-Range', `bytes */${size}`).send();
  const { from, to } = range === 'all' ? { from: 0, to: size - 1 } : range;
  if (range !== 'all') reply.code(206).header('Content-Range', `bytes ${from}-${to}/${size}`);
  reply.header('Content-Length', String(to - from + 1));
  // An empty answer would have its own length.
  if (method === 'HEAD') return reply.send(Readable.from([]));
  return reply.send(createReadStream(file, { start: from, end: to }));
}

/** `all`: no range, or a form that a server may pass over (several ranges, another unit). `none`: it begins after the end. */
function parseRange(header: string | undefined, size: number): 'all' | 'none' | { from: number; to: number } {
  const [, first = '', last = ''] = RANGE.exec(header ?? '') ?? [];
  if (first === '' && last === '') return 'all';
  if (first === '') return last === '0' ? 'none' : { from: Math.max(0, size - Number(last)), to: size - 1 };
  const from = Number(first);
  const to = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < from) return 'all';
  return from < size ? { from, to } : 'none';
}

const RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/;
/** A day; a browser asks again with the tag. */
const CACHE = 'public, max-age=86400';
