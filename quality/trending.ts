/** Trending replayed day by day on published files of New York: how steady it is, and whether it reads sensibly. */

import { TREND_RULES, type TrendFacts, trendScores } from '../src/ranking/index.ts';
import type { Figure } from './figure.ts';
import { isNyc, NYC_FACTS, type Row } from './nyc-facts.ts';
import { type RankedEvent, rankDay } from './ranked-day.ts';

export const TRENDING_DAYS = ['18', '19', '20', '21', '22', '23', '24'].map((day) => `2026-06-${day}`);

export interface TrendingDay {
  day: string;
  /** Milliseconds. */
  now: number;
  events: number;
  /** How many have a trend. */
  rising: number;
  /** The first `TOP`. */
  top: (RankedEvent & { key: string; trend: number })[];
}

/**
 * Feeds the days in order, each at noon: what an event is called, who lists it and what it scores are known of the days before and of no
 * later one. An event of a day is that of the day before which shares a listing with it.
 */
export function replayTrending(days: readonly string[] = TRENDING_DAYS, isWanted: (row: Row) => boolean = isNyc): TrendingDay[] {
  const keys = new Map<string, string>();
  const scores = new Map<string, { day: string; score: number }[]>();
  return days.map((day) => {
    const now = Date.parse(`${day}T16:00:00Z`);
    const events = rankDay(NYC_FACTS.day(day), now, isWanted).map((event) => {
      const known = event.listings.flatMap((id) => keys.get(id) ?? []).sort();
      const key = known[0] ?? event.listings[0] ?? '';
      for (const id of event.listings) keys.set(id, key);
      const history = scores.get(key) ?? [];
      scores.set(key, [...history.filter((noted) => noted.day !== day), { day, score: event.score.coverage }]);
      return { ...event, key };
    });
    const facts = events.map(
      ({ key, category, venue, run, score }): TrendFacts => ({
        id: key,
        category,
        venueId: venue,
        run,
        discoveryScore: score.total,
        signals: [],
        scores: scores.get(key) ?? [],
      }),
    );
    const trends = trendScores(facts, now);
    const rising = events
      .map((event) => ({ ...event, trend: trends.get(event.key) ?? 0 }))
      .filter(({ trend }) => trend > 0)
      .sort((a, b) => b.trend - a.trend || (a.key < b.key ? -1 : 1));
    return { day, now, events: events.length, rising: rising.length, top: rising.slice(0, TOP) };
  });
}

/** Empty without the data. */
export function trendingFigures(): Figure[] {
  if (NYC_FACTS.missing) return [];
  const replayed = replayTrending();
  // Of the first days nothing is known before.
  const ranked = replayed.filter(({ top }) => top.length > 0);
  const figure = (name: string, value: string, note: string): Figure => ({ name, value, command: COMMAND, note });
  const kept = ranked.slice(1).flatMap(({ top, now }, index) => {
    const coming = ranked[index]?.top.filter(({ startsAt }) => startsAt >= now) ?? [];
    const present = new Set(top.map(({ key }) => key));
    return coming.length === 0 ? [] : coming.filter(({ key }) => present.has(key)).length / coming.length;
  });
  const venues = ranked.map(({ top }) => new Set(top.map(({ venue }) => venue)).size / top.length);
  const fullest = ranked.flatMap(({ top }) =>
    [...Map.groupBy(top, ({ venue }) => venue).values()].map((events) => events.length),
  );
  const repeated = ranked.map(({ top }) => top.length - new Set(top.map(({ run, venue }) => `${venue} ${run}`)).size);
  return [
    figure('Events that trend, day by day', ranked.map(({ rising }) => rising).join(', '), spanOf(ranked)),
    figure('Of the top 20, still to come and there the next day', kept.map(percent).join(', '), ''),
    figure('Venues among the top 20', venues.map(percent).join(', '), 'different venues for each event listed'),
    figure('Events of the fullest venue', String(Math.max(0, ...fullest)), `the cap is ${TREND_RULES.perVenue}`),
    figure('Later nights of a show beside an earlier one', String(Math.max(0, ...repeated)), 'most on one day'),
  ];
}

const spanOf = (days: readonly TrendingDay[]): string =>
  `${days[0]?.day} to ${days.at(-1)?.day}; the days before are the first baseline. No ticket sales, mentions or views are published: what rises is the number of providers`;
const percent = (share: number): string => `${Math.round(share * 100)} %`;

const TOP = 20;
const COMMAND = 'npm run quality';
