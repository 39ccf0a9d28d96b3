/** `trendScores`: which events are on the rise this week. Pure; the formula is explained in docs/scoring.md. */

import type { TrendFacts } from './model.ts';
import { MS_PER_DAY, median, type Observation, rates, series, spread } from './series.ts';

/**
 * The trend of each event at `now` (milliseconds since 1970 UTC), by id: 0 for none, at most 100, two decimals.
 * Does not depend on the order of the events. Only a venue's best `TREND_RULES.perVenue` events keep a trend.
 */
export function trendScores(facts: readonly TrendFacts[], now: number): Map<string, number> {
  const trends = new Map(facts.map((event) => [event.id, trend(event, now)]));
  const rivals = Map.groupBy(facts, (event) => event.venueId);
  for (const events of rivals.values()) {
    if (events.length <= TREND_RULES.perVenue) continue;
    const ranked = events
      .map(({ id }) => ({ id, trend: trends.get(id) ?? 0 }))
      .sort((a, b) => b.trend - a.trend || (a.id < b.id ? -1 : 1));
    for (const { id } of ranked.slice(TREND_RULES.perVenue)) trends.set(id, 0);
  }
  return trends;
}

function trend(event: TrendFacts, now: number): number {
  const { weights } = TREND_RULES;
  const sum =
    weights.score * scoreMomentum(event.scores, now) +
    weights.tickets * ticketVelocity(rates(series(event.signals, 'tickets_sold', now)), now) +
    weights.social * momentum(series(event.signals, 'social_mentions', now), now, FLOORS.mentions) +
    weights.views * momentum(series(event.signals, 'page_views', now), now, FLOORS.views);
  return Math.round((sum / CEILING) * 100) / 100;
}

/** The latest score against the days before it. A score without an earlier day has no momentum. */
function scoreMomentum(scores: TrendFacts['scores'], now: number): number {
  const observations = scores
    .map(({ day, score }) => ({ at: Date.parse(`${day}T00:00:00Z`), value: score }))
    .filter(({ at }) => at <= now && at > now - BASELINE_MS)
    .sort((a, b) => a.at - b.at);
  const latest = observations.pop();
  if (!latest || latest.at <= now - WINDOW_MS - MS_PER_DAY || observations.length === 0) return 0;
  return rise(
    latest.value,
    observations.map(({ value }) => value),
    FLOORS.scorePoints,
  );
}

/** Sales on the rise, or simply brisk: a steady pace counts too, but at most half. */
function ticketVelocity(perDay: readonly Observation[], now: number): number {
  const recent = perDay.filter(({ at }) => at > now - WINDOW_MS);
  const pace = median(recent.map(({ value }) => value));
  const steady = rise(pace, [0], FLOORS.ticketsPerDay) === 0 ? 0 : Math.min(CEILING / 2, pace / BRISK_TICKETS_PER_DAY);
  return Math.max(steady, momentum(perDay, now, FLOORS.ticketsPerDay));
}

/**
 * How far the recent level lies above the event's own baseline, in robust deviations.
 * The window is recent and what came before it is the baseline; a series that is younger than the window is cut into its
 * earlier and later half. A single observation has no momentum.
 */
function momentum(observations: readonly Observation[], now: number, floor: number): number {
  const known = observations.filter(({ at }) => at > now - BASELINE_MS);
  const recent = known.filter(({ at }) => at > now - WINDOW_MS);
  if (recent.length === 0) return 0;
  const earlier = known.slice(0, known.length - recent.length);
  const cut = Math.floor(recent.length / 2);
  const [before, after] = earlier.length > 0 ? [earlier, recent] : [recent.slice(0, cut), recent.slice(cut)];
  if (before.length === 0) return 0;
  return rise(
    median(after.map(({ value }) => value)),
    before.map(({ value }) => value),
    floor,
  );
}

/** Robust deviations above the baseline, 0 … `CEILING`; a rise smaller than the support (half the floor) is noise. */
function rise(level: number, baseline: readonly number[], floor: number): number {
  const gain = level - median(baseline);
  if (gain < floor * MINIMUM_SUPPORT) return 0;
  return Math.min(CEILING, gain / (spread(baseline) + floor));
}

/** Listed in docs/scoring.md. `weights` sum to 100, the highest trend there can be. */
export const TREND_RULES = {
  weights: { score: 30, tickets: 40, social: 20, views: 10 },
  windowDays: 7,
  baselineDays: 35,
  perVenue: 5,
} as const;

/** Added to the spread of every baseline: the smallest amount that is news. */
const FLOORS = { scorePoints: 4, ticketsPerDay: 10, mentions: 10, views: 50 } as const;
/** A steady pace counts one deviation for each of these. */
const BRISK_TICKETS_PER_DAY = 20;
/** Share of a floor below which a rise is noise. */
const MINIMUM_SUPPORT = 0.5;
/** Deviations beyond which more is not more: one runaway signal cannot carry an event alone. */
const CEILING = 10;
const WINDOW_MS = TREND_RULES.windowDays * MS_PER_DAY;
const BASELINE_MS = TREND_RULES.baselineDays * MS_PER_DAY;
