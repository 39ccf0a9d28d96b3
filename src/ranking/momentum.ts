/** How far each series of an event lies above what it was before. What the rest of its category does, `trend-scores.ts` looks at. */

import type { Category, SignalKind } from '../records/index.ts';
import { DAY_MS } from '../values/duration.ts';
import type { TrendFacts } from './model.ts';
import { daily, type Observation, rates, series, spread, steadyTotals, upperQuartile } from './series.ts';

export const TRACKS = ['appeal', 'tickets', 'pace', 'social', 'views'] as const;
export type Track = (typeof TRACKS)[number];

export interface Rise {
  /** In the unit of the track. */
  gain: number;
  /** In robust deviations of the event's own baseline. */
  deviations: number;
}

type MomentumFacts = Pick<TrendFacts, 'category' | 'discoveryScore' | 'signals' | 'scores'>;
interface SteadyFacts extends Pick<TrendFacts, 'category' | 'discoveryScore'> {
  level: number | null;
  since: number;
  until: number;
}

export interface Momentum {
  category: Category;
  /** As it is now, 0–100. */
  discoveryScore: number;
  /** Absent where too little was observed. */
  rises: Readonly<Partial<Record<Track, Rise>>>;
  /** The appeal that has held for the last days, and whether the event is too young to have a baseline of its own. */
  appeal: { level: number; isNew: boolean } | null;
}

/** Of an event at `now` (milliseconds since 1970 UTC), beside what else is said of it. Not moved by the order of its observations. */
export function momentumOf<Facts extends MomentumFacts>(
  { signals, scores, ...event }: Facts,
  now: number,
): Omit<Facts, 'signals' | 'scores'> & Momentum {
  const rises: Partial<Record<Track, Rise>> = {};
  const note = (track: Track, rise: Rise | null): void => {
    if (rise) rises[track] = rise;
  };
  const days = daysOf(scores, now);
  const level = lowest(days.slice(-LATE_DAYS));
  const isNew = days.length <= NEW_DAYS;
  if (level !== null && !isNew) note('appeal', riseOfAppeal(level, days, now));
  if (signals.length > 0) {
    const perDay = rates(steadyTotals(daily(series(signals, 'tickets_sold', now))));
    const pace = lowest(latest(perDay, now));
    note('tickets', riseOf(perDay, now, FLOORS.tickets));
    note('pace', pace === null ? null : { gain: pace, deviations: Math.min(MAX_OF_PACE, pace / FLOORS.pace) });
    note('social', riseOf(daily(series(signals, 'social_mentions', now)), now, FLOORS.social));
    note('views', riseOf(daily(series(signals, 'page_views', now)), now, FLOORS.views));
  }
  return { ...event, rises, appeal: level === null ? null : { level, isNew } };
}

/** Whether nothing that was observed of an event can make it rise: `steadyMomentum` says all there is. Most events are so. */
export function isSteady({ signals, scores }: Pick<MomentumFacts, 'signals' | 'scores'>): boolean {
  const readings = new Map<SignalKind, number>();
  for (const { kind } of signals) readings.set(kind, (readings.get(kind) ?? 0) + 1);
  return scores.every(({ score }) => score === scores[0]?.score) && [...readings.values()].every((count) => count < MIN_READINGS);
}

/**
 * What `momentumOf` says of an event that `isSteady`, at no cost. `level` is its appeal, null where none was noted; `since` and `until`
 * are the first and the last day on which it was, as milliseconds of their midnights in UTC. Null where that day is yet to come.
 */
export function steadyMomentum({ category, discoveryScore, level, since, until }: SteadyFacts, now: number): Momentum | null {
  if (level === null) return { category, discoveryScore, rises: {}, appeal: null };
  if (until > now + FURTHEST_ZONE_MS) return null;
  const days = (Math.max(until, midnight(now)) - since) / DAY_MS + 1;
  const isNew = days <= NEW_DAYS;
  const appeal = days < MIN_OBSERVED ? null : { level, isNew };
  return { category, discoveryScore, rises: isNew ? {} : { appeal: { gain: 0, deviations: 0 } }, appeal };
}

/** Nothing about it rises. */
export const isQuiet = ({ rises, appeal }: Momentum): boolean =>
  !appeal?.isNew && Object.values(rises).every(({ gain }) => gain <= 0);

/**
 * What the latest few readings all reach, above three quarters of those before them: one reading moves nothing, however high, and what
 * goes up and down has been up before.
 */
function riseOf(readings: readonly Observation[], now: number, floor: number): Rise | null {
  const known = readings.filter(({ at }) => at > now - BASELINE_MS);
  const lateCount = Math.min(latest(known, now).length, known.length - MIN_OBSERVED);
  const level = lowest(known.slice(known.length - Math.max(0, lateCount)));
  if (level === null) return null;
  const before = known.slice(0, -lateCount).map(({ value }) => value);
  const gain = level - upperQuartile(before);
  return { gain, deviations: gain / (spread(before) + floor) };
}

/** Above what it was a week ago (or when it was first listed), and on three quarters of the days before. */
function riseOfAppeal(level: number, days: readonly Observation[], now: number): Rise {
  const weekAgo = days.findIndex(({ at }) => at > now - WINDOW_MS - DAY_MS);
  const before = days.slice(0, weekAgo + 1).map(({ value }) => value);
  const gain = level - Math.max(days[weekAgo]?.value ?? level, upperQuartile(before));
  return { gain, deviations: gain / (spread(before) + FLOORS.appeal) };
}

/** Null for too few. */
const lowest = (readings: readonly Observation[]): number | null =>
  readings.length < MIN_OBSERVED ? null : Math.min(...readings.map(({ value }) => value));

const latest = (readings: readonly Observation[], now: number): Observation[] =>
  readings.slice(-LATE_READINGS).filter(({ at }) => at > now - WINDOW_MS);

/** The appeal of every day since it was first noted, the last one today; what was noted holds until it is noted anew. */
function daysOf(scores: TrendFacts['scores'], now: number): Observation[] {
  const noted = scores
    .map(({ day, score }) => ({ at: Date.parse(`${day}T00:00:00Z`), value: score }))
    .filter(({ at, value }) => at <= now + FURTHEST_ZONE_MS && Number.isFinite(value))
    .sort((a, b) => a.at - b.at || b.value - a.value);
  const [first, last] = [noted[0], noted.at(-1)];
  if (!first || !last) return [];
  const days: Observation[] = [];
  const end = Math.max(last.at, midnight(now));
  let next = 0;
  for (let at = Math.max(first.at, end - BASELINE_MS + DAY_MS); at <= end; at += DAY_MS) {
    while ((noted[next + 1]?.at ?? Number.POSITIVE_INFINITY) <= at) next += 1;
    days.push({ at, value: noted[next]?.value ?? 0 });
  }
  return days;
}

const midnight = (now: number): number => Math.floor(now / DAY_MS) * DAY_MS;

export const WINDOW_DAYS = 7;
export const BASELINE_DAYS = 35;
/** An event is new for so many days. */
export const NEW_DAYS = 3;
/** The smallest amount that is news, added to the spread of every baseline; for `pace`: what counts one deviation. */
export const FLOORS: Readonly<Record<Track, number>> = { appeal: 2, tickets: 10, pace: 20, social: 10, views: 50 };
/** Sales at a steady pace are half a trend at most. */
const MAX_OF_PACE = 2;
/** How many of the latest daily readings have to reach a level; appeal is no reading of others, and may be believed sooner. */
const LATE_READINGS = 3;
const LATE_DAYS = 2;
const MIN_OBSERVED = 2;
/** Of one kind: the pace of sales is known after three readings, any other rise later. */
const MIN_READINGS = 3;
const WINDOW_MS = WINDOW_DAYS * DAY_MS;
const BASELINE_MS = BASELINE_DAYS * DAY_MS;
/** No zone is further ahead: its day may have begun. */
const FURTHEST_ZONE_MS = 14 * 3_600_000;
