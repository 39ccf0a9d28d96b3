/** Keys and subscriptions as they are made and listed, for whoever asks: the command line by e-mail address, the dashboard by account. */

import { hash, randomUUIDv7 } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../store/index.ts';
import { DAY_MS } from '../../values/duration.ts';
import type { Refusal } from '../../values/refusal.ts';
import { type AccountReason, refuse } from '../refusal.ts';
import type { TierName } from '../tiers.ts';
import { refuseTrial, trialDigestsOf } from '../trial-eligibility.ts';
import { generateKey, type KeyMode } from './key-format.ts';

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
  state: KeyState;
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** Only while on trial. */
  trialEndsAt: Date | null;
  /** Of the subscription: `inactive` answers 402. A key with the plan `test` is a test key, whose text begins with `mq_test_`. */
  plan: KeyPlan;
}

export type KeyPlan = 'trialing' | 'active' | 'inactive' | 'test';
export type KeyState = 'active' | 'revoked' | 'expired';

/** Appends to the list of access changes: the last thing a transaction does. */
export type Announce = (trx: Transaction<Database>, subscriptionIds: readonly string[]) => Promise<void>;

export interface KeyMaking {
  /** Announces the subscription: the last thing a transaction does. `beforeLast` is given the key's id before that. */
  addKey(trx: Transaction<Database>, input: NewKeyInput, beforeLast?: (id: string) => Promise<void>): Promise<CreatedKey>;
  /** Refuses `trial_used` if this account or this mailbox has had its trial, `trial_network_full`. */
  addSubscription(
    trx: Transaction<Database>,
    input: NewSubscription,
  ): Promise<{ ok: true; subscriptionId: string; tier: TierName } | Refusal<AccountReason>>;
}

export interface NewKeyInput {
  subscriptionId: string;
  tier: TierName;
  name: string;
  /** `live` unless told. */
  mode?: KeyMode;
  /** Digest of the form that asked for it. */
  form?: string | null;
}

export interface NewSubscription {
  accountId: string;
  tier: TierName;
  /** With it the subscription is a trial, reckoned from the verification of `email`. `address`: of the caller, where one is known. */
  trial: { from: Date; email: string; address?: string | null } | null;
  /** `inactive` until it is paid; `test`: of test keys. */
  status?: 'active' | 'inactive' | 'test';
}

export interface KeyMakingOptions {
  now: Clock;
  announce: Announce;
}

export function createKeyMaking({ now, announce }: KeyMakingOptions): KeyMaking {
  return {
    async addKey(trx, { subscriptionId, tier, name, mode = 'live', form = null }, beforeLast) {
      const { key, publicId, last4 } = generateKey(undefined, mode);
      const secret_hash = hash('sha256', key, 'buffer');
      await trx
        .insertInto('api_key')
        .values({ id: publicId, subscription_id: subscriptionId, name, secret_hash, last4, created_at: new Date(now()), form })
        .execute();
      await beforeLast?.(publicId);
      await announce(trx, [subscriptionId]);
      return { ok: true, key, id: publicId, subscriptionId, tier };
    },

    async addSubscription(trx, { accountId, tier, trial, status = 'active' }) {
      const refused = trial && (await refuseTrial(trx, trial, now()));
      if (refused) return refused;
      const row = { id: randomUUIDv7(), account_id: accountId, tier, created_at: new Date(now()) };
      const state = trial
        ? {
            status: 'trialing',
            trial_ends_at: new Date(trial.from.getTime() + TRIAL_MS),
            trial_mailbox: trialDigestsOf(trial.email)[0] ?? null,
          }
        : { status };
      const added = await trx
        .insertInto('subscription')
        .values({ ...row, ...state })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst();
      return added
        ? { ok: true, subscriptionId: added.id, tier }
        : refuse(status === 'test' ? 'test_key_exists' : 'trial_used', trial?.email);
    },
  };
}

/** All keys of an account as of `moment`, oldest first. */
export async function listKeysOf(db: Kysely<Database>, accountId: string, moment: number): Promise<KeyListing[]> {
  const rows = await db
    .selectFrom('api_key')
    .innerJoin('subscription', 'subscription.id', 'api_key.subscription_id')
    .where('subscription.account_id', '=', accountId)
    .orderBy('api_key.created_at')
    // Ids of subscriptions are made in the order of real time, even while the directory's clock stands.
    .orderBy('subscription.id')
    .orderBy('api_key.id')
    .select(['api_key.id', 'api_key.name', 'api_key.last4', 'api_key.created_at', 'api_key.last_used_at'])
    .select(['api_key.expires_at', 'api_key.revoked_at', 'subscription.id as subscriptionId', 'subscription.tier'])
    .select(['subscription.status', 'subscription.trial_ends_at'])
    .execute();
  return rows.map((row) => ({
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
    // The table's check holds it to these words.
    plan: row.status as KeyListing['plan'],
  }));
}

/** A grace ends at its moment, not after it. */
export function stateOf(key: { revoked_at: Date | null; expires_at: Date | null }, moment: number): KeyState {
  if (key.revoked_at) return 'revoked';
  return key.expires_at && moment >= key.expires_at.getTime() ? 'expired' : 'active';
}

export const DEFAULT_NAME = 'default';
/** As the table's check: 1 to 100 characters; none that a terminal or a log would act on. */
export const isKeyName = (name: string): boolean => NAME.test(name);
const NAME = /^[^\p{Cc}]{1,100}$/u;

/** How long the old key of a rotation lives on, ms. */
export const GRACES_MS = { '0': 0, '1h': 3_600_000, '24h': DAY_MS, '7d': 604_800_000 } as const;
export type Grace = keyof typeof GRACES_MS;
export const DEFAULT_GRACE: Grace = '24h';
export const isGrace = (text: string): text is Grace => Object.hasOwn(GRACES_MS, text);

export const TRIAL_MS = 604_800_000;
