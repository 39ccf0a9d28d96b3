/** Managing accounts, their keys and tiers. Every change is announced in the store's list, where gates in any process follow it. */

import { randomUUIDv7 } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import { appendToList, type Database } from '../store/index.ts';
import type { Refusal } from '../values/refusal.ts';
import { readEmail } from './email.ts';
import type { Announce } from './keys/key-making.ts';
import { createKeyring, type Keyring } from './keys/keyring.ts';
import { createLeakedKeys, createOwnKeys, type LeakedKeys, type OwnKeys } from './keys/own-keys.ts';
import { type AccountReason, refuse } from './refusal.ts';
import { isTierName } from './tiers.ts';

export interface AccountsOptions {
  db: Kysely<Database>;
  /** The directory's clock: trials and graces are reckoned by it. */
  now?: Clock;
}

export interface Accounts extends Keyring, LeakedKeys {
  /** Keys as their owner manages them. */
  own: OwnKeys;
  /**
   * An active account with a verified address. `tier`: what its keys get when none is asked for; without it the account begins with
   * its trial. Refuses `invalid_email`, `duplicate_email`, `unknown_tier`.
   */
  createAccount(input: {
    email: string;
    tier?: string | undefined;
    operator?: boolean;
  }): Promise<{ ok: true; id: string } | Refusal<AccountReason>>;
  /**
   * Lets an active account use the desk, or no longer; open pages learn of it by their next request. `isNew`: it was not so before.
   * Refuses `unknown_account`, `inactive_account`.
   */
  setOperator(input: {
    email: string;
    operator: boolean;
  }): Promise<{ ok: true; id: string; isNew: boolean } | Refusal<AccountReason>>;
}

/** How many accounts and keys there are, of all states. */
export async function countAccounts(db: Kysely<Database>): Promise<Record<'account' | 'api_key', number>> {
  const { rows } = await sql<Record<'account' | 'api_key', number>>`
    select (select count(*)::int from account) as account, (select count(*)::int from api_key) as api_key`.execute(db);
  return rows[0] ?? { account: 0, api_key: 0 };
}

export function createAccounts(options: AccountsOptions): Accounts {
  const { db, now = Date.now } = options;
  const announce: Announce = async (trx, subscriptionIds) => {
    const entries = subscriptionIds.map((id) => ({ subscription_id: id }));
    if (entries.length > 0) await appendToList(trx, 'access_change', entries, new Date(now()));
  };

  const making = { db, now, announce };
  return {
    ...createKeyring(making),
    ...createLeakedKeys(making),
    own: createOwnKeys(making),

    async createAccount({ email: text, tier, operator = false }) {
      const email = readEmail(text);
      if (!email) return refuse('invalid_email', text);
      if (tier !== undefined && !isTierName(tier)) return refuse('unknown_tier', tier);
      const moment = new Date(now());
      const created = await db
        .insertInto('account')
        .values({
          id: randomUUIDv7(),
          email: email.address,
          email_lower: email.lower,
          email_verified: true,
          email_verified_at: moment,
          default_tier: tier ?? null,
          is_operator: operator,
          created_at: moment,
          updated_at: moment,
        })
        .onConflict((conflict) => conflict.column('email_lower').doNothing())
        .returning('id')
        .executeTakeFirst();
      return created ? { ok: true, id: created.id } : refuse('duplicate_email', email.address);
    },

    async setOperator({ email: text, operator }) {
      const lower = readEmail(text)?.lower ?? '';
      const account = await db
        .selectFrom('account')
        .select(['id', 'status', 'is_operator'])
        .where('email_lower', '=', lower)
        .executeTakeFirst();
      if (!account) return refuse('unknown_account', text);
      if (account.status !== 'active') return refuse('inactive_account', text);
      const { id } = account;
      if (account.is_operator === operator) return { ok: true, id, isNew: false };
      await db
        .updateTable('account')
        .set({ is_operator: operator, updated_at: new Date(now()) })
        .where('id', '=', id)
        .execute();
      return { ok: true, id, isNew: true };
    },
  };
}
