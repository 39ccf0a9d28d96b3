/** Observations of one kind as a series in time that no single reading can bend, and robust statistics over it. */

import type { Signal, SignalKind } from '../records/index.ts';
import { DAY_MS } from '../values/duration.ts';

export interface Observation {
  at: number;
  value: number;
}

/**
 * Observations of `kind` up to `now`, oldest first; of several at one moment the highest counts. What no counter can say (a negative
 * number, none at all) is left out.
 */
export function series(signals: readonly Signal[], kind: SignalKind, now: number): Observation[] {
  const sorted = signals
    .filter(({ kind: one, value, observedAt }) => one === kind && observedAt <= now && value >= 0)
    .map(({ observedAt, value }) => ({ at: observedAt, value: Math.min(value, MAX_COUNTED) }))
    .sort((a, b) => a.at - b.at || b.value - a.value);
  return sorted.filter((observation, index) => observation.at !== sorted[index - 1]?.at);
}

/** One reading of each day: the middle one by value, the lower of two. Saying a thing often does not make it more. */
export function daily(observations: readonly Observation[]): Observation[] {
  const days = Map.groupBy(observations, ({ at }) => Math.floor(at / DAY_MS));
  return [...days.values()].flatMap((day) => {
    const sorted = [...day].sort((a, b) => a.value - b.value || a.at - b.at);
    return sorted[Math.floor((sorted.length - 1) / 2)] ?? [];
  });
}

/**
 * A running total as it can have been: a reading counts as far as the next one bears it out, and what falls stands still, so that a
 * counter that starts anew sells nothing twice.
 */
export function steadyTotals(readings: readonly Observation[]): Observation[] {
  let most = 0;
  return readings.map(({ at, value }, index) => {
    most = Math.max(most, Math.min(value, readings[index + 1]?.value ?? value));
    return { at, value: most };
  });
}

/**
 * How fast a running total moves within each step of a series, in units per day. Falling totals count as standing still.
 * A step shorter than a day is counted as a day: two readings a minute apart say nothing about a day.
 */
export function rates(totals: readonly Observation[]): Observation[] {
  return totals.slice(1).map((current, index) => {
    const previous = totals[index] ?? current;
    const days = Math.max(1, (current.at - previous.at) / DAY_MS);
    return { at: current.at, value: Math.max(0, current.value - previous.value) / days };
  });
}

/** Middle value; 0 for none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

/** The value that three quarters of the values do not exceed, the higher one where it is between two; 0 for none. */
export function upperQuartile(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil((sorted.length - 1) * 0.75)] ?? 0;
}

/** Median absolute deviation, scaled so that it estimates the standard deviation of normal noise. */
export function spread(values: readonly number[]): number {
  const center = median(values);
  return MAD_TO_DEVIATION * median(values.map((value) => Math.abs(value - center)));
}

/** 1 / Φ⁻¹(3/4). */
const MAD_TO_DEVIATION = 1.4826;
/** More of anything than there are people. */
const MAX_COUNTED = 1e10;
