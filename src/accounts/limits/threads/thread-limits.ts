/** The limits of a process with several serving threads: in memory that all of them share, by a clock that all of them share. */

import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../clock.ts';
import type { Counters } from '../counters.ts';
import { createLimiter } from '../limiter.ts';
import type { OwnUnknownKeyLimiter } from '../unknown-key-limiter.ts';
import { type CountMemory, createCountMemory, openSharedCounts } from './shared-counts.ts';
import { createUnknownKeyMemory, openSharedUnknownKeys, type UnknownKeyMemory } from './shared-unknown-keys.ts';

/** Made once, and sent to every thread. */
export interface LimitMemory {
  counts: CountMemory;
  unknownKeys: UnknownKeyMemory;
  /** See `LimiterOptions`. */
  began: { wall: number; monotonic: number };
  seed: string;
}

export interface ThreadLimits {
  counters: Counters;
  unknownKeyLimiter: OwnUnknownKeyLimiter;
}

export interface ThreadLimitsOptions {
  memory: LimitMemory;
  /** Of the limits. */
  wall: Clock;
  monotonic?: Clock;
  /** The thread that takes over and hands on the minutes, and frees those of idle subscriptions. One does, for all. */
  keepsMinutes: boolean;
}

export const createLimitMemory = (wall: Clock, monotonic: Clock = monotonicOfProcess): LimitMemory => ({
  counts: createCountMemory(),
  unknownKeys: createUnknownKeyMemory(),
  began: { wall: wall(), monotonic: monotonic() },
  seed: randomUUID(),
});

/** For one thread. */
export function openThreadLimits(options: ThreadLimitsOptions): ThreadLimits {
  const { memory, wall, monotonic = monotonicOfProcess, keepsMinutes } = options;
  const { counts, began, unknownKeys, seed } = memory;
  const limiter = createLimiter({ monotonic, wall, counts: openSharedCounts(counts), began });
  const { decide, peek, refund, restore } = limiter;
  return {
    counters: keepsMinutes ? limiter : { decide, peek, refund, restore, releaseIdle: () => {} },
    unknownKeyLimiter: openSharedUnknownKeys(unknownKeys, seed, monotonic),
  };
}

/** Milliseconds of the machine's monotonic clock: `performance.now()` counts from another moment in each thread. */
function monotonicOfProcess(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * MS_PER_SECOND + nanoseconds / NS_PER_MS;
}

const MS_PER_SECOND = 1_000;
const NS_PER_MS = 1_000_000;
