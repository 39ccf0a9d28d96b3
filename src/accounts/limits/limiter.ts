/** The limits in process: an exact rolling minute and a UTC day for each subscription, decided together. */

import type { Clock } from '../../clock.ts';
import { DAY_MS } from '../../values/duration.ts';
import { TIERS, type TierName } from '../tiers.ts';
import type { Allowance } from '../verdict.ts';
import type { Admission, Counters, LimitDecision, RequestMinute } from './counters.ts';
import { RollingMinute } from './rolling-minute.ts';

export interface LimiterOptions {
  /** Milliseconds that never step back, fractions welcome: the minute goes by it, so setting the wall clock moves nothing. */
  monotonic: Clock;
  /** Milliseconds since 1970 UTC: the day goes by it. */
  wall: Clock;
}

/** In-process counters. A change of tier holds from the next decision on; what was counted stays counted. */
export function createLimiter({ monotonic, wall }: LimiterOptions): Counters {
  const counts = new Map<string, Count>();
  const started = { wall: wall(), monotonic: monotonic() };
  /** Those whose ring may be in use. */
  const active = new Set<Count>();

  const countOf = (subscriptionId: string): Count => {
    const known = counts.get(subscriptionId);
    if (known) return known;
    const count: Count = { window: new RollingMinute(), day: 0, used: 0, otherDays: new Map() };
    counts.set(subscriptionId, count);
    return count;
  };
  const nowUs = (): number => Math.round(monotonic() * US_PER_MS);
  /** The time that has certainly been reached: it goes on while the wall clock is set back. */
  const reached = (): number => started.wall + monotonic() - started.monotonic;

  return {
    decide(subscriptionId, tier): LimitDecision {
      const count = countOf(subscriptionId);
      const wallMs = turnDay(count, wall(), reached());
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
      turnDay(count, wall(), reached());
      return allowanceOf(count, tier, count.window.advance(nowUs()));
    },

    refund(subscriptionId, admission: Admission): void {
      const count = countOf(subscriptionId);
      count.window.remove(admission.at);
      // The day may have turned since: yesterday's request is not taken from today.
      if (admission.day === count.day) count.used = Math.max(0, count.used - 1);
      else addToOtherDay(count, admission.day, -1);
    },

    restore(subscriptionId, day, requests): void {
      const count = countOf(subscriptionId);
      if (day === count.day || count.otherDays.has(day)) return;
      if (count.day === 0) Object.assign(count, { day, used: requests });
      else rememberDay(count, day, requests);
    },

    minutes(): RequestMinute[] {
      const found: RequestMinute[] = [];
      for (const [subscriptionId, { window }] of counts) {
        const agesUs = window.ages(window.advance(nowUs()));
        if (agesUs.length > 0) found.push({ subscriptionId, agesUs });
      }
      return found;
    },

    continueMinutes(minutes): void {
      const now = nowUs();
      for (const { subscriptionId, agesUs } of minutes) {
        const count = countOf(subscriptionId);
        if (count.window.advance(now) !== now || count.window.count > 0) continue;
        for (const age of agesUs.toSorted((left, right) => right - left)) count.window.add(count.window.advance(now - age));
        active.add(count);
      }
    },

    releaseIdle(): void {
      const now = nowUs();
      for (const count of active) if (count.window.release(now)) active.delete(count);
    },
  };
}

interface Count {
  window: RollingMinute;
  /** Days since 1970. It decreases only if it was a mistake of the wall clock. */
  day: number;
  used: number;
  /** What was used of other days, by day: whichever of them the clock comes back to, it is not given twice. */
  otherDays: Map<number, number>;
}

/**
 * Brings the count to the day of `wall` and returns the time to reckon with, never before that day.
 *
 * A wall clock that is set forward is believed: the machine may have been suspended, and the monotonic clock stands still then. A wall
 * clock that is set back keeps the day, or midnight would come twice. If it is set back and the day lies further ahead than
 * `reached` explains, the day was a mistake, and is left for the right one.
 */
function turnDay(count: Count, wall: number, reached: number): number {
  const day = Math.floor(wall / DAY_MS);
  const latest = Math.max(wall, reached);
  if (day > count.day) changeDay(count, day);
  else if (count.day * DAY_MS > latest + AHEAD_MS) changeDay(count, Math.floor(latest / DAY_MS));
  return Math.max(wall, count.day * DAY_MS);
}

function changeDay(count: Count, day: number): void {
  if (count.day > 0) rememberDay(count, count.day, count.used);
  count.day = day;
  count.used = count.otherDays.get(day) ?? 0;
  count.otherDays.delete(day);
}

function rememberDay(count: Count, day: number, used: number): void {
  count.otherDays.set(day, used);
  if (count.otherDays.size > OTHER_DAYS) count.otherDays.delete(count.otherDays.keys().next().value ?? day);
}

function addToOtherDay({ otherDays }: Count, day: number, requests: number): void {
  const used = otherDays.get(day);
  if (used !== undefined) otherDays.set(day, Math.max(0, used + requests));
}

/** When both are spent, the one that frees last is named: after its wait the request is admitted. */
function refuse(count: Count, tier: TierName, now: number, wallMs: number, minuteWait: number): LimitDecision {
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
/** How far ahead a day is kept after the clock was set back: corrections of a clock that runs well are seconds. */
const AHEAD_MS = 3_600_000;
/** Days kept beside the present one. */
const OTHER_DAYS = 8;
const HOUR_MS = 3_600_000;
