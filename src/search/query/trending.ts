/** What is on the rise now, from the trends the builder computed. */

import { hash } from 'node:crypto';
import { VENUE_TYPES } from '../../records/index.ts';
import type { Trending, TrendingEvent, TrendingVenue } from '../query.ts';
import type { SnapshotData } from '../snapshot-data.ts';
import { contains, type RankSet } from '../structures/rank-set.ts';
import type { Upcoming } from '../structures/upcoming.ts';

type EventJson = TrendingEvent & { venue: { name: string; slug: string } };
type VenueJson = Pick<TrendingVenue, 'id' | 'name' | 'slug' | 'neighborhood'>;

/**
 * An event trends while it is listed, still to come and has a positive trend; a venue with the sum of its `EVENTS_OF_A_VENUE`
 * highest such trends, so that a house with much on does not win by numbers alone. Both by trend desc, id asc.
 */
export function createTrending(
  { events, venues, trends }: SnapshotData,
  listed: RankSet,
  readEvent: (rank: number) => EventJson,
  readVenue: (slot: number) => VenueJson,
): (type: 'events' | 'venues' | 'both', limit: number, now: number, upcoming: Upcoming) => Trending & { tag: string } {
  const { generatedAt } = trends;
  /** Answers of one position of the cursor. */
  let cursor = -1;
  let rising: number[] = [];
  let answers = new Map<string, Trending & { tag: string }>();

  const risingEvents = (limit: number): TrendingEvent[] =>
    rising.slice(0, limit).map((rank) => {
      const { id, title, category, startDatetime, discoveryScore, venue } = readEvent(rank);
      const { name, slug } = venue;
      return { id, title, category, startDatetime, discoveryScore, trendScore: trends.scores[rank]!, venue: { name, slug } };
    });

  const risingVenues = (limit: number, upcoming: Upcoming): TrendingVenue[] => {
    const best = new Map<number, { sum: number; events: number }>();
    for (const rank of rising) {
      const venue = events.venue[rank]!;
      const sofar = best.get(venue) ?? { sum: 0, events: 0 };
      if (sofar.events < EVENTS_OF_A_VENUE) best.set(venue, { sum: sofar.sum + trends.scores[rank]!, events: sofar.events + 1 });
    }
    return Array.from(best, ([slot, { sum }]) => ({ slot, trendScore: Math.round(sum * HUNDREDTHS) / HUNDREDTHS }))
      .map(({ slot, trendScore }) => ({ slot, trendScore, id: readVenue(slot).id }))
      .sort((a, b) => b.trendScore - a.trendScore || (a.id < b.id ? -1 : 1))
      .slice(0, limit)
      .map(({ slot, trendScore }) => {
        const { id, name, slug, neighborhood } = readVenue(slot);
        const type = VENUE_TYPES[venues.type[slot]!]!;
        return { id, name, slug, type, neighborhood, upcomingEventCount: upcoming.venues[slot]!, trendScore };
      });
  };

  return (type, limit, now, upcoming) => {
    if (upcoming.cursor !== cursor) {
      cursor = upcoming.cursor;
      answers = new Map();
      rising = Array.from(trends.ordering.order.subarray(0, trends.positive)).filter(
        (rank) => events.latests[rank]! >= now && contains(listed, rank),
      );
    }
    const key = `${type}:${limit}`;
    const known = answers.get(key);
    if (known) return known;
    const answer = {
      events: type === 'venues' ? [] : risingEvents(limit),
      venues: type === 'events' ? [] : risingVenues(limit, upcoming),
      generatedAt,
    };
    const tagged = { ...answer, tag: hash('sha1', JSON.stringify(answer)).slice(0, TAG_DIGITS) };
    answers.set(key, tagged);
    return tagged;
  };
}

const EVENTS_OF_A_VENUE = 3;
/** Trends have two decimals, and so has their sum. */
const HUNDREDTHS = 100;
const TAG_DIGITS = 16;
