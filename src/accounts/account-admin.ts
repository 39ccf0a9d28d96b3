/** All accounts, for operators: found, looked at, suspended. */

import { type Kysely, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import { type Database, transact } from '../store/index.ts';
import { isUuid } from '../values/uuid.ts';
import { ACCOUNT_COLUMNS, type AccountListing, describeAccounts } from './account-listings.ts';
import { announceAccount } from './account-rows.ts';
import { type AuditEntry, recordAudit } from './audit.ts';

export interface AccountQuery {
  /** Part of an e-mail address, or a key's id, or a key as it was sent: of a whole one only its id is looked at. */
  text?: string;
  /** `next` of the page before. */
  after?: string | null;
  /** 1 to 200; 50 unless told. */
  limit?: number;
}

export interface AccountAdmin {
  /** Newest account first. An `after` that is no cursor is taken for none. */
  find(query: AccountQuery): Promise<{ rows: AccountListing[]; next: string | null }>;
  /** Null where there is none. */
  read(accountId: string): Promise<AccountListing | null>;
  /** All keys of it answer 402 and nobody signs in to it, until it is resumed. `false`: it was so already, or is closed, or unknown. */
  setSuspended(input: {
    accountId: string;
    suspended: boolean;
    actor: AuditEntry['actor'];
    address?: string | null;
  }): Promise<boolean>;
}

/** `now` reckons days and graces. */
export function createAccountAdmin({ db, now = Date.now }: { db: Kysely<Database>; now?: Clock }): AccountAdmin {
  return {
    async find({ text = '', after, limit = ROWS_UNASKED }) {
      const size = Math.min(Math.max(Math.trunc(limit) || 1, 1), MAX_ROWS);
      const wanted = text.replaceAll('\0', '').trim().slice(0, MAX_TEXT_LENGTH);
      const cursor = CURSOR.exec(after ?? '')?.groups;
      let query = db.selectFrom('account').select(ACCOUNT_COLUMNS);
      if (wanted) {
        const keyId = KEY_ID.exec(wanted)?.groups?.id ?? '';
        query = query.where((where) =>
          where.or([
            sql<boolean>`strpos(email_lower, ${wanted.toLowerCase()}) > 0`,
            where.exists(
              where
                .selectFrom('api_key')
                .innerJoin('subscription', 'subscription.id', 'api_key.subscription_id')
                .whereRef('subscription.account_id', '=', 'account.id')
                .where('api_key.id', '=', keyId)
                .select('api_key.id'),
            ),
          ]),
        );
      }
      if (cursor) query = query.where(sql<boolean>`(created_at, id) < (${cursor.at}::timestamptz, ${cursor.id}::uuid)`);
      const found = await query
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(size + 1)
        .execute();
      const last = found[size - 1];
      const next = last && found.length > size ? `${last.created_at.toISOString()}_${last.id}` : null;
      return { rows: await describeAccounts(db, found.slice(0, size), now()), next };
    },

    async read(accountId) {
      if (!isUuid(accountId)) return null;
      const account = await db.selectFrom('account').select(ACCOUNT_COLUMNS).where('id', '=', accountId).executeTakeFirst();
      return account ? ((await describeAccounts(db, [account], now()))[0] ?? null) : null;
    },

    async setSuspended({ accountId, suspended, actor, address = null }) {
      if (!isUuid(accountId)) return false;
      return transact(db, async (trx) => {
        const at = new Date(now());
        const changed = await trx
          .updateTable('account')
          .set({ status: suspended ? 'suspended' : 'active', updated_at: at })
          .where('id', '=', accountId)
          .where('status', '=', suspended ? 'active' : 'suspended')
          .executeTakeFirst();
        if (changed.numUpdatedRows === 0n) return false;
        const action = suspended ? 'account.suspend' : 'account.resume';
        await recordAudit(trx, { actor, action, subject: 'account', subjectId: accountId, address }, { now });
        await announceAccount(trx, accountId, at);
        return true;
      });
    },
  };
}

const CURSOR = /^(?<at>\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z)_(?<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;
const KEY_ID = /^(?:mq_(?:live|test)_)?(?<id>[0-9A-Za-z]{12})(?:_.*)?$/;
const MAX_TEXT_LENGTH = 254;
const ROWS_UNASKED = 50;
const MAX_ROWS = 200;
