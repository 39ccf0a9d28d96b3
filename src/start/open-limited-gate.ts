/** Opens the gate of this process, and what it counts in: memory, memory that threads share, or Redis. */

import {
  type Attempts,
  createAttempts,
  createLimitMemory,
  createRedisAttempts,
  type Gate,
  type LimitMemory,
  openGate,
  openRedisLimits,
  openThreadLimits,
  type RedisLimits,
} from '../accounts/index.ts';
import type { Context } from '../context.ts';
import type { Store } from '../store/index.ts';

export interface LimitedGate {
  gate: Gate;
  /** Null: this process counts by itself. */
  redis: RedisLimits | null;
  /** For the serving threads; null if there is one thread, or if they count in Redis. */
  limits: LimitMemory | null;
  /** Of sign-in. */
  attempts: Attempts;
}

/** What is opened adds what closes it to `closers`. */
export async function openLimitedGate(
  { config: { clocks, redis: place }, log }: Context,
  { store, threads }: { store: Store; threads: number },
  closers: (() => Promise<void> | void)[],
): Promise<LimitedGate> {
  const redis = place && (await openRedisLimits({ place, log }));
  if (redis) closers.push(redis.close);
  const limits = threads > 1 && !redis ? createLimitMemory(clocks.limits) : null;
  const shared = limits && openThreadLimits({ memory: limits, wall: clocks.limits, keepsMinutes: true });
  const gate = await openGate({ db: store.db, commitWatcher: store.createCommitWatcher(), clocks, log, redis, ...shared });
  closers.push(gate.close);
  const own = createAttempts(() => performance.now());
  return { gate, redis, limits, attempts: redis ? createRedisAttempts(redis.link, own) : own };
}
