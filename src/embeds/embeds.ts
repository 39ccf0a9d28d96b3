/** Embeds of an account. Everything is looked for among its own, so that another account's id is an unknown one. */

import { randomInt } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { type AuditEntry, lockAccount, recordAudit, statusOfAccount } from '../accounts/index.ts';
import type { Clock } from '../clock.ts';
import type { CheckedQuery } from '../query/index.ts';
import { type Database, transact } from '../store/index.ts';
import { type Refusal, refusals } from '../values/refusal.ts';

const EMBED_LAYOUTS = ['list', 'map', 'calendar'] as const;
export type EmbedLayout = (typeof EMBED_LAYOUTS)[number];

export interface Embed {
  /** Public. */
  id: string;
  name: string;
  /** Canonical query string of `GET /events`. */
  query: string;
  layout: EmbedLayout;
  /** Origins that may show it; empty: all. */
  origins: string[];
  updatedAt: Date;
}

export interface EmbedInput {
  name: string;
  query: CheckedQuery;
  layout: string;
  /** Origins as typed, between spaces, commas or lines. */
  origins: string;
}

/** On whose behalf an embed is changed. */
export interface EmbedOwner {
  accountId: string;
  /** For the audit list. */
  actor: AuditEntry['actor'];
  address?: string | null;
}

export interface Embeds {
  /** Oldest first. */
  list(accountId: string): Promise<Embed[]>;
  /** Null for unknown and foreign ids. */
  find(accountId: string, id: string): Promise<Embed | null>;
  create(owner: EmbedOwner, input: EmbedInput): Promise<{ ok: true; id: string } | Refusal<EmbedReason>>;
  update(owner: EmbedOwner, id: string, input: EmbedInput): Promise<{ ok: true; id: string } | Refusal<EmbedReason>>;
  /** Pages that show it are told within a minute that it is gone. */
  remove(owner: EmbedOwner, id: string): Promise<{ ok: true } | Refusal<EmbedReason>>;
}

export function createEmbeds({ db, now }: { db: Kysely<Database>; now: Clock }): Embeds {
  const record = (trx: Transaction<Database>, { actor, address = null }: EmbedOwner, action: string, id: string) =>
    recordAudit(trx, { actor, address, action, subject: 'embed', subjectId: id, detail: {} }, { now });

  return {
    list: async (accountId) => (await ofAccount(db, accountId).orderBy('created_at').orderBy('id').execute()).map(toEmbed),
    async find(accountId, id) {
      const row = await ofAccount(db, accountId).where('id', '=', id).executeTakeFirst();
      return row ? toEmbed(row) : null;
    },
    async create(owner, input) {
      const checked = checkInput(input);
      if ('reason' in checked) return checked;
      return await transact(db, async (trx) => {
        await lockAccount(trx, owner.accountId);
        if ((await ofAccount(trx, owner.accountId).execute()).length >= MAX_EMBEDS) return refuseEmbed('too_many_embeds');
        const [id, at] = [newEmbedId(), new Date(now())];
        const row = { id, account_id: owner.accountId, ...checked, created_at: at, updated_at: at };
        await trx.insertInto('embed').values(row).execute();
        await record(trx, owner, 'embed.create', id);
        return { ok: true, id };
      });
    },
    async update(owner, id, input) {
      const checked = checkInput(input);
      if ('reason' in checked) return checked;
      return await transact(db, async (trx) => {
        const changed = await trx
          .updateTable('embed')
          .set({ ...checked, updated_at: new Date(now()) })
          .where('id', '=', id)
          .where('account_id', '=', owner.accountId)
          .returning('id')
          .executeTakeFirst();
        if (!changed) return refuseEmbed('unknown_embed');
        await record(trx, owner, 'embed.update', id);
        return { ok: true, id };
      });
    },
    async remove(owner, id) {
      return await transact(db, async (trx) => {
        const gone = await trx
          .deleteFrom('embed')
          .where('id', '=', id)
          .where('account_id', '=', owner.accountId)
          .returning('id')
          .executeTakeFirst();
        if (!gone) return refuseEmbed('unknown_embed');
        await record(trx, owner, 'embed.remove', id);
        return { ok: true };
      });
    },
  };
}

/** For everybody: by its id alone, while its account is active. */
export async function loadPublicEmbed(db: Kysely<Database>, id: string): Promise<Embed | null> {
  const row = await db
    .selectFrom('embed')
    .select(COLUMNS)
    .where('id', '=', id)
    .where(statusOfAccount('embed.account_id'), '=', 'active')
    .executeTakeFirst();
  return row ? toEmbed(row) : null;
}

const COLUMNS = ['id', 'name', 'query', 'layout', 'origins', 'updated_at'] as const;

const ofAccount = (db: Kysely<Database>, accountId: string) =>
  db.selectFrom('embed').select(COLUMNS).where('account_id', '=', accountId);

function toEmbed(row: {
  id: string;
  name: string;
  query: string;
  layout: EmbedLayout;
  origins: string[];
  updated_at: Date;
}): Embed {
  const { id, name, query, layout, origins, updated_at: updatedAt } = row;
  return { id, name, query, layout, origins, updatedAt };
}

interface CheckedEmbed {
  name: string;
  query: string;
  layout: EmbedLayout;
  origins: string[];
}

function checkInput({ name: typed, query, layout: chosen, origins: text }: EmbedInput): CheckedEmbed | Refusal<EmbedReason> {
  const name = typed.trim();
  const { length } = Array.from(name);
  if (length < 1 || length > MAX_NAME_LENGTH || CONTROL_CHARACTER.test(name) || !name.isWellFormed())
    return refuseEmbed('invalid_name');
  const layout = EMBED_LAYOUTS.find((each) => each === chosen);
  if (!layout) return refuseEmbed('unknown_layout');
  if (query.length > MAX_QUERY_LENGTH) return refuseEmbed('long_query');
  const given = text.split(/[\s,]+/).filter((each) => each !== '');
  const origins = given.map(readOrigin);
  if (origins.length > MAX_ORIGINS || origins.includes(null)) return refuseEmbed('invalid_origin');
  return { name, query, layout, origins: [...new Set(origins.filter((each) => each !== null))] };
}

/** `https://example.com`, whatever was typed behind it. */
function readOrigin(text: string): string | null {
  const url = URL.parse(text.includes('://') ? text : `https://${text}`);
  return url && url.username === '' && isSite(url.origin) ? url.origin : null;
}

/** One host, as a policy can name it (CSP Level 3, §2.3.1): a `;` would end a directive, and a `*` would name many. */
export const isSite = (origin: string): boolean => SITE.test(origin);

const newEmbedId = (): string => Array.from({ length: ID_CHARS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

const refuseEmbed = refusals({
  unknown_embed: 'This embed does not exist.',
  invalid_name: 'A name has 1 to 100 characters and no control characters.',
  unknown_layout: 'Choose list, map or calendar.',
  long_query: 'The filters are too long. Shorten the search text or the tags.',
  invalid_origin: 'Enter up to 20 sites such as https://example.com, or none.',
  too_many_embeds: 'An account can have 20 embeds. Remove one first.',
});
export type EmbedReason = Parameters<typeof refuseEmbed>[0];
/** Of one account. */
const MAX_EMBEDS = 20;
const MAX_ORIGINS = 20;
const MAX_NAME_LENGTH = 100;
const MAX_QUERY_LENGTH = 8_000;
const SITE = /^https?:\/\/[a-z\d-]+(?:\.[a-z\d-]+)*\.?(?::\d+)?$/;
const CONTROL_CHARACTER = /\p{Cc}/u;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_CHARS = 14;
