/** When the next scheduled backup is to be made, and how late it is. */

import type { BackupState } from './backup-rows.ts';

/** A moment in milliseconds. A failed one is tried again after a minute, and then less and less often. */
export function nextBackupAt({ newestAt, failures, lastFailure }: BackupState, everyMs: number): number {
  const planned = newestAt === null ? Number.NEGATIVE_INFINITY : newestAt + everyMs;
  if (!lastFailure) return planned;
  const pause = Math.min(everyMs, MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, MAX_DOUBLINGS));
  return Math.max(planned, lastFailure.at + pause);
}

/** How many milliseconds a complete backup is overdue; 0: it is not. */
export function backupDelay({ newestAt, firstFailedAt }: BackupState, everyMs: number, now: number): number {
  const wantedAt = newestAt === null ? (firstFailedAt ?? now) : newestAt + everyMs;
  return Math.max(0, now - wantedAt);
}

const FIRST_PAUSE_MS = 60_000;
const MAX_PAUSE_MS = 3_600_000;
const MAX_DOUBLINGS = 10;
