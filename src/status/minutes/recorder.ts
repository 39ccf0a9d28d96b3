/**
 * What this process answers, minute by minute. A request costs nothing here: the counters of the metrics are read once a minute, and
 * what they grew by is the minute. A minute in which nothing was requested is recorded too: the process was running.
 */

import type { AnswerTotals } from '../../api/index.ts';
import type { Clock } from '../../clock.ts';
import { SURFACES, type SurfaceName } from '../model.ts';
import { addTallies, differenceOf, NO_ANSWERS, type Tally, toTally } from './tally.ts';

export type MinuteTallies = Readonly<Record<SurfaceName, Tally>>;

export interface MinuteRecorder {
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

export const NOTHING: MinuteTallies = bySurface(() => NO_ANSWERS);
export const MINUTE_MS = 60_000;
/** A day without the database. */
const MAX_UNSAVED = 1_440;
const MAX_BATCH = 500;
