/** Rejected lines: counted all, told all, kept up to a limit. */

import type { Reject } from './drafts.ts';

export interface Rejects {
  /** At most `MAX_KEPT_REJECTS`. */
  readonly kept: Reject[];
  readonly count: number;
  add(reject: Reject): void;
}

export function collectRejects(onReject: ((reject: Reject) => void) | undefined): Rejects {
  const kept: Reject[] = [];
  let count = 0;
  return {
    kept,
    get count() {
      return count;
    },
    add(reject) {
      count++;
      if (kept.length < MAX_KEPT_REJECTS) kept.push(reject);
      onReject?.(reject);
    },
  };
}

/** About 30 MB of reasons. */
const MAX_KEPT_REJECTS = 100_000;
