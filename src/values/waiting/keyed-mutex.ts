/** One at a time for each key. */

import { createSemaphore, type Semaphore } from './semaphore.ts';

/** Runs one piece of work at a time for each key, in the order in which it came. Other keys do not wait. */
export function createKeyedMutex(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const lines = new Map<string, { inTurn: Semaphore; length: number }>();
  return async (key, work) => {
    const line = lines.get(key) ?? { inTurn: createSemaphore({ atOnce: 1, waiting: Number.POSITIVE_INFINITY }), length: 0 };
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
