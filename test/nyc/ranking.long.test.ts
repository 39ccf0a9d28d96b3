// One engine is enough: the order is computed, not queried.
import { describe, expect, it } from 'vitest';
import { NYC_FACTS } from '../../quality/nyc-facts.ts';
import { measureOrder, readOrderPairs } from '../../quality/order-pairs.ts';
import { type RankedDay, rankDays } from '../../quality/ranked-days.ts';
import { TREND_RULES } from '../../src/ranking/index.ts';

describe.skipIf(NYC_FACTS.missing)('New York as published', () => {
  it('begins with what a local would name, and keeps places for small events', async () => {
    const days: RankedDay[] = [];
    await rankDays(['2026-06-18', '2026-06-19'], (day): void => {
      days.push(day);
    });
    const pairs = readOrderPairs();
    const [first, ...later] = days;
    for (const day of later) {
      const page = day.events.slice(0, 20);
      expect(page.filter(({ context }) => context.isPick).length).toBeGreaterThanOrEqual(2);
      expect(page.filter(({ isFree, context }) => isFree && context.nights > 2)).toEqual([]);
      expect(page.filter(({ context }) => context.showing > 1).length).toBeLessThanOrEqual(2);
      expect(new Set(page.map(({ category }) => category)).size).toBeGreaterThanOrEqual(3);
      expect(page.filter(({ title }) => /lottery|premium seating/i.test(title))).toEqual([]);
      const measured = [...measureOrder(day, pairs).values()];
      const [agreed, of] = [
        measured.reduce((sum, each) => sum + each.agreed, 0),
        measured.reduce((sum, each) => sum + each.of, 0),
      ];
      expect(agreed / of).toBeGreaterThanOrEqual(0.8);
    }
    // Of the first day nothing is known before.
    expect(first?.events.filter(({ trend }) => trend > 0)).toEqual([]);
    for (const { events } of days) {
      const rising = events.filter(({ trend }) => trend > 0);
      for (const atVenue of Map.groupBy(rising, ({ venueId }) => venueId).values())
        expect(atVenue.length).toBeLessThanOrEqual(TREND_RULES.perVenue);
    }
  });
});
