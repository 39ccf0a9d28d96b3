import { describe, expect, it } from 'vitest';
import { createStrangers } from '../../src/accounts/strangers.ts';

describe('strangers', () => {
  it('may fail 600 times in any minute, and are then told when the next try counts', () => {
    let now = 0;
    const strangers = createStrangers(() => now);
    for (let failure = 0; failure < 600; failure += 1) {
      expect(strangers.failed('203.0.113.7')).toBe(0);
      now += 50;
    }
    expect(strangers.failed('203.0.113.7')).toBe(30);
    expect(strangers.failed('203.0.113.8')).toBe(0);
    now = 59_999;
    expect(strangers.failed('203.0.113.7')).toBe(1);
    now = 60_000;
    expect(strangers.failed('203.0.113.7')).toBe(0);
    expect(strangers.failed('203.0.113.7')).toBe(1);
  });

  it('are forgotten when quiet, and when there are too many of them the ones longest quiet', () => {
    let now = 0;
    const strangers = createStrangers(() => now);
    const exhaust = (address: string) => {
      for (let failure = 0; failure < 600; failure += 1) strangers.failed(address);
    };
    exhaust('first');
    for (let address = 0; address < 9_999; address += 1) strangers.failed(`address ${address}`);
    expect(strangers.failed('first')).toBe(60);
    strangers.failed('one too many');
    expect(strangers.failed('first')).toBe(0);
    exhaust('second');
    now = 59_999;
    strangers.releaseIdle();
    expect(strangers.failed('second')).toBe(1);
    now = 120_000;
    strangers.releaseIdle();
    expect(strangers.failed('second')).toBe(0);
  });
});
