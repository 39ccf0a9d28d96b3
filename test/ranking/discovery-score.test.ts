import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CAPACITY_TIERS, SIGNAL_KINDS } from '../../src/catalog/index.ts';
import { DISCOVERY_WEIGHTS, discoveryScore, type ScoreFacts, scoreFacts } from '../../src/ranking/index.ts';

const NOW = Date.parse('2026-06-16T20:00:00Z');
const DAY = 86_400_000;

const signal = fc.record({
  kind: fc.constantFrom(...SIGNAL_KINDS),
  value: fc.double({ min: 0, max: 1e6, noNaN: true }),
  observedAt: fc.integer({ min: NOW - 40 * DAY, max: NOW + 2 * DAY }),
});
const facts: fc.Arbitrary<ScoreFacts> = fc.record({
  hasDescription: fc.boolean(),
  hasImage: fc.boolean(),
  hasEnd: fc.boolean(),
  hasPrice: fc.boolean(),
  performers: fc.nat(20),
  sources: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 20 }),
  venue: fc.record({ capacityTier: fc.option(fc.constantFrom(...CAPACITY_TIERS)), isVerified: fc.boolean() }),
  startsAt: fc.integer({ min: NOW - 10 * DAY, max: NOW + 400 * DAY }),
  latestStart: fc.integer({ min: NOW - 10 * DAY, max: NOW + 400 * DAY }),
  showing: fc.integer({ min: 1, max: 60 }),
  signals: fc.array(signal, { maxLength: 20 }),
});
const PLAIN: ScoreFacts = {
  hasDescription: true,
  hasImage: true,
  hasEnd: true,
  hasPrice: true,
  performers: 1,
  sources: [0.5, 0.5],
  venue: { capacityTier: 'small', isVerified: true },
  startsAt: NOW + 2 * DAY,
  latestStart: NOW + 2 * DAY,
  showing: 1,
  signals: [],
};
const BARE = {
  description: null,
  imageUrl: null,
  endsAt: null,
  priceMin: null,
  priceMax: null,
  isFree: true,
  performers: [],
  sources: [],
  startsAt: NOW,
  precision: 'time' as const,
};
const VENUE = { capacityTier: null, isVerified: false };

describe('discovery score', () => {
  it('is a whole number from 0 to 100, the rounded sum of its points', () => {
    fc.assert(
      fc.property(facts, (known) => {
        const { total, signals } = discoveryScore(known, NOW);
        const sum = signals.reduce((points, each) => points + each.points, 0);
        expect(Number.isInteger(total) && total >= 0 && total <= 100).toBe(true);
        expect(total).toBe(Math.round(sum));
        for (const { value, weight, points, sentence } of signals) {
          expect(value >= 0 && value <= 1).toBe(true);
          expect(points).toBe(value * weight);
          expect(sentence).toMatch(/^[A-Z0-9].*\.$/);
        }
      }),
    );
  });

  it('depends on nothing but its arguments, nor on the order of observations', () => {
    fc.assert(
      fc.property(facts, fc.nat(), (known, seed) => {
        const frozen = structuredClone(known);
        const shuffled = {
          ...known,
          signals: known.signals.toSorted((a, b) => ((a.value * 7 + seed) % 11) - ((b.value * 7 + seed) % 11)),
        };
        expect(discoveryScore(shuffled, NOW)).toEqual(discoveryScore(known, NOW));
        expect(known).toEqual(frozen);
      }),
    );
  });

  it('never falls when more is known or a venue or source is better', () => {
    const better: ((known: ScoreFacts) => ScoreFacts)[] = [
      (known) => ({ ...known, hasDescription: true }),
      (known) => ({ ...known, hasImage: true }),
      (known) => ({ ...known, hasEnd: true }),
      (known) => ({ ...known, hasPrice: true }),
      (known) => ({ ...known, performers: known.performers + 1 }),
      (known) => ({ ...known, sources: [...known.sources, 0.01] }),
      (known) => ({ ...known, sources: known.sources.map((trust) => (trust + 1) / 2) }),
      (known) => ({ ...known, showing: Math.max(1, known.showing - 1) }),
      (known) => ({ ...known, venue: { ...known.venue, isVerified: true } }),
      (known) => ({ ...known, venue: { ...known.venue, capacityTier: 'large' } }),
    ];
    fc.assert(
      fc.property(facts, fc.constantFrom(...better), (known, improve) => {
        expect(discoveryScore(improve(known), NOW).total).toBeGreaterThanOrEqual(discoveryScore(known, NOW).total);
      }),
    );
  });

  it('never falls when an event that is to come draws nearer', () => {
    fc.assert(
      fc.property(facts, fc.integer({ min: 0, max: 400 }), (known, days) => {
        const at = (startsAt: number) => ({ ...known, startsAt, latestStart: startsAt });
        const [far, near] = [at(NOW + days * DAY), at(NOW + Math.floor(days / 2) * DAY)];
        expect(discoveryScore(near, NOW).total).toBeGreaterThanOrEqual(discoveryScore(far, NOW).total);
      }),
    );
  });

  it('never falls by more mentions or views, nor by more tickets sold at the last count', () => {
    fc.assert(
      fc.property(
        facts,
        fc.constantFrom('social_mentions', 'page_views', 'tickets_sold'),
        fc.double({ min: 0, max: 1e6, noNaN: true }),
        (known, kind, more) => {
          const last = Math.max(NOW - DAY, ...known.signals.map(({ observedAt }) => observedAt).filter((at) => at <= NOW));
          const totals = known.signals.filter((each) => each.kind === kind).map(({ value }) => value);
          const value = Math.max(0, ...totals) + more;
          const louder = { ...known, signals: [...known.signals, { kind, value, observedAt: Math.min(NOW, last + 1) }] };
          expect(discoveryScore(louder, NOW).total).toBeGreaterThanOrEqual(discoveryScore(known, NOW).total);
        },
      ),
    );
  });

  it('takes an event without an hour for near until its day is over', () => {
    const { signals } = discoveryScore(
      scoreFacts({ ...BARE, startsAt: NOW - DAY / 2, precision: 'all_day' }, VENUE, new Map(), 1, []),
      NOW,
    );
    expect(signals.find(({ signal }) => signal === 'nearness')?.value).toBe(1);
    const over = scoreFacts({ ...BARE, startsAt: NOW - DAY, precision: 'date' }, VENUE, new Map(), 1, []);
    expect(discoveryScore(over, NOW).signals.find(({ signal }) => signal === 'nearness')?.value).toBe(0);
  });

  it('takes what is unknown as neutral: a measured zero is no better', () => {
    const zeros = SIGNAL_KINDS.map((kind) => ({ kind, value: 0, observedAt: NOW - DAY }));
    expect(discoveryScore({ ...PLAIN, signals: zeros }, NOW).total).toBe(discoveryScore(PLAIN, NOW).total);
  });

  it('lets a small free event score well', () => {
    expect(discoveryScore(PLAIN, NOW).total).toBeGreaterThanOrEqual(75);
  });

  it('lets a small free event in a park beat the tenth night of whatever fills a stadium', () => {
    const park = { ...PLAIN, performers: 0, venue: { capacityTier: null, isVerified: true } } as const;
    const soldOut = SIGNAL_KINDS.map((kind) => ({ kind, value: kind === 'tickets_available' ? 0 : 1e9, observedAt: NOW - 1 }));
    const stadium = { ...PLAIN, venue: { capacityTier: 'large', isVerified: true }, signals: soldOut } as const;
    const [first, tenth] = [stadium, { ...stadium, showing: 10 }].map((facts) => discoveryScore(facts, NOW).total);
    expect(first).toBeGreaterThan(discoveryScore(park, NOW).total);
    expect(tenth).toBeLessThan(discoveryScore(park, NOW).total);
  });

  it('says that it is a later showing, and which', () => {
    const { signals } = discoveryScore({ ...PLAIN, showing: 4 }, NOW);
    expect(signals.find(({ signal }) => signal === 'showing')).toMatchObject({
      value: 0.25,
      points: 5.5,
      sentence: 'It is number 4 of the upcoming occurrences at this venue or from this provider.',
    });
  });

  it('is no higher for what one provider says many times', () => {
    const listed = (sources: string[]) =>
      discoveryScore(scoreFacts({ ...BARE, sources }, { capacityTier: null, isVerified: false }, new Map(), 1, []), NOW).total;
    expect(listed(Array.from({ length: 10 }, () => 'feed'))).toBe(listed(['feed']));
    expect(listed(['feed', 'other'])).toBeGreaterThan(listed(['feed']));
  });

  it('has a coverage that fame, time and completeness do not move', () => {
    fc.assert(
      fc.property(facts, facts, (one, other) => {
        expect(discoveryScore({ ...other, sources: one.sources }, NOW).coverage).toBe(discoveryScore(one, NOW).coverage);
      }),
    );
  });

  it('moves only a few times while an event draws near', () => {
    const totals = new Set(Array.from({ length: 120 }, (_, days) => discoveryScore(PLAIN, PLAIN.startsAt - days * DAY).total));
    expect(totals.size).toBeLessThanOrEqual(7);
  });

  it('has weights that sum to 100', () => {
    expect(Object.values(DISCOVERY_WEIGHTS).reduce((sum, weight) => sum + weight, 0)).toBe(100);
  });

  it('believes registered sources as far as they are trusted', () => {
    const event = { ...BARE, sources: ['stranger', 'known'] };
    const made = scoreFacts(event, { capacityTier: null, isVerified: false }, new Map([['known', 0.9]]), 3, []);
    expect(made).toMatchObject({ hasDescription: false, hasPrice: true, showing: 3, sources: [0.9, 0.5] });
    expect(scoreFacts({ ...event, sources: [] }, made.venue, new Map(), 1, []).sources).toEqual([0.5]);
  });
});
