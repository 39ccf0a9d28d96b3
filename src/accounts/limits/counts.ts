/** What was counted of each subscription, and where it is kept: by this thread alone, or in memory that threads share. */

import { RollingMinute } from './rolling-minute.ts';

export interface Count {
  readonly subscriptionId: string;
  readonly window: RollingMinute;
  /** Days since 1970; 0 before the first. It decreases only if it was a mistake of the wall clock. */
  day: number;
  used: number;
  /** What was used of other days: whichever of them the clock comes back to, it is not given twice. */
  readonly otherDays: OtherDays;
}

/** The last `MAX_OTHER_DAYS` that were set. */
export interface OtherDays {
  get(day: number): number | undefined;
  set(day: number, used: number): void;
  delete(day: number): void;
}

export interface RequestCounts {
  /** Between `take` and `release` nobody else changes the count. Both are called in the same turn of the event loop. */
  take(subscriptionId: string): Count;
  release(count: Count): void;
  /** Calls `work` for each count whose ring may be in use. */
  forEachInUse(work: (count: Count) => void): void;
}

/** Of this thread alone: nobody else can change them. */
export function createOwnCounts(): RequestCounts {
  const counts = new Map<string, Count>();
  const inUse = new Set<Count>();
  return {
    take(subscriptionId) {
      const known = counts.get(subscriptionId);
      if (known) return known;
      const count: Count = { subscriptionId, window: new RollingMinute(), day: 0, used: 0, otherDays: createOtherDays() };
      counts.set(subscriptionId, count);
      return count;
    },
    release(count) {
      if (count.window.count > 0) inUse.add(count);
    },
    forEachInUse(work) {
      for (const count of inUse) {
        work(count);
        if (count.window.isFree) inUse.delete(count);
      }
    },
  };
}

function createOtherDays(): OtherDays {
  const days = new Map<number, number>();
  return {
    get: (day) => days.get(day),
    set(day, used) {
      days.set(day, used);
      if (days.size > MAX_OTHER_DAYS) days.delete(days.keys().next().value ?? day);
    },
    delete: (day) => void days.delete(day),
  };
}

export const MAX_OTHER_DAYS = 8;
