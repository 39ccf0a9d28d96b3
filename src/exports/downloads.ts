/** `GET /exports/<access>/<id>/<file>`: files of exports, without a key, and the public key that their manifests are signed with. */

import { createHash } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { loadAccountTier } from '../accounts/index.ts';
import type { Clock } from '../clock.ts';
import { createTokenLimiter, digestOf, isToken } from '../feeds/index.ts';
import { type FileFacts, matchesTag, type Problem, type Refuse, wantedBytes } from '../http/index.ts';
import type { Log } from '../log.ts';
import { createDeadline, type Database } from '../store/index.ts';
import { isUuid } from '../values/uuid.ts';
import type { UrlSigner } from './access.ts';
import { FORMATS } from './formats.ts';
import { type ExportFormat, MANIFEST_FILE, type Manifest } from './model.ts';
import type { SigningKey } from './signing-key.ts';
import type { ExportStorage } from './storage.ts';
import { folderOf } from './worker/export-files.ts';
import { NEIGHBORHOODS_FILE } from './write-export.ts';

interface DownloadContext {
  db: Kysely<Database>;
  storage: ExportStorage;
  signer: UrlSigner;
  publicUrl: string;
  /** The directory's clock. */
  now: Clock;
  log: Log;
  refuse: Refuse;
  limiter: ReturnType<typeof createTokenLimiter>;
}

export function createDownloadRoutes(
  options: Omit<DownloadContext, 'limiter'> & { key: SigningKey; monotonic?: Clock },
): FastifyPluginCallback {
  const { key, log, refuse, monotonic = () => performance.now() } = options;
  const limiter = createTokenLimiter(monotonic);
  const context = { ...options, limiter };
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
    return 'newest' in found ? reply.redirect(found.newest, 302) : sendFile(context, request, reply, found.file);
  }

  return (room, _options, done) => {
    room.get('/.well-known/marquee-export-key', (_request, reply) =>
      reply.headers({ 'Cache-Control': 'public, max-age=3600', 'Access-Control-Allow-Origin': '*' }).send(key.published),
    );
    room.get<{ Params: { access: string } }>('/exports/:access/manifest.json', async (request, reply) =>
      answer(request, reply, await asked(() => findNewest(context, request.params.access))),
    );
    room.get<{ Params: { access: string; id: string; name: string } }>('/exports/:access/:id/:name', async (request, reply) => {
      const { access, id, name } = request.params;
      return answer(request, reply, await asked(() => findFile(context, access, id, name)));
    });
    done();
  };
}

interface FoundFile extends FileFacts {
  modifiedAt: number;
  folder: string;
  name: string;
  contentType: string;
  /** Of the manifest, which is kept in the database. */
  text: string | null;
}

/** `newest`: the URL of the manifest to go to. */
type FoundDownload = { ok: true; file: FoundFile } | { ok: true; newest: string } | NoDownload;

/** Finds the file that a URL names, and decides whether it may be sent. `access`: the secret token of a link, or what `UrlSigner` has signed. */
async function findFile(context: DownloadContext, access: string, id: string, name: string): Promise<FoundDownload> {
  const { db } = context;
  const opened = await openAccess(context, access, id);
  if (!opened.ok) return opened;
  const row = await loadExport(db, id);
  if (!row || (opened.requestId !== null && row.request_id !== opened.requestId)) return UNKNOWN;
  if (row.state === 'expired') return gone('the export has expired: its files are kept for seven days');
  if (row.state !== 'ready' || row.manifest === null) return UNKNOWN;
  const refused = await refuseTier(context, row.account_id);
  if (refused) return refused;
  return fileOf({ ...row, manifest: row.manifest }, name);
}

/** The manifest of the newest export of a link. */
async function findNewest(context: DownloadContext, token: string): Promise<FoundDownload> {
  const { db, publicUrl } = context;
  if (!isToken(token)) return NO_ACCESS;
  const link = await findLink(context, token);
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
  return (
    (await refuseTier(context, row.account_id)) ?? {
      ok: true,
      newest: `${publicUrl}/exports/${token}/${row.id}/${MANIFEST_FILE}`,
    }
  );
}

/** The request whose exports a URL opens; null: it is signed for the one export that it names. */
async function openAccess(
  context: DownloadContext,
  access: string,
  id: string,
): Promise<{ ok: true; requestId: string | null } | NoDownload> {
  const { signer, now } = context;
  if (isToken(access)) return findLink(context, access);
  const signed = signer.check(access, id, now());
  if (signed === 'invalid') return NO_ACCESS;
  if (signed === 'expired') return gone('this URL worked for ten minutes; request GET /exports for a new URL');
  return { ok: true, requestId: null };
}

async function findLink({ db, limiter }: DownloadContext, token: string): Promise<{ ok: true; requestId: string } | NoDownload> {
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

async function refuseTier({ db, publicUrl, now }: DownloadContext, accountId: string): Promise<NoDownload | null> {
  const currentTier = await loadAccountTier(db, accountId, now());
  if (currentTier === 'enterprise') return null;
  const members = {
    currentTier: currentTier ?? 'none',
    requiredTier: 'enterprise',
    upgradeUrl: `${publicUrl}/dashboard/plans`,
  };
  return { ok: false, problem: { code: 'tier_required', detail: 'exports need an active Enterprise plan', members } };
}

function loadExport(db: Kysely<Database>, id: string) {
  return db
    .selectFrom('export')
    .innerJoin('export_request as request', 'request.id', 'export.request_id')
    .select(['export.id', 'export.account_id', 'request_id', 'state', 'attempts', 'manifest', 'finished_at', 'format'])
    .where('export.id', '=', isUuid(id) ? id : NO_ID)
    .executeTakeFirst();
}

interface ReadyRow {
  id: string;
  attempts: number;
  manifest: string;
  finished_at: Date | null;
  format: string;
}

function fileOf(row: ReadyRow, name: string): FoundDownload {
  const at = { folder: folderOf({ id: row.id, attempt: row.attempts }), name, modifiedAt: row.finished_at?.getTime() ?? 0 };
  if (name === MANIFEST_FILE) {
    const bytes = Buffer.byteLength(row.manifest);
    return { ok: true, file: { ...at, bytes, etag: tagOf(row.manifest), contentType: JSON_TYPE, text: row.manifest } };
  }
  const { files } = JSON.parse(row.manifest) as Manifest;
  const file = files.find((each) => each.name === name);
  if (!file) return UNKNOWN;
  const etag = `"${file.sha256.slice(0, TAG_DIGITS)}"`;
  return { ok: true, file: { ...at, bytes: file.bytes, etag, contentType: typeOf(name, row.format), text: null } };
}

const tagOf = (text: string): string => `"${createHash('sha256').update(text).digest('hex').slice(0, TAG_DIGITS)}"`;
const typeOf = (name: string, format: string): string =>
  FORMATS[name === NEIGHBORHOODS_FILE ? 'geojson' : (format as ExportFormat)].contentType;

/** The bytes of a file from `start` to `end`, inclusive. */
type ReadBytes = (start: number, end: number) => Promise<Parameters<FastifyReply['send']>[0]>;

/** Sends a file of an export, or the part of it that was asked for: conditional requests, ranges, `HEAD`. */
async function sendFile(
  context: DownloadContext,
  request: FastifyRequest,
  reply: FastifyReply,
  file: FoundFile,
): Promise<FastifyReply> {
  const { refuse } = context;
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
  const found = await readFile(context, file, { start, end }, isHead);
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
}

/** Null while its bytes cannot be read. */
async function openFile(storage: ExportStorage, { folder, name, bytes, text }: FoundFile): Promise<ReadBytes | null> {
  if (text !== null) return async (start, end) => Buffer.from(text).subarray(start, end + 1);
  const stored = await storage.open(folder, name);
  if (stored?.bytes !== bytes) return null;
  return (start, end) => (bytes === 0 ? Promise.resolve(Buffer.alloc(0)) : stored.read({ start, end }));
}

/** The bytes from `start` to `end`, inclusive; none of them for `HEAD`. Null while they cannot be read. */
async function readFile(
  { storage, log }: DownloadContext,
  file: FoundFile,
  { start, end }: { start: number; end: number },
  isHead: boolean,
) {
  try {
    const readBytes = await openFile(storage, file);
    return readBytes && { body: isHead ? null : await readBytes(start, end) };
  } catch (err) {
    log.warn({ err }, 'cannot read a file of an export');
    return null;
  }
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

/** Why a file of an export is not sent. */
interface NoDownload {
  ok: false;
  problem: Problem;
}

const gone = (detail: string): NoDownload => ({ ok: false, problem: { code: 'gone', detail } });

const tooManyGuesses = (waitSeconds: number): Problem => ({
  code: 'rate_limit_minute',
  detail: `too many requests with unknown tokens came from this address; wait ${waitSeconds} s`,
  members: { retryAfterSeconds: waitSeconds },
});

const UNKNOWN: NoDownload = { ok: false, problem: { code: 'not_found', detail: 'this file does not exist' } };
/** The same, of an address that opens nothing: whoever guesses gets many of them. */
const NO_ACCESS: NoDownload = { ...UNKNOWN };
const UNAVAILABLE: NoDownload = {
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
