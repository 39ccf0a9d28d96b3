/** Ends the waiting for Redis. */

import { RedisFault } from './redis-fault.ts';

/** For promises that may take too long. Those that wait equally long end in their order, so one timer watches them. */
export function createDeadlines() {
  const queues = new Map<number, Waiting[]>();

  function watch(queue: Waiting[], ms: number): void {
    setTimeout(
      () => {
        // Answers that have arrived while this process was busy are read first.
        setImmediate(() => {
          endLate(queue);
          if (queue[0]) watch(queue, ms);
        });
      },
      Math.max(1, Math.ceil((queue[0]?.until ?? 0) - performance.now())),
    ).unref();
  }

  return <T>(work: Promise<T>, ms: number, late?: (value: T) => void): Promise<T> =>
    new Promise((resolve, reject) => {
      const queue = queues.get(ms) ?? [];
      queues.set(ms, queue);
      const waiting: Waiting = { until: performance.now() + ms, isOver: false, reject };
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
  until: number;
  isOver: boolean;
  reject(error: RedisFault): void;
}

function endLate(queue: Waiting[]): void {
  while (queue[0] && (queue[0].isOver || queue[0].until <= performance.now())) {
    const waiting = queue.shift();
    if (!waiting || waiting.isOver) continue;
    waiting.isOver = true;
    waiting.reject(new RedisFault('deadline'));
  }
}
