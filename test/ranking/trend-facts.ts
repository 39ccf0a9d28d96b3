/** Events with series, for trends. */

import { type TrendFacts, trendScores } from '../../src/ranking/index.ts';
import type { Signal } from '../../src/records/index.ts';

export const NOW = Date.parse('2026-06-16T20:00:00Z');
export const DAY = 86_400_000;

export function event(id: string, signals: Signal[] = [], scores: TrendFacts['scores'] = []): TrendFacts {
  return { id, category: 'concert', venueId: `venue of ${id}`, run: id, discoveryScore: 80, signals, scores };
}
/** One value a day, the last at `endsAt`. */
export const observed = (kind: Signal['kind'], values: readonly number[], endsAt = NOW): Signal[] =>
  values.map((value, index) => ({ kind, value, observedAt: endsAt - (values.length - 1 - index) * DAY }));
/** One a day, the last today. */
export const days = (...values: number[]): TrendFacts['scores'] =>
  values.map((score, index) => ({ day: new Date(NOW - (values.length - 1 - index) * DAY).toISOString().slice(0, 10), score }));
export const trendOf = (facts: TrendFacts): number => trendScores([facts], NOW).get(facts.id) ?? Number.NaN;
