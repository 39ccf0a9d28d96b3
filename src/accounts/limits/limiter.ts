/** The limits: an exact rolling minute and a UTC day for each subscription, decided together. */

import type { Clock } from '../../clock.ts';
import { DAY_MS } from '../../values/duration.ts';
import { TIERS, type TierName } from '../tiers.ts';
import type { Allowance } from '../verdict.ts';
import type { Admission, Counters, LimitDecision, RequestMinute } from './counters.ts';
import { type Count, createOwnCounts, type RequestCounts } from './counts.ts';
import { toAllowance, toRefusal } from './limit-decision.ts';

export interface LimiterOptions {
  /** Milliseconds that never step back, fractions welcome: the minute goes by it, so setting the wall clock moves nothing. */
  monotonic: Clock;
  /** Milliseconds since 1970 UTC: the day goes by it. */
  wall: Clock;
  /** Where the counts are; in this thread unless told. */
  counts?: RequestCounts;
  /** One moment by both clocks: limiters of the same counts are given the same. */
  began?: { wall: number; monotonic: number };
}

/** A change of tier holds from the next decision on; what was counted stays counted. */
export function createLimiter(options: LimiterOptions): Counters {
  const { monotonic, wall, counts = createOwnCounts() } = options;
  const began = options.began ?? { wall: wall(), monotonic: monotonic() };
  /** Read while a count is taken: then the times of one count never step back, whichever thread reads them. */
  const nowUs = (): number => Math.round(monotonic() * US_PER_MS);
  /** The time that has certainly been reached: it goes on while the wall clock is set back. */
  const reached = (): number => began.wall + monotonic() - began.monotonic;

  function withCount<T>(subscriptionId: string, work: (count: Count) => T): T {
    const count = counts.take(subscriptionId);
    try {
      return work(count);
    } finally {
      counts.release(count);
    }
  }

  function decideOn(count: Count, tier: TierName): LimitDecision {
    const wallMs = turnDay(count, wall(), reached());
    const now = count.window.advance(nowUs());
    const limits = TIERS[tier];
    const minuteWait = count.window.waitFor(limits.perMinute, now);
    if (minuteWait > 0 || count.used >= limits.perDay) return refuse(count, tier, now, wallMs, minuteWait);
    count.window.add(now);
    count.used += 1;
    return {
      ok: true,
      allowance: allowanceOf(count, tier, now),
      admission: { at: now, day: count.day, hour: Math.floor(wallMs / HOUR_MS) },
    };
  }

  return {
    decide(subscriptionId, tier): LimitDecision {
      const count = counts.take(subscriptionId);
      try {
        return decideOn(count, tier);
      } finally {
        counts.release(count);
      }
    },

    peek: (subscriptionId, tier): Allowance =>
      withCount(subscriptionId, (count) => {
        turnDay(count, wall(), reached());
        return allowanceOf(count, tier, count.window.advance(nowUs()));
      }),

    refund: (subscriptionId, admission): void => withCount(subscriptionId, (count) => takeBack(count, admission)),

    restore: (subscriptionId, day, requests): void => withCount(subscriptionId, (count) => restoreDay(count, day, requests)),

    moment: nowUs,

    minutes(span): RequestMinute[] {
      const found: RequestMinute[] = [];
      counts.forEachInUse(({ subscriptionId, window }) => {
        const agesUs = window.ages(window.advance(nowUs()), span);
        if (agesUs.length > 0) found.push({ subscriptionId, agesUs });
      });
      return found;
    },

    continueMinutes(minutes): void {
      for (const { subscriptionId, agesUs } of minutes) {
        withCount(subscriptionId, ({ window }) => continueMinute(window, agesUs, nowUs()));
      }
    },

    releaseIdle: () => counts.forEachInUse(({ window }) => void window.release(nowUs())),
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
  if (count.day > 0) count.otherDays.set(count.day, count.used);
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
    count.otherDays.set(day, requests);
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
