/**
 * From the header to a known key, or to a refusal.
 *
 *   key in memory          → judged at once; never waits, never limited
 *   key that exists        → looked up in the store, then judged
 *   key that nobody owns   → refused at once, counted for its network
 *   neither is certain     → the list of access changes is read to its end first: a key made a moment ago exists by then
 */

import { hash, timingSafeEqual } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../store/index.ts';
import { KEY_LENGTH, parseKey } from '../keys/key-format.ts';
import { createInFlight } from '../limits/in-flight.ts';
import type { UnknownKeyLimiter } from '../limits/unknown-key-limiter.ts';
import { CrowdedError } from '../usage/batches.ts';
import type { AccessVerdict } from '../verdict.ts';
import type { AccessFollower } from './access-follower.ts';
import type { KnownKey, KnownKeys } from './known-keys.ts';

/** Raw `X-API-Key` as sent: a list if it came more than once. */
type KeyHeader = string | string[] | undefined;
export type MaybePromise<T> = T | Promise<T>;
/** Who sends: the address for counting, and the connection, which may have few requests that wait. */
interface RequestSender {
  address: string;
  connection: object | undefined;
}

interface IdentifyOptions {
  keys: KnownKeys;
  existing: ExistingKeys;
  follower: AccessFollower;
  unknownKeyLimiter: UnknownKeyLimiter;
  /** When the grace of a rotated key ends is compared with this. */
  now: () => number;
}

type Identify = (
  header: KeyHeader,
  sender: RequestSender,
  next: (key: KnownKey) => MaybePromise<AccessVerdict>,
) => MaybePromise<AccessVerdict>;

export function createIdentify({ keys, existing, follower, unknownKeyLimiter, now }: IdentifyOptions): Identify {
  const waiting = createInFlight(WAITING);

  function fail(reason: FailedKey, { address }: RequestSender): MaybePromise<Refused> {
    const wait = unknownKeyLimiter.failed(address);
    return typeof wait === 'number' ? toRefused(reason, wait) : wait.then((seconds) => toRefused(reason, seconds));
  }

  const failMalformed = ({ address }: RequestSender): Refused => toRefused('invalid', unknownKeyLimiter.malformed(address));

  function check(key: KnownKey, digest: string, sender: RequestSender, next: (key: KnownKey) => MaybePromise<AccessVerdict>) {
    SCRATCH.write(digest, 'latin1');
    if (!timingSafeEqual(SCRATCH, key.digest)) return fail('invalid', sender);
    if (key.revoked) return fail('revoked', sender);
    if (key.expiresAt !== null && now() >= key.expiresAt) return fail('expired', sender);
    return next(key);
  }

  async function lookUp(
    digest: string,
    sender: RequestSender,
    next: (key: KnownKey) => MaybePromise<AccessVerdict>,
  ): Promise<AccessVerdict> {
    let key: KnownKey | null | undefined;
    try {
      key = await keys.lookUp(digest);
    } catch (error) {
      if (!(error instanceof CrowdedError)) follower.storeFailed(error);
      key = keys.get(digest);
      if (!key) return UNAVAILABLE;
    }
    return key ? check(key, digest, sender, next) : fail('invalid', sender);
  }

  /** For a key that may have been made since the list was last read. Requests that arrive meanwhile share the next reading. */
  function afterCatchUp(
    digest: string,
    sender: RequestSender,
    next: (key: KnownKey) => MaybePromise<AccessVerdict>,
  ): MaybePromise<AccessVerdict> {
    const leave = waiting.enter(sender.address, sender.connection);
    if (!leave) {
      const wait = unknownKeyLimiter.malformed(sender.address);
      return wait > 0 ? toRefused('invalid', wait) : CROWDED;
    }
    return follower
      .catchUp()
      .then(
        () => (existing.has(digest) ? lookUp(digest, sender, next) : fail('invalid', sender)),
        () => UNAVAILABLE,
      )
      .finally(leave);
  }

  return (header, sender, next) => {
    if (header === undefined || header === '') return { ok: false, reason: 'missing' };
    // Sent twice it comes as a list or, joined by Node, with a comma.
    if (typeof header !== 'string' || header.length !== KEY_LENGTH) return failMalformed(sender);
    const digest = digestOf(header);
    const key = keys.get(digest);
    if (key) return check(key, digest, sender, next);
    // A known key was well-formed when it was made; only an unknown one is looked at more closely.
    if (parseKey(header) === null) return failMalformed(sender);
    if (existing.has(digest)) return lookUp(digest, sender, next);
    return follower.isCurrent() ? fail('invalid', sender) : afterCatchUp(digest, sender, next);
  };
}

/** SHA-256 of a key as it was sent. */
const digestOf = (header: string): string => hash('sha256', header, 'latin1');

const toRefused = (reason: FailedKey, wait: number): Refused =>
  wait > 0 ? { ok: false, reason: 'unknown_key_limit', retryAfterSeconds: wait } : { ok: false, reason };

type Refused = Extract<AccessVerdict, { ok: false }>;
type FailedKey = 'invalid' | 'revoked' | 'expired';

/*
 * Which digests the store has a key for. A key that nobody owns is refused by this alone, so a flood of such keys asks the store
 * nothing, and a valid key is never mistaken for one of them.
 *
 * Six bytes of each digest stand for it. A wrong yes costs one look-up: of a million keys, one guess in 280 million meets one.
 * A key that was deleted stays until the next start, which costs a look-up too.
 */

export interface ExistingKeys {
  /** `digest` in latin1. False is certain as of the last `load` or `add`; true is checked by a look-up. */
  has(digest: string): boolean;
  /** Reads all keys. Rejects with the store's error and keeps what was known. */
  load(): Promise<void>;
  /** Adds the keys that these subscriptions have now. Rejects as `load` does. */
  add(subscriptionIds: readonly string[]): Promise<void>;
}

export function createExistingKeys(db: Kysely<Database>): ExistingKeys {
  let starts = new Set<number>();

  return {
    has: (digest) => starts.has(startOf(Buffer.from(digest.slice(0, START_BYTES), 'latin1'), 0)),

    async load() {
      // One value instead of one row for each key: a million keys take 6 MB and a fraction of a second.
      const { all } = await db.selectFrom('api_key').select(ALL_STARTS).executeTakeFirstOrThrow();
      starts = new Set();
      addAll(starts, all);
    },

    async add(subscriptionIds) {
      const query = db.selectFrom('api_key').select(ALL_STARTS);
      const { all } = await query
        .where(sql<boolean>`subscription_id = any(${[...new Set(subscriptionIds)]}::uuid[])`)
        .executeTakeFirstOrThrow();
      addAll(starts, all);
    },
  };
}

function addAll(starts: Set<number>, all: Buffer | null): void {
  if (!all) return;
  for (let at = 0; at < all.length; at += START_BYTES) starts.add(startOf(all, at));
}

const startOf = (bytes: Buffer, at: number): number => bytes.readUIntBE(at, START_BYTES);

/** As many as a number holds exactly. */
const START_BYTES = 6;
const ALL_STARTS = sql<Buffer | null>`string_agg(substring(secret_hash from 1 for ${sql.lit(START_BYTES)}), ''::bytea)`.as('all');
const UNAVAILABLE = { ok: false, reason: 'unavailable' } as const satisfies AccessVerdict;
const CROWDED = { ok: false, reason: 'crowded' } as const satisfies AccessVerdict;
/** Bytes of a SHA-256. */
const SCRATCH = Buffer.alloc(32);
/** Requests whose key is not known yet. The wait is one small question to the store, so these places are free again in milliseconds. */
const WAITING = { total: 5_000, perConnection: 100, perHost: 1_000 } as const;
