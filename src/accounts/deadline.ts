/** Waiting for a store that may hang: a hanging one counts as one that is down, and must not be given all connections to hold. */

export interface Patience {
  deadlineMs: number;
  /** Given up but still unanswered at one moment; with so many, further work is refused at once. */
  mostHanging: number;
}

/** Runs work; rejects with a `DeadlineError` when it takes too long or too much of it hangs already. Work given up runs on. */
export function createDeadline({ deadlineMs, mostHanging }: Patience): <T>(work: () => Promise<T>) => Promise<T> {
  let hanging = 0;

  return async (work) => {
    if (hanging >= mostHanging) throw new DeadlineError('the store hangs');
    let late = false;
    const working = work().finally(() => {
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

class DeadlineError extends Error {
  readonly code = 'deadline';
}
