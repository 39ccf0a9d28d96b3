/** How often somebody may try: buckets that fill up again with time, in memory, for each thing that can be guessed or abused. */

import { createHash } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import type { RedisLink } from '../limits/redis-link.ts';

export interface AttemptLimit {
  /** Tries at once after a quiet time. */
  burst: number;
  /** Then one more after each of these, in ms. */
  everyMs: number;
}

export type LimitName = keyof typeof LIMITS;

export interface Attempts {
  /** Counts a try. 0: go on; else whole seconds (≥ 1) until there may be one, and nothing was counted. */
  take(name: LimitName, key: string): number | Promise<number>;
  /** Takes a try back that proved honest. */
  giveBack(name: LimitName, key: string): void | Promise<void>;
}

/** In process: an answer comes at once. */
interface OwnAttempts extends Attempts {
  take(name: LimitName, key: string): number;
  giveBack(name: LimitName, key: string): void;
}

interface Bucket {
  left: number;
  at: number;
}

export type Tries = readonly (readonly [LimitName, string])[];

/** Counts a try under each name; where one is used up, under none: then that name, and the seconds to wait. */
export async function takeAll(attempts: Attempts, tries: Tries): Promise<{ name: LimitName; wait: number } | null> {
  for (const [index, [name, key]] of tries.entries()) {
    const wait = await attempts.take(name, key);
    if (wait === 0) continue;
    await giveBackAll(attempts, tries.slice(0, index));
    return { name, wait };
  }
  return null;
}

export async function giveBackAll(attempts: Attempts, tries: Tries): Promise<void> {
  for (const [name, key] of tries) await attempts.giveBack(name, key);
}

/** At most `MAX_KEYS` are watched for each limit; beyond, whoever tried least lately is forgotten. */
export function createAttempts(now: Clock, limits: Readonly<Record<LimitName, AttemptLimit>> = LIMITS): OwnAttempts {
  const buckets = new Map<LimitName, Map<string, Bucket>>();

  function read(name: LimitName, key: string): Bucket {
    const { burst, everyMs } = limits[name];
    const at = now();
    const bucket = buckets.get(name)?.get(key);
    if (!bucket) return { left: burst, at };
    // A clock that is set back gives nothing and takes nothing.
    return { left: Math.min(burst, bucket.left + Math.max(0, at - bucket.at) / everyMs), at };
  }

  function write(name: LimitName, key: string, bucket: Bucket): void {
    const kept = buckets.get(name) ?? new Map<string, Bucket>();
    buckets.set(name, kept);
    kept.delete(key);
    kept.set(key, bucket);
    if (kept.size > MAX_KEYS) kept.delete(kept.keys().next().value ?? '');
  }

  return {
    take(name, key) {
      const bucket = read(name, key);
      if (bucket.left < 1) return Math.max(1, Math.ceil(((1 - bucket.left) * limits[name].everyMs) / MS_PER_SECOND));
      write(name, key, { ...bucket, left: bucket.left - 1 });
      return 0;
    },
    giveBack(name, key) {
      const bucket = read(name, key);
      write(name, key, { ...bucket, left: Math.min(limits[name].burst, bucket.left + 1) });
    },
  };
}

/** Tries counted for all processes together, in Redis; if Redis is out of reach, in this process, by `own`. */
export function createRedisAttempts(link: RedisLink, own: OwnAttempts): Attempts {
  const ask = async (name: LimitName, key: string, tries: number): Promise<number> => {
    const { burst, everyMs } = LIMITS[name];
    const [waitMs = 0] = await link.call('bucket', [keyOf(name, key)], [burst, everyMs, tries]);
    return waitMs;
  };

  return {
    async take(name, key) {
      if (!link.isShared()) return own.take(name, key);
      try {
        const waitMs = await ask(name, key, 1);
        if (waitMs > 0) return Math.max(1, Math.ceil(waitMs / MS_PER_SECOND));
        // Known here if Redis fails.
        own.take(name, key);
        return 0;
      } catch {
        return own.take(name, key);
      }
    },
    async giveBack(name, key) {
      own.giveBack(name, key);
      // One that cannot be given back comes back with time.
      if (link.isShared()) await ask(name, key, -1).catch(() => undefined);
    },
  };
}

/** Addresses of people are stored nowhere else in clear either. */
const keyOf = (name: LimitName, key: string): string =>
  `marquee:{${createHash('sha256').update(`${name} ${key}`).digest('base64url')}}:tries`;

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
export const LIMITS = {
  /** Passwords and passkeys, by network address. */
  signInFrom: { burst: 30, everyMs: 10 * SECOND_MS },
  /** Wrong passwords of one account, from one network: its owner elsewhere is not shut out. */
  passwordsFrom: { burst: 10, everyMs: 90 * SECOND_MS },
  /** Wrong passwords of one account, from anywhere. */
  passwords: { burst: 50, everyMs: 60 * SECOND_MS },
  /** Wrong passwords of one account, from one device that has signed in before, one session, or one link sent to its mailbox. */
  passwordsOfKnown: { burst: 10, everyMs: 90 * SECOND_MS },
  /** Second factors, by network address. */
  codesFrom: { burst: 20, everyMs: 15 * SECOND_MS },
  /** New accounts, by network. */
  signUpsFrom: { burst: 10, everyMs: 6 * MINUTE_MS },
  /** Requests for a new password, by network. */
  resetsFrom: { burst: 10, everyMs: 3 * MINUTE_MS },
  /** Problems that readers report, by network address, and by all addresses of a site together. */
  reportsFrom: { burst: 5, everyMs: 10 * MINUTE_MS },
  reportsOfSite: { burst: 20, everyMs: 3 * MINUTE_MS },
  /** Links that are opened, by network address. */
  linksFrom: { burst: 60, everyMs: 2 * SECOND_MS },
  /** Challenges that an endpoint did not return, by account and host, and by account. */
  challengesTo: { burst: 5, everyMs: MINUTE_MS },
  challengesOf: { burst: 20, everyMs: MINUTE_MS },
  /** E-mails that anybody may cause, by mailbox. */
  emails: { burst: 4, everyMs: 15 * MINUTE_MS },
  /**
   * E-mails with a link to an account whose address is confirmed, by account. A link works for longer than it takes until the next one may
   * be sent. So if strangers use these e-mails up, the mailbox has a link that works.
   */
  linksTo: { burst: 4, everyMs: 15 * MINUTE_MS },
} as const satisfies Record<string, AttemptLimit>;
const MAX_KEYS = 10_000;
const MS_PER_SECOND = 1_000;
