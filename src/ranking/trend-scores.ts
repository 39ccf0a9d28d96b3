/** `trendScores`: which events are on the rise this week. Pure; the formula is explained in docs/scoring.md. */

import type { TrendFacts } from './model.ts';
import { BASELINE_DAYS, type Momentum, momentumOf, NEW_DAYS, WINDOW_DAYS } from './momentum.ts';
import { createPeers, MIN_PEERS, type Peers, readTrend, TREND_WEIGHTS } from './trend-signals.ts';

/**
 * The trend of each event at `now` (milliseconds since 1970 UTC), by id: 0 for none, below 100, two decimals. Does not depend on the
 * order of the events.
 */
export function trendScores(facts: readonly TrendFacts[], now: number): Map<string, number> {
  const momenta = facts.map((event) => momentumOf(event, now));
  const peers = createPeers();
  for (const momentum of momenta) peers.add(momentum);
  return settleTrends(momenta, peers.read());
}

export interface Rival extends Momentum, Pick<TrendFacts, 'id' | 'venueId' | 'run'> {}

/** The trends of events whose momentum is known, by id. Of each venue all events that have one must be among them: see `outdone`. */
export function settleTrends(momenta: readonly Rival[], peers: Peers): Map<string, number> {
  const trends = new Map(momenta.map((momentum) => [momentum.id, trendOf(momentum, peers)]));
  for (const rivals of Map.groupBy(momenta, ({ venueId }) => venueId).values()) {
    for (const id of outdone(rivals.map((rival) => ({ ...rival, trend: trends.get(rival.id) ?? 0 })))) trends.set(id, 0);
  }
  return trends;
}

/** What the momentum of an event is worth before those of its venue are looked at: 0 for none, below 100, two decimals. */
export function trendOf(momentum: Momentum, peers: Peers): number {
  const points = readTrend(momentum, peers).reduce((sum, signal) => sum + signal.points, 0);
  return Math.round(points * 100) / 100;
}

/** The ids that lose their trend to others of their venue: only its best `TREND_RULES.perVenue` keep one, and of one run only the best. */
export function outdone(rivals: readonly { id: string; run: string; trend: number }[]): string[] {
  const ranked = rivals.filter(({ trend }) => trend > 0).sort((a, b) => b.trend - a.trend || (a.id < b.id ? -1 : 1));
  const runs = new Set<string>();
  return ranked.flatMap(({ id, run }) => {
    if (runs.has(run) || runs.size >= TREND_RULES.perVenue) return [id];
    runs.add(run);
    return [];
  });
}

/** Listed in docs/scoring.md. */
export const TREND_RULES = {
  weights: TREND_WEIGHTS,
  windowDays: WINDOW_DAYS,
  baselineDays: BASELINE_DAYS,
  newDays: NEW_DAYS,
  leastPeers: MIN_PEERS,
  perVenue: 3,
} as const;
