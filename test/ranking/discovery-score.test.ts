import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DISCOVERY_WEIGHTS,
  decodeContext,
  discoveryScore,
  encodeContext,
  type ScoreFacts,
  scoreFacts,
} from '../../src/ranking/index.ts';
import { PICTURES, type ScoreContext } from '../../src/ranking/score-context.ts';
import { CATEGORIES, SIGNAL_KINDS } from '../../src/records/index.ts';

const NOW = Date.parse('2026-06-16T20:00:00Z');
const DAY = 86_400_000;

const signal = fc.record({
  kind: fc.constantFrom(...SIGNAL_KINDS),
  value: fc.double({ min: 0, max: 1e6, noNaN: true }),
  observedAt: fc.integer({ min: NOW - 40 * DAY, max: NOW + 2 * DAY }),
});
const percent = fc.nat(100);
const context: fc.Arbitrary<ScoreContext> = fc.record({
  showing: fc.integer({ min: 1, max: 60 }),
  nights: fc.integer({ min: 1, max: 60 }),
  venue: percent,
  bestVenue: percent,
  residency: percent,
  picture: fc.constantFrom(...PICTURES),
  price: fc.nat(500),
  isLeisure: fc.boolean(),
  dayRank: fc.integer({ min: 1, max: 10 }),
  isPick: fc.boolean(),
  series: fc.nat(50),
  headliners: fc.nat(50),
});
const facts: fc.Arbitrary<ScoreFacts> = fc.record({
  hasDescription: fc.boolean(),
  hasImage: fc.boolean(),
  hasEnd: fc.boolean(),
  hasPrice: fc.boolean(),
  performers: fc.nat(20),
  category: fc.constantFrom(...CATEGORIES),
  isFree: fc.boolean(),
  isSoldOut: fc.boolean(),
  startsAt: fc.integer({ min: NOW - 10 * DAY, max: NOW + 400 * DAY }),
  latestStart: fc.integer({ min: NOW - 10 * DAY, max: NOW + 400 * DAY }),
  context,
  signals: fc.array(signal, { maxLength: 20 }),
});
const USUAL: ScoreContext = {
  ...decodeContext(1, null),
  nights: 1,
  venue: 30,
  bestVenue: 30,
  isLeisure: true,
  series: 4,
  headliners: 1,
};
const PLAIN: ScoreFacts = {
  hasDescription: true,
  hasImage: true,
  hasEnd: true,
  hasPrice: true,
  performers: 1,
  category: 'concert',
  isFree: false,
  isSoldOut: false,
  startsAt: NOW + 2 * DAY,
  latestStart: NOW + 2 * DAY,
  context: USUAL,
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
  startsAt: NOW,
  precision: 'time' as const,
  category: 'concert' as const,
  status: 'scheduled' as const,
};
const total = (known: ScoreFacts) => discoveryScore(known, NOW).total;
const within = (known: ScoreFacts, more: Partial<ScoreContext>): ScoreFacts => ({
  ...known,
  context: { ...known.context, ...more },
});

describe('discovery score', () => {
  it('is a whole number from 0 to 100, the rounded sum of its points', () => {
    fc.assert(
      fc.property(facts, (known) => {
        const { total: score, signals } = discoveryScore(known, NOW);
        const sum = signals.reduce((points, each) => points + each.points, 0);
        expect(Number.isInteger(score) && score >= 0 && score <= 100).toBe(true);
        expect(score).toBe(Math.round(sum));
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

  it('is replayed from what is stored of the rest of the directory', () => {
    fc.assert(
      fc.property(facts, (known) => {
        const stored = encodeContext(known.context);
        expect(stored.every((value) => Number.isInteger(value) && value >= 0 && value < 32_768)).toBe(true);
        expect(decodeContext(known.context.showing, stored)).toEqual(known.context);
      }),
    );
  });

  it('never falls when more is known, or the venue and the performers are greater', () => {
    const better: ((known: ScoreFacts) => ScoreFacts)[] = [
      (known) => ({ ...known, hasDescription: true }),
      (known) => ({ ...known, hasImage: true }),
      (known) => ({ ...known, hasEnd: true }),
      (known) => ({ ...known, hasPrice: true }),
      (known) => ({ ...known, performers: known.performers + 1 }),
      (known) => ({ ...known, isSoldOut: true }),
      (known) => within(known, { showing: Math.max(1, known.context.showing - 1) }),
      (known) => within(known, { dayRank: Math.max(1, known.context.dayRank - 1) }),
      (known) => within(known, { nights: Math.max(1, known.context.nights - 1) }),
      (known) => within(known, { isLeisure: true }),
      (known) => within(known, { picture: 'own' }),
      (known) => within(known, { venue: Math.min(100, known.context.venue + 5) }),
      (known) => within(known, { bestVenue: Math.min(100, known.context.bestVenue + 5) }),
      (known) => within(known, { residency: Math.min(100, known.context.residency + 5) }),
    ];
    // What lifts a pick falls as its venue and performers rise, so picks are compared with nothing here.
    const unpicked = facts.map((known) => within(known, { isPick: false }));
    fc.assert(
      fc.property(unpicked, fc.constantFrom(...better), (known, improve) => {
        expect(total(improve(known))).toBeGreaterThanOrEqual(total(known));
      }),
    );
  });

  it('never falls when an event that is to come draws nearer', () => {
    fc.assert(
      fc.property(facts, fc.integer({ min: 0, max: 400 }), (known, days) => {
        const at = (startsAt: number) => ({ ...known, startsAt, latestStart: startsAt });
        const [far, near] = [at(NOW + days * DAY), at(NOW + Math.floor(days / 2) * DAY)];
        expect(total(near)).toBeGreaterThanOrEqual(total(far));
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
          expect(total(louder)).toBeGreaterThanOrEqual(total(known));
        },
      ),
    );
  });

  it('takes an event without an hour for near until its day is over', () => {
    const at = (startsAt: number, precision: 'all_day' | 'date') =>
      discoveryScore(scoreFacts({ ...BARE, startsAt, precision }, USUAL, []), NOW).signals.find(
        ({ signal }) => signal === 'nearness',
      );
    expect(at(NOW - DAY / 2, 'all_day')?.value).toBe(1);
    expect(at(NOW - DAY, 'date')?.value).toBe(0);
  });

  it('takes what is unknown as neutral: a measured zero is no better', () => {
    const zeros = SIGNAL_KINDS.map((kind) => ({ kind, value: 0, observedAt: NOW - DAY }));
    expect(total({ ...PLAIN, signals: zeros })).toBe(total(PLAIN));
  });

  it('puts a star in an arena above a club night, and the free event of the day above a usual one', () => {
    const star = within(PLAIN, { venue: 80, bestVenue: 80, picture: 'own', residency: 40 });
    const free = { ...PLAIN, isFree: true, category: 'outdoor' } as const;
    expect(total(star)).toBeGreaterThanOrEqual(total(PLAIN) + 15);
    expect(total(within(free, { isPick: true, venue: 10, bestVenue: 10 }))).toBeGreaterThan(total(PLAIN) + 5);
    expect(total(within(free, { isPick: true, venue: 10, bestVenue: 10 }))).toBeLessThanOrEqual(total(star) + 3);
  });

  it('puts what is there every day below what is there once, and a later night below the next', () => {
    const hour = { ...PLAIN, isFree: true, category: 'family' } as const;
    expect(total(within(hour, { nights: 28 }))).toBeLessThan(total(hour) - 3);
    expect(total(within(PLAIN, { showing: 2 }))).toBe(total(PLAIN) - 6);
  });

  it('says that it is a later showing, and which', () => {
    const { signals } = discoveryScore(within(PLAIN, { showing: 4 }), NOW);
    expect(signals.find(({ signal }) => signal === 'showing')).toMatchObject({
      value: 0.25,
      points: 3,
      sentence: 'It is number 4 of the upcoming occurrences at this venue or from this provider.',
    });
  });

  it('has an appeal that the audience, the clock and the venue do not move', () => {
    fc.assert(
      fc.property(facts, facts, (one, other) => {
        const { isFree, isSoldOut } = one;
        const same = { ...other, isFree, isSoldOut, context: { ...one.context, venue: other.context.venue } };
        expect(discoveryScore(same, NOW + DAY).appeal).toBe(discoveryScore(one, NOW).appeal);
      }),
    );
  });

  it('moves only a few times while an event draws near', () => {
    const totals = new Set(Array.from({ length: 120 }, (_, days) => discoveryScore(PLAIN, PLAIN.startsAt - days * DAY).total));
    expect(totals.size).toBeLessThanOrEqual(7);
  });

  it('has weights that sum to 100 without the picks', () => {
    const { pick, ...others } = DISCOVERY_WEIGHTS;
    expect(Object.values(others).reduce((sum, weight) => sum + weight, 0)).toBe(100);
    expect(pick).toBeLessThanOrEqual(DISCOVERY_WEIGHTS.venue + DISCOVERY_WEIGHTS.fame);
  });
});
