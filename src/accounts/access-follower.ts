/**
 * Keeps what is remembered of keys true: reads the list of access changes to its end, again and again. Unlike other followers of
 * lists it must know as of when it has seen all, notice a store that hangs, and may simply forget everything when the list was cut.
 */

import type { Kysely } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { createDeadline, type Database, type ListRow, type Lookout, listHead, readList } from '../store/index.ts';
import type { KnownKeys } from './known-keys.ts';
import { describeError, isUnreachable } from './store-trouble.ts';

export interface AccessFollower {
  /** Takes note that the store did not answer somebody else either. */
  storeFailed(error: unknown): void;
  /** Resolves when no look is running or will come. */
  close(): Promise<void>;
}

export interface AccessFollowerOptions {
  db: Kysely<Database>;
  keys: KnownKeys;
  lookout: Lookout;
  monotonic: Clock;
  log: Log;
  everyMs: number;
}

/** Begins at the end of the list; rejects with the store's error when that cannot be read. */
export async function followAccess({
  db,
  keys,
  lookout,
  monotonic,
  log,
  everyMs,
}: AccessFollowerOptions): Promise<AccessFollower> {
  const inTime = createDeadline(LOOK_PATIENCE);
  let position = await listHead(db, 'access_change');
  let failing = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();

  async function look(): Promise<void> {
    // As of before the question: what is committed while the answer travels is seen by the next look.
    const moment = monotonic();
    const sawAll = lookout.begin();
    const from = position;
    const head = await listHead(db, 'access_change');
    const changes: ListRow<'access_change'>[] = [];
    while ((changes.at(-1)?.seq ?? from) < head) {
      const rows = await readList(db, 'access_change', changes.at(-1)?.seq ?? from, ROWS_AT_ONCE);
      if (rows.length === 0) break;
      changes.push(...rows);
    }
    if (closed) return;
    const last = changes.at(-1)?.seq ?? from;
    const wasCut = head < from || last < head;
    // What the list's end was before it was cut says nothing of the keys that will be read from now on.
    const newHead = wasCut ? await listHead(db, 'access_change') : head;
    if (closed) return;
    if (wasCut) keys.forgetAll();
    // A look given up for lateness may end after a later one: it must not take the position back.
    position = wasCut ? newHead : Math.max(position, last);
    keys.confirm(moment, position, changes);
    sawAll();
  }

  async function lookAndNote(): Promise<void> {
    try {
      await inTime(look);
      keys.setUnreachable(false);
      if (failing) log.info('the store answers again: changes of access are followed');
      failing = false;
    } catch (error) {
      storeFailed(error);
    }
    waitForNext();
  }

  function lookNext(): void {
    if (failing || !lookout.nothingNew()) {
      looking = lookAndNote();
      return;
    }
    keys.confirm(monotonic(), position, []);
    waitForNext();
  }

  function waitForNext(): void {
    if (!closed) timer = setTimeout(lookNext, everyMs).unref();
  }

  function storeFailed(error: unknown): void {
    keys.setUnreachable(isUnreachable(error));
    if (!failing) log.warn({ error: describeError(error) }, 'the store does not answer: keys are judged by what is remembered');
    failing = true;
  }

  lookNext();
  return {
    storeFailed,
    async close() {
      closed = true;
      clearTimeout(timer);
      await looking;
    },
  };
}

const LOOK_PATIENCE = { deadlineMs: 4_000, mostHanging: 3 } as const;
const ROWS_AT_ONCE = 1_000;
