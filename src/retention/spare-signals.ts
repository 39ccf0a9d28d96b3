/** Which observations of an event no score and no trend looks at any more. Pure; docs/retention.md says why. */

import { DAY_MS } from '../values/duration.ts';

export interface SignalReading {
  kind: string;
  /** Milliseconds. */
  at: number;
  value: number;
}

export interface EventMoments {
  now: number;
  /** As of when the event was scored last: its score is explained as of that moment. */
  scoredAt: number;
  /** Its end, or its start where no end is known. */
  overAt: number;
}

/**
 * All readings of the last `WHOLE_DAYS` before the last scoring stay, and the one before them. Of each UTC day of the baseline stay the
 * middle reading, which ranking takes for the day, the last one, and the highest where the middle would move without it. Tickets are
 * counted from the first day on, so all their days stay until the event is over.
 */
export function spareSignals(readings: readonly SignalReading[], { now, scoredAt, overAt }: EventMoments): SignalReading[] {
  if (overAt < now - EXPLAINED_DAYS * DAY_MS) return [...readings];
  const until = Math.min(now, scoredAt);
  const firstWhole = dayOf(until - WHOLE_DAYS * DAY_MS);
  const firstOfBaseline = dayOf(until - BASELINE_DAYS * DAY_MS);
  const isOver = overAt < now - OVER_DAYS * DAY_MS;
  return [...Map.groupBy(readings, ({ kind }) => kind)].flatMap(([kind, all]) => {
    const old = all.filter(({ at }) => dayOf(at) < firstWhole).sort((a, b) => a.at - b.at);
    const kept = new Set(old.slice(-1));
    for (const [day, some] of isOver ? [] : Map.groupBy(old, ({ at }) => dayOf(at))) {
      if (kind === COUNTED_FROM_THE_START || day >= firstOfBaseline) for (const reading of standIns(some)) kept.add(reading);
    }
    return old.filter((reading) => !kept.has(reading));
  });
}

/** Of the readings of one day, in the order of time: few that have the same middle and the same end as all of them. */
function standIns(readings: readonly SignalReading[]): SignalReading[] {
  const byValue = [...readings].sort((a, b) => Math.min(a.value, MAX_COUNTED) - Math.min(b.value, MAX_COUNTED) || a.at - b.at);
  const middle = Math.floor((byValue.length - 1) / 2);
  const last = readings.length === 0 ? -1 : byValue.indexOf(readings.at(-1) as SignalReading);
  const places = last < middle ? [middle, last, byValue.length - 1] : [middle, last];
  return places.flatMap((place) => byValue[place] ?? []);
}

const dayOf = (at: number): number => Math.floor(at / DAY_MS);

/** Scores look back 7 days. */
const WHOLE_DAYS = 10;
/** Trends look back 35 days. */
export const BASELINE_DAYS = 40;
const OVER_DAYS = 60;
/** As long as the listings of an event are kept. */
const EXPLAINED_DAYS = 400;
const COUNTED_FROM_THE_START = 'tickets_sold';
/** As `ranking/series.ts` counts. */
const MAX_COUNTED = 1e10;
