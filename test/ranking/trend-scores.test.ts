import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SIGNAL_KINDS, type Signal } from '../../src/catalog/index.ts';
import { TREND_RULES, type TrendFacts, trendScores } from '../../src/ranking/index.ts';

const NOW = Date.parse('2026-06-16T20:00:00Z');
const DAY = 86_400_000;

function event(id: string, signals: Signal[] = [], scores: TrendFacts['scores'] = [], venueId = `venue of ${id}`): TrendFacts {
  return { id, category: 'concert', venueId, signals, scores };
}
const observed = (kind: Signal['kind'], values: number[], endsAt = NOW): Signal[] =>
  values.map((value, index) => ({ kind, value, observedAt: endsAt - (values.length - 1 - index) * DAY }));
const days = (...values: number[]) =>
  values.map((score, index) => ({ day: new Date(NOW - (values.length - 1 - index) * DAY).toISOString().slice(0, 10), score }));
const trendOf = (facts: TrendFacts): number => trendScores([facts], NOW).get(facts.id) ?? Number.NaN;

const facts: fc.Arbitrary<TrendFacts[]> = fc.uniqueArray(
  fc.record({
    id: fc.uuid(),
    category: fc.constant('concert' as const),
    venueId: fc.constantFrom('a', 'b'),
    signals: fc.array(
      fc.record({
        kind: fc.constantFrom(...SIGNAL_KINDS),
        value: fc.double({ min: 0, max: 1e5, noNaN: true }),
        observedAt: fc.integer({ min: NOW - 40 * DAY, max: NOW + DAY }),
      }),
      { maxLength: 30 },
    ),
    scores: fc.array(fc.nat(100), { maxLength: 20 }).map((values) => days(...values)),
  }),
  { selector: ({ id }) => id, maxLength: 20 },
);

describe('trend scores', () => {
  it('are from 0 to 100 with two decimals, one for each event', () => {
    fc.assert(
      fc.property(facts, (events) => {
        const trends = trendScores(events, NOW);
        expect([...trends.keys()].sort()).toEqual(events.map(({ id }) => id).sort());
        for (const trend of trends.values()) {
          expect(trend >= 0 && trend <= 100).toBe(true);
          expect(Math.round(trend * 100) / 100).toBe(trend);
        }
      }),
    );
  });

  it('depend neither on the order of the events nor on that of their observations', () => {
    fc.assert(
      fc.property(facts, (events) => {
        const backwards = events
          .toReversed()
          .map((each) => ({ ...each, signals: each.signals.toReversed(), scores: each.scores.toReversed() }));
        const sorted = (trends: Map<string, number>) => [...trends].sort();
        expect(sorted(trendScores(backwards, NOW))).toEqual(sorted(trendScores(events, NOW)));
      }),
    );
  });

  it('leave at most the capped number of events of a venue with a trend', () => {
    fc.assert(
      fc.property(facts, (events) => {
        const trends = trendScores(events, NOW);
        for (const venue of ['a', 'b']) {
          const positive = events.filter(({ id, venueId }) => venueId === venue && (trends.get(id) ?? 0) > 0);
          expect(positive.length).toBeLessThanOrEqual(TREND_RULES.perVenue);
        }
      }),
    );
  });

  it('are 0 without observations, with a single one, and for a quiet series', () => {
    expect(trendOf(event('none'))).toBe(0);
    expect(trendOf(event('one', observed('page_views', [9000])))).toBe(0);
    expect(trendOf(event('flat', observed('page_views', [500, 500, 500, 500, 500, 500])))).toBe(0);
    expect(trendOf(event('falling', observed('social_mentions', [500, 400, 300, 200, 100])))).toBe(0);
    expect(trendOf(event('score', [], days(60, 60, 60)))).toBe(0);
  });

  it('see a jump in mentions, views, ticket sales and score', () => {
    expect(trendOf(event('social', observed('social_mentions', [5, 6, 5, 80, 90, 100])))).toBeGreaterThan(5);
    expect(trendOf(event('views', observed('page_views', [50, 60, 50, 900, 900, 900])))).toBeGreaterThan(5);
    expect(trendOf(event('tickets', observed('tickets_sold', [0, 5, 10, 15, 200, 400, 600])))).toBeGreaterThan(20);
    expect(trendOf(event('score', [], days(50, 50, 51, 70)))).toBeGreaterThan(5);
  });

  it('compare the week with the four weeks before it', () => {
    const quiet = observed('page_views', [100, 110, 90, 100, 105, 95], NOW - 10 * DAY);
    const usual = observed('page_views', [100, 100, 100]);
    const busy = observed('page_views', [900, 950, 1000]);
    expect(trendOf(event('usual', [...quiet, ...usual]))).toBe(0);
    expect(trendOf(event('busy', [...quiet, ...busy]))).toBeGreaterThan(0);
  });

  it('forget what is older than a week', () => {
    expect(trendOf(event('old', observed('social_mentions', [1, 1, 1, 900, 900], NOW - 8 * DAY)))).toBe(0);
  });

  it('take a brisk steady sale for a moderate trend', () => {
    const steady = trendOf(event('steady', observed('tickets_sold', [0, 100, 200, 300, 400])));
    expect(steady).toBeGreaterThan(0);
    expect(steady).toBeLessThanOrEqual(TREND_RULES.weights.tickets / 2);
  });

  it('are not carried away by one odd day in the baseline', () => {
    const calm = observed('page_views', [100, 100, 100, 100, 100, 100], NOW - 8 * DAY);
    const odd = observed('page_views', [100, 100, 9000, 100, 100, 100], NOW - 8 * DAY);
    const week = observed('page_views', [400, 400, 400]);
    expect(trendOf(event('odd', [...odd, ...week]))).toBe(trendOf(event('calm', [...calm, ...week])));
  });
});
