/**
 * From the header to a known key, or to a refusal.
 *
 *   key in memory          → judged at once; never waits, never limited
 *   key that exists        → looked up in the store, then judged
 *   key that nobody owns   → refused at once, counted for its network
 *   neither is certain     → the list of access changes is read to its end first: a key made a moment ago exists by then
 */

import { hash, timingSafeEqual } from 'node:crypto';
import { KEY_LENGTH, parseKey } from '../keys/key-format.ts';
import { createInFlight } from '../limits/in-flight.ts';
import type { UnknownKeyLimiter } from '../limits/unknown-key-limiter.ts';
import { CrowdedError } from '../usage/batches.ts';
import type { AccessVerdict } from '../verdict.ts';
import type { AccessFollower } from './access-follower.ts';
import type { ExistingKeys } from './existing-keys.ts';
import type { KnownKey, KnownKeys } from './known-keys.ts';

/** Raw `X-API-Key` as sent: a list if it came more than once. */
export type KeyHeader = string | string[] | undefined;
export type MaybePromise<T> = T | Promise<T>;
/** Who sends: the address for counting, and the connection, which may have few requests that wait. */
export interface RequestSender {
  address: string;
  connection: object | undefined;
}

export interface IdentifyOptions {
  keys: KnownKeys;
  existing: ExistingKeys;
  follower: AccessFollower;
  unknownKeyLimiter: UnknownKeyLimiter;
  /** When the grace of a rotated key ends is compared with this. */
  now: () => number;
}

export type Identify = (
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

const UNAVAILABLE = { ok: false, reason: 'unavailable' } as const satisfies AccessVerdict;
const CROWDED = { ok: false, reason: 'crowded' } as const satisfies AccessVerdict;
/** Bytes of a SHA-256. */
const SCRATCH = Buffer.alloc(32);
/** Requests whose key is not known yet. The wait is one small question to the store, so these places are free again in milliseconds. */
const WAITING = { total: 5_000, perConnection: 100, perHost: 1_000 } as const;
