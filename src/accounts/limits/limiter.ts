/** The limits: an exact rolling minute and a UTC day for each subscription, decided together. */

import type { Clock } from '../../clock.ts';
import { DAY_MS } from '../../values/duration.ts';
import { TIERS, type TierName } from '../tiers.ts';
import type { Allowance } from '../verdict.ts';
import { toAllowance, toRefusal } from './allowances.ts';
import type { Admission, Counters, LimitDecision, RequestMinute } from './counters.ts';
import { RollingMinute } from './rolling-minute.ts';

export interface LimiterOptions {
  /** Milliseconds that never step back, fractions welcome: the minute goes by it, so setting the wall clock moves nothing. */
  monotonic: Clock;
  /** Milliseconds since 1970 UTC: the day goes by it. */
  wall: Clock;
}

/** What was counted of one subscription. */
interface Count {
  readonly window: RollingMinute;
  /** Days since 1970; 0 before the first. It decreases only if it was a mistake of the wall clock. */
  day: number;
  used: number;
  /** What was used of the last `MAX_OTHER_DAYS` days: whichever of them the clock comes back to, it is not given twice. */
  readonly otherDays: Map<number, number>;
}

/** A change of tier holds from the next decision on; what was counted stays counted. */
export function createLimiter({ monotonic, wall }: LimiterOptions): Counters {
  const counts = new Map<string, Count>();
  /** Those whose minute may hold memory. */
  const inUse = new Map<string, Count>();
  const began = { wall: wall(), monotonic: monotonic() };
  const nowUs = (): number => Math.round(monotonic() * US_PER_MS);
  /** The time that has certainly been reached: it goes on while the wall clock is set back. */
  const reached = (): number => began.wall + monotonic() - began.monotonic;

  function countOf(subscriptionId: string): Count {
    const known = counts.get(subscriptionId);
    if (known) return known;
    const count: Count = { window: new RollingMinute(), day: 0, used: 0, otherDays: new Map() };
    counts.set(subscriptionId, count);
    return count;
  }

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
      inUse.set(subscriptionId, count);
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

    refund: (subscriptionId, admission): void => takeBack(countOf(subscriptionId), admission),

    restore: (subscriptionId, day, requests): void => restoreDay(countOf(subscriptionId), day, requests),

    moment: nowUs,

    minutes(span): RequestMinute[] {
      const found: RequestMinute[] = [];
      for (const [subscriptionId, { window }] of inUse) {
        const agesUs = window.ages(window.advance(nowUs()), span);
        if (agesUs.length > 0) found.push({ subscriptionId, agesUs });
      }
      return found;
    },

    continueMinutes(minutes): void {
      for (const { subscriptionId, agesUs } of minutes) {
        const count = countOf(subscriptionId);
        continueMinute(count.window, agesUs, nowUs());
        inUse.set(subscriptionId, count);
      }
    },

    releaseIdle(): void {
      for (const [subscriptionId, { window }] of inUse) if (window.release(nowUs())) inUse.delete(subscriptionId);
    },
  };
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
  if (count.day > 0) noteOtherDay(count, count.day, count.used);
  count.day = day;
  count.used = count.otherDays.get(day) ?? 0;
  count.otherDays.delete(day);
}

function takeBack(count: Count, { at, day }: Admission): void {
  count.window.remove(at);
  // The day may have turned since: yesterday's request is not taken from today.
  if (day === count.day) count.used = Math.max(0, count.used - 1);
  else addToOtherDay(count, day, -1);
}

/** What was stored of a day counts only if nothing is known of this day. */
function restoreDay(count: Count, day: number, requests: number): void {
  if (day === count.day || count.otherDays.get(day) !== undefined) return;
  if (count.day !== 0) {
    noteOtherDay(count, day, requests);
    return;
  }
  count.day = day;
  count.used = requests;
}

/** Only a minute in which nothing was counted yet. */
function continueMinute(window: Count['window'], agesUs: readonly number[], nowUs: number): void {
  if (window.advance(nowUs) !== nowUs || window.count > 0) return;
  for (const age of agesUs.toSorted((left, right) => right - left)) window.add(window.advance(nowUs - age));
}

function noteOtherDay({ otherDays }: Count, day: number, used: number): void {
  otherDays.set(day, used);
  if (otherDays.size > MAX_OTHER_DAYS) otherDays.delete(otherDays.keys().next().value ?? day);
}

function addToOtherDay({ otherDays }: Count, day: number, requests: number): void {
  const used = otherDays.get(day);
  if (used !== undefined) otherDays.set(day, Math.max(0, used + requests));
}

function refuse(count: Count, tier: TierName, now: number, wallMs: number, minuteUs: number): LimitDecision {
  const dayUs = count.used < TIERS[tier].perDay ? 0 : (resetsAt(count) - wallMs) * US_PER_MS;
  return toRefusal(allowanceOf(count, tier, now), { minuteUs, dayUs });
}

const allowanceOf = ({ day, used, window }: Count, tier: TierName, now: number): Allowance =>
  toAllowance(tier, { day, usedOfDay: used, usedOfMinute: window.count, freesInUs: window.freesIn(now) });

const resetsAt = (count: Count): number => (count.day + 1) * DAY_MS;

const US_PER_MS = 1_000;
/** How far ahead a day is kept after the clock was set back: corrections of a clock that runs well are seconds. */
const AHEAD_MS = 3_600_000;
const HOUR_MS = 3_600_000;
const MAX_OTHER_DAYS = 8;
