/**
 * Ninety days in a few kilobytes: finished days as sums, yesterday and today as minutes.
 *
 * The availability of a minute is the share of its answers that did not fail; 1 where nothing was requested, 0 where no process was running.
 * That of a day is the mean of its minutes. Minutes before the first known one do not count.
 */

import { DAY_MS } from '../../values/duration.ts';
import { type DayReport, SURFACES, type SurfaceName } from '../model.ts';
import { bySurface, type MinuteTallies, minuteOf, NOTHING, sumOf } from './recorder.ts';
import { addTallies, answersOf, durationWithin, failedShareOf, failuresOf, NO_ANSWERS, slowOf, type Tally } from './tally.ts';

interface DaySums {
  /** Minutes in which a process was running. */
  running: number;
  surfaces: Record<SurfaceName, { /** Minutes that failures cost. */ lost: number; tally: Tally }>;
}

export interface MinuteHistory {
  /** Minutes as they are stored; those that are known are replaced. */
  put(minutes: ReadonlyMap<number, MinuteTallies>): void;
  /** A whole day, which does not change any more. */
  putDay(day: number, minutes: ReadonlyMap<number, MinuteTallies>): void;
  /** The service was up in this minute at the latest. */
  noteFirst(minute: number): void;
  /** The last 90 days up to `minute`, the oldest first. `unsaved`: minutes that are not stored yet. */
  days(minute: number, unsaved: ReadonlyMap<number, MinuteTallies>): Record<SurfaceName, DayReport[]>;
  /** Of the minutes from `from` to `to`. */
  tallyOf(from: number, to: number, unsaved: ReadonlyMap<number, MinuteTallies>): MinuteTallies;
}

export function createHistory(): MinuteHistory {
  const days = new Map<number, DaySums>();
  const recent = new Map<number, MinuteTallies>();
  let first = Number.POSITIVE_INFINITY;

  /** Days that are over become sums; those that nobody is shown are forgotten. */
  function fold(today: number): void {
    const over = [...recent.keys()].filter((minute) => dayOf(minute) < today - 1);
    for (const [day, numbers] of Map.groupBy(over, dayOf)) {
      days.set(day, sumUp(numbers.map((number) => recent.get(number) ?? NOTHING)));
      for (const number of numbers) recent.delete(number);
    }
    for (const day of days.keys()) if (day <= today - SHOWN_DAYS) days.delete(day);
  }

  return {
    put(minutes) {
      for (const [minute, tallies] of minutes) recent.set(minute, tallies);
    },
    putDay(day, minutes) {
      days.set(day, sumUp([...minutes.values()]));
    },
    noteFirst(minute) {
      first = Math.min(first, minute);
    },
    days(minute, unsaved) {
      const today = dayOf(minute);
      fold(today);
      const merged = Map.groupBy(merge(recent, unsaved), ([number]) => dayOf(number));
      const known = Math.min(first, ...recent.keys(), ...unsaved.keys());
      const shown = Array.from({ length: SHOWN_DAYS }, (_, i) => {
        const day = today - SHOWN_DAYS + 1 + i;
        const counted = Math.max(0, Math.min((day + 1) * DAY_MINUTES, minute + 1) - Math.max(day * DAY_MINUTES, known));
        return { day, counted, sums: days.get(day) ?? sumUp(merged.get(day)?.map(([, tallies]) => tallies) ?? []) };
      });
      return bySurface((surface) => shown.map((each) => describeDay(surface, each)));
    },
    tallyOf(from, to, unsaved) {
      let sum = NOTHING;
      for (let minute = from; minute <= to; minute += 1) {
        for (const minutes of [recent, unsaved]) sum = sumOf(sum, minutes.get(minute) ?? NOTHING);
      }
      return sum;
    },
  };
}

function merge(
  stored: ReadonlyMap<number, MinuteTallies>,
  unsaved: ReadonlyMap<number, MinuteTallies>,
): Map<number, MinuteTallies> {
  const merged = new Map(stored);
  for (const [minute, tallies] of unsaved) merged.set(minute, sumOf(merged.get(minute) ?? NOTHING, tallies));
  return merged;
}

function sumUp(minutes: readonly MinuteTallies[]): DaySums {
  const surfaces = bySurface((): { lost: number; tally: Tally } => ({ lost: 0, tally: NO_ANSWERS }));
  for (const tallies of minutes) {
    for (const surface of SURFACES) {
      const sums = surfaces[surface];
      sums.lost += failedShareOf(tallies[surface]);
      sums.tally = addTallies(sums.tally, tallies[surface]);
    }
  }
  return { running: minutes.length, surfaces };
}

function describeDay(surface: SurfaceName, { day, counted, sums }: { day: number; counted: number; sums: DaySums }): DayReport {
  const { lost, tally } = sums.surfaces[surface];
  const down = Math.max(0, counted - sums.running);
  return {
    date: new Date(day * DAY_MS).toISOString().slice(0, 10),
    counted,
    down,
    availability: counted === 0 ? null : Math.max(0, 1 - (down + lost) / counted),
    answers: answersOf(tally),
    failed: failuresOf(tally),
    slow: slowOf(tally),
    p50: durationWithin(tally, 0.5),
    p95: durationWithin(tally, 0.95),
    p99: durationWithin(tally, 0.99),
  };
}

/** Over all minutes that count. */
export function availabilityOf(days: readonly DayReport[]): number | null {
  const counted = days.reduce((sum, day) => sum + day.counted, 0);
  if (counted === 0) return null;
  return days.reduce((sum, { availability, counted }) => sum + (availability ?? 0) * counted, 0) / counted;
}

export const dayOf = (minute: number): number => Math.floor(minute / DAY_MINUTES);
export const firstMinuteOf = (day: number): number => day * DAY_MINUTES;
export const SHOWN_DAYS = 90;
const DAY_MINUTES = minuteOf(DAY_MS);
