/**
 * What was answered in some time, as a row of numbers that can be added:
 *
 *     [ without failure | 4xx | 5xx | answers by duration … ]       empty: nothing was requested
 */

import { type AnswerTotals, DURATION_BOUNDS_MS } from '../../api/index.ts';

export type Tally = readonly number[];

export const NO_ANSWERS: Tally = [];

export const toTally = ({ ok, refused, failed, durations }: AnswerTotals): Tally => [ok, refused, failed, ...durations];

export function addTallies(left: Tally, right: Tally): Tally {
  if (left.length === 0) return right;
  if (right.length === 0) return left;
  return left.map((count, i) => count + (right[i] ?? 0));
}

/** What came between two readings of counters that only grow. */
export function differenceOf(later: Tally, earlier: Tally): Tally {
  const difference = later.map((count, i) => Math.max(0, count - (earlier[i] ?? 0)));
  return difference.some((count) => count > 0) ? difference : NO_ANSWERS;
}

export function answersOf([ok = 0, refused = 0, failed = 0]: Tally): number {
  return ok + refused + failed;
}

export const failuresOf = (tally: Tally): number => tally[2] ?? 0;

/** 0 to 1; 0 where nothing was requested. */
export function failedShareOf(tally: Tally): number {
  const answers = answersOf(tally);
  return answers === 0 ? 0 : failuresOf(tally) / answers;
}

/** Answers that took longer than the last bound. */
export const slowOf = (tally: Tally): number => tally[OUTCOMES + DURATION_BOUNDS_MS.length] ?? 0;

/** Milliseconds within which this share was answered: the upper bound of a class; null without answers, and beyond the last bound. */
export function durationWithin(tally: Tally, share: number): number | null {
  const durations = tally.slice(OUTCOMES);
  const total = durations.reduce((sum, count) => sum + count, 0);
  let count = 0;
  const at = durations.findIndex((inClass) => {
    count += inClass;
    return count > 0 && count >= total * share;
  });
  return DURATION_BOUNDS_MS[at] ?? null;
}

const OUTCOMES = 3;
