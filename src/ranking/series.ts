/** Observations of one kind as a series in time, and robust statistics over it. */

import type { Signal, SignalKind } from '../catalog/index.ts';

export interface Observation {
  at: number;
  value: number;
}

/** Observations of `kind` up to `now`, oldest first; of several at one moment the highest counts. */
export function series(signals: readonly Signal[], kind: SignalKind, now: number): Observation[] {
  const sorted = signals
    .filter((signal) => signal.kind === kind && signal.observedAt <= now)
    .map((signal) => ({ at: signal.observedAt, value: signal.value }))
    .sort((a, b) => a.at - b.at || b.value - a.value);
  return sorted.filter((observation, index) => observation.at !== sorted[index - 1]?.at);
}

/**
 * How fast a running total moves within each step of a series, in units per day. Falling totals count as standing still.
 * A step shorter than a day is counted as a day: two readings a minute apart say nothing about a day.
 */
export function rates(totals: readonly Observation[]): Observation[] {
  return totals.slice(1).map((current, index) => {
    const previous = totals[index] ?? current;
    const days = Math.max(1, (current.at - previous.at) / MS_PER_DAY);
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

/** Median absolute deviation, scaled so that it estimates the standard deviation of normal noise. */
export function spread(values: readonly number[]): number {
  const center = median(values);
  return MAD_TO_DEVIATION * median(values.map((value) => Math.abs(value - center)));
}

export const MS_PER_DAY = 86_400_000;
/** 1 / Φ⁻¹(3/4). */
const MAD_TO_DEVIATION = 1.4826;
