/** The feeds of one account, as rows. Another account's id, a removed one and text that is no id find nothing. */

import type { Kysely, Transaction } from 'kysely';
import { loadAccountTier, lockAccount } from '../accounts/index.ts';
import type { Database } from '../store/index.ts';
import type { Refusal } from '../values/refusal.ts';
import { isUuid } from '../values/uuid.ts';
import { type FeedReason, refuseFeed } from './refusals.ts';

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

export function ofAccount(db: Kysely<Database>, accountId: string) {
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

export function toFeed(row: FeedRow): Feed {
  return { id: row.id, name: row.name, query: row.query, createdAt: row.created_at, updatedAt: row.updated_at };
}

export const isId = (text: string): boolean => isUuid(text);
