/** Spares a follower of lists the looks that would find nothing. */

import type { Clock } from '../clock.ts';
import { openCommitCount } from './engine/commit-count.ts';

export interface CommitWatcher {
  /** True only when no list can have grown since the beginning of the look that last saw all. Costs next to nothing. */
  nothingNew(): boolean;
  /** Called before a look. What it gives is called when the look has seen all there was, and not when it failed. */
  begin(): () => void;
}

/**
 * `commits`: the memory in which the embedded engine counts; undefined for a server, whose commits nobody counts: there every look is
 * worth while. `monotonic`: milliseconds.
 */
export function createCommitWatcher(
  commits: SharedArrayBuffer | undefined,
  monotonic: Clock = () => performance.now(),
): CommitWatcher {
  if (!commits) return ALWAYS_LOOK;
  const count = openCommitCount(commits);
  let seen: number | undefined;
  let seenAt = Number.NEGATIVE_INFINITY;
  return {
    nothingNew: () => seen !== undefined && count.read() === seen && monotonic() - seenAt < LOOK_ANYWAY_MS,
    begin() {
      // Before the question: a commit while it travels is one more.
      const before = count.read();
      const at = monotonic();
      return () => {
        seen = before;
        seenAt = at;
      };
    },
  };
}

export const ALWAYS_LOOK: CommitWatcher = { nothingNew: () => false, begin: () => () => {} };
/** Whatever the count says: a look now and then proves it, and notices an engine that hangs. */
const LOOK_ANYWAY_MS = 30_000;
