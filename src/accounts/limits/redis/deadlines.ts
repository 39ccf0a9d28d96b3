/** Ends the waiting for Redis. */

import { RedisFault } from './redis-fault.ts';

/**
 * For promises that may take too long. The time of a deadline passes in five parts, and between two of them what has arrived is read:
 * however long this process itself stands still, that is one part, so its own standstill is never taken for one of Redis.
 */
export function createDeadlines() {
  const queues = new Map<number, Waiting[]>();

  /** One timer watches all that wait equally long. */
  function watch(queue: Waiting[], ms: number): void {
    setTimeout(() => {
      setImmediate(() => {
        passPart(queue);
        if (queue[0]) watch(queue, ms);
      });
    }, ms / PARTS).unref();
  }

  return <T>(work: Promise<T>, ms: number, late?: (value: T) => void): Promise<T> =>
    new Promise((resolve, reject) => {
      const queue = queues.get(ms) ?? [];
      queues.set(ms, queue);
      const waiting: Waiting = { partsLeft: PARTS, isOver: false, reject };
      queue.push(waiting);
      if (queue.length === 1) watch(queue, ms);
      work.then(
        (value) => {
          if (waiting.isOver) return late?.(value);
          waiting.isOver = true;
          resolve(value);
        },
        (error: unknown) => {
          waiting.isOver = true;
          reject(error as Error);
        },
      );
    });
}

interface Waiting {
  partsLeft: number;
  isOver: boolean;
  reject(error: RedisFault): void;
}

/** They end in the order in which they began, so those that are over stand in front. */
function passPart(queue: Waiting[]): void {
  for (const waiting of queue) waiting.partsLeft -= 1;
  while (queue[0] && (queue[0].isOver || queue[0].partsLeft <= 0)) {
    const waiting = queue.shift();
    if (!waiting || waiting.isOver) continue;
    waiting.isOver = true;
    waiting.reject(new RedisFault('deadline'));
  }
}

const PARTS = 5;
