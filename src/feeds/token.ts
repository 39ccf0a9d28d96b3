/** The secret in the URL of a feed or of an export: 256 random bits as 43 characters. It is shown once; the store has its digest. */

import { hash, randomBytes } from 'node:crypto';
import { createMinuteWindows, createUnknownKeyLimiter } from '../accounts/index.ts';
import type { Clock } from '../clock.ts';

export interface NewToken {
  token: string;
  digest: Buffer;
  last4: string;
}

export function createToken(random: (size: number) => Uint8Array = randomBytes): NewToken {
  const token = Buffer.from(random(TOKEN_BYTES)).toString('base64url');
  return { token, digest: digestOf(token), last4: token.slice(-4) };
}

export const isToken = (text: string): boolean => TOKEN.test(text);
export const digestOf = (token: string): Buffer => hash('sha256', token, 'buffer');

interface TokenLimiter {
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

const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
/** Decisions §6, "Tokened URLs". */
const PER_MINUTE = 120;
const MAX_WATCHED = 20_000;
const MINUTE_MS = 60_000;
const US_PER_MS = 1_000;
const US_PER_SECOND = 1_000_000;
