/**
 * Keeps what is remembered of keys true: reads the list of access changes to its end, again and again. Unlike other followers of
 * lists it must know as of when it has seen all, notice a store that hangs, and may simply forget everything when the list was cut.
 */

import type { Kysely } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import {
  createDeadline,
  type Database,
  type ListRow,
  type Lookout,
  listHead,
  prunedUpTo,
  readList,
  StoreError,
} from '../store/index.ts';
import type { ExistingKeys } from './existing-keys.ts';
import type { KnownKeys } from './known-keys.ts';
import { describeError, isUnreachable } from './store-trouble.ts';

export interface AccessFollower {
  /** Whether nothing can have changed since the list was last read to its end. Costs nothing. */
  isCurrent(): boolean;
  /** Resolves when a look that began after this call has seen all changes; rejects with the store's error. Callers share looks. */
  catchUp(): Promise<void>;
  /** Takes note that the store did not answer somebody else either. */
  storeFailed(error: unknown): void;
  /** Resolves when no look is running or will come. */
  close(): Promise<void>;
}

export interface AccessFollowerOptions {
  db: Kysely<Database>;
  keys: KnownKeys;
  existing: ExistingKeys;
  lookout: Lookout;
  monotonic: Clock;
  log: Log;
  everyMs: number;
}

/** Begins at the end of the list and with all keys that exist; rejects with the store's error when these cannot be read. */
export async function followAccess({
  db,
  keys,
  existing,
  lookout,
  monotonic,
  log,
  everyMs,
}: AccessFollowerOptions): Promise<AccessFollower> {
  const inTime = createDeadline(LOOK_PATIENCE);
  let position = await listHead(db, 'access_change');
  // After the position: a key made in between is in both, never in neither.
  await existing.load();
  let failing = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<unknown> = Promise.resolve();
  /** A look that others asked for and that has not begun. */
  let asked: Promise<void> | null = null;

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
    // Old entries are deleted (docs/retention.md): a process that slept for so long has missed some.
    const wasCut = head < from || last < head || (from < head && from < (await prunedUpTo(db, 'access_change')));
    // What the list's end was before it was cut says nothing of the keys that will be read from now on.
    const newHead = wasCut ? await listHead(db, 'access_change') : head;
    if (wasCut) await existing.load();
    else if (changes.length > 0) await existing.add(changes.map(({ subscription_id }) => subscription_id));
    if (closed) return;
    if (wasCut) keys.forgetAll();
    // A look given up for lateness may end after a later one: it must not take the position back.
    position = wasCut ? newHead : Math.max(position, last);
    keys.confirm(moment, position, changes);
    sawAll();
  }

  /** Never rejects: gives the failure, if there was one. */
  async function lookAndNote(): Promise<{ error: unknown } | null> {
    let failure: { error: unknown } | null = null;
    try {
      await inTime(look);
      keys.setUnreachable(false);
      if (failing) log.info('the store answers again: changes of access are followed');
      failing = false;
    } catch (error) {
      failure = { error };
      storeFailed(error);
    }
    waitForNext();
    return failure;
  }

  async function lookForOthers(): Promise<void> {
    await looking;
    asked = null;
    if (closed) throw new StoreError('store_closed');
    clearTimeout(timer);
    const look = lookAndNote();
    looking = look;
    const failure = await look;
    if (failure) throw failure.error;
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
    clearTimeout(timer);
    if (!closed) timer = setTimeout(lookNext, everyMs).unref();
  }

  function storeFailed(error: unknown): void {
    keys.setUnreachable(isUnreachable(error));
    if (!failing) log.warn({ error: describeError(error) }, 'the store does not answer: keys are judged by what is remembered');
    failing = true;
  }

  lookNext();
  return {
    isCurrent: () => !failing && lookout.nothingNew(),
    catchUp() {
      asked ??= lookForOthers();
      return asked;
    },
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
