import { describe, expect, it } from 'vitest';
import { isNyc, NYC_FACTS, type Row } from '../../quality/nyc-facts.ts';
import { rankDay } from '../../quality/ranked-day.ts';
import { replayTrending, TRENDING_DAYS } from '../../quality/trending.ts';
import { TREND_RULES } from '../../src/ranking/index.ts';

/** One borough is enough, and quick. */
const isInQueens = (row: Row) => isNyc(row) && row.borough === 'Queens';

describe.skipIf(NYC_FACTS.missing)('New York as published', () => {
  it('shows the next night of each show before the later ones, and no lottery', () => {
    const events = rankDay(NYC_FACTS.main, Date.parse('2026-06-16T16:00:00-04:00'), isInQueens);
    const top = events.slice(0, 50);
    expect(top).toHaveLength(50);
    expect(top.filter(({ showing }) => showing > 1)).toEqual([]);
    expect(events.filter(({ showing }) => showing > 1).length).toBeGreaterThan(100);
    expect(top.filter(({ title }) => /lottery|premium seating/i.test(title))).toEqual([]);
    for (const { score } of events) expect(score.total >= 0 && score.total <= 100).toBe(true);
  });

  it('has trends that know the days before alone, and leave each venue and each show its share', () => {
    const days = replayTrending(TRENDING_DAYS.slice(0, 5), isInQueens);
    expect(days.slice(0, 3).map(({ rising }) => rising)).toEqual([0, 0, 0]);
    for (const { top, now } of days) {
      expect(top.every(({ startsAt }) => startsAt >= now - 86_400_000)).toBe(true);
      const venues = Map.groupBy(top, ({ venue }) => venue);
      for (const events of venues.values()) expect(events.length).toBeLessThanOrEqual(TREND_RULES.perVenue);
      expect(new Set(top.map(({ venue, run }) => `${venue} ${run}`)).size).toBe(top.length);
    }
    expect(days.at(-1)?.rising).toBeGreaterThan(0);
  });
});
