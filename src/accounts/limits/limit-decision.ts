/** How a decision is put into words: allowance, and the wait of a refusal. */

import { DAY_MS } from '../../values/duration.ts';
import { TIERS, type TierName } from '../tiers.ts';
import type { Allowance } from '../verdict.ts';
import type { LimitDecision } from './counters.ts';

export interface LimitCounts {
  /** UTC, days since 1970. */
  day: number;
  usedOfDay: number;
  usedOfMinute: number;
  /** Microseconds until the oldest request leaves the minute; 0: it is empty. */
  freesInUs: number;
}

export function toAllowance(tier: TierName, { day, usedOfDay, usedOfMinute, freesInUs }: LimitCounts): Allowance {
  const { perDay, perMinute } = TIERS[tier];
  return {
    tier,
    day: { limit: perDay, used: usedOfDay, remaining: Math.max(0, perDay - usedOfDay), resetsAt: (day + 1) * DAY_MS },
    minute: {
      limit: perMinute,
      used: usedOfMinute,
      remaining: Math.max(0, perMinute - usedOfMinute),
      freesInSeconds: Math.ceil(freesInUs / US_PER_SECOND),
    },
  };
}

/** Microseconds to wait for the minute and for the day. When both are spent, the one that frees last is named: after its wait the request is admitted. */
export function toRefusal(allowance: Allowance, wait: { minuteUs: number; dayUs: number }): LimitDecision {
  const minuteSeconds = Math.ceil(wait.minuteUs / US_PER_SECOND);
  const daySeconds = Math.ceil(wait.dayUs / US_PER_SECOND);
  const reason = daySeconds >= minuteSeconds ? 'day' : 'minute';
  return { ok: false, reason, allowance, retryAfterSeconds: Math.max(minuteSeconds, daySeconds) };
}

const US_PER_SECOND = 1_000_000;
