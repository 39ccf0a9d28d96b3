import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createPeers,
  explainTrend,
  isSteady,
  momentumOf,
  settleTrends,
  steadyMomentum,
  TREND_RULES,
  type TrendFacts,
  trendScores,
} from '../../src/ranking/index.ts';
import { SIGNAL_KINDS, type Signal } from '../../src/records/index.ts';
import { DAY, days, event, NOW, observed, trendOf } from './trend-facts.ts';

const value = fc.oneof(
  fc.double({ min: 0, max: 1e5, noNaN: true }),
  fc.constantFrom(-1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.MAX_VALUE, Number.MIN_VALUE, -0),
);
const signal = fc.record({
  kind: fc.constantFrom(...SIGNAL_KINDS),
  value,
  observedAt: fc.oneof(fc.integer({ min: NOW - 40 * DAY, max: NOW + DAY }), fc.constantFrom(0, 8.64e15, -8.64e15)),
});
const facts: fc.Arbitrary<TrendFacts[]> = fc.uniqueArray(
  fc.record({
    id: fc.uuid(),
    category: fc.constantFrom('concert' as const, 'comedy' as const),
    venueId: fc.constantFrom('a', 'b', 'c'),
    run: fc.constantFrom('one', 'two', 'three', 'four', 'five', 'six'),
    discoveryScore: fc.nat(100),
    signals: fc.array(signal, { maxLength: 30 }),
    scores: fc.array(fc.oneof(fc.nat(14), fc.constant(Number.NaN)), { maxLength: 20 }).map((values) => days(...values)),
  }),
  { selector: ({ id }) => id, maxLength: 40 },
);

describe('trend scores', () => {
  it('are from 0 to 100 with two decimals, one for each event, whatever the series holds', () => {
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

  it('leave at most the capped number of events of a venue with a trend, each of another run', () => {
    fc.assert(
      fc.property(facts, (events) => {
        const trends = trendScores(events, NOW);
        for (const rivals of Map.groupBy(events, ({ venueId }) => venueId).values()) {
          const rising = rivals.filter(({ id }) => (trends.get(id) ?? 0) > 0).map(({ run }) => run);
          expect(rising.length).toBeLessThanOrEqual(TREND_RULES.perVenue);
          expect(new Set(rising).size).toBe(rising.length);
        }
      }),
    );
  });

  it('never fall when the last three days have more of what is observed', () => {
    const levels = fc.array(fc.nat(2000), { minLength: 6, maxLength: 20 });
    fc.assert(
      fc.property(levels, fc.constantFrom('social_mentions', 'page_views'), fc.nat(5000), (values, kind, more) => {
        const louder = values.map((value, index) => (index >= values.length - 3 ? value + more : value));
        expect(trendOf(event('louder', observed(kind, louder)))).toBeGreaterThanOrEqual(
          trendOf(event('as it was', observed(kind, values))),
        );
      }),
    );
  });

  it('are 0 without observations, with a single one, and for a quiet or falling series', () => {
    expect(trendOf(event('none'))).toBe(0);
    expect(trendOf(event('one', observed('page_views', [9000])))).toBe(0);
    expect(trendOf(event('flat', observed('page_views', [500, 500, 500, 500, 500, 500])))).toBe(0);
    expect(trendOf(event('falling', observed('social_mentions', [500, 400, 300, 200, 100])))).toBe(0);
    expect(trendOf(event('score', [], days(7, 7, 7, 7, 7)))).toBe(0);
  });

  it('see a jump in mentions, views, ticket sales and the providers that list it', () => {
    expect(trendOf(event('social', observed('social_mentions', [5, 6, 5, 80, 90, 100])))).toBeGreaterThan(5);
    expect(trendOf(event('views', observed('page_views', [50, 60, 50, 900, 900, 900])))).toBeGreaterThan(3);
    expect(trendOf(event('tickets', observed('tickets_sold', [0, 5, 10, 15, 200, 400, 600])))).toBeGreaterThan(10);
    expect(trendOf(event('sources', [], days(7, 7, 7, 10.5, 10.5)))).toBeGreaterThan(5);
  });

  it('compare the week with the four weeks before it', () => {
    const quiet = observed('page_views', [100, 110, 90, 100, 105, 95], NOW - 10 * DAY);
    const usual = observed('page_views', [100, 100, 100]);
    const busy = observed('page_views', [900, 950, 1000]);
    expect(trendOf(event('usual', [...quiet, ...usual]))).toBe(0);
    expect(trendOf(event('busy', [...quiet, ...busy]))).toBeGreaterThan(0);
  });

  it('forget what is older than a week', () => {
    expect(trendOf(event('old', observed('social_mentions', [1, 1, 1, 900, 900, 900], NOW - 8 * DAY)))).toBe(0);
  });

  it('move with time alone: a rise is over when the level has become the usual one', () => {
    const risen = event('risen', observed('page_views', [...Array(20).fill(100), ...Array(20).fill(900)], NOW + 15 * DAY));
    const course = [0, 3, 6, 15].map((later) => trendScores([risen], NOW - 2 * DAY + later * DAY).get('risen') ?? 0);
    expect(course[0]).toBe(course[1]);
    expect(course[1]).toBeGreaterThan(0);
    expect(course[3]).toBe(0);
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

  it('are small where the whole category rises alike, and what rises above it stands out', () => {
    const tide = Array.from({ length: 30 }, (_, n) => event(`tide ${n}`, observed('page_views', [100, 100, 100, 500, 500, 500])));
    const star = event('star', observed('page_views', [100, 100, 100, 2000, 2000, 2000]));
    const alone = trendOf(event('alone', observed('page_views', [100, 100, 100, 500, 500, 500])));
    const trends = trendScores([...tide, star], NOW);
    expect(trends.get('tide 0')).toBe(0);
    expect(alone).toBeGreaterThan(0);
    expect(trends.get('star')).toBeGreaterThan(0);
  });

  it('take a new event for a rising one when its performers are better known than is usual in its category', () => {
    const usual = Array.from({ length: 30 }, (_, n) => event(`usual ${n}`, [], days(7, 7, 7, 7, 7, 7)));
    const lone = event('lone', [], days(7, 7));
    const wanted = event('wanted', [], days(12.25, 12.25));
    const trends = trendScores([...usual, lone, wanted], NOW);
    expect(trends.get('wanted')).toBeGreaterThan(5);
    expect(trends.get('lone')).toBe(0);
    // Nobody knows yet what is usual where everything is new.
    expect(trendScores([lone, wanted], NOW).get('wanted')).toBe(0);
    const aWeekLater = trendScores([...usual, lone, wanted], NOW + 7 * DAY);
    expect(aWeekLater.get('wanted')).toBe(0);
  });
});

/** An event that is honestly on the rise: everything about it goes up by a few deviations. */
const honest = event(
  'honest',
  [
    ...observed('tickets_sold', [0, 10, 20, 30, 40, 90, 140, 190]),
    ...observed('social_mentions', [10, 12, 10, 11, 50, 55, 60]),
    ...observed('page_views', [100, 110, 100, 105, 400, 420, 450]),
  ] as Signal[],
  days(7, 7, 7, 7, 10.5, 10.5, 10.5),
);

describe('spam of one signal', () => {
  const quiet = [10, 12, 10, 11, 10, 12, 10, 11, 10, 12];
  const KINDS = ['tickets_sold', 'social_mentions', 'page_views'] as const;
  const beaten = (attacker: TrendFacts): void => {
    const trends = trendScores([attacker, honest], NOW);
    expect(trends.get('attacker')).toBeLessThan((trends.get('honest') ?? 0) / 2);
  };

  it('does not win when it is a thousand times what it was, for days on end', () => {
    for (const kind of KINDS) {
      const rising = kind === 'tickets_sold' ? quiet.map((_, day) => day * 10) : quiet;
      const spam = rising.map((value, day) => (day >= 6 ? value * 1000 * (day - 5) : value));
      beaten(event('attacker', observed(kind, spam)));
    }
  });

  it('moves nothing when it is one reading, or many of one day', () => {
    for (const kind of KINDS) {
      const calm = observed(kind, quiet);
      const last = { kind, value: 1e9, observedAt: NOW };
      expect(trendOf(event('one', [...calm.slice(0, -1), last]))).toBe(0);
      const many = Array.from({ length: 500 }, (_, n) => ({ kind, value: 1e9 - n, observedAt: NOW - n * 60_000 }));
      expect(trendOf(event('many', [...calm.slice(0, -1), ...many]))).toBe(0);
    }
  });

  it('gains nothing by a sawtooth, nor by a counter that starts anew', () => {
    for (const period of [2, 3, 4]) {
      const teeth = Array.from({ length: 34 }, (_, day) => (day % period === 0 ? 0 : 1000 * (day % period)));
      for (const kind of KINDS) {
        for (let cut = 8; cut <= teeth.length; cut += 1)
          expect(trendOf(event('sawtooth', observed(kind, teeth.slice(0, cut))))).toBe(0);
      }
    }
    const restarted = [0, 5, 10, 15, 0, 5, 10, 15, 0, 5, 10, 15];
    expect(trendOf(event('restarted', observed('tickets_sold', restarted)))).toBe(0);
  });

  it('is not seen when it is dated in the future, negative or no number', () => {
    for (const kind of KINDS) {
      const calm = observed(kind, quiet);
      for (const value of [-1e9, Number.NaN, Number.NEGATIVE_INFINITY]) {
        const odd = [1, 2, 3].map((day) => ({ kind, value, observedAt: NOW - day * DAY + 1 }));
        expect(trendOf(event('odd', [...calm, ...odd]))).toBe(0);
      }
      expect(trendOf(event('future', [...calm, ...observed(kind, [1e9, 2e9, 3e9], NOW + 3 * DAY)]))).toBe(0);
    }
  });

  it('does not hide a true rise behind one wrong reading', () => {
    const readings = [0, 5, 10, 15, 200, 400, 600];
    const mistyped = readings.map((value, day) => (day === 2 ? 1e9 : value));
    expect(trendOf(event('mistyped', observed('tickets_sold', mistyped)))).toBeGreaterThan(10);
  });

  it('counts half where no other series bears it out', () => {
    const loud = observed('social_mentions', [1, 1, 1, 1, 1e6, 1e6, 1e6]);
    const alone = trendOf(event('alone', loud));
    expect(alone).toBeLessThanOrEqual(TREND_RULES.weights.social / 2);
    const borne = trendOf(event('borne out', [...loud, ...observed('tickets_sold', [0, 1, 2, 3, 100, 200, 300])]));
    expect(borne).toBeGreaterThan(TREND_RULES.weights.social);
  });
});

describe('the momentum of an event of which little is heard', () => {
  const few = fc.uniqueArray(signal, {
    selector: ({ kind, observedAt }) => `${kind} ${Math.floor(observedAt / DAY) % 2}`,
    maxLength: 8,
  });
  const level = fc.nat(14);
  const backs = fc.uniqueArray(fc.integer({ min: -2, max: 60 }), { maxLength: 5 });
  const day = (back: number) => new Date(NOW - back * DAY).toISOString().slice(0, 10);

  it('is what its full history says, unless a day of it is yet to come', () => {
    fc.assert(
      fc.property(few, level, backs, (signals, score, noted) => {
        const back = noted.toSorted((a, b) => b - a);
        const scores = back.map((each) => ({ day: day(each), score }));
        const quiet = event('quiet', signals, scores);
        expect(isSteady(quiet)).toBe(true);
        const facts = { category: quiet.category, discoveryScore: quiet.discoveryScore };
        const [since, until] = [scores[0], scores.at(-1)].map((each) => (each ? Date.parse(each.day) : 0)) as [number, number];
        const steady = steadyMomentum({ ...facts, level: scores.length === 0 ? null : score, since, until }, NOW);
        const { rises, appeal } = momentumOf(quiet, NOW);
        expect(steady).toEqual((back.at(-1) ?? 0) < -1 ? null : { ...facts, rises, appeal });
      }),
    );
  });

  it('is left to it where its appeal was another, or one kind was observed often enough to rise', () => {
    expect(isSteady(event('covered better', [], days(7, 7, 8)))).toBe(false);
    expect(isSteady(event('sold', observed('tickets_sold', [0, 100, 200])))).toBe(false);
    expect(trendOf(event('sold', observed('tickets_sold', [0, 100, 200])))).toBeGreaterThan(0);
  });
});

describe('the explanation of a trend', () => {
  it('has points that sum to the trend, a weight each and one sentence each, whatever the series holds', () => {
    fc.assert(
      fc.property(facts, (events) => {
        const peers = createPeers();
        const momenta = events.map((each) => momentumOf(each, NOW));
        for (const momentum of momenta) peers.add(momentum);
        const trends = settleTrends(momenta, peers.read());
        for (const momentum of momenta) {
          const trend = trends.get(momentum.id) ?? Number.NaN;
          const signals = explainTrend(momentum, peers.read(), trend);
          expect(signals.reduce((sum, { points }) => sum + points, 0)).toBeCloseTo(trend, 1);
          for (const { value, points, sentence } of signals) {
            expect(value >= 0 && value <= 1 && Number.isFinite(points)).toBe(true);
            expect(sentence).toMatch(/^[A-Z0-9].*\.$/);
          }
        }
      }),
    );
  });

  it('says what rises, what is not known, and who has the trend instead', () => {
    const risen = event('risen', observed('social_mentions', [5, 6, 5, 80, 90, 100]), days(7, 7, 7, 7, 7, 7));
    const sentences = explainTrend(momentumOf(risen, NOW), new Map(), trendOf(risen)).map(({ sentence }) => sentence);
    expect(sentences).toEqual([
      'Its performers, nights and prices do not stand out.',
      'Too little data about ticket sales.',
      'It has 74 social mentions more than before.',
      'Too little data about page views.',
    ]);
    const outdone = explainTrend(momentumOf(risen, NOW), new Map(), 0).at(-1);
    expect(outdone).toMatchObject({ signal: 'cap', weight: 0 });
  });
});
