/** Following a numbered list: every entry once, in order, for as long as the process lives, whatever the database does. */

import type { Clock } from '../clock.ts';
import { ALWAYS_LOOK, type CommitWatcher } from './commit-watcher.ts';
import { createListReader, type ListReader, type ListReaderOptions } from './list-reader.ts';
import type { ListName, ListPosition } from './lists.ts';
import { StoreError } from './store-error.ts';

export interface FollowOptions<L extends ListName> extends ListReaderOptions<L> {
  /**
   * Called when the list cannot be followed from here: it was cut, or the database was restored to an earlier time. Gives where to go on
   * from, as `after` does. Without it the follower stays where it is, with the error `list_broken`.
   */
  startOver?(why: Break): Promise<number | ListPosition>;
  /**
   * Called after each look that has seen all, also one that was spared; `moment` is when it began, by `monotonic`. Gives the rest
   * before the next look in milliseconds. A rejection counts as a look that failed.
   */
  afterLook?(moment: number, position: number): Promise<number> | number;
  /** A look failed; the first one since one went well, or another. */
  onFailure?(error: Error, isFirst: boolean): void;
  /** A look went well again. */
  onRecovery?(): void;
  /** Says when a look would find nothing; without it every one asks. */
  commitWatcher?: CommitWatcher;
  pollMs?: number;
  now?: Clock;
  monotonic?: Clock;
}

export interface Break {
  /** Numbers went back, or entries are missing or are other ones, and nobody has begun another history for it yet. */
  isLoss: boolean;
  /** Of the numbers that the follower has seen. */
  history: string;
}

export interface FollowStatus {
  /** The number of the last entry seen. */
  position: number;
  /** How many entries of the list, as of the last look, are not seen yet. */
  lag: number;
  /** When everything there was had been seen, in milliseconds of `now`; undefined before the first time. */
  lastSuccessAt: number | undefined;
  /** Why the last look failed; undefined when it did not. */
  error: Error | undefined;
}

export interface Follower {
  status(): FollowStatus;
  /** Resolves when a look that began after this call has seen all there was; rejects when it failed or the follower is closed. */
  catchUp(): Promise<void>;
  /** Whether nothing can have been added since the last look that saw all. Costs next to nothing. */
  isCurrent(): boolean;
  /** Takes note that the database did not answer somebody else: the next look asks. */
  reportFailure(error: unknown): void;
  /** Resolves when no call of the handler is running or will come. */
  close(): Promise<void>;
}

/** Starts at once. Failures are reported, and tried again at least every second. */
export function followList<L extends ListName>(options: FollowOptions<L>): Follower {
  const { commitWatcher = ALWAYS_LOOK, pollMs = POLL_MS, now = Date.now, monotonic = () => performance.now() } = options;
  const reader = createListReader(options);
  let lastSuccessAt: number | undefined;
  let failure: Error | undefined;
  let failures = 0;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  /** A turn that callers of `catchUp` wait for and that has not begun: they share it. */
  let asked: Promise<void> | undefined;

  /** Never rejects; gives the rest before the next turn, too. */
  async function turn(mustAsk: boolean): Promise<{ restMs: number; error?: Error }> {
    const begun = performance.now();
    try {
      const moment = monotonic();
      if (mustAsk || failure || !commitWatcher.nothingNew()) await look(options, reader, () => closed);
      if (closed) throw new StoreError('store_closed');
      lastSuccessAt = now();
      const restMs = await options.afterLook?.(moment, reader.position());
      if (failure) options.onRecovery?.();
      failure = undefined;
      failures = 0;
      return { restMs: restMs ?? pollMs };
    } catch (error) {
      failures += 1;
      // From the beginning of the turn: one that has waited for an answer need not wait once more.
      const restMs = Math.min(MAX_REST_MS, pollMs * 2 ** failures) - (performance.now() - begun);
      return { restMs: Math.max(pollMs, restMs), error: closed ? asError(error) : reportFailure(error) };
    }
  }

  /** One more turn after the one that runs. */
  function takeTurn(mustAsk: boolean): Promise<void> {
    clearTimeout(timer);
    const next = running.then(async () => {
      if (mustAsk) asked = undefined;
      if (closed) throw new StoreError('store_closed');
      const { restMs, error } = await turn(mustAsk);
      clearTimeout(timer);
      if (!closed) timer = setTimeout(poll, restMs).unref();
      if (error) throw error;
    });
    running = next.catch(() => {});
    return next;
  }

  function poll(): void {
    takeTurn(false).catch(() => {});
  }

  function reportFailure(error: unknown): Error {
    const isFirst = !failure;
    failure = asError(error);
    options.onFailure?.(failure, isFirst);
    return failure;
  }

  poll();
  return {
    status: () => ({ position: reader.position(), lag: reader.lag(), lastSuccessAt, error: failure }),
    catchUp() {
      asked ??= takeTurn(true);
      return asked;
    },
    isCurrent: () => !failure && commitWatcher.nothingNew(),
    reportFailure: (error) => void reportFailure(error),
    async close() {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** Takes all that there is. */
async function look<L extends ListName>(
  { list, startOver, commitWatcher = ALWAYS_LOOK }: FollowOptions<L>,
  reader: ListReader,
  isClosed: () => boolean,
): Promise<void> {
  const sawAll = commitWatcher.begin();
  while (!isClosed()) {
    const step = await reader.step(isClosed);
    if (step.kind === 'end') return sawAll();
    if (step.kind === 'more') continue;
    if (!startOver) throw new StoreError('list_broken', { list, position: String(reader.position()) });
    reader.moveTo(await startOver({ isLoss: step.kind === 'lost', history: reader.history() }));
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

const POLL_MS = 250;
/** So that what changed during an outage is seen within 2 s of its end. */
const MAX_REST_MS = 1_000;
