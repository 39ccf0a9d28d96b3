/** Opens the gate of this process, and what it counts in: memory, or Redis. */

import {
  type Attempts,
  createAttempts,
  createRedisAttempts,
  type Gate,
  openGate,
  openRedisLimits,
  type RedisLimits,
} from '../accounts/index.ts';
import type { Context } from '../context.ts';
import type { Store } from '../store/index.ts';

export interface LimitedGate {
  gate: Gate;
  /** Null: this process counts by itself. */
  redis: RedisLimits | null;
  /** Of sign-in. */
  attempts: Attempts;
}

/** What is opened adds what closes it to `closers`. */
export async function openLimitedGate(
  { config: { clocks, redis: place }, log }: Context,
  store: Store,
  closers: (() => Promise<void> | void)[],
): Promise<LimitedGate> {
  const redis = place && (await openRedisLimits({ place, log }));
  if (redis) closers.push(redis.close);
  const gate = await openGate({ db: store.db, commitWatcher: store.createCommitWatcher(), clocks, log, redis });
  closers.push(gate.close);
  const own = createAttempts(() => performance.now());
  return { gate, redis, attempts: redis ? createRedisAttempts(redis.link, own) : own };
}
