/** Following a numbered list: every entry once, in order, for as long as the process lives, whatever the database does. */

import type { Kysely } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { isWhole, type ListName, type ListRow, listHead, prunedUpTo, readList } from './lists.ts';
import { ALWAYS_LOOK, type Lookout } from './lookout.ts';
import type { Database } from './schema.ts';
import { StoreError } from './store-error.ts';

export interface FollowOptions<L extends ListName> {
  db: Kysely<Database>;
  list: L;
  /** The last number the caller has already seen; 0 for all. */
  after: number;
  /**
   * Called with the next entries, never empty, one call at a time. An entry counts as seen when the call has ended well; when it
   * throws, the same entries are offered again.
   */
  handler: (rows: ListRow<L>[]) => Promise<void> | void;
  /** Says when a poll would find nothing; without it every poll asks. */
  lookout?: Lookout;
  log?: Log | undefined;
  pollMs?: number;
  batchSize?: number;
  now?: Clock;
}

export interface FollowStatus {
  /** The number of the last entry seen. */
  position: number;
  /** How many entries of the list, as of the last look, are not seen yet. */
  lag: number;
  /** When everything there was had been seen, in milliseconds of `now`; undefined before the first time. */
  lastSuccessAt: number | undefined;
  /** Why the last look failed; undefined when it did not. A `StoreError` with code `list_broken`: the caller must start afresh. */
  error: Error | undefined;
}

export interface Follower {
  status(): FollowStatus;
  /** Resolves when a look that began after this call has seen all there was; rejects when it failed or the follower is closed. */
  catchUp(): Promise<void>;
  /** Resolves when no call of the handler is running or will come. */
  close(): Promise<void>;
}

/** Starts at once. Failures are reported in the status and logged when they begin, and tried again at every poll. */
export function followList<L extends ListName>(options: FollowOptions<L>): Follower {
  const { db, list, handler, lookout = ALWAYS_LOOK, log, pollMs = POLL_MS, batchSize = BATCH_SIZE, now = Date.now } = options;
  let position = options.after;
  let head = position;
  let lastSuccessAt: number | undefined;
  let failure: Error | undefined;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  async function look(): Promise<void> {
    const sawAll = lookout.begin();
    head = await listHead(db, list);
    if (head < position) throw new StoreError('list_broken', { list, position: String(position) });
    while (position < head) {
      if (closed) return;
      const rows = await readList(db, list, position, batchSize);
      const last = rows.length < batchSize ? Math.max(head, rows.at(-1)?.seq ?? 0) : (rows.at(-1)?.seq ?? head);
      // Fewer rows than numbers: old entries were deleted, or the list was cut and what is missing will not come any more.
      if (!isWhole(rows, { after: position, upTo: last, pruned: await prunedUpTo(db, list) }))
        throw new StoreError('list_broken', { list, position: String(position) });
      if (closed) return;
      if (rows.length > 0) await handler(rows);
      position = last;
      head = Math.max(head, position);
    }
    sawAll();
    lastSuccessAt = now();
  }

  /** Looks once more, after the look that is under way. */
  function lookNext(): Promise<void> {
    clearTimeout(timer);
    const next = running.then(async () => {
      if (closed) throw new StoreError('store_closed');
      try {
        await look();
        if (failure) log?.info({ list, position }, 'following the list again');
        failure = undefined;
      } catch (error) {
        if (!failure && !closed) log?.error({ list, position, reason: (error as Error).message }, 'the list cannot be followed');
        failure = error as Error;
        throw error;
      } finally {
        clearTimeout(timer);
        if (!closed) timer = setTimeout(poll, pollMs);
      }
    });
    running = next.catch(() => {});
    return next;
  }

  function poll(): void {
    if (failure || !lookout.nothingNew()) return void lookNext().catch(() => {});
    lastSuccessAt = now();
    timer = setTimeout(poll, pollMs);
  }

  poll();
  return {
    status: () => ({ position, lag: Math.max(0, head - position), lastSuccessAt, error: failure }),
    catchUp: lookNext,
    async close() {
      closed = true;
      clearTimeout(timer);
      await running;
    },
  };
}

const POLL_MS = 250;
const BATCH_SIZE = 1000;
