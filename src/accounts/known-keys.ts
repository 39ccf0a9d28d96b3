/**
 * The keys seen so far, with what the store said of them. An entry is right as of the moment it was read, and again each time
 * the list of access changes has been read to its end without naming it.
 */

import { type Kysely, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Database } from '../store/index.ts';
import { createBatches } from './batches.ts';
import type { Counters } from './counters.ts';
import { isTierName } from './tiers.ts';
import { DAY_MS, dateOfDay } from './usage-ledger.ts';
import type { Caller } from './verdict.ts';

export interface KnownKey {
  caller: Caller;
  /** SHA-256 of the whole key. */
  digest: Buffer;
  revoked: boolean;
  /** End of a rotation's grace, ms. */
  expiresAt: number | null;
  /** Whether account and subscription are paid up and in good standing, apart from the trial's end. */
  active: boolean;
  /** Only while on trial, ms. */
  trialEndsAt: number | null;
  /** When its last use was last noted, monotonic ms. */
  touchedAt: number;
  /** Shared by the keys of one subscription. */
  state: { outdated: boolean };
  readAt: number;
}

export interface KnownKeys {
  /** The entry of a digest (in latin1), if it may still be believed. */
  get(digest: string): KnownKey | undefined;
  /** Asks the store; null when no key has this digest. Rejects when the store does not answer. */
  lookUp(digest: string): Promise<KnownKey | null>;
  /** All entries are right as of `moment` (monotonic ms), except those of the subscriptions named. */
  confirm(moment: number, changed: Iterable<string>): void;
  /** Every entry must be read anew. */
  forgetAll(): void;
  /** Whether the store is out of reach: entries then serve longer. */
  setUnreachable(unreachable: boolean): void;
}

export interface KnownKeysOptions {
  db: Kysely<Database>;
  counters: Counters;
  /** The limits' wall clock: which day's count is read with a key. */
  wall: Clock;
  monotonic: Clock;
}

export function createKnownKeys({ db, counters, wall, monotonic }: KnownKeysOptions): KnownKeys {
  const keys = new Map<string, KnownKey>();
  const states = new Map<string, { outdated: boolean }>();
  let confirmedAt = Number.NEGATIVE_INFINITY;
  let changes = 0;
  let unreachable = false;

  const read = async (digests: string[]): Promise<Map<string, KnownKey>> => {
    const readAt = monotonic();
    const changesBefore = changes;
    const day = Math.floor(wall() / DAY_MS);
    const rows = await readKeys(db, digests, day);
    unreachable = false;
    for (const row of rows) await counters.restore(row.subscriptionId, day, Number(row.requests ?? 0));
    // A change that arrived meanwhile may be newer than these rows: they answer those who asked, and are read again next time.
    const overtaken = changes !== changesBefore;
    const answers = new Map<string, KnownKey>();
    for (const row of rows) {
      const state = overtaken ? { outdated: true } : (states.get(row.subscriptionId) ?? { outdated: false });
      if (!overtaken) states.set(row.subscriptionId, state);
      const key = toKnownKey(row, state, readAt);
      const digest = key.digest.toString('latin1');
      keys.set(digest, key);
      answers.set(digest, key);
    }
    return answers;
  };

  return {
    get(digest) {
      const key = keys.get(digest);
      if (!key || key.state.outdated) return undefined;
      const age = monotonic() - Math.max(confirmedAt, key.readAt);
      return age <= GOOD_FOR_MS || (unreachable && age <= GOOD_WHILE_UNREACHABLE_MS) ? key : undefined;
    },

    lookUp: createBatches({ read, ...LOOKUPS }),

    confirm(moment, changed) {
      for (const subscriptionId of changed) {
        changes += 1;
        const state = states.get(subscriptionId);
        if (state) state.outdated = true;
        states.delete(subscriptionId);
      }
      confirmedAt = Math.max(confirmedAt, moment);
    },

    forgetAll() {
      changes += 1;
      keys.clear();
      states.clear();
    },

    setUnreachable(value) {
      unreachable = value;
    },
  };
}

type KeyRow = Awaited<ReturnType<typeof readKeys>>[number];

/** One snapshot: key, subscription, account and the day's count belong together. */
function readKeys(db: Kysely<Database>, digests: readonly string[], day: number) {
  const hashes = digests.map((digest) => Buffer.from(digest, 'latin1'));
  return db
    .selectFrom('api_key')
    .innerJoin('subscription', 'subscription.id', 'api_key.subscription_id')
    .innerJoin('account', 'account.id', 'subscription.account_id')
    .leftJoin('usage_day', (join) =>
      join.onRef('usage_day.subscription_id', '=', 'subscription.id').on('usage_day.day', '=', dateOfDay(day)),
    )
    .where(sql<boolean>`api_key.secret_hash = any(${hashes}::bytea[])`)
    .select([
      'api_key.id as keyId',
      'api_key.secret_hash as secretHash',
      'api_key.expires_at as expiresAt',
      'api_key.revoked_at as revokedAt',
      'subscription.id as subscriptionId',
      'subscription.tier as tier',
      'subscription.status as status',
      'subscription.trial_ends_at as trialEndsAt',
      'account.id as accountId',
      'account.status as accountStatus',
      'usage_day.requests as requests',
    ])
    .execute();
}

function toKnownKey(row: KeyRow, state: { outdated: boolean }, readAt: number): KnownKey {
  const { keyId, subscriptionId, accountId, tier } = row;
  if (!isTierName(tier)) throw new Error(`subscription ${subscriptionId} has the unknown tier "${tier}"`);
  return {
    caller: { keyId, subscriptionId, accountId, tier },
    digest: row.secretHash,
    revoked: row.revokedAt !== null,
    expiresAt: row.expiresAt?.getTime() ?? null,
    active: row.accountStatus === 'active' && row.status !== 'inactive',
    trialEndsAt: row.status === 'trialing' ? (row.trialEndsAt?.getTime() ?? null) : null,
    touchedAt: Number.NEGATIVE_INFINITY,
    state,
    readAt,
  };
}

/** How long an entry is good without word from the list of changes. */
const GOOD_FOR_MS = 5_000;
const GOOD_WHILE_UNREACHABLE_MS = 300_000;
/** Beyond so many unknown keys at one moment the rest is told that the service is busy. The deadline outlasts a batch of an import. */
const LOOKUPS = { size: 500, waiting: 20_000, deadlineMs: 5_000, mostHanging: 2 } as const;
