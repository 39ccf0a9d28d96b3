/** How often a secret link is asked for: so many requests in any 60 seconds. */

import type { Clock } from '../clock.ts';

export interface TokenLimiter {
  perMinute: number;
  /** 0, or whole seconds (≥ 1) to wait; a refused request is not counted. */
  take(token: string): number;
}

export function createTokenLimiter(monotonic: Clock): TokenLimiter {
  /** When each was asked for, oldest first; in the order of the last request. */
  const asked = new Map<string, number[]>();
  return {
    perMinute: PER_MINUTE,
    take(token) {
      const now = monotonic();
      const times = (asked.get(token) ?? []).filter((at) => at > now - MINUTE_MS);
      const [oldest = now] = times;
      const isFull = times.length >= PER_MINUTE;
      if (!isFull) times.push(now);
      asked.delete(token);
      asked.set(token, times);
      if (asked.size > MAX_TOKENS) asked.delete(asked.keys().next().value ?? '');
      return isFull ? Math.max(1, Math.ceil((oldest + MINUTE_MS - now) / 1000)) : 0;
    },
  };
}

/** Decisions: 120 requests a minute for each token. */
const PER_MINUTE = 120;
const MINUTE_MS = 60_000;
const MAX_TOKENS = 10_000;
