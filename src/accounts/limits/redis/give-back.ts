/** Admissions of requests that failed, taken out of Redis again. */

import type { Admission } from '../counters.ts';
import { MAX_RING } from './compare-counts.ts';
import type { KnownCount } from './known-count.ts';
import type { RedisLink } from './redis-link.ts';

/** Gives one back to Redis, now or when it is back. Never rejects. */
export type GiveBack = (count: KnownCount, admission: Admission) => Promise<void>;

export function createGiveBack(link: RedisLink): GiveBack {
  return async (count, { at, day }) => {
    if (link.isShared()) {
      try {
        await link.call('refund', count.keys, [at % 2 ** 32, day, MAX_RING]);
        return;
      } catch {
        // When it is back.
      }
    }
    if (count.owed.length < MAX_OWED) count.owed.push({ at, day, hour: 0 });
  };
}

const MAX_OWED = 1_000;
