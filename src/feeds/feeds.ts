/** Saved queries of an account: everything is looked for among its own, so that another account's id is an unknown one. */

import { randomUUIDv7 } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { type AuditEntry, announceAccount, loadAccountTier, lockAccount, recordAudit } from '../accounts/index.ts';
import type { Clock } from '../clock.ts';
import type { CheckedQuery } from '../query/index.ts';
import { type Database, transact } from '../store/index.ts';
import type { Refusal } from '../values/refusal.ts';
import { isUuid } from '../values/uuid.ts';
import { type FeedReason, refuseFeed } from './refusals.ts';

/** On whose behalf a feed is changed. */
export interface FeedOwner {
  accountId: string;
  /** For the audit list. */
  actor: AuditEntry['actor'];
  address?: string | null;
}

interface FeedInput {
  name: string;
  query: CheckedQuery;
}

export interface Feeds {
  /** Oldest first. Also of an account whose plan has ended: it may look at what it had. */
  list(accountId: string): Promise<Feed[]>;
  /** Null for unknown, removed and foreign ids. `feedId` may be any text. */
  find(accountId: string, feedId: string): Promise<Feed | null>;
  /** Refuses `tier_required`, `invalid_name`, `long_query`, `too_many_feeds`. */
  create(owner: FeedOwner, input: FeedInput): Promise<{ ok: true; feed: Feed } | Refusal<FeedReason>>;
  /** Refuses `unknown_feed`, `tier_required`, `invalid_name`, `long_query`. */
  update(owner: FeedOwner, feedId: string, input: Partial<FeedInput>): Promise<{ ok: true; feed: Feed } | Refusal<FeedReason>>;
  /** Its URLs answer 410 within a second. An account without a plan may do it too. Refuses `unknown_feed`. */
  remove(owner: FeedOwner, feedId: string): Promise<{ ok: true } | Refusal<FeedReason>>;
}

interface FeedsOptions {
  db: Kysely<Database>;
  /** The directory's clock. */
  now?: Clock;
  newId?: () => string;
}

export function createFeeds({ db, now = Date.now, newId = randomUUIDv7 }: FeedsOptions): Feeds {
  const record = (
    trx: Transaction<Database>,
    owner: FeedOwner,
    action: string,
    id: string,
    detail: AuditEntry['detail'] = {},
  ) => {
    const { actor, address = null } = owner;
    return recordAudit(trx, { actor, address, action, subject: 'feed', subjectId: id, detail }, { now });
  };

  return {
    async list(accountId) {
      return (await ofAccount(db, accountId).orderBy('id').execute()).map(toFeed);
    },

    async find(accountId, feedId) {
      const row = isId(feedId) ? await ofAccount(db, accountId).where('id', '=', feedId).executeTakeFirst() : undefined;
      return row ? toFeed(row) : null;
    },

    async create(owner, input) {
      const { accountId } = owner;
      const wrong = checkInput(input);
      if (wrong) return wrong;
      return transact(db, async (trx) => {
        const refused = await refuseTier(trx, accountId, now());
        if (refused) return refused;
        const existing = await ofAccount(trx, accountId).execute();
        if (existing.length >= MAX_FEEDS) return refuseFeed('too_many_feeds');
        const at = new Date(now());
        const name = input.name.trim();
        const row = { id: newId(), name, query: input.query, created_at: at, updated_at: at };
        const values = { ...row, account_id: accountId };
        await trx.insertInto('feed').values(values).execute();
        await record(trx, owner, 'feed.create', row.id, { name, query: input.query });
        return { ok: true, feed: toFeed(row) };
      });
    },

    async update(owner, feedId, input) {
      const { accountId } = owner;
      const wrong = checkInput(input);
      if (wrong) return wrong;
      return transact(db, async (trx) => {
        const refused = await refuseTier(trx, accountId, now());
        const before = await lockFeed(trx, accountId, feedId);
        if (!before) return refuseFeed('unknown_feed');
        if (refused) return refused;
        const name = input.name?.trim() ?? before.name;
        const query = input.query ?? before.query;
        const row = { ...before, name, query, updated_at: new Date(now()) };
        await trx.updateTable('feed').set({ name, query, updated_at: row.updated_at }).where('id', '=', before.id).execute();
        const detail = { before: { name: before.name, query: before.query }, after: { name, query } };
        await record(trx, owner, 'feed.update', before.id, detail);
        await announceAccount(trx, accountId, row.updated_at);
        return { ok: true, feed: toFeed(row) };
      });
    },

    async remove(owner, feedId) {
      return transact(db, async (trx) => {
        const before = await lockFeed(trx, owner.accountId, feedId);
        if (!before) return refuseFeed('unknown_feed');
        const at = new Date(now());
        await trx.updateTable('feed').set({ removed_at: at }).where('id', '=', before.id).execute();
        await trx
          .updateTable('feed_token')
          .set({ revoked_at: at })
          .where('feed_id', '=', before.id)
          .where('revoked_at', 'is', null)
          .execute();
        await record(trx, owner, 'feed.remove', before.id, { name: before.name });
        await announceAccount(trx, owner.accountId, at);
        return { ok: true };
      });
    },
  };
}

function checkInput({ name, query }: Partial<FeedInput>): Refusal<FeedReason> | null {
  if (name !== undefined && !isName(name.trim())) return refuseFeed('invalid_name');
  return query !== undefined && query.length > MAX_QUERY_LENGTH ? refuseFeed('long_query') : null;
}

function isName(name: string): boolean {
  const { length } = Array.from(name);
  return length >= 1 && length <= MAX_FEED_NAME_LENGTH && !CONTROL_CHARACTER.test(name) && name.isWellFormed();
}

/* The feeds of one account, as rows. Another account's id, a removed one and text that is no id find nothing. */

export interface Feed {
  id: string;
  name: string;
  /** Canonical query string of `GET /events`: filters and order. */
  query: string;
  createdAt: Date;
  updatedAt: Date;
}

interface FeedRow {
  id: string;
  name: string;
  query: string;
  created_at: Date;
  updated_at: Date;
}

function ofAccount(db: Kysely<Database>, accountId: string) {
  return db
    .selectFrom('feed')
    .select(['id', 'name', 'query', 'created_at', 'updated_at'])
    .where('account_id', '=', accountId)
    .where('removed_at', 'is', null);
}

export async function lockFeed(trx: Transaction<Database>, accountId: string, feedId: string): Promise<FeedRow | undefined> {
  return isId(feedId) ? ofAccount(trx, accountId).where('id', '=', feedId).forUpdate().executeTakeFirst() : undefined;
}

/** Holds the account until the commit: changes of one account wait for each other, and so does who suspends it. */
export async function refuseTier(
  trx: Transaction<Database>,
  accountId: string,
  now: number,
): Promise<Refusal<FeedReason> | null> {
  await lockAccount(trx, accountId);
  return (await loadAccountTier(trx, accountId, now)) === 'enterprise' ? null : refuseFeed('tier_required');
}

function toFeed(row: FeedRow): Feed {
  return { id: row.id, name: row.name, query: row.query, createdAt: row.created_at, updatedAt: row.updated_at };
}

const isId = (text: string): boolean => isUuid(text);

/** Of one account, without those that were removed. */
export const MAX_FEEDS = 100;
/** Code points. */
const MAX_FEED_NAME_LENGTH = 100;
/** As the column allows; more than all filters at their longest. */
const MAX_QUERY_LENGTH = 8_000;
const CONTROL_CHARACTER = /\p{Cc}/u;
