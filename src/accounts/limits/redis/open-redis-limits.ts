/** Opens the limits that all processes share through Redis. */

import type { Log } from '../../../log.ts';
import type { RedisPlace } from '../../../redis-place.ts';
import type { UnknownKeyLimiter } from '../unknown-key-limiter.ts';
import { connectRedis } from './redis-client.ts';
import { createRedisCounters, type RedisCounters, type RedisCountersOptions } from './redis-counters.ts';
import type { FaultReason } from './redis-fault.ts';
import { createRedisLink, type RedisLink } from './redis-link.ts';
import { createRedisUnknownKeys } from './redis-unknown-keys.ts';

export interface RedisLimits {
  openCounters(needs: Omit<RedisCountersOptions, 'link'>): RedisCounters;
  shareUnknownKeys(own: UnknownKeyLimiter): UnknownKeyLimiter;
  /** For other limits. */
  link: RedisLink;
  figures(): RedisLimitsFigures;
  close(): void;
}

export interface RedisLimitsFigures {
  isShared: boolean;
  /** Failed calls since the start, by reason. */
  failures: ReadonlyMap<FaultReason, number>;
  /** Decisions made without Redis since the start. */
  aloneDecisions: number;
}

export interface RedisLimitsOptions {
  place: RedisPlace;
  log: Log;
  /** For tests: scripts with another clock, and a machine that is busy with other things. */
  editScript?: ((lua: string) => string) | undefined;
  deadlineMs?: number | undefined;
}

/** Resolves when Redis answers, or after a second without it: then this process begins with its share of the limits. */
export async function openRedisLimits({ place, log, editScript, deadlineMs }: RedisLimitsOptions): Promise<RedisLimits> {
  const client = await connectRedis(place, editScript);
  let counters: RedisCounters | null = null;
  const link = createRedisLink({
    client,
    deadlineMs,
    onAlone: ({ reason }) => log.warn({ reason }, 'Redis does not answer; this process limits requests to its share'),
    onShared: ({ ms }) => log.info({ seconds: Math.round(ms / MS_PER_SECOND) }, 'Redis answers again; limits are shared again'),
  });
  await link.begin();
  return {
    link,
    openCounters(needs) {
      counters = createRedisCounters({ ...needs, link });
      return counters;
    },
    shareUnknownKeys: (own) => createRedisUnknownKeys(link, own),
    figures: () => ({ ...link.figures(), aloneDecisions: counters?.aloneDecisions() ?? 0 }),
    close() {
      counters?.close();
      link.close();
    },
  };
}

const MS_PER_SECOND = 1_000;
