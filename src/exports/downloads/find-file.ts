/** Finds the file that a download URL names, and decides whether it may be sent: the URL, the export, the plan of its account. */

import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { loadAccountTier } from '../../accounts/index.ts';
import type { Clock } from '../../clock.ts';
import { type createTokenLimiter, digestOf, isToken } from '../../feeds/index.ts';
import type { FileFacts } from '../../http/index.ts';
import type { Database } from '../../store/index.ts';
import { isUuid } from '../../values/uuid.ts';
import type { UrlSigner } from '../access.ts';
import { FORMATS } from '../formats/formats.ts';
import { type ExportFormat, MANIFEST_FILE, type Manifest } from '../model.ts';
import { folderOf } from '../worker/export-files.ts';
import { NEIGHBORHOODS_FILE } from '../write-export.ts';
import { gone, NO_ACCESS, type NoDownload, UNKNOWN } from './problems.ts';

export interface FoundFile extends FileFacts {
  modifiedAt: number;
  folder: string;
  name: string;
  contentType: string;
  /** Of the manifest, which is kept in the database. */
  text: string | null;
}

/** `newest`: the URL of the manifest to go to. */
export type FoundDownload = { ok: true; file: FoundFile } | { ok: true; newest: string } | NoDownload;

export interface FileFinder {
  /** `access`: the secret token of a link, or what `UrlSigner` has signed. */
  find(access: string, id: string, name: string): Promise<FoundDownload>;
  /** The manifest of the newest export of a link. */
  findNewest(token: string): Promise<FoundDownload>;
}

export interface FileFinderOptions {
  db: Kysely<Database>;
  signer: UrlSigner;
  limiter: ReturnType<typeof createTokenLimiter>;
  publicUrl: string;
  /** The directory's clock. */
  now: Clock;
}

export function createFileFinder({ db, signer, limiter, publicUrl, now }: FileFinderOptions): FileFinder {
  /** The request whose exports a URL opens; null: it is signed for the one export that it names. */
  async function openAccess(access: string, id: string): Promise<{ ok: true; requestId: string | null } | NoDownload> {
    if (isToken(access)) return findLink(access);
    const signed = signer.check(access, id, now());
    if (signed === 'invalid') return NO_ACCESS;
    if (signed === 'expired') return gone('this URL worked for ten minutes; request GET /exports for a new URL');
    return { ok: true, requestId: null };
  }

  async function findLink(token: string): Promise<{ ok: true; requestId: string } | NoDownload> {
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

  async function refuseTier(accountId: string): Promise<NoDownload | null> {
    const currentTier = await loadAccountTier(db, accountId, now());
    if (currentTier === 'enterprise') return null;
    const members = {
      currentTier: currentTier ?? 'none',
      requiredTier: 'enterprise',
      upgradeUrl: `${publicUrl}/dashboard/plans`,
    };
    return { ok: false, problem: { code: 'tier_required', detail: 'exports need an active Enterprise plan', members } };
  }

  return {
    async find(access, id, name) {
      const opened = await openAccess(access, id);
      if (!opened.ok) return opened;
      const row = await loadExport(db, id);
      if (!row || (opened.requestId !== null && row.request_id !== opened.requestId)) return UNKNOWN;
      if (row.state === 'expired') return gone('the export has expired: its files are kept for seven days');
      if (row.state !== 'ready' || row.manifest === null) return UNKNOWN;
      const refused = await refuseTier(row.account_id);
      if (refused) return refused;
      return fileOf({ ...row, manifest: row.manifest }, name);
    },

    async findNewest(token) {
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
      return (
        (await refuseTier(row.account_id)) ?? { ok: true, newest: `${publicUrl}/exports/${token}/${row.id}/${MANIFEST_FILE}` }
      );
    },
  };
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

const JSON_TYPE = 'application/json; charset=utf-8';
const TAG_DIGITS = 32;
const NO_ID = '00000000-0000-0000-0000-000000000000';
