/**
 * What this process answers, minute by minute. A request costs nothing here: the counters of the metrics are read once a minute, and
 * what they grew by is the minute. A minute in which nothing was requested is recorded too: the process was running.
 */

import { type AnswerTotals, DURATION_BOUNDS_MS } from '../api/index.ts';
import type { Clock } from '../clock.ts';
import { SURFACES, type SurfaceName } from './model.ts';

export type MinuteTallies = Readonly<Record<SurfaceName, Tally>>;

interface MinuteRecorder {
  /** Minutes that were not handed over yet, by their number since 1970, with the one that runs. */
  unsaved(): ReadonlyMap<number, MinuteTallies>;
  /** Hands over the minutes that are finished, maybe none; with `all` also the one that runs. They are forgotten when `save` resolves. */
  handOver(save: (minutes: ReadonlyMap<number, MinuteTallies>) => Promise<void>, all?: boolean): Promise<void>;
}

/** `now`: the limits' clock. `readTotals`: counters since the start of the process. */
export function createMinuteRecorder(readTotals: (surface: SurfaceName) => AnswerTotals, now: Clock): MinuteRecorder {
  const minutes = new Map<number, MinuteTallies>();
  let read = readAll();
  let open = minuteOf(now());
  minutes.set(open, NOTHING);

  function readAll(): Record<SurfaceName, Tally> {
    return bySurface((surface) => toTally(readTotals(surface)));
  }

  /** What was answered since the last look belongs to the minute of that look. */
  function collect(): void {
    const later = readAll();
    const grown = bySurface((surface) => differenceOf(later[surface], read[surface]));
    read = later;
    minutes.set(open, sumOf(minutes.get(open) ?? NOTHING, grown));
    open = minuteOf(now());
    if (!minutes.has(open)) minutes.set(open, NOTHING);
    for (const minute of minutes.keys()) {
      if (minutes.size <= MAX_UNSAVED) break;
      minutes.delete(minute);
    }
  }

  return {
    unsaved() {
      collect();
      return minutes;
    },
    async handOver(save, all = false) {
      collect();
      const handed = new Map([...minutes].filter(([minute]) => all || minute !== open).slice(0, MAX_BATCH));
      await save(handed);
      for (const [minute, tallies] of handed) if (minutes.get(minute) === tallies) minutes.delete(minute);
    },
  };
}

export const minuteOf = (milliseconds: number): number => Math.floor(milliseconds / MINUTE_MS);

export function bySurface<Value>(value: (surface: SurfaceName) => Value): Record<SurfaceName, Value> {
  return Object.fromEntries(SURFACES.map((surface) => [surface, value(surface)])) as Record<SurfaceName, Value>;
}

export const sumOf = (left: MinuteTallies, right: MinuteTallies): MinuteTallies =>
  bySurface((surface) => addTallies(left[surface], right[surface]));

/*
 * What was answered in some time, as a row of numbers that can be added:
 *
 * [ without failure | 4xx | 5xx | answers by duration … ]       empty: nothing was requested
 */

export type Tally = readonly number[];

const toTally = ({ ok, refused, failed, durations }: AnswerTotals): Tally => [ok, refused, failed, ...durations];

export function addTallies(left: Tally, right: Tally): Tally {
  if (left.length === 0) return right;
  if (right.length === 0) return left;
  return left.map((count, i) => count + (right[i] ?? 0));
}

/** What came between two readings of counters that only grow. */
function differenceOf(later: Tally, earlier: Tally): Tally {
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
export const NO_ANSWERS: Tally = [];
export const NOTHING: MinuteTallies = bySurface(() => NO_ANSWERS);
export const MINUTE_MS = 60_000;
/** A day without the database. */
const MAX_UNSAVED = 1_440;
const MAX_BATCH = 500;
