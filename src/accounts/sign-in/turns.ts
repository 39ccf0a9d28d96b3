/** Few at a time, the others in the order they came. */

import { setTimeout as delay } from 'node:timers/promises';

export interface TurnsOptions {
  atOnce: number;
  /** Waiting, at most; beyond, a `BusyError`. */
  waiting: number;
  /** Who waited longer gets a `BusyError` too, when the turn comes: nobody is there any more to read the answer. */
  patienceMs?: number;
}

/** Runs `work` when its turn comes. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>;

export class BusyError extends Error {
  readonly code = 'busy';
}

export function createTurns({ atOnce, waiting, patienceMs = Number.POSITIVE_INFINITY }: TurnsOptions): Turns {
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

/** Of those with the same key one at a time, in the order they came; others do not wait for them. */
export function createLines(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const lines = new Map<string, { inTurn: Turns; length: number }>();
  return async (key, work) => {
    const line = lines.get(key) ?? { inTurn: createTurns({ atOnce: 1, waiting: Number.POSITIVE_INFINITY }), length: 0 };
    lines.set(key, line);
    line.length += 1;
    try {
      return await line.inTurn(work);
    } finally {
      line.length -= 1;
      if (line.length === 0) lines.delete(key);
    }
  };
}

const REFUSED_EVERY_MS = 25;
