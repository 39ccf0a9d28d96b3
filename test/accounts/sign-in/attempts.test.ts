import { describe, expect, it } from 'vitest';
import { createAttempts, LIMITS } from '../../../src/accounts/sign-in/attempts.ts';

const open = (limit = { burst: 2, everyMs: 10_000 }) => {
  let time = 0;
  const attempts = createAttempts(() => time, { ...LIMITS, emails: limit });
  return { attempts, pass: (ms: number) => (time += ms) };
};

describe('tries', () => {
  it('are few at once, and come back one by one', () => {
    const { attempts, pass } = open();
    expect([1, 2, 3].map(() => attempts.take('emails', 'a'))).toEqual([0, 0, 10]);
    pass(4_500);
    expect(attempts.take('emails', 'a')).toBe(6);
    pass(5_500);
    expect(attempts.take('emails', 'a')).toBe(0);
    expect(attempts.take('emails', 'a')).toBe(10);
    pass(60_000);
    expect([1, 2, 3].map(() => attempts.take('emails', 'a'))).toEqual([0, 0, 10]);
  });

  it('of one cost another nothing', () => {
    const { attempts } = open({ burst: 1, everyMs: 1_000 });
    expect(['a', 'b'].map((key) => attempts.take('emails', key))).toEqual([0, 0]);
    expect(attempts.take('passwords', 'a')).toBe(0);
  });

  it('that proved honest are given back, never more than there were', () => {
    const { attempts } = open();
    attempts.take('emails', 'a');
    for (let n = 0; n < 5; n++) attempts.giveBack('emails', 'a');
    expect([1, 2, 3].map(() => attempts.take('emails', 'a'))).toEqual([0, 0, 10]);
  });

  it('are not gained by setting the clock back', () => {
    const { attempts, pass } = open();
    attempts.take('emails', 'a');
    attempts.take('emails', 'a');
    pass(-1_000_000);
    expect(attempts.take('emails', 'a')).toBe(10);
  });

  it('of any number of keys take bounded memory', () => {
    const { attempts } = open({ burst: 1, everyMs: 1e9 });
    for (let n = 0; n < 10_001; n++) attempts.take('emails', `key ${n}`);
    expect(attempts.take('emails', 'key 0')).toBe(0);
    expect(attempts.take('emails', 'key 10000')).toBeGreaterThan(0);
  });
});
