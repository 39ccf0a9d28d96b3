import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { simulateLimiter } from '../../bench/limiter-simulation.ts';
import { type LimitDecision, TIERS, type TierName } from '../../src/accounts/index.ts';
import { RollingMinute } from '../../src/accounts/limits/rolling-minute.ts';
import { NOON, setUpLimiter as setUp } from '../support/rigs/limiter.ts';

const DAY_MS = 86_400_000;

const refused = (reason: 'minute' | 'day', retryAfterSeconds: number) =>
  expect.objectContaining({ ok: false, reason, retryAfterSeconds });

describe('the minute', () => {
  it.each(Object.keys(TIERS) as TierName[])('admits exactly the limit of %s at one instant', (tier) => {
    const { askTimes } = setUp();
    const decisions = askTimes(TIERS[tier].perMinute * 3, tier);
    expect(decisions.filter(({ ok }) => ok)).toHaveLength(TIERS[tier].perMinute);
    expect(decisions.at(-1)).toEqual(refused('minute', 60));
  });

  it('counts an admission until just before 60 seconds have passed', () => {
    const { askTimes, ask, pass } = setUp();
    askTimes(60);
    pass(59_999.999);
    expect(ask()).toEqual(refused('minute', 1));
    pass(0.001);
    expect(ask().ok).toBe(true);
  });

  it('never refuses a client that keeps the pace, and refuses one that comes a millisecond too soon', () => {
    const { ask, pass } = setUp();
    for (let request = 0; request < 900; request += 1) {
      expect(ask().ok).toBe(true);
      pass(1_000);
    }
    pass(-1);
    expect(ask()).toEqual(refused('minute', 1));
  });

  it('tells exactly when to come back', () => {
    const { ask, askTimes, pass } = setUp();
    askTimes(30);
    pass(20_400);
    askTimes(30);
    expect(ask()).toEqual(refused('minute', 40));
    pass(40_000);
    expect(askTimes(31).map(({ ok }) => ok)).toEqual([...Array(30).fill(true), false]);
    expect(ask()).toEqual(refused('minute', 20));
  });

  it('shows the allowance after the decision', () => {
    const { ask, askTimes, pass, peek, time } = setUp();
    const day = { limit: 1_000, used: 1, remaining: 999, resetsAt: NOON + DAY_MS / 2 };
    expect(peek().minute).toEqual({ limit: 60, used: 0, remaining: 60, freesInSeconds: 0 });
    expect(ask().allowance).toEqual({ tier: 'starter', day, minute: { limit: 60, used: 1, remaining: 59, freesInSeconds: 60 } });
    pass(10_500);
    askTimes(70);
    expect(peek().minute).toEqual({ limit: 60, used: 60, remaining: 0, freesInSeconds: 50 });
    time.monotonic += 60_000;
    expect(peek().minute.used).toBe(0);
    expect(peek().day.used).toBe(60);
  });

  it('goes by the monotonic clock: setting the wall clock changes nothing', () => {
    const { askTimes, ask, time } = setUp();
    askTimes(60);
    for (const step of [3_600_000, -7_200_000, 30_000]) {
      time.wall += step;
      expect(ask().ok).toBe(false);
    }
    time.monotonic += 60_000;
    expect(ask().ok).toBe(true);
  });

  it('holds still when even the monotonic clock steps back', () => {
    const { askTimes, ask, time } = setUp();
    time.monotonic = 100_000;
    askTimes(60);
    time.monotonic = 30_000;
    expect(ask()).toEqual(refused('minute', 60));
    time.monotonic = 160_000;
    expect(ask().ok).toBe(true);
  });
});

describe('a change of tier', () => {
  it('refuses after a downgrade until the window is below the new limit, and changes the headers at once', () => {
    const { askTimes, ask, pass } = setUp();
    for (let second = 0; second < 20; second += 1) {
      askTimes(10, 'growth');
      pass(1_000);
    }
    const first = ask('starter');
    expect(first).toMatchObject({ ok: false, reason: 'minute', allowance: { tier: 'starter' } });
    expect(first.allowance.minute).toEqual({ limit: 60, used: 200, remaining: 0, freesInSeconds: 40 });
    expect(first.allowance.day).toMatchObject({ limit: 1_000, used: 200, remaining: 800 });
    // 200 used: 141 must leave, the 141st came in second 14, now is 20.
    expect(first).toEqual(refused('minute', 54));
    pass(53_999);
    expect(ask('starter').ok).toBe(false);
    pass(1);
    expect(ask('starter').ok).toBe(true);
  });

  it('forgets nothing on the way down and up again', () => {
    const { askTimes, ask, pass } = setUp();
    askTimes(1_000, 'enterprise');
    pass(1_000);
    expect(ask('starter').ok).toBe(false);
    expect(ask('growth').ok).toBe(false);
    expect(ask('enterprise')).toEqual(refused('minute', 59));
  });
});

describe('the day', () => {
  it('admits exactly the limit and says when it turns', () => {
    const { ask, pass, time } = setUp(Date.UTC(2026, 10, 21));
    let admitted = 0;
    for (let request = 0; request < 1_500; request += 1) {
      if (ask().ok) admitted += 1;
      pass(1_000);
    }
    expect(admitted).toBe(1_000);
    expect(ask()).toEqual(refused('day', 86_400 - 1_500));
    pass(DAY_MS - (time.wall % DAY_MS) - 1);
    expect(ask()).toEqual(refused('day', 1));
    pass(1);
    expect(ask()).toMatchObject({ ok: true, allowance: { day: { used: 1, resetsAt: Date.UTC(2026, 10, 23) } } });
  });

  it('goes on from what was used before', () => {
    const { ask, restore } = setUp();
    restore(998);
    expect(ask().allowance.day).toMatchObject({ used: 999, remaining: 1 });
    expect(ask().allowance.day).toMatchObject({ used: 1_000, remaining: 0 });
    expect(ask()).toMatchObject({ ok: false, reason: 'day' });
    restore(0);
    expect(ask()).toMatchObject({ ok: false, reason: 'day' });
  });

  it('turns once at midnight, whatever the millisecond', () => {
    const midnight = Date.UTC(2026, 11, 32);
    const { ask, time } = setUp(midnight - 5);
    const seen: [number, number][] = [];
    for (let step = -5; step <= 5; step += 0.5) {
      time.wall = midnight + step;
      const { day } = ask().allowance;
      seen.push([day.resetsAt, day.used]);
    }
    expect(seen.slice(0, 10)).toEqual(Array.from({ length: 10 }, (_, index) => [midnight, index + 1]));
    expect(seen.slice(10)).toEqual(Array.from({ length: 11 }, (_, index) => [midnight + DAY_MS, index + 1]));
  });

  it.each([2_000, 1, 600_000])('never goes back to yesterday when the wall clock is set back %d ms over midnight', (back) => {
    const midnight = Date.UTC(2028, 1, 29);
    const { ask, time, restore } = setUp(midnight - 1);
    restore(999);
    expect(ask().ok).toBe(true);
    expect(ask()).toEqual(refused('day', 1));
    time.wall = midnight;
    expect(ask().allowance.day.used).toBe(1);
    time.wall = midnight - back;
    expect(ask().allowance.day).toMatchObject({ used: 2, resetsAt: midnight + DAY_MS });
    time.wall = midnight + 5;
    expect(ask().allowance.day).toMatchObject({ used: 3, resetsAt: midnight + DAY_MS });
  });

  it('never asks for a wait of more than a day', () => {
    const midnight = Date.UTC(2026, 10, 21);
    const { ask, time, restore } = setUp(midnight);
    restore(1_000);
    expect(ask()).toEqual(refused('day', 86_400));
    time.wall = midnight - 2_000;
    expect(ask()).toEqual(refused('day', 86_400));
  });
});

describe('minute and day together', () => {
  it('takes nothing from the day when the minute refuses', () => {
    const { askTimes, peek } = setUp();
    askTimes(500);
    expect(peek().day.used).toBe(60);
  });

  it('puts nothing into the minute when the day refuses', () => {
    const { askTimes, peek, restore } = setUp();
    restore(990);
    expect(askTimes(50).filter(({ ok }) => ok)).toHaveLength(10);
    expect(peek().minute.used).toBe(10);
  });

  it('names the limit that frees last when both are spent', () => {
    const byDay = setUp();
    byDay.restore(940);
    byDay.askTimes(60);
    expect(byDay.ask()).toEqual(refused('day', 43_200));
    const byMinute = setUp(NOON + DAY_MS / 2 - 5_000);
    byMinute.restore(940);
    byMinute.askTimes(60);
    expect(byMinute.ask()).toEqual(refused('minute', 60));
    byMinute.pass(60_000);
    expect(byMinute.ask().ok).toBe(true);
  });

  it('keeps subscriptions apart', () => {
    const { askTimes, ask } = setUp();
    askTimes(60);
    expect(ask('starter').ok).toBe(false);
    expect(ask('starter', 'other').ok).toBe(true);
  });
});

describe('a request given back', () => {
  it('is given back to minute and day', () => {
    const { askTimes, ask, limiter, peek, restore } = setUp();
    restore(940);
    const decisions = askTimes(60);
    expect(ask().ok).toBe(false);
    for (const decision of [decisions[10]!, decisions[59]!]) if (decision.ok) limiter.refund('s', decision.admission);
    expect(peek()).toMatchObject({ day: { used: 998 }, minute: { used: 58 } });
    expect(askTimes(3).map(({ ok }) => ok)).toEqual([true, true, false]);
  });

  it('leaves the other admissions of the window where they are', () => {
    const { ask, limiter, pass, peek } = setUp();
    const decisions: LimitDecision[] = [];
    for (let request = 0; request < 20; request += 1) {
      decisions.push(ask());
      pass(1_000);
    }
    const oldest = decisions[0]!;
    const middle = decisions[7]!;
    if (oldest.ok) limiter.refund('s', oldest.admission);
    if (middle.ok) limiter.refund('s', middle.admission);
    expect(peek().minute).toMatchObject({ used: 18, freesInSeconds: 41 });
    pass(46_000);
    expect(peek().minute).toMatchObject({ used: 12, freesInSeconds: 2 });
  });

  it('does not take from the day after the one it was counted on', () => {
    const { ask, limiter, pass, peek } = setUp(NOON + DAY_MS / 2 - 1);
    const late = ask();
    pass(1);
    ask();
    if (late.ok) limiter.refund('s', late.admission);
    expect(peek()).toMatchObject({ day: { used: 1 }, minute: { used: 1 } });
  });
});

describe('memory', () => {
  it('frees the minute of an idle subscription and keeps its day', () => {
    const { askTimes, limiter, pass, peek, ask } = setUp();
    askTimes(60);
    limiter.releaseIdle();
    expect(ask().ok).toBe(false);
    pass(61_000);
    limiter.releaseIdle();
    expect(peek()).toMatchObject({ day: { used: 60 }, minute: { used: 0 } });
    expect(askTimes(61).filter(({ ok }) => ok)).toHaveLength(60);
  });

  it('takes no more than 8 bytes for each request that a minute may hold', () => {
    const rings: number[] = [];
    const Original = globalThis.Uint32Array;
    globalThis.Uint32Array = new Proxy(Original, {
      construct(target, [length]) {
        rings.push(length * 4);
        return new target(length);
      },
    });
    try {
      for (const { perMinute } of Object.values(TIERS)) {
        const window = new RollingMinute();
        for (let request = 0; request < perMinute; request += 1) window.add(window.advance(request));
        expect(Math.max(...rings)).toBeLessThanOrEqual(perMinute * 8);
      }
    } finally {
      globalThis.Uint32Array = Original;
    }
    expect(Math.max(...rings)).toBeLessThanOrEqual(6 * 1024);
  });
});

describe('against a slow twin', () => {
  it('admits exactly what the twin admits, and waits exactly as long, on hostile schedules', () => {
    const result = simulateLimiter({ decisions: 100_000, seed: 20_261_121 });
    expect(result).toMatchObject({ decisions: 100_000, over: 0, under: 0, dishonest: 0 });
    for (const { admitted, decisions } of result.schedules) {
      expect(admitted).toBeGreaterThan(0);
      expect(admitted).toBeLessThanOrEqual(decisions);
    }
  });

  it('keeps exactly the admissions of the last minute for any sequence of adding, removing and waiting', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('wait' as const), us: fc.oneof(fc.nat(2_000_000), fc.nat(70_000_000), fc.nat(10 ** 10)) }),
      fc.record({ kind: fc.constant('add' as const), times: fc.integer({ min: 1, max: 40 }) }),
      fc.record({ kind: fc.constant('remove' as const), which: fc.nat(60) }),
      fc.record({ kind: fc.constant('release' as const) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 0, max: 2 ** 45 }), (steps, start) => {
        const window = new RollingMinute();
        let kept: number[] = [];
        let now = start;
        for (const action of steps) {
          if (action.kind === 'wait') now += action.us;
          kept = kept.filter((at) => now - at < 60_000_000);
          expect(window.advance(now)).toBe(now);
          if (action.kind === 'release') window.release(now);
          for (let time = 0; action.kind === 'add' && time < action.times; time += 1) {
            window.add(now);
            kept.push(now);
          }
          if (action.kind === 'remove' && kept.length > 0) {
            const at = kept[action.which % kept.length]!;
            expect(window.remove(at)).toBe(true);
            kept.splice(kept.lastIndexOf(at), 1);
          }
          expect(window.count).toBe(kept.length);
          expect(window.freesIn(now)).toBe(kept.length === 0 ? 0 : kept[0]! + 60_000_000 - now);
          for (const limit of [1, 7, 60]) {
            const blocking = kept.at(-limit);
            expect(window.waitFor(limit, now)).toBe(blocking === undefined ? 0 : blocking + 60_000_000 - now);
          }
        }
      }),
    );
  });
});
