import { describe, expect, it } from 'vitest';
import { createUnknownKeyLimiter } from '../../src/accounts/limits/unknown-key-limiter.ts';

describe('networks', () => {
  it('may fail 600 times in any minute, and are then told when the next try counts', () => {
    let now = 0;
    const limiter = createUnknownKeyLimiter(() => now);
    for (let failure = 0; failure < 600; failure += 1) {
      expect(limiter.failed('203.0.113.7')).toBe(0);
      now += 50;
    }
    expect(limiter.failed('203.0.113.7')).toBe(30);
    expect(limiter.failed('203.0.113.8')).toBe(0);
    now = 59_999;
    expect(limiter.failed('203.0.113.7')).toBe(1);
    now = 60_000;
    expect(limiter.failed('203.0.113.7')).toBe(0);
    expect(limiter.failed('203.0.113.7')).toBe(1);
  });

  it('are forgotten when quiet, and when there are too many of them the ones longest quiet', () => {
    let now = 0;
    const limiter = createUnknownKeyLimiter(() => now);
    const exhaust = (address: string) => {
      for (let failure = 0; failure < 600; failure += 1) limiter.failed(address);
    };
    exhaust('192.0.2.1');
    for (let address = 0; address < 9_999; address += 1) limiter.failed(`10.${address >> 8}.${address & 0xff}.1`);
    expect(limiter.failed('192.0.2.1')).toBe(60);
    limiter.failed('198.51.100.1');
    expect(limiter.failed('192.0.2.1')).toBe(0);
    exhaust('198.51.100.2');
    now = 59_999;
    limiter.releaseIdle();
    expect(limiter.failed('198.51.100.2')).toBe(1);
    now = 120_000;
    limiter.releaseIdle();
    expect(limiter.failed('198.51.100.2')).toBe(0);
  });
});
