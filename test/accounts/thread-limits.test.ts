import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { simulateLimiter } from '../../bench/limiter-simulation.ts';
import { simulateThreads } from '../../bench/thread-simulation.ts';
import {
  type Counters,
  createLimiter,
  createLimitMemory,
  type LimitDecision,
  openThreadLimits,
  TIER_NAMES,
} from '../../src/accounts/index.ts';
import { createUnknownKeyLimiter } from '../../src/accounts/limits/unknown-key-limiter.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const NOON = Date.UTC(2026, 10, 21, 12);

function openClocks() {
  const time = { monotonic: 0, wall: NOON };
  return { time, clocks: { monotonic: () => time.monotonic, wall: () => time.wall } };
}

/** As if each decision came to another thread. */
function openSpread(clocks: { monotonic(): number; wall(): number }, threads = 4) {
  const memory = createLimitMemory(clocks.wall, clocks.monotonic);
  return Array.from({ length: threads }, (_, index) => openThreadLimits({ memory, ...clocks, keepsMinutes: index === 0 }));
}

/** Passes each call on to the next. */
function takingTurns(all: readonly { counters: Counters }[]): Counters {
  let turn = 0;
  const next = (): Counters => all[turn++ % all.length]!.counters;
  return {
    decide: (id, tier) => next().decide(id, tier),
    peek: (id, tier) => next().peek(id, tier),
    refund: (id, admission) => next().refund(id, admission),
    restore: (id, day, requests) => next().restore(id, day, requests),
    releaseIdle: () => all[0]!.counters.releaseIdle(),
  };
}

describe('limits that threads share', () => {
  it('admit exactly what the twin admits, and wait exactly as long, on hostile schedules dealt to four threads', () => {
    const result = simulateLimiter({ decisions: 100_000, seed: 20_261_125, open: (clocks) => takingTurns(openSpread(clocks)) });
    expect(result).toMatchObject({ decisions: 100_000, over: 0, under: 0, dishonest: 0 });
    for (const { admitted } of result.schedules) expect(admitted).toBeGreaterThan(0);
  });

  it('are exact while four threads count at once', async () => {
    const result = await simulateThreads({ threads: 4, decisions: 400_000, seed: 20_261_125 });
    expect(result).toMatchObject({ decisions: 400_000, over: 0, under: 0, dishonest: 0 });
    expect(result.admitted).toBeGreaterThan(10_000);
  });

  it('do whatever the limits of one thread do', () => {
    const subscriptions = Array.from({ length: 5 }, () => randomUUID());
    const subscription = fc.constantFrom(...subscriptions);
    const tier = fc.constantFrom(...TIER_NAMES);
    const step = fc.oneof(
      fc.record({ kind: fc.constant('decide' as const), subscription, tier, times: fc.integer({ min: 1, max: 80 }) }),
      fc.record({ kind: fc.constant('refund' as const), which: fc.nat(500) }),
      fc.record({
        kind: fc.constant('restore' as const),
        subscription,
        day: fc.integer({ min: -3, max: 3 }),
        used: fc.nat(1_200),
      }),
      fc.record({ kind: fc.constant('pass' as const), ms: fc.oneof(fc.nat(2_000), fc.nat(70_000), fc.nat(2 * DAY_MS)) }),
      fc.record({ kind: fc.constant('set' as const), ms: fc.integer({ min: -3 * DAY_MS, max: 3 * DAY_MS }) }),
      fc.record({
        kind: fc.constant('continue' as const),
        subscription,
        agesUs: fc.array(fc.nat(59_999_999), { maxLength: 90 }),
      }),
      fc.record({ kind: fc.constant('release' as const) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.nat(3), (steps, first) => {
        const { time, clocks } = openClocks();
        const own = createLimiter(clocks);
        const spread = openSpread(clocks);
        let turn = first;
        const next = (): Counters => spread[turn++ % spread.length]!.counters;
        const admitted: [string, Extract<LimitDecision, { ok: true }>['admission']][] = [];
        for (const action of steps) {
          if (action.kind === 'pass') time.monotonic += action.ms;
          if (action.kind === 'pass' || action.kind === 'set') time.wall += action.ms;
          for (let time = 0; action.kind === 'decide' && time < action.times; time += 1) {
            const decision = own.decide(action.subscription, action.tier) as LimitDecision;
            expect(next().decide(action.subscription, action.tier)).toEqual(decision);
            if (decision.ok) admitted.push([action.subscription, decision.admission]);
          }
          if (action.kind === 'refund' && admitted.length > 0) {
            const [[id, admission] = ['', { at: 0, day: 0, hour: 0 }]] = admitted.splice(action.which % admitted.length, 1);
            for (const counters of [own, next()]) void counters.refund(id, admission);
          }
          if (action.kind === 'restore') {
            const day = Math.floor(time.wall / DAY_MS) + action.day;
            for (const counters of [own, next()]) void counters.restore(action.subscription, day, action.used);
          }
          // These two one thread does for all.
          const keeper = spread[0]!.counters;
          if (action.kind === 'continue') {
            const minutes = [{ subscriptionId: action.subscription, agesUs: action.agesUs }];
            for (const counters of [own, keeper]) counters.continueMinutes?.(minutes);
          }
          if (action.kind === 'release') for (const counters of [own, keeper]) counters.releaseIdle();
          for (const id of subscriptions) expect(next().peek(id, 'growth')).toEqual(own.peek(id, 'growth'));
          const sorted = (counters: Counters) =>
            counters.minutes?.().toSorted((a, b) => (a.subscriptionId < b.subscriptionId ? -1 : 1));
          expect(sorted(keeper)).toEqual(sorted(own));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('hold thousands of subscriptions, and use the memory of idle ones again', () => {
    const { time, clocks } = openClocks();
    const memory = createLimitMemory(clocks.wall, clocks.monotonic);
    const [here, there] = [true, false].map((keepsMinutes) => openThreadLimits({ memory, ...clocks, keepsMinutes }).counters);
    let rings = 0;
    for (let round = 0; round < 3; round += 1) {
      const ids = Array.from({ length: 3_000 }, () => randomUUID());
      for (const [index, id] of ids.entries()) {
        const counters = index % 2 === 0 ? here! : there!;
        for (let request = 0; request < 100; request += 1) counters.decide(id, 'growth');
      }
      for (const id of ids) expect(there!.peek(id, 'growth')).toMatchObject({ minute: { used: 100 }, day: { used: 100 } });
      time.monotonic += MINUTE_MS;
      time.wall += MINUTE_MS;
      here!.releaseIdle();
      expect(here!.minutes?.()).toEqual([]);
      if (round > 0) expect(memory.counts.rings.byteLength).toBe(rings);
      rings = memory.counts.rings.byteLength;
      for (const id of ids) expect(there!.peek(id, 'growth')).toMatchObject({ minute: { used: 0 }, day: { used: 100 } });
    }
  });

  it('refuse an id that is no UUID', () => {
    const [first] = openSpread(openClocks().clocks);
    expect(() => first?.counters.decide('s', 'starter')).toThrow('must be a UUID, but is "s"');
  });
});

describe('failed keys that threads count together', () => {
  it('are limited as in one thread, whichever thread they come to', () => {
    const addresses = fc.constantFrom(
      '203.0.113.7',
      '203.0.113.8',
      '198.51.100.1',
      '2001:db8::1',
      '2001:db8::2',
      '2001:db8:0:1::1',
    );
    const step = fc.record({ address: addresses, times: fc.integer({ min: 1, max: 700 }), ms: fc.nat(20_000) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { time, clocks } = openClocks();
        const own = createUnknownKeyLimiter(clocks.monotonic);
        const spread = openSpread(clocks);
        let turn = 0;
        for (const { address, times, ms } of steps) {
          time.monotonic += ms;
          for (let failure = 0; failure < times; failure += 1) {
            expect(spread[turn++ % spread.length]!.unknownKeyLimiter.failed(address)).toBe(own.failed(address));
          }
        }
      }),
      { numRuns: 25 },
    );
  });

  it('of many networks are watched, and a quiet network makes room for a new one', () => {
    const { time, clocks } = openClocks();
    const { unknownKeyLimiter } = openSpread(clocks, 1)[0]!;
    for (let failure = 0; failure < 600; failure += 1) unknownKeyLimiter.failed('192.0.2.1');
    for (let address = 0; address < 5_000; address += 1) unknownKeyLimiter.failed(`10.${address >> 8}.${address & 0xff}.1`);
    expect(unknownKeyLimiter.failed('192.0.2.1')).toBe(60);
    time.monotonic += MINUTE_MS;
    // More than there is room for, all of them quieter than this one.
    for (let address = 0; address < 40_000; address += 1) unknownKeyLimiter.failed(`11.${address >> 8}.${address & 0xff}.1`);
    expect(unknownKeyLimiter.failed('192.0.2.1')).toBe(0);
  });
});
