/** `GET /exports/<access>/<id>/<file>`: files of exports, without a key, and the public key that their manifests are signed with. */

import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { Clock } from '../../clock.ts';
import { createTokenLimiter } from '../../feeds/index.ts';
import type { Refuse } from '../../http/index.ts';
import type { Log } from '../../log.ts';
import { createDeadline, type Database } from '../../store/index.ts';
import type { UrlSigner } from '../access.ts';
import type { SigningKey } from '../signing-key.ts';
import type { ExportStorage } from '../storage.ts';
import { createFileFinder, type FoundDownload } from './find-file.ts';
import { NO_ACCESS, tooManyGuesses, UNAVAILABLE } from './problems.ts';
import { createSendFile } from './send-file.ts';

export interface DownloadOptions {
  db: Kysely<Database>;
  storage: ExportStorage;
  signer: UrlSigner;
  key: SigningKey;
  publicUrl: string;
  /** The directory's clock. */
  now: Clock;
  monotonic?: Clock;
  log: Log;
  refuse: Refuse;
}

export function createDownloadRoutes(options: DownloadOptions): FastifyPluginCallback {
  const { db, storage, signer, key, publicUrl, now, log, refuse } = options;
  const limiter = createTokenLimiter(options.monotonic ?? (() => performance.now()));
  const finder = createFileFinder({ db, signer, limiter, publicUrl, now });
  const sendFile = createSendFile(storage, refuse, log);
  const inTime = createDeadline({ deadlineMs: DEADLINE_MS, mostHanging: MAX_HANGING });

  /** While the database is away, nobody waits for it. */
  const asked = (work: () => Promise<FoundDownload>): Promise<FoundDownload> =>
    inTime(work).catch((err: unknown) => {
      log.warn({ err }, 'cannot read exports');
      return UNAVAILABLE;
    });

  async function answer(request: FastifyRequest, reply: FastifyReply, found: FoundDownload): Promise<FastifyReply> {
    reply.headers(PRIVATE_HEADERS);
    if (!found.ok) {
      const waitSeconds = found === NO_ACCESS ? limiter.failed(request.ip) : 0;
      refuse(request, reply, waitSeconds > 0 ? tooManyGuesses(waitSeconds) : found.problem);
      return reply;
    }
    return 'newest' in found ? reply.redirect(found.newest, 302) : sendFile(request, reply, found.file);
  }

  return (room, _options, done) => {
    room.get('/.well-known/marquee-export-key', (_request, reply) =>
      reply.headers({ 'Cache-Control': 'public, max-age=3600', 'Access-Control-Allow-Origin': '*' }).send(key.published),
    );
    room.get<{ Params: { access: string } }>('/exports/:access/manifest.json', async (request, reply) =>
      answer(request, reply, await asked(() => finder.findNewest(request.params.access))),
    );
    room.get<{ Params: { access: string; id: string; name: string } }>('/exports/:access/:id/:name', async (request, reply) => {
      const { access, id, name } = request.params;
      return answer(request, reply, await asked(() => finder.find(access, id, name)));
    });
    done();
  };
}

/** Readers of pages wait as long. */
const DEADLINE_MS = 2_000;
const MAX_HANGING = 20;
/** The address is a secret: it goes to nobody else, and into no search engine. */
const PRIVATE_HEADERS = { 'X-Robots-Tag': 'noindex', 'Referrer-Policy': 'no-referrer' } as const;
