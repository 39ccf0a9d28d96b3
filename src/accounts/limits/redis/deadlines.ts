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

  return <T>(work: Promise<T>, ms: number): Promise<T> =>
    new Promise((resolve, reject) => {
      const queue = queues.get(ms) ?? [];
      queues.set(ms, queue);
      const waiting: Waiting = { partsLeft: PARTS, isOver: false, reject };
      queue.push(waiting);
      if (queue.length === 1) watch(queue, ms);
      work.then(
        (value) => {
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

/**
 * A late answer is no loss of Redis: of a burst of requests, the last ones wait there for the others, and each that was decided without it
 * would be decided too strictly. So now and then late answers are waited for. A Redis that is late again soon is slow.
 *
 * Gives whether an answer that is late now is waited for, `patienceMs` more at most.
 */
export function createPatience(patienceMs: number): () => boolean {
  let begunAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (now - begunAt > CALM_MS + patienceMs) begunAt = now;
    return now - begunAt <= patienceMs;
  };
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
/** So long after it, Redis must answer in time. */
const CALM_MS = 5_000;
