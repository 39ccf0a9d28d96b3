/** All accounts, for operators: found, looked at, suspended. */

import { type Kysely, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import { type Database, transact } from '../store/index.ts';
import { DAY_MS } from '../values/duration.ts';
import { isUuid } from '../values/uuid.ts';
import { announceAccount } from './account-rows.ts';
import { type AuditEntry, recordAudit } from './audit.ts';
import type { TierName } from './tiers.ts';

interface AccountQuery {
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

/* Accounts as an operator sees them: with their plans, their keys and what they use. */

export interface AccountListing {
  id: string;
  email: string;
  status: 'active' | 'suspended' | 'closed';
  isOperator: boolean;
  verifiedAt: Date | null;
  createdAt: Date;
  /** One per subscription, oldest first. */
  plans: { tier: TierName; status: 'trialing' | 'active' | 'inactive'; trialEndsAt: Date | null }[];
  /** Keys that work now: neither revoked nor expired, of a plan that is active, of an account that is. */
  liveKeys: number;
  /** UTC. */
  requestsToday: number;
  /** With today. */
  requests30Days: number;
}

interface ListedAccount {
  id: string;
  email: string;
  status: string;
  is_operator: boolean;
  email_verified_at: Date | null;
  created_at: Date;
}

/** In the order given. `now`: instant, ms. */
async function describeAccounts(
  db: Kysely<Database>,
  accounts: readonly ListedAccount[],
  now: number,
): Promise<AccountListing[]> {
  const ids = accounts.map(({ id }) => id);
  if (ids.length === 0) return [];
  // Each for all of them at once: an account may have hundreds of subscriptions.
  const [subscriptions, liveKeys, usage] = await Promise.all([
    loadPlans(db, ids),
    countLiveKeys(db, ids, new Date(now)),
    sumUsage(db, ids, now),
  ]);
  const liveOf = new Map(liveKeys.map(({ account_id, live }) => [account_id, Number(live)]));
  const usageOf = new Map(usage.map((each) => [each.account_id, each]));
  return accounts.map((account) => {
    const own = subscriptions.filter(({ account_id }) => account_id === account.id);
    const used = usageOf.get(account.id);
    return {
      id: account.id,
      email: account.email,
      isOperator: account.is_operator,
      // The tables' checks hold these to their words.
      status: account.status as AccountListing['status'],
      verifiedAt: account.email_verified_at,
      createdAt: account.created_at,
      plans: own.map(({ tier, status, trial_ends_at }) => ({
        tier,
        status,
        trialEndsAt: trial_ends_at,
      })) as AccountListing['plans'],
      liveKeys: liveOf.get(account.id) ?? 0,
      requestsToday: Number(used?.today ?? 0),
      requests30Days: Number(used?.month ?? 0),
    };
  });
}

const loadPlans = (db: Kysely<Database>, ids: readonly string[]) =>
  db
    .selectFrom('subscription')
    .where('account_id', 'in', ids)
    .where('status', '<>', 'test')
    .select(['account_id', 'tier', 'status', 'trial_ends_at'])
    .orderBy('created_at')
    .orderBy('id')
    .execute();

const countLiveKeys = (db: Kysely<Database>, ids: readonly string[], at: Date) =>
  db
    .selectFrom('api_key')
    .innerJoin('subscription', 'subscription.id', 'api_key.subscription_id')
    .innerJoin('account', 'account.id', 'subscription.account_id')
    .where('account_id', 'in', ids)
    .where('account.status', '=', 'active')
    // The end of a trial stays with a plan that was paid after it.
    .where((where) =>
      where.or([
        where('subscription.status', '=', 'active'),
        where.and([where('subscription.status', '=', 'trialing'), where('trial_ends_at', '>', at)]),
      ]),
    )
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', at)]))
    .select((live) => ['account_id', live.fn.countAll<string>().as('live')])
    .groupBy('account_id')
    .execute();

function sumUsage(db: Kysely<Database>, ids: readonly string[], now: number) {
  const today = new Date(now).toISOString().slice(0, 10);
  const first = new Date(now - 29 * DAY_MS).toISOString().slice(0, 10);
  return db
    .selectFrom('usage_day')
    .innerJoin('subscription', 'subscription.id', 'usage_day.subscription_id')
    .where('account_id', 'in', ids)
    .where('subscription.status', '<>', 'test')
    .where('day', '>=', first)
    .select((used) => [
      'account_id',
      used.fn.sum<string | null>('requests').filterWhere('day', '=', today).as('today'),
      used.fn.sum<string>('requests').as('month'),
    ])
    .groupBy('account_id')
    .execute();
}

const CURSOR = /^(?<at>\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z)_(?<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;
const KEY_ID = /^(?:mq_(?:live|test)_)?(?<id>[0-9A-Za-z]{12})(?:_.*)?$/;
const MAX_TEXT_LENGTH = 254;
const ROWS_UNASKED = 50;
const MAX_ROWS = 200;
const ACCOUNT_COLUMNS = ['id', 'email', 'status', 'is_operator', 'email_verified_at', 'created_at'] as const;
