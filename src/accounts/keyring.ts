/** The keys of accounts: created, listed, rotated, revoked. A secret leaves once, when its key is made; the store has its hash. */

import { hash } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { Clock } from '../clock.ts';
import { type Database, transact } from '../store/index.ts';
import { type Email, readEmail } from './email.ts';
import type { NewKey } from './key-format.ts';
import { type Refusal, refuse } from './refusal.ts';
import { isTierName, type TierName } from './tiers.ts';

export interface Keyring {
  /**
   * A key with a subscription (lineage) of its own. Without `tier` it gets the account's default: its tier, or the one trial.
   * Refuses `unknown_account`, `inactive_account`, `unverified_account`, `unknown_tier`, `invalid_name`, `trial_used`.
   */
  createKey(wish: { email: string; name?: string | undefined; tier?: string | undefined }): Promise<CreatedKey | Refusal>;
  /** All keys of the account, oldest first. Refuses `unknown_account`. */
  listKeys(email: string): Promise<{ ok: true; keys: KeyListing[] } | Refusal>;
  /** Refuses `unknown_key`, `revoked_key`. */
  revokeKey(id: string): Promise<{ ok: true; subscriptionId: string } | Refusal>;
  /**
   * A new key in the same subscription, at once; the old one lives on for `grace` (`24h` unless told), never longer than it would have.
   * Refuses `unknown_key`, `revoked_key`, `expired_key`, `inactive_account`, `unknown_grace`.
   */
  rotateKey(id: string, grace?: string): Promise<CreatedKey | Refusal>;
}

export interface CreatedKey {
  ok: true;
  /** The whole key, for this one time. */
  key: string;
  /** Its public id. */
  id: string;
  subscriptionId: string;
  tier: TierName;
}

export interface KeyListing {
  /** Public id. */
  id: string;
  name: string;
  last4: string;
  subscriptionId: string;
  tier: string;
  state: 'active' | 'revoked' | 'expired';
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** Only while on trial. */
  trialEndsAt: Date | null;
}

/** Appends to the list of access changes: the last thing a transaction does. */
export type Announce = (trx: Transaction<Database>, subscriptionIds: readonly string[]) => Promise<void>;

export interface KeyringOptions {
  db: Kysely<Database>;
  now: Clock;
  newId: () => string;
  newKey: () => NewKey;
  announce: Announce;
}

export function createKeyring({ db, now, newId, newKey, announce }: KeyringOptions): Keyring {
  async function addKey(trx: Transaction<Database>, subscriptionId: string, tier: TierName, name: string): Promise<CreatedKey> {
    const { key, publicId, last4 } = newKey();
    const secret_hash = hash('sha256', key, 'buffer');
    await trx
      .insertInto('api_key')
      .values({ id: publicId, subscription_id: subscriptionId, name, secret_hash, last4, created_at: new Date(now()) })
      .execute();
    await announce(trx, [subscriptionId]);
    return { ok: true, key, id: publicId, subscriptionId, tier };
  }

  /** The new subscription's id; null when the trial of this account or this mailbox has been had. */
  async function addSubscription(trx: Transaction<Database>, wish: NewSubscription): Promise<string | null> {
    const { accountId, tier, trial } = wish;
    const row = { id: newId(), account_id: accountId, tier, created_at: new Date(now()) };
    const state = trial
      ? {
          status: 'trialing',
          trial_ends_at: new Date(trial.from.getTime() + TRIAL_MS),
          trial_mailbox: hash('sha256', trial.mailbox, 'hex'),
        }
      : { status: 'active' };
    const added = await trx
      .insertInto('subscription')
      .values({ ...row, ...state })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    return added?.id ?? null;
  }

  return {
    async createKey({ email: text, name = DEFAULT_NAME, tier: wanted }) {
      if (wanted !== undefined && !isTierName(wanted)) return refuse('unknown_tier', wanted);
      if (!NAME.test(name)) return refuse('invalid_name');
      const email = readEmail(text);
      if (!email) return refuse('unknown_account', text);
      return transact(db, async (trx) => {
        // Held until the commit: who suspends the account meanwhile waits, and then announces this subscription too.
        const account = await accountOf(trx, email).forShare().executeTakeFirst();
        if (!account) return refuse('unknown_account', text);
        if (account.status !== 'active') return refuse('inactive_account', text);
        const verifiedAt = account.email_verified_at;
        if (!verifiedAt) return refuse('unverified_account', text);
        const asked = wanted ?? account.default_tier;
        if (!asked && now() >= verifiedAt.getTime() + TRIAL_MS) return refuse('trial_used', text);
        const tier = asked && isTierName(asked) ? asked : 'starter';
        const trial = asked ? null : { from: verifiedAt, mailbox: email.mailbox };
        const subscriptionId = await addSubscription(trx, { accountId: account.id, tier, trial });
        return subscriptionId ? addKey(trx, subscriptionId, tier, name) : refuse('trial_used', text);
      });
    },

    async listKeys(text) {
      const email = readEmail(text);
      const account = email && (await accountOf(db, email).executeTakeFirst());
      if (!account) return refuse('unknown_account', text);
      const moment = now();
      const rows = await db
        .selectFrom('api_key')
        .innerJoin('subscription', 'subscription.id', 'api_key.subscription_id')
        .where('subscription.account_id', '=', account.id)
        .orderBy('api_key.created_at')
        // Ids of subscriptions are made in the order of real time, even while the directory's clock stands.
        .orderBy('subscription.id')
        .orderBy('api_key.id')
        .select(['api_key.id', 'api_key.name', 'api_key.last4', 'api_key.created_at', 'api_key.last_used_at'])
        .select(['api_key.expires_at', 'api_key.revoked_at', 'subscription.id as subscriptionId', 'subscription.tier'])
        .select(['subscription.status', 'subscription.trial_ends_at'])
        .execute();
      const keys = rows.map(
        (row): KeyListing => ({
          id: row.id,
          name: row.name,
          last4: row.last4,
          subscriptionId: row.subscriptionId,
          tier: row.tier,
          state: stateOf(row, moment),
          createdAt: row.created_at,
          lastUsedAt: row.last_used_at,
          expiresAt: row.expires_at,
          revokedAt: row.revoked_at,
          trialEndsAt: row.status === 'trialing' ? row.trial_ends_at : null,
        }),
      );
      return { ok: true, keys };
    },

    revokeKey: (id) =>
      transact(db, async (trx) => {
        const revoked = await trx
          .updateTable('api_key')
          .set({ revoked_at: new Date(now()) })
          .where('id', '=', id)
          .where('revoked_at', 'is', null)
          .returning('subscription_id')
          .executeTakeFirst();
        if (revoked) {
          await announce(trx, [revoked.subscription_id]);
          return { ok: true, subscriptionId: revoked.subscription_id };
        }
        const known = await trx.selectFrom('api_key').select('id').where('id', '=', id).executeTakeFirst();
        return refuse(known ? 'revoked_key' : 'unknown_key', id);
      }),

    async rotateKey(id, grace = DEFAULT_GRACE) {
      const graceMs = Object.hasOwn(GRACES_MS, grace) ? GRACES_MS[grace as keyof typeof GRACES_MS] : null;
      if (graceMs === null) return refuse('unknown_grace', grace);
      return transact(db, async (trx) => {
        const old = await trx
          .selectFrom('api_key')
          .innerJoin('subscription', 'subscription.id', 'api_key.subscription_id')
          .innerJoin('account', 'account.id', 'subscription.account_id')
          .where('api_key.id', '=', id)
          .select(['api_key.name', 'api_key.expires_at', 'api_key.revoked_at', 'api_key.subscription_id', 'subscription.tier'])
          .select(['account.status as accountStatus', 'account.email'])
          .forUpdate('api_key')
          .executeTakeFirst();
        if (!old || !isTierName(old.tier)) return refuse('unknown_key', id);
        const moment = now();
        const state = stateOf(old, moment);
        if (state !== 'active') return refuse(state === 'revoked' ? 'revoked_key' : 'expired_key', id);
        if (old.accountStatus !== 'active') return refuse('inactive_account', old.email);
        const expiresAt = Math.min(old.expires_at?.getTime() ?? Number.POSITIVE_INFINITY, moment + graceMs);
        await trx
          .updateTable('api_key')
          .set({ expires_at: new Date(expiresAt) })
          .where('id', '=', id)
          .execute();
        return addKey(trx, old.subscription_id, old.tier, old.name);
      });
    },
  };
}

interface NewSubscription {
  accountId: string;
  tier: TierName;
  trial: { from: Date; mailbox: string } | null;
}

function accountOf(db: Kysely<Database>, email: Email) {
  return db
    .selectFrom('account')
    .select(['id', 'status', 'email_verified_at', 'default_tier'])
    .where('email_lower', '=', email.lower);
}

/** A grace ends at its moment, not after it. */
function stateOf(key: { revoked_at: Date | null; expires_at: Date | null }, moment: number): KeyListing['state'] {
  if (key.revoked_at) return 'revoked';
  return key.expires_at && moment >= key.expires_at.getTime() ? 'expired' : 'active';
}

const DEFAULT_NAME = 'default';
/** As the table's check: 1 to 100 characters; none that a terminal or a log would obey. */
const NAME = /^[^\p{Cc}]{1,100}$/u;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TRIAL_MS = 7 * DAY_MS;
const DEFAULT_GRACE = '24h';
const GRACES_MS = { '0': 0, '1h': HOUR_MS, '24h': DAY_MS, '7d': 7 * DAY_MS } as const;
