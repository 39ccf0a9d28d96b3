/** Why nothing trends, for those who would see an empty list without a word. */

import type { Snapshot } from './query.ts';

/** By code, one sentence for people. */
export const TRENDING_REASONS = {
  no_events: 'no listed event is still to come',
  no_signals: 'scores, tickets, mentions or views of several days are needed; a directory that was just loaded has none',
} as const;
export type TrendingReason = keyof typeof TRENDING_REASONS;

/** Null while something trends. `now`: directory clock, milliseconds. */
export function whyNothingTrends(snapshot: Pick<Snapshot, 'trending' | 'events'>, now: number): TrendingReason | null {
  if (snapshot.trending('events', 1, now).events.length > 0) return null;
  const { total } = snapshot.events({ from: now, to: Number.POSITIVE_INFINITY, limit: 1, offset: 0 });
  return total > 0 ? 'no_signals' : 'no_events';
}
