/**
 * The keys seen so far, with what the store said of them. An entry is right as of the moment it was read, and again each time
 * the list of access changes has been read to its end without naming it.
 */

import { type Kysely, sql } from 'kysely';
import type { Clock } from '../../clock.ts';
import { type Database, headOf, type ListRow } from '../../store/index.ts';
import { DAY_MS } from '../../values/duration.ts';
import type { Counters } from '../limits/counters.ts';
import { isTierName } from '../tiers.ts';
import { createBatches } from '../usage/batches.ts';
import { dateOfDay } from '../usage/usage-ledger.ts';
import type { Caller } from '../verdict.ts';

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
  /** When it was read, monotonic ms. */
  readAt: number;
  /** The day whose count was read with it, in days since 1970. */
  readOnDay: number;
  /** The number of the last change of access that what was read may know of. */
  asOf: number;
  lastChange: LastChange;
}

/** The number of the last change of a subscription that was announced; shared by its keys. */
interface LastChange {
  seq: number;
}

export interface KnownKeys {
  /** The entry of a digest (in latin1), if it may still be believed. */
  get(digest: string): KnownKey | undefined;
  /** Asks the store; null when no key has this digest. Rejects when the store does not answer. */
  lookUp(digest: string): Promise<KnownKey | null>;
  /** Reads the keys that were used last, so that after a start few callers wait for the store. Rejects as `lookUp` does. */
  readLastUsed(): Promise<void>;
  /** The list of changes, seen to number `head` as of `moment` (monotonic ms), had these to say since it was last seen. */
  confirm(moment: number, head: number, changes: readonly ListRow<'access_change'>[]): void;
  /** Every entry must be read again; while the store is out of reach, it is believed as before. */
  forgetAll(): void;
  /** Whether the store is out of reach: entries then serve longer. */
  setUnreachable(unreachable: boolean): void;
  /** For how long nothing has been confirmed because the store is out of reach, ms; 0 while it answers. */
  awayMs(): number;
}

/** `wall`: the limits' wall clock: which day's count is read with a key. */
export function createKnownKeys(db: Kysely<Database>, counters: Counters, wall: Clock, monotonic: Clock): KnownKeys {
  const keys = new Map<string, KnownKey>();
  const doubted = createDoubtedKeys(monotonic);
  const lastChanges = new Map<string, LastChange>();
  let confirmedAt = Number.NEGATIVE_INFINITY;
  let seen = 0;
  let cuts = 0;
  let unreachable = false;

  const read = async (query: (day: number) => ReturnType<typeof selectKeys>): Promise<Map<string, KnownKey>> => {
    const readAt = monotonic();
    const cutsBefore = cuts;
    const day = Math.floor(wall() / DAY_MS);
    const rows = await query(day).execute();
    unreachable = false;
    for (const row of rows) await counters.restore(row.subscriptionId, day, Number(row.requests ?? 0));
    const answers = new Map<string, KnownKey>();
    for (const row of rows) {
      const lastChange = lastChanges.get(row.subscriptionId) ?? { seq: 0 };
      const key = toKnownKey(row, lastChange, { readAt, readOnDay: day });
      const digest = key.digest.toString('latin1');
      answers.set(digest, key);
      // A change that was announced while the rows travelled may be newer than they are: they answer who asked, and no one else.
      if (key.asOf < seen || cuts !== cutsBefore) continue;
      keys.set(digest, key);
      lastChanges.set(row.subscriptionId, lastChange);
    }
    return answers;
  };

  const readThese = async (digests: readonly string[]): Promise<Map<string, KnownKey>> => {
    const answers = await read((day) => selectOf(db, digests, day));
    doubted.remove(digests);
    return answers;
  };

  const get = (digest: string): KnownKey | undefined => {
    const key = keys.get(digest);
    const believed = key ?? (unreachable ? doubted.get(digest) : undefined);
    if (!believed || believed.lastChange.seq > believed.asOf || isOfLaterDay(believed, wall())) return undefined;
    if (!key) return believed;
    const age = monotonic() - Math.max(confirmedAt, key.readAt);
    return age <= GOOD_FOR_MS || (unreachable && age <= GOOD_WHILE_UNREACHABLE_MS) ? key : undefined;
  };

  return {
    get,
    // The first requests of a key often come together: when one has been answered, the others need not ask.
    lookUp: createBatches({ read: readThese, known: get, ...LOOKUPS }),

    async readLastUsed() {
      await read((day) => selectLastUsed(db, day));
    },

    confirm(moment, head, changes) {
      for (const { seq, subscription_id } of changes) {
        const lastChange = lastChanges.get(subscription_id);
        if (lastChange) lastChange.seq = Math.max(lastChange.seq, seq);
      }
      if (changes.length > 0) doubted.removeOf(new Set(changes.map(({ subscription_id }) => subscription_id)));
      confirmedAt = Math.max(confirmedAt, moment);
      seen = Math.max(seen, head);
    },

    forgetAll() {
      cuts += 1;
      seen = 0;
      doubted.removeExpired();
      for (const [digest, key] of keys) doubted.add(digest, key, Math.max(confirmedAt, key.readAt) + GOOD_WHILE_UNREACHABLE_MS);
      keys.clear();
      lastChanges.clear();
    },

    setUnreachable(value) {
      unreachable = value;
    },

    awayMs: () => (unreachable && Number.isFinite(confirmedAt) ? monotonic() - confirmedAt : 0),
  };
}

/** The wall clock was ahead and has been corrected: the count of the right day must be read. */
const isOfLaterDay = (key: KnownKey, now: number): boolean => key.readOnDay * DAY_MS > now + AHEAD_MS;

type KeyRow = Awaited<ReturnType<ReturnType<typeof selectKeys>['execute']>>[number];

function selectOf(db: Kysely<Database>, digests: readonly string[], day: number) {
  const hashes = digests.map((digest) => Buffer.from(digest, 'latin1'));
  return selectKeys(db, day).where(sql<boolean>`api_key.secret_hash = any(${hashes}::bytea[])`);
}

function selectLastUsed(db: Kysely<Database>, day: number) {
  return selectKeys(db, day)
    .where('api_key.last_used_at', 'is not', null)
    .orderBy('api_key.last_used_at', 'desc')
    .limit(MAX_LAST_USED);
}

/** One snapshot: key, subscription, account, the day's count and the list's head belong together. */
function selectKeys(db: Kysely<Database>, day: number) {
  return db
    .selectFrom('api_key')
    .innerJoin('subscription', 'subscription.id', 'api_key.subscription_id')
    .innerJoin('account', 'account.id', 'subscription.account_id')
    .leftJoin('usage_day', (join) =>
      join.onRef('usage_day.subscription_id', '=', 'subscription.id').on('usage_day.day', '=', dateOfDay(day)),
    )
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
    .select(headOf('access_change').as('asOf'));
}

function toKnownKey(row: KeyRow, lastChange: LastChange, read: Pick<KnownKey, 'readAt' | 'readOnDay'>): KnownKey {
  const { keyId, subscriptionId, accountId, tier } = row;
  if (!isTierName(tier)) throw new Error(`subscription ${subscriptionId} has the unknown tier "${tier}"`);
  return {
    caller: { keyId, subscriptionId, accountId, tier, ...(row.status === 'test' && { isTest: true }) },
    digest: row.secretHash,
    revoked: row.revokedAt !== null,
    expiresAt: row.expiresAt?.getTime() ?? null,
    active: row.accountStatus === 'active' && row.status !== 'inactive',
    trialEndsAt: row.status === 'trialing' ? (row.trialEndsAt?.getTime() ?? null) : null,
    touchedAt: Number.NEGATIVE_INFINITY,
    ...read,
    asOf: Number(row.asOf),
    lastChange,
  };
}

interface DoubtedKeys {
  /** By digest, in latin1. */
  get(digest: string): KnownKey | undefined;
  /** `until`: how long the key may be believed, monotonic ms. */
  add(digest: string, key: KnownKey, until: number): void;
  /** The store has been asked for these, also where it has no such key any more. */
  remove(digests: Iterable<string>): void;
  /** What was known of their keys is known to be old. */
  removeOf(subscriptionIds: ReadonlySet<string>): void;
  removeExpired(): void;
}

/**
 * What was known of keys before the list of changes was cut. A key is doubted until it is read again: it is believed only while the store
 * cannot be asked, and no longer than other keys are then.
 */
function createDoubtedKeys(monotonic: Clock): DoubtedKeys {
  const doubted = new Map<string, { key: KnownKey; until: number }>();
  return {
    get(digest) {
      const entry = doubted.get(digest);
      return entry && monotonic() <= entry.until ? entry.key : undefined;
    },
    add: (digest, key, until) => void doubted.set(digest, { key, until }),
    remove(digests) {
      for (const digest of digests) doubted.delete(digest);
    },
    removeOf(subscriptionIds) {
      for (const [digest, { key }] of doubted) if (subscriptionIds.has(key.caller.subscriptionId)) doubted.delete(digest);
    },
    removeExpired() {
      for (const [digest, { until }] of doubted) if (until < monotonic()) doubted.delete(digest);
    },
  };
}

/** A day further ahead than this was a mistake of the wall clock; see `limiter.ts`. */
const AHEAD_MS = 3_600_000;
/** How long an entry is good without word from the list of changes. */
const GOOD_FOR_MS = 5_000;
const GOOD_WHILE_UNREACHABLE_MS = 300_000;
/** Beyond so many unknown keys at one moment the rest is told that the service is busy. The deadline outlasts a batch of an import. */
const LOOKUPS = { size: 500, waiting: 20_000, deadlineMs: 5_000, mostHanging: 2, poolWaitMs: 100 } as const;
/** 8 MB, read in a tenth of a second. */
const MAX_LAST_USED = 10_000;
