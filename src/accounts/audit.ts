/** What anyone did, as it was: rows are added, never changed. No secret enters; a key is named by its public id. */

import { randomUUIDv7 } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Database } from '../store/index.ts';
import { isUuid } from '../values/uuid.ts';

export interface AuditEntry {
  /** Who did it: a person's account and e-mail address, or what acted without a person, such as `command line`. */
  actor: { id: string | null; name: string };
  /** What was done, in two words with a dot: `key.create`, `venue.merge`. */
  action: string;
  /** The kind of thing it was done to: `account`, `key`, `event`. */
  subject: string;
  subjectId?: string | null;
  /** What a reader needs to understand it, such as the values before and after. */
  detail?: Readonly<Record<string, AuditDetail>>;
  /** Network address of the person, as the server saw it. */
  address?: string | null;
}

export type AuditDetail = string | number | boolean | null | readonly AuditDetail[] | { readonly [name: string]: AuditDetail };

export interface AuditRow {
  id: string;
  at: Date;
  actorId: string | null;
  actor: string;
  action: string;
  subject: string;
  subjectId: string | null;
  detail: Record<string, unknown>;
  address: string | null;
}

export interface AuditQuery {
  /** Id of an account, or an actor's name as it was written. */
  actor?: string;
  /** The whole action, or its first word with a dot: `key.` finds all that was done to keys. */
  action?: string;
  subject?: string;
  /** One, or any of several. */
  subjectId?: string | readonly string[];
  /** 1 to 200; 50 unless told. */
  limit?: number;
  /** `next` of the page before. */
  after?: string | null;
}

export interface AuditPage {
  /** Latest first. */
  rows: AuditRow[];
  /** For `after`; null on the last page. */
  next: string | null;
}

/** Within a transaction the entry stands or falls with what it tells of: give the transaction as `db`. */
export async function recordAudit(
  db: Kysely<Database>,
  { actor, action, subject, subjectId = null, detail = {}, address = null }: AuditEntry,
  { now = Date.now }: { now?: Clock } = {},
): Promise<void> {
  await db
    .insertInto('audit')
    .values({
      id: randomUUIDv7(),
      at: new Date(now()),
      actor_id: actor.id,
      actor: plain(actor.name),
      action,
      subject,
      subject_id: subjectId === null ? null : plain(subjectId),
      detail: withoutSecrets(detail) as Record<string, unknown>,
      address,
    })
    .execute();
}

/** An `after` that is no cursor is taken for none. */
export async function listAudit(db: Kysely<Database>, query: AuditQuery = {}): Promise<AuditPage> {
  const { actor, action, subject, subjectId, limit = ROWS_UNASKED, after } = query;
  const size = Math.min(Math.max(Math.trunc(limit) || 1, 1), MAX_ROWS);
  const cursor = readCursor(after);
  let wanted = db.selectFrom('audit').selectAll();
  if (actor) wanted = isUuid(actor) ? wanted.where('actor_id', '=', actor) : wanted.where('actor', '=', actor);
  if (action?.endsWith('.')) wanted = wanted.where(sql<boolean>`starts_with(action, ${action})`);
  else if (action) wanted = wanted.where('action', '=', action);
  if (subject) wanted = wanted.where('subject', '=', subject);
  if (typeof subjectId === 'string' && subjectId) wanted = wanted.where('subject_id', '=', subjectId);
  else if (subjectId) wanted = wanted.where('subject_id', 'in', [...subjectId, '']);
  if (cursor) wanted = wanted.where(sql<boolean>`(at, id) < (${cursor.at}::timestamptz, ${cursor.id}::uuid)`);
  const found = await wanted
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(size + 1)
    .execute();
  const rows = found.slice(0, size).map(
    (row): AuditRow => ({
      id: row.id,
      at: row.at,
      actorId: row.actor_id,
      actor: row.actor,
      action: row.action,
      subject: row.subject,
      subjectId: row.subject_id,
      detail: row.detail,
      address: row.address,
    }),
  );
  const last = rows.at(-1);
  return { rows, next: last && found.length > size ? `${last.at.toISOString()}_${last.id}` : null };
}

function readCursor(text: string | null | undefined): { at: string; id: string } | null {
  const [at = '', id = '', ...rest] = (text ?? '').split('_');
  return INSTANT.test(at) && isUuid(id) && rest.length === 0 ? { at, id } : null;
}

/** A caller's slip must not publish a secret: whole keys lose theirs, and fields that are named for one are not kept. */
function withoutSecrets(detail: AuditDetail): AuditDetail {
  if (typeof detail === 'string') return plain(detail);
  if (typeof detail !== 'object' || detail === null) return detail;
  if (Array.isArray(detail)) return detail.map(withoutSecrets);
  const kept = Object.entries(detail).filter(([name]) => !SECRET_NAME.test(name));
  return Object.fromEntries(kept.map(([name, value]) => [plain(name), withoutSecrets(value)]));
}

/** PostgreSQL keeps no NUL in texts. */
const plain = (text: string): string => text.replaceAll('\0', '\uFFFD').replace(WHOLE_KEY, '$1_…').slice(0, MAX_TEXT_LENGTH);

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const SECRET_NAME = /^(?:.*(?:password|secret|token|cookie).*|key|code|backupCodes)$/i;
const WHOLE_KEY = /\b(mq_(?:live|test)_[0-9A-Za-z]{12})_[0-9A-Za-z]{20,}/g;
const MAX_TEXT_LENGTH = 2_000;
const ROWS_UNASKED = 50;
const MAX_ROWS = 200;
