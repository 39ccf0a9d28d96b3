/** `GET /exports/<access>/<id>/<file>`: files of exports, without a key, and the public key that their manifests are signed with. */

import { createHash } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { loadAccountTier } from '../accounts/index.ts';
import type { Clock } from '../clock.ts';
import { createTokenLimiter, digestOf, isToken } from '../feeds/index.ts';
import type { Log } from '../log.ts';
import { createDeadline, type Database } from '../store/index.ts';
import { isUuid } from '../values/uuid.ts';
import type { UrlSigner } from './access.ts';
import { type FileFacts, wantedBytes } from './byte-range.ts';
import { FORMATS } from './formats/formats.ts';
import { type ExportFormat, MANIFEST_FILE, type Manifest } from './model.ts';
import type { SigningKey } from './signing-key.ts';
import type { ExportStorage } from './storage/storage.ts';
import { folderOf } from './worker/queue.ts';
import { NEIGHBORHOODS_FILE } from './write-export.ts';

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
  /** Answers a request that is refused. */
  refuse(request: FastifyRequest, reply: FastifyReply, problem: DownloadProblem, headers?: Record<string, string>): void;
}

export interface DownloadProblem {
  code: 'not_found' | 'gone' | 'tier_required' | 'rate_limit_minute' | 'range_not_satisfiable' | 'dependency_unavailable';
  detail: string;
  members?: Readonly<Record<string, string | number>>;
}

interface FoundFile extends FileFacts {
  folder: string;
  name: string;
  contentType: string;
  /** Of the manifest, which is kept in the database. */
  text: string | null;
}

type Found = { ok: true; file: FoundFile } | { ok: true; newest: string } | { ok: false; problem: DownloadProblem };

export function createDownloadRoutes(options: DownloadOptions): FastifyPluginCallback {
  const { db, storage, signer, key, publicUrl, now, log, refuse } = options;
  const inTime = createDeadline({ deadlineMs: DEADLINE_MS, mostHanging: MAX_HANGING });
  /** While the database is away, nobody waits for it. */
  const asked = (work: () => Promise<Found>): Promise<Found> =>
    inTime(work).catch((err: unknown) => {
      log.warn({ err }, 'cannot read exports');
      return UNAVAILABLE;
    });
  const limiter = createTokenLimiter(options.monotonic ?? (() => performance.now()));

  async function find(access: string, id: string, name: string): Promise<Found> {
    const link = isToken(access) ? await findLink(access) : null;
    if (link && !link.ok) return link;
    if (!link) {
      const signed = signer.check(access, id, now());
      if (signed === 'invalid') return NO_ACCESS;
      if (signed === 'expired') return gone('this URL worked for ten minutes; request GET /exports for a new URL');
    }
    const row = await db
      .selectFrom('export')
      .innerJoin('export_request as request', 'request.id', 'export.request_id')
      .select(['export.id', 'export.account_id', 'request_id', 'state', 'attempts', 'manifest', 'finished_at', 'format'])
      .where('export.id', '=', isUuid(id) ? id : NO_ID)
      .executeTakeFirst();
    if (!row || (link && row.request_id !== link.requestId)) return UNKNOWN;
    if (row.state === 'expired') return gone('the export has expired: its files are kept for seven days');
    if (row.state !== 'ready' || row.manifest === null) return UNKNOWN;
    const refused = await refuseTier(row.account_id);
    if (refused) return refused;
    const manifest = JSON.parse(row.manifest) as Manifest;
    const at = { folder: folderOf({ id: row.id, attempt: row.attempts }), name, modifiedAt: row.finished_at?.getTime() ?? 0 };
    if (name === MANIFEST_FILE) {
      const bytes = Buffer.byteLength(row.manifest);
      return { ok: true, file: { ...at, bytes, etag: tagOf(row.manifest), contentType: JSON_TYPE, text: row.manifest } };
    }
    const file = manifest.files.find((each) => each.name === name);
    if (!file) return UNKNOWN;
    const etag = `"${file.sha256.slice(0, TAG_DIGITS)}"`;
    return { ok: true, file: { ...at, bytes: file.bytes, etag, contentType: typeOf(name, row.format), text: null } };
  }

  async function findLink(token: string): Promise<{ ok: true; requestId: string } | { ok: false; problem: DownloadProblem }> {
    const digest = digestOf(token);
    const link = await db
      .selectFrom('export_link')
      .select(['request_id', 'revoked_at'])
      .where('digest', '=', digest)
      .executeTakeFirst();
    if (!link) return NO_ACCESS;
    if (link.revoked_at) return gone('this link was revoked');
    const waitSeconds = limiter.take(digest.toString('base64'));
    if (waitSeconds === 0) return { ok: true, requestId: link.request_id };
    const detail = `a link allows ${limiter.perMinute} requests a minute; wait ${waitSeconds} s`;
    return { ok: false, problem: { code: 'rate_limit_minute', detail, members: { retryAfterSeconds: waitSeconds } } };
  }

  async function refuseTier(accountId: string): Promise<{ ok: false; problem: DownloadProblem } | null> {
    const currentTier = await loadAccountTier(db, accountId, now());
    if (currentTier === 'enterprise') return null;
    const members = {
      currentTier: currentTier ?? 'none',
      requiredTier: 'enterprise',
      upgradeUrl: `${publicUrl}/dashboard/plans`,
    };
    return { ok: false, problem: { code: 'tier_required', detail: 'exports need an active Enterprise plan', members } };
  }

  /** The manifest of the newest export of a link. */
  async function findNewest(token: string): Promise<Found> {
    if (!isToken(token)) return NO_ACCESS;
    const link = await findLink(token);
    if (!link.ok) return link;
    const row = await db
      .selectFrom('export')
      .select(['id', 'account_id'])
      .where('request_id', '=', link.requestId)
      .where('state', '=', 'ready')
      .orderBy('finished_at', 'desc')
      .orderBy('id', 'desc')
      .executeTakeFirst();
    if (!row) return { ok: false, problem: { code: 'not_found', detail: 'no export of this link is ready' } };
    return (await refuseTier(row.account_id)) ?? { ok: true, newest: `${publicUrl}/exports/${token}/${row.id}/${MANIFEST_FILE}` };
  }

  async function answer(request: FastifyRequest, reply: FastifyReply, found: Found): Promise<FastifyReply> {
    reply.headers(PRIVATE_HEADERS);
    if (!found.ok) {
      const waitSeconds = found === NO_ACCESS ? limiter.failed(request.ip) : 0;
      refuse(request, reply, waitSeconds > 0 ? tooManyGuesses(waitSeconds) : found.problem);
      return reply;
    }
    if ('newest' in found) return reply.redirect(found.newest, 302);
    const { file } = found;
    reply.headers({
      'Accept-Ranges': 'bytes',
      'Cache-Control': 'private, max-age=600, no-transform',
      'Last-Modified': new Date(file.modifiedAt).toUTCString(),
      ETag: file.etag,
    });
    if (matches(request.headers['if-none-match'], file.etag)) return reply.status(304).send();
    const wanted = wantedBytes(request.headers.range, header(request, 'if-range'), file);
    if (wanted.kind === 'none') {
      const range = { 'Content-Range': `bytes */${file.bytes}` };
      refuse(request, reply, { code: 'range_not_satisfiable', detail: 'the file does not have the requested bytes' }, range);
      return reply;
    }
    const { start, end } = wanted.kind === 'part' ? wanted : { start: 0, end: file.bytes - 1 };
    const stored = file.text === null ? await storage.open(file.folder, file.name) : null;
    if (file.text === null && stored?.bytes !== file.bytes) {
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
    if (request.method === 'HEAD') {
      // Sent by the framework, an answer without a body would say that its length is 0.
      reply.hijack();
      reply.raw.writeHead(reply.statusCode, { ...reply.getHeaders() } as OutgoingHttpHeaders).end();
      return reply;
    }
    if (file.text !== null) return reply.send(Buffer.from(file.text).subarray(start, end + 1));
    return reply.send(file.bytes === 0 ? Buffer.alloc(0) : await stored?.read({ start, end }));
  }

  return (room, _options, done) => {
    room.get('/.well-known/marquee-export-key', (_request, reply) =>
      reply.headers({ 'Cache-Control': 'public, max-age=3600', 'Access-Control-Allow-Origin': '*' }).send(key.published),
    );
    room.get<{ Params: { access: string } }>('/exports/:access/manifest.json', async (request, reply) =>
      answer(request, reply, await asked(() => findNewest(request.params.access))),
    );
    room.get<{ Params: { access: string; id: string; name: string } }>('/exports/:access/:id/:name', async (request, reply) => {
      const { access, id, name } = request.params;
      return answer(request, reply, await asked(() => find(access, id, name)));
    });
    done();
  };
}

const tagOf = (text: string): string => `"${createHash('sha256').update(text).digest('hex').slice(0, TAG_DIGITS)}"`;
const typeOf = (name: string, format: string): string =>
  FORMATS[name === NEIGHBORHOODS_FILE ? 'geojson' : (format as ExportFormat)].contentType;

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** RFC 9110 §13.1.2: compared weakly. */
const matches = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? '').split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);

const gone = (detail: string): { ok: false; problem: DownloadProblem } => ({ ok: false, problem: { code: 'gone', detail } });
const tooManyGuesses = (waitSeconds: number): DownloadProblem => ({
  code: 'rate_limit_minute',
  detail: `too many requests with unknown tokens came from this address; wait ${waitSeconds} s`,
  members: { retryAfterSeconds: waitSeconds },
});
const UNKNOWN = { ok: false, problem: { code: 'not_found', detail: 'this file does not exist' } } as const;
/** The same, of an address that opens nothing: whoever guesses gets many of them. */
const NO_ACCESS = { ...UNKNOWN } as const;
const UNAVAILABLE: Found = {
  ok: false,
  problem: { code: 'dependency_unavailable', detail: 'exports cannot be read right now', members: { retryAfterSeconds: 1 } },
};
/** Readers of pages wait as long. */
const DEADLINE_MS = 2_000;
const MAX_HANGING = 20;
/** The address is a secret: it goes to nobody else, and into no search engine. */
const PRIVATE_HEADERS = { 'X-Robots-Tag': 'noindex', 'Referrer-Policy': 'no-referrer' } as const;
const JSON_TYPE = 'application/json; charset=utf-8';
const TAG_DIGITS = 32;
const NO_ID = '00000000-0000-0000-0000-000000000000';
