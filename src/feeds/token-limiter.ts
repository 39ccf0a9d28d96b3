/** How often secret URLs may be asked for, and guessed, in any 60 seconds. Limits are per process. */

import { createMinuteWindows, createUnknownKeyLimiter } from '../accounts/index.ts';
import type { Clock } from '../clock.ts';

export interface TokenLimiter {
  perMinute: number;
  /** 0: counted; else whole seconds (≥ 1) to wait. A refused request is not counted. */
  take(token: string): number;
  /** As `take`, for an address that asked with a token that nobody has. */
  failed(address: string): number;
}

/** `monotonic`: milliseconds. */
export function createTokenLimiter(monotonic: Clock): TokenLimiter {
  const tokens = createMinuteWindows({ perMinute: PER_MINUTE, maxWatched: MAX_WATCHED });
  const unknownKeyLimiter = createUnknownKeyLimiter(monotonic);
  let releasedAt = monotonic();
  return {
    perMinute: PER_MINUTE,
    take(token) {
      const now = monotonic();
      if (now - releasedAt > MINUTE_MS) {
        tokens.releaseIdle(now * US_PER_MS);
        unknownKeyLimiter.releaseIdle();
        releasedAt = now;
      }
      const window = tokens.of(token, Math.round(now * US_PER_MS));
      if (window.wait === 0) window.add();
      return Math.ceil(window.wait / US_PER_SECOND);
    },
    failed: unknownKeyLimiter.failed,
  };
}

/** Decisions §6, "Tokened URLs". */
const PER_MINUTE = 120;
const MAX_WATCHED = 20_000;
const MINUTE_MS = 60_000;
const US_PER_MS = 1_000;
const US_PER_SECOND = 1_000_000;
