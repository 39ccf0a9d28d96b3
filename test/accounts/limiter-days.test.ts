import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TIERS } from '../../src/accounts/index.ts';
import { NOON, setUpLimiter as setUp } from '../support/rigs/limiter.ts';

const DAY_MS = 86_400_000;

describe('the day', () => {
  it('leaves a day that the wall clock jumped to by mistake, and gives neither day twice', () => {
    const { ask, askTimes, time, restore, pass } = setUp();
    restore(990);
    expect(askTimes(5).every(({ ok }) => ok)).toBe(true);
    time.wall += 400 * DAY_MS;
    expect(askTimes(7).at(-1)).toMatchObject({ ok: true, allowance: { day: { used: 7, resetsAt: NOON + 400.5 * DAY_MS } } });
    time.wall -= 400 * DAY_MS;
    expect(ask().allowance.day).toMatchObject({ used: 996, resetsAt: NOON + DAY_MS / 2 });
    expect(askTimes(5).filter(({ ok }) => ok)).toHaveLength(4);
    time.wall += 400 * DAY_MS;
    expect(ask().allowance.day.used).toBe(8);
    time.wall -= 400 * DAY_MS;
    expect(ask()).toMatchObject({ ok: false, reason: 'day' });
    pass(DAY_MS);
    expect(ask().allowance.day).toMatchObject({ used: 1, resetsAt: NOON + 1.5 * DAY_MS });
  });

  it('goes on to the next day after the machine was suspended, and keeps it when the clock is then set back a little', () => {
    const midnight = NOON + DAY_MS / 2;
    const { ask, time, restore } = setUp();
    restore(1_000);
    expect(ask()).toMatchObject({ ok: false, reason: 'day' });
    // The monotonic clock stands still meanwhile.
    time.wall = midnight + 1_000;
    expect(ask().allowance.day).toMatchObject({ used: 1, resetsAt: midnight + DAY_MS });
    time.wall = midnight - 1_000;
    expect(ask().allowance.day).toMatchObject({ used: 2, resetsAt: midnight + DAY_MS });
    time.wall = midnight + 3 * DAY_MS;
    expect(ask().allowance.day).toMatchObject({ used: 1, resetsAt: midnight + 4 * DAY_MS });
  });

  it('keeps the day, however far the clock is set back behind the time that has passed', () => {
    const { ask, time, pass, restore } = setUp();
    restore(900);
    pass(DAY_MS);
    expect(ask().allowance.day.used).toBe(1);
    time.wall -= 300 * DAY_MS;
    expect(ask().allowance.day).toMatchObject({ used: 2, resetsAt: NOON + 1.5 * DAY_MS });
    pass(DAY_MS);
    expect(ask().allowance.day.used).toBe(3);
  });

  it('is given once, whatever the wall clock does, and never stays ahead of it (twin)', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('pass' as const), ms: fc.oneof(fc.nat(120_000), fc.nat(2 * DAY_MS)) }),
      fc.record({
        kind: fc.constant('set' as const),
        ms: fc.oneof(
          fc.integer({ min: -5_000, max: 5_000 }),
          fc.integer({ min: -400, max: 400 }).map((days) => days * DAY_MS),
        ),
      }),
      fc.record({ kind: fc.constant('suspend' as const), ms: fc.nat(3 * DAY_MS) }),
      fc.record({ kind: fc.constant('ask' as const), minutes: fc.integer({ min: 1, max: 9 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { ask, time, pass } = setUp();
        const begun = { ...time };
        /** The twin: every admission with its day, counted anew each time. */
        const admitted: number[] = [];
        let day = 0;
        for (const action of steps) {
          if (action.kind === 'pass') pass(action.ms);
          if (action.kind === 'set' || action.kind === 'suspend') time.wall += action.ms;
          for (let request = 0; action.kind === 'ask' && request < action.minutes * 60; request += 1) {
            if (request % 60 === 0) pass(60_000);
            const certain = Math.max(time.wall, begun.wall + time.monotonic - begun.monotonic);
            const today = Math.floor(time.wall / DAY_MS);
            if (today > day) day = today;
            else if (day * DAY_MS > certain + 3_600_000) day = Math.floor(certain / DAY_MS);
            const usedOfDay = admitted.filter((one) => one === day).length;
            const decision = ask();
            expect(decision.ok).toBe(usedOfDay < TIERS.starter.perDay);
            if (decision.ok) admitted.push(day);
            expect(decision.allowance.day.resetsAt).toBe((day + 1) * DAY_MS);
            expect(decision.allowance.day.resetsAt - certain).toBeLessThanOrEqual(DAY_MS + 3_600_000);
          }
        }
      }),
      { numRuns: 60 },
    );
  });
});
