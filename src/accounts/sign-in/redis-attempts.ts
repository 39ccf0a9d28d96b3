/** Tries counted for all processes together, in Redis; out of reach of it, in this process. */

import { createHash } from 'node:crypto';
import type { RedisLink } from '../limits/redis/redis-link.ts';
import { type Attempts, LIMITS, type LimitName, type OwnAttempts } from './attempts.ts';

/** `own`: of this process. */
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

const MS_PER_SECOND = 1_000;
