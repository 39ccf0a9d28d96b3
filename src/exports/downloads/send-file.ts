/** Sends a file of an export, or the part of it that was asked for: conditional requests, ranges, `HEAD`. */

import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { matchesTag, type Refuse, wantedBytes } from '../../http/index.ts';
import type { Log } from '../../log.ts';
import type { ExportStorage } from '../storage.ts';
import type { FoundFile } from './find-file.ts';

export type SendFile = (request: FastifyRequest, reply: FastifyReply, file: FoundFile) => Promise<FastifyReply>;

/** The bytes of a file from `start` to `end`, inclusive. */
type ReadBytes = (start: number, end: number) => Promise<Parameters<FastifyReply['send']>[0]>;

export function createSendFile(storage: ExportStorage, refuse: Refuse, log: Log): SendFile {
  /** Null while its bytes cannot be read. */
  async function openFile({ folder, name, bytes, text }: FoundFile): Promise<ReadBytes | null> {
    if (text !== null) return async (start, end) => Buffer.from(text).subarray(start, end + 1);
    const stored = await storage.open(folder, name);
    if (stored?.bytes !== bytes) return null;
    return (start, end) => (bytes === 0 ? Promise.resolve(Buffer.alloc(0)) : stored.read({ start, end }));
  }

  /** The bytes from `start` to `end`, inclusive; none of them for `HEAD`. Null while they cannot be read. */
  async function readFile(file: FoundFile, { start, end }: { start: number; end: number }, isHead: boolean) {
    try {
      const readBytes = await openFile(file);
      return readBytes && { body: isHead ? null : await readBytes(start, end) };
    } catch (err) {
      log.warn({ err }, 'cannot read a file of an export');
      return null;
    }
  }

  return async (request, reply, file) => {
    reply.headers({
      'Accept-Ranges': 'bytes',
      'Cache-Control': 'private, max-age=600, no-transform',
      'Last-Modified': new Date(file.modifiedAt).toUTCString(),
      ETag: file.etag,
    });
    if (matchesTag(request.headers['if-none-match'], file.etag)) return reply.status(304).send();
    const wanted = wantedBytes(request.headers.range, header(request, 'if-range'), file);
    if (wanted.kind === 'none') {
      const range = { 'Content-Range': `bytes */${file.bytes}` };
      refuse(request, reply, { code: 'range_not_satisfiable', detail: 'the file does not have the requested bytes' }, range);
      return reply;
    }
    const { start, end } = wanted.kind === 'part' ? wanted : { start: 0, end: file.bytes - 1 };
    const isHead = request.method === 'HEAD';
    const found = await readFile(file, { start, end }, isHead);
    if (!found) {
      const detail = 'the file cannot be read right now';
      refuse(request, reply, { code: 'dependency_unavailable', detail, members: { retryAfterSeconds: 60 } });
      return reply;
    }
    reply.headers({
      'Content-Type': file.contentType,
      'Content-Disposition': `attachment; filename="${file.name}"`,
      'Content-Length': String(end - start + 1),
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Access-Control-Allow-Origin': '*',
    });
    if (wanted.kind === 'part') reply.status(206).header('Content-Range', `bytes ${start}-${end}/${file.bytes}`);
    return isHead ? sendHead(reply) : reply.send(found.body);
  };
}

/** Sent by the framework, an answer without a body would say that its length is 0. */
function sendHead(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.writeHead(reply.statusCode, { ...reply.getHeaders() } as OutgoingHttpHeaders).end();
  return reply;
}

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
