/**
 * Keeps what is remembered of keys true, by the list of access changes: it must know as of when it has seen all, notice a store
 * that hangs, and may simply forget everything when the list was cut.
 */

import type { Kysely } from 'kysely';
import type { Clock } from '../../clock.ts';
import type { Log } from '../../log.ts';
import {
  type CommitWatcher,
  createDeadline,
  type Database,
  describeFailure,
  followList,
  isUnreachable,
  listEnd,
} from '../../store/index.ts';
import type { ExistingKeys } from './identify.ts';
import type { KnownKeys } from './known-keys.ts';

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
  commitWatcher: CommitWatcher;
  monotonic: Clock;
  log: Log;
  everyMs: number;
}

/** Begins at the end of the list and with all keys that exist; rejects with the store's error when these cannot be read. */
export async function followAccess({
  db,
  keys,
  existing,
  commitWatcher,
  monotonic,
  log,
  everyMs,
}: AccessFollowerOptions): Promise<AccessFollower> {
  const inTime = createDeadline(LOOK_PATIENCE);
  const after = await listEnd(db, 'access_change');
  // After the position: a key made in between is in both, never in neither.
  await existing.load();
  const follower = followList({
    db,
    list: 'access_change',
    after,
    // Old entries are deleted (docs/retention.md): a process that slept for so long has missed some.
    needsEvery: true,
    commitWatcher,
    monotonic,
    pollMs: everyMs,
    patience: LOOK_PATIENCE,
    async handler(changes, upTo) {
      await inTime(() => existing.add(changes.map(({ subscription_id }) => subscription_id)));
      keys.confirm(Number.NEGATIVE_INFINITY, upTo, changes);
    },
    async startOver() {
      // What the list's end was before it was cut says nothing of the keys that will be read from now on.
      const head = await inTime(() => listEnd(db, 'access_change'));
      await inTime(existing.load);
      keys.forgetAll();
      return head;
    },
    afterLook(moment, position) {
      // As of before the question: what is committed while the answer travels is seen by the next look.
      keys.confirm(moment, position, []);
      keys.setUnreachable(false);
      return everyMs;
    },
    onFailure(error, isFirst) {
      keys.setUnreachable(isUnreachable(error));
      if (isFirst) {
        log.warn({ error: describeFailure(error) }, 'database unreachable; checking keys against the last known state');
      }
    },
    onRecovery: () => log.info('database reachable again; following access changes'),
  });
  const { isCurrent, catchUp, close } = follower;
  return { isCurrent, catchUp, storeFailed: follower.reportFailure, close };
}

const LOOK_PATIENCE = { deadlineMs: 4_000, mostHanging: 3, poolWaitMs: 100 } as const;
