/** Answers that look like a broken source: they are put on hold until an operator decides, and the last good state stays. */

import type { Diff } from './diff.ts';

/** The reason to hold a run, in one sentence; null when nothing speaks against it. */
export function reasonToHold({ missing, moved, events, created, unchanged, upcomingBefore }: Diff): string | null {
  const isSilent = upcomingBefore > 0 && missing.length === upcomingBefore;
  if (isSilent || (upcomingBefore >= FEWEST_TO_JUDGE && missing.length > upcomingBefore * MOST_LOST)) {
    return `${missing.length} of its ${upcomingBefore} upcoming events are missing, more than ${MOST_LOST * 100}%`;
  }
  const met = events.length - created + unchanged;
  if (met >= FEWEST_TO_JUDGE && moved > met * MOST_MOVED) {
    return `${moved} of its ${met} known events moved to another time, more than ${MOST_MOVED * 100}%`;
  }
  return null;
}

/** Shares of a source's events: a feed that breaks loses or shifts most of them at once. */
const MOST_LOST = 0.3;
const MOST_MOVED = 0.5;
/** Of fewer a share says nothing. */
const FEWEST_TO_JUDGE = 5;
