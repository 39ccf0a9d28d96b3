/** The limits in process: an exact rolling minute and a UTC day for each subscription, decided together. */

import type { Clock } from '../clock.ts';
import type { Admission, Counters, Decision } from './counters.ts';
import { RollingMinute } from './rolling-minute.ts';
import { TIERS, type TierName } from './tiers.ts';
import type { Allowance } from './verdict.ts';

export interface LimiterOptions {
  /** Milliseconds that never step back, fractions welcome: the minute goes by it, so setting the wall clock moves nothing. */
  monotonic: Clock;
  /** Milliseconds since 1970 UTC: the day goes by it. */
  wall: Clock;
}

/** In-process counters. A change of tier holds from the next decision on; what was counted stays counted. */
export function createLimiter({ monotonic, wall }: LimiterOptions): Counters {
  const counts = new Map<string, Count>();
  /** Those whose ring may be in use. */
  const active = new Set<Count>();

  const countOf = (subscriptionId: string): Count => {
    const known = counts.get(subscriptionId);
    if (known) return known;
    const count: Count = { window: new RollingMinute(), day: 0, used: 0 };
    counts.set(subscriptionId, count);
    return count;
  };
  const nowUs = (): number => Math.round(monotonic() * US_PER_MS);

  return {
    decide(subscriptionId, tier): Decision {
      const count = countOf(subscriptionId);
      const wallMs = turnDay(count, wall());
      const now = count.window.advance(nowUs());
      const limits = TIERS[tier];
      const minuteWait = count.window.waitFor(limits.perMinute, now);
      if (minuteWait > 0 || count.used >= limits.perDay) return refuse(count, tier, now, wallMs, minuteWait);
      count.window.add(now);
      count.used += 1;
      active.add(count);
      return {
        ok: true,
        allowance: allowanceOf(count, tier, now),
        admission: { at: now, day: count.day, hour: Math.floor(wallMs / HOUR_MS) },
      };
    },

    peek(subscriptionId, tier): Allowance {
      const count = countOf(subscriptionId);
      turnDay(count, wall());
      return allowanceOf(count, tier, count.window.advance(nowUs()));
    },

    refund(subscriptionId, admission: Admission): void {
      const count = countOf(subscriptionId);
      count.window.remove(admission.at);
      // The day may have turned since: yesterday's request is not taken from today.
      if (admission.day === count.day && count.used > 0) count.used -= 1;
    },

    restore(subscriptionId, day, requests): void {
      if (counts.has(subscriptionId)) return;
      const count = countOf(subscriptionId);
      count.day = day;
      count.used = requests;
    },

    releaseIdle(): void {
      const now = nowUs();
      for (const count of active) if (count.window.release(now)) active.delete(count);
    },
  };
}

interface Count {
  window: RollingMinute;
  /** Days since 1970. Never decreases: a wall clock set back over midnight must not hand out yesterday again. */
  day: number;
  used: number;
}

/** Brings the count to the day of `now` and returns the wall time to reckon with, never before that day. */
function turnDay(count: Count, now: number): number {
  const day = Math.floor(now / DAY_MS);
  if (day > count.day) {
    count.day = day;
    count.used = 0;
  }
  return Math.max(now, count.day * DAY_MS);
}

/** When both are spent, the one that frees last is named: after its wait the request is admitted. */
function refuse(count: Count, tier: TierName, now: number, wallMs: number, minuteWait: number): Decision {
  const minuteSeconds = Math.ceil(minuteWait / US_PER_SECOND);
  const daySeconds = count.used < TIERS[tier].perDay ? 0 : Math.ceil((resetsAt(count) - wallMs) / MS_PER_SECOND);
  const reason = daySeconds >= minuteSeconds ? 'day' : 'minute';
  return { ok: false, reason, allowance: allowanceOf(count, tier, now), retryAfterSeconds: Math.max(minuteSeconds, daySeconds) };
}

function allowanceOf(count: Count, tier: TierName, now: number): Allowance {
  const { perDay, perMinute } = TIERS[tier];
  const inMinute = count.window.count;
  return {
    tier,
    day: { limit: perDay, used: count.used, remaining: Math.max(0, perDay - count.used), resetsAt: resetsAt(count) },
    minute: {
      limit: perMinute,
      used: inMinute,
      remaining: Math.max(0, perMinute - inMinute),
      freesInSeconds: Math.ceil(count.window.freesIn(now) / US_PER_SECOND),
    },
  };
}

const resetsAt = (count: Count): number => (count.day + 1) * DAY_MS;

const US_PER_MS = 1_000;
const US_PER_SECOND = 1_000_000;
const MS_PER_SECOND = 1_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
