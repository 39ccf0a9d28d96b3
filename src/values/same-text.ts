/** Compares what somebody gave with a secret. How long it takes says nothing of where the two differ. */

import { timingSafeEqual } from 'node:crypto';

export function isSameText(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
