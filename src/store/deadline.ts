/**
 * Waiting for a database that may hang: such a database counts as one that is down. A network can go silent without closing its
 * connections, so the pool destroys the connection of a query that was given up, and the idle ones beside it.
 */

import { AsyncLocalStorage } from 'node:async_hooks';

export interface Patience {
  deadlineMs: number;
  /** Given up but still unanswered at one moment; with so many, further work is refused at once. */
  mostHanging: number;
}

/**
 * Runs work; rejects with a `DeadlineError` when it takes too long or too much of it hangs already. On a server its connections are
 * destroyed then. On the embedded engine, which has no network and may be busy with a long statement, work given up runs on.
 */
export function createDeadline({ deadlineMs, mostHanging }: Patience): <T>(work: () => Promise<T>) => Promise<T> {
  let hanging = 0;

  return async (work) => {
    if (hanging >= mostHanging) throw new DeadlineError('the store hangs');
    let late = false;
    const end = performance.now() + deadlineMs;
    const working = timeLeft
      .run(() => end - performance.now(), work)
      .finally(() => {
        if (late) hanging -= 1;
      });
    const deadline = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      late = true;
      hanging += 1;
      deadline.reject(new DeadlineError(`no answer within ${deadlineMs} ms`));
    }, deadlineMs);
    try {
      return await Promise.race([working, deadline.promise]);
    } finally {
      clearTimeout(timer);
    }
  };
}

/** On a server each query in `work` may take so long; one that takes longer rejects, and its connection is destroyed. */
export const limitQueries = <T>(queryMs: number, work: () => Promise<T>): Promise<T> => timeLeft.run(() => queryMs, work);

/** How many milliseconds a query that begins now may take; undefined: as long as the pool lets it. */
export const queryTimeLeft = (): number | undefined => timeLeft.getStore()?.();

const timeLeft = new AsyncLocalStorage<() => number>();

class DeadlineError extends Error {
  readonly code = 'deadline';
}
