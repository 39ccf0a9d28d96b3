/** What whoever counts in a simulation was told, and when; and the check of all notes together. */

import { type LimitDecision, TIER_NAMES, TIERS } from '../src/accounts/index.ts';

export interface NotedDecisions {
  decisions: number;
  admitted: number;
  /** Admissions beyond a minute's or a day's limit. */
  over: number;
  /** Refusals though the limit was not reached. */
  under: number;
  /** Refusals with another `Retry-After` than the first whole second at which one more is admitted. */
  dishonest: number;
}

/** Which subscription (each has a tier of its own), whether it was admitted, the day, and what a refusal told. `firstDay`: days since 1970. */
export function encodeDecision(which: number, decision: LimitDecision, firstDay: number): number {
  const day = decision.allowance.day.resetsAt / DAY_MS - 1 - firstDay;
  if (day < 0 || day >= DAYS) throw new Error(`day ${day} of a round does not fit into a note`);
  const told = decision.ok ? 0 : decision.retryAfterSeconds * 2 + Number(decision.reason === 'day');
  return ((told * DAYS + Math.floor(day)) * 2 + Number(decision.ok)) * TIER_NAMES.length + which;
}

/** `notes`: two numbers for each decision, the time and what was decided. `second`: in the unit of the times. Refusals at negative times were made from memory: true, but reckoned from a moment before. */
export function checkNotes(notes: readonly Float64Array[], second: number, result: NotedDecisions): void {
  const minute = 60 * second;
  for (const [which, tier] of TIER_NAMES.entries()) {
    const { perMinute, perDay } = TIERS[tier];
    const { times, perDays, refusals } = read(notes, which, result);
    result.admitted += times.length;
    for (let at = perMinute; at < times.length; at += 1) if (times[at]! - times[at - perMinute]! < minute) result.over += 1;
    for (const used of perDays.values()) result.over += Math.max(0, used - perDay);
    for (const { at, day, told, isExact } of refusals) {
      const isOfDay = told % 2 === 1;
      const blocking = times[countUpTo(times, at) - perMinute];
      const isFull = blocking !== undefined && blocking > at - minute;
      if (isOfDay ? perDays.get(day) !== perDay : !isFull) result.under += 1;
      else if (isExact && !isOfDay && told >> 1 !== Math.ceil(((blocking ?? 0) + minute - at) / second)) result.dishonest += 1;
    }
  }
}

interface Refusal {
  at: number;
  day: number;
  told: number;
  isExact: boolean;
}

/** What was noted of one subscription. */
function read(notes: readonly Float64Array[], which: number, result: NotedDecisions) {
  const admissions: number[] = [];
  const perDays = new Map<number, number>();
  const refusals: Refusal[] = [];
  for (const noted of notes) {
    for (let at = 0; at < noted.length; at += 2) {
      const code = noted[at + 1] as number;
      if (code % TIER_NAMES.length !== which) continue;
      const rest = Math.floor(code / TIER_NAMES.length);
      const day = Math.floor(rest / 2) % DAYS;
      const time = noted[at] as number;
      result.decisions += 1;
      if (rest % 2 === 1) {
        admissions.push(time);
        perDays.set(day, (perDays.get(day) ?? 0) + 1);
      } else refusals.push({ at: Math.abs(time), day, told: Math.floor(rest / 2 / DAYS), isExact: time >= 0 });
    }
  }
  return { times: Float64Array.from(admissions).sort(), perDays, refusals };
}

/** How many are not later. */
function countUpTo(times: Float64Array, at: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

const DAY_MS = 86_400_000;
/** Days that a round may last: with them, a note fits into 31 bits. */
const DAYS = 1_000;
