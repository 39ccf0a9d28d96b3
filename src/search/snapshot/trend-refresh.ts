/** When the trends of all events are computed again: every minute, a slice at a time, so that a change never waits long for it. */

import type { Clock } from '../../clock.ts';
import type { Directory } from '../directory/directory.ts';
import { refreshTrends } from './trends.ts';

export interface TrendRefresh {
  /** All at once: for a directory that was just loaded. */
  computeAll(directory: Directory, moment: number): void;
  /** A slice. `idle`: it is not time yet; `done`: all trends are as of `at` now. */
  step(directory: Directory): { kind: 'idle' | 'more' } | { kind: 'done'; at: number };
  /** For another directory: leaves a round that has begun. */
  reset(): void;
}

export function createTrendRefresh(now: Clock, refreshMs = REFRESH_MS): TrendRefresh {
  let round: { at: number; rest: Generator<void> } | null = null;
  let refreshedAt = Number.NEGATIVE_INFINITY;

  return {
    computeAll(directory, moment) {
      for (const _ of refreshTrends(directory, moment));
      directory.changes.trendsAt.clear();
      refreshedAt = performance.now();
    },
    step(directory) {
      if (!round && performance.now() - refreshedAt < refreshMs) return IDLE;
      if (!round) {
        const at = now();
        round = { at, rest: refreshTrends(directory, at) };
      }
      const { at, rest } = round;
      const sliceEnd = performance.now() + SLICE_MS;
      while (performance.now() < sliceEnd) {
        if (!rest.next().done) continue;
        round = null;
        refreshedAt = performance.now();
        return { kind: 'done', at };
      }
      return MORE;
    },
    reset() {
      round = null;
    },
  };
}

const IDLE = { kind: 'idle' } as const;
const MORE = { kind: 'more' } as const;
/** Decisions §2, "Trending": at least every minute. */
const REFRESH_MS = 55_000;
const SLICE_MS = 50;
