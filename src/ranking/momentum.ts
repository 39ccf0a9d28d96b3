/** How far each series of an event lies above what it was before. What the rest of its category does, `trend-scores.ts` looks at. */

import type { Category } from '../catalog/index.ts';
import type { TrendFacts } from './model.ts';
import { daily, MS_PER_DAY, type Observation, rates, series, spread, steadyTotals, upperQuartile } from './series.ts';

export const TRACKS = ['sources', 'tickets', 'pace', 'social', 'views'] as const;
export type Track = (typeof TRACKS)[number];

export interface Rise {
  /** In the unit of the track. */
  gain: number;
  /** In robust deviations of the event's own baseline. */
  deviations: number;
}

/** What the category of an event learns of it. */
export interface MomentumOfKind {
  category: Category;
  /** Absent where too little was observed. */
  rises: Readonly<Partial<Record<Track, Rise>>>;
  /** The coverage that has held for the last days, and whether the event is too young to have a baseline of its own. */
  coverage: { level: number; isNew: boolean } | null;
}

export interface Momentum extends MomentumOfKind, Omit<TrendFacts, 'signals' | 'scores'> {}

/** Of an event at `now` (milliseconds since 1970 UTC). Not moved by the order of its observations. */
export function momentumOf({ signals, scores, ...event }: TrendFacts, now: number): Momentum {
  const rises: Partial<Record<Track, Rise>> = {};
  const note = (track: Track, rise: Rise | null): void => {
    if (rise) rises[track] = rise;
  };
  const days = daysOf(scores, now);
  const level = lowest(days.slice(-LATE_DAYS));
  const isNew = days.length <= NEW_DAYS;
  if (level !== null && !isNew) note('sources', riseOfCoverage(level, days, now));
  if (signals.length > 0) {
    const perDay = rates(steadyTotals(daily(series(signals, 'tickets_sold', now))));
    const pace = lowest(latest(perDay, now));
    note('tickets', riseOf(perDay, now, FLOORS.tickets));
    note('pace', pace === null ? null : { gain: pace, deviations: Math.min(MOST_OF_PACE, pace / FLOORS.pace) });
    note('social', riseOf(daily(series(signals, 'social_mentions', now)), now, FLOORS.social));
    note('views', riseOf(daily(series(signals, 'page_views', now)), now, FLOORS.views));
  }
  return { ...event, rises, coverage: level === null ? null : { level, isNew } };
}

/**
 * The momentum, as far as its category is concerned, of an event of which nothing was observed and whose coverage was never another:
 * what `momentumOf` says of most events, at no cost. Null where it might say something else, for the event is new. `level` is null
 * where no coverage was noted; `since` is the first day on which it was, as milliseconds of its midnight in UTC.
 */
export function steadyMomentum(
  { category, level, since }: { category: Category; level: number | null; since: number },
  now: number,
): MomentumOfKind | null {
  if (level === null) return { category, rises: {}, coverage: null };
  if (since > Math.floor(now / MS_PER_DAY) * MS_PER_DAY - NEW_DAYS * MS_PER_DAY) return null;
  return { category, rises: { sources: { gain: 0, deviations: 0 } }, coverage: { level, isNew: false } };
}

/** Nothing about it rises. */
export const isQuiet = ({ rises, coverage }: MomentumOfKind): boolean =>
  !coverage?.isNew && Object.values(rises).every(({ gain }) => gain <= 0);

/**
 * What the latest few readings all reach, above three quarters of those before them: one reading moves nothing, however high, and what
 * goes up and down has been up before.
 */
function riseOf(readings: readonly Observation[], now: number, floor: number): Rise | null {
  const known = readings.filter(({ at }) => at > now - BASELINE_MS);
  const lateCount = Math.min(latest(known, now).length, known.length - LEAST_OBSERVED);
  const level = lowest(known.slice(known.length - Math.max(0, lateCount)));
  if (level === null) return null;
  const before = known.slice(0, -lateCount).map(({ value }) => value);
  const gain = level - upperQuartile(before);
  return { gain, deviations: gain / (spread(before) + floor) };
}

/** Above what it was a week ago (or when it was first listed), and on three quarters of the days before. */
function riseOfCoverage(level: number, days: readonly Observation[], now: number): Rise {
  const weekAgo = days.findIndex(({ at }) => at > now - WINDOW_MS - MS_PER_DAY);
  const before = days.slice(0, weekAgo + 1).map(({ value }) => value);
  const gain = level - Math.max(days[weekAgo]?.value ?? level, upperQuartile(before));
  return { gain, deviations: gain / (spread(before) + FLOORS.sources) };
}

/** Null for too few. */
const lowest = (readings: readonly Observation[]): number | null =>
  readings.length < LEAST_OBSERVED ? null : Math.min(...readings.map(({ value }) => value));

const latest = (readings: readonly Observation[], now: number): Observation[] =>
  readings.slice(-LATE_READINGS).filter(({ at }) => at > now - WINDOW_MS);

/** The coverage of every day since it was first noted, the last one today; what was noted holds until it is noted anew. */
function daysOf(scores: TrendFacts['scores'], now: number): Observation[] {
  const noted = scores
    .map(({ day, score }) => ({ at: Date.parse(`${day}T00:00:00Z`), value: score }))
    .filter(({ at, value }) => at <= now + FURTHEST_ZONE_MS && Number.isFinite(value))
    .sort((a, b) => a.at - b.at || b.value - a.value);
  const [first, last] = [noted[0], noted.at(-1)];
  if (!first || !last) return [];
  const days: Observation[] = [];
  const end = Math.max(last.at, Math.floor(now / MS_PER_DAY) * MS_PER_DAY);
  let next = 0;
  for (let at = Math.max(first.at, end - BASELINE_MS + MS_PER_DAY); at <= end; at += MS_PER_DAY) {
    while ((noted[next + 1]?.at ?? Number.POSITIVE_INFINITY) <= at) next += 1;
    days.push({ at, value: noted[next]?.value ?? 0 });
  }
  return days;
}

export const WINDOW_DAYS = 7;
export const BASELINE_DAYS = 35;
/** An event is new for so many days. */
export const NEW_DAYS = 3;
/** The smallest amount that is news, added to the spread of every baseline; for `pace`: what counts one deviation. */
export const FLOORS: Readonly<Record<Track, number>> = { sources: 2, tickets: 10, pace: 20, social: 10, views: 50 };
/** Sales at a steady pace are half a trend at most. */
const MOST_OF_PACE = 2;
/** How many of the latest daily readings have to reach a level; coverage is no reading of others, and may be believed sooner. */
const LATE_READINGS = 3;
const LATE_DAYS = 2;
const LEAST_OBSERVED = 2;
const WINDOW_MS = WINDOW_DAYS * MS_PER_DAY;
const BASELINE_MS = BASELINE_DAYS * MS_PER_DAY;
/** No zone is further ahead: its day may have begun. */
const FURTHEST_ZONE_MS = 14 * 3_600_000;
