/** When an export is tried again whose storage does not answer. */

import { DAY_MS } from '../../values/duration.ts';

/** `tries`: with the one that has just failed. Null: it was tried for long enough. All times in milliseconds. */
export function nextTry({ tries, awaySince, now }: { tries: number; awaySince: number; now: number }): number | null {
  if (now - awaySince >= TRIED_FOR_MS) return null;
  return now + Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), MAX_WAIT_MS);
}

export const STORAGE_AWAY_FOR_GOOD = 'The file storage did not answer for 24 hours.';
const FIRST_WAIT_MS = 60_000;
export const MAX_WAIT_MS = 15 * FIRST_WAIT_MS;
const TRIED_FOR_MS = DAY_MS;
