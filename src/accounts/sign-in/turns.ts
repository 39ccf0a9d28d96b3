/** Few at a time, the others in the order they came. */

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
      if (performance.now() - asked > patienceMs) throw new BusyError('waited too long');
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
