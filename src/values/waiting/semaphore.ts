/** Limits how much work runs at once. The rest waits, in the order in which it came. */

import { setTimeout as delay } from 'node:timers/promises';

export interface SemaphoreOptions {
  atOnce: number;
  /** How many may wait. Whoever comes when so many wait gets a `BusyError`. */
  waiting: number;
  /** Who waited longer gets a `BusyError` too, when the turn comes: nobody is there any more to read the answer. */
  patienceMs?: number;
}

/** Runs `work` when its turn comes. */
export type Semaphore = <T>(work: () => Promise<T>) => Promise<T>;

export class BusyError extends Error {
  readonly code = 'busy';
}

export function createSemaphore({ atOnce, waiting, patienceMs = Number.POSITIVE_INFINITY }: SemaphoreOptions): Semaphore {
  const queue: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    const asked = performance.now();
    if (running >= atOnce) {
      if (queue.length >= waiting) throw new BusyError('too many wait');
      const { promise, resolve } = Promise.withResolvers<void>();
      queue.push(resolve);
      await promise;
    } else {
      running += 1;
    }
    try {
      if (performance.now() - asked > patienceMs) {
        // Those behind are late too: refused all at once, their pages would be made in one go.
        await delay(REFUSED_EVERY_MS);
        throw new BusyError('waited too long');
      }
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

const REFUSED_EVERY_MS = 25;
