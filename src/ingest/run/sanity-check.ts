/** Answers that look like a broken source: they are put on hold until an operator decides, and the last good state stays. */

import type { Diff } from './diff.ts';

/** The reason to hold a run, in one sentence; null when nothing speaks against it. */
export function reasonToHold({ missing, moved, events, created, unchanged, upcomingBefore }: Diff): string | null {
  const isSilent = upcomingBefore > 0 && missing.length === upcomingBefore;
  if (isSilent || (upcomingBefore >= MIN_TO_JUDGE && missing.length > upcomingBefore * MAX_LOST)) {
    return `${missing.length} of its ${upcomingBefore} upcoming events are missing, more than ${MAX_LOST * 100}%`;
  }
  const met = events.length - created + unchanged;
  if (met >= MIN_TO_JUDGE && moved > met * MAX_MOVED) {
    return `${moved} of its ${met} known events moved to another time, more than ${MAX_MOVED * 100}%`;
  }
  return null;
}

/** Shares of a source's events: a feed that breaks loses or shifts most of them at once. */
const MAX_LOST = 0.3;
const MAX_MOVED = 0.5;
/** Of fewer a share says nothing. */
const MIN_TO_JUDGE = 5;
