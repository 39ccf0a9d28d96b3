/**
 * Waiting for a database that may hang: such a database counts as one that is down. A network can go silent without closing its
 * connections, so the pool destroys the connection of a query that was given up, and the idle ones beside it.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import { DAY_MS } from '../values/duration.ts';

export interface Patience {
  deadlineMs: number;
  /** Given up but still unanswered at one moment; with so many, further work is refused at once. */
  mostHanging: number;
  /** On a server: so long work waits for a connection while all are in use and none of them hears anything. */
  poolWaitMs?: number;
}

/**
 * Runs work; rejects with a `DeadlineError` when it takes too long or too much of it hangs already. On a server its connections are
 * destroyed then. On the embedded engine, which has no network and may be busy with a long statement, work given up runs on.
 */
export function createDeadline({ deadlineMs, mostHanging, poolWaitMs }: Patience): <T>(work: () => Promise<T>) => Promise<T> {
  let hanging = 0;

  return async (work) => {
    if (hanging >= mostHanging) throw new DeadlineError('the database does not respond');
    let late = false;
    const end = performance.now() + deadlineMs;
    const working = limits.run({ timeLeft: () => end - performance.now(), poolWaitMs }, work).finally(() => {
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
export const limitQueries = <T>(queryMs: number, work: () => Promise<T>): Promise<T> =>
  limits.run({ timeLeft: () => queryMs, poolWaitMs: undefined }, work);

/**
 * Each wait of `work` for a connection and for an answer goes through `inTime`, which may reject before it is over. A statement that
 * was given up runs on. Its connection goes back to the pool when the statement has ended, without an open transaction.
 */
export const limitWaits = <T>(inTime: InTime, work: () => Promise<T>): Promise<T> => waits.run(inTime, work);

/** Settles as `work` does, or rejects earlier. `isQueued`: the work waits in a queue, so answers to others are a sign of the database, too. */
export type InTime = <T>(work: Promise<T>, isQueued: boolean) => Promise<T>;

/** On either engine queries in `work` may take hours: for work that makes a whole database anew. */
export const allowLongQueries = <T>(work: () => Promise<T>): Promise<T> => patience.run(LONG_QUERY_MS, work);

/** How long a query that begins now is waited for; undefined: as the pool has it. */
export const longQueryMs = (): number | undefined => patience.getStore();

/** How many milliseconds a query that begins now may take; undefined: as long as the pool lets it. */
export const queryTimeLeft = (): number | undefined => limits.getStore()?.timeLeft();

/** How long work may wait for a connection while all of them are silent; undefined: as long as for a new one. */
export const poolWait = (): number | undefined => limits.getStore()?.poolWaitMs;

/** What waits go through that begin now; undefined: they are not limited. */
export const waitLimit = (): InTime | undefined => waits.getStore();

const waits = new AsyncLocalStorage<InTime>();
const patience = new AsyncLocalStorage<number>();
const LONG_QUERY_MS = DAY_MS;
const limits = new AsyncLocalStorage<{ timeLeft(): number; poolWaitMs: number | undefined }>();

class DeadlineError extends Error {
  readonly code = 'deadline';
}
