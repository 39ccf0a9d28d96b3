/** How much is known of what the directory lists. Reads every listed event and venue, so it is asked seldom. */

import { type Kysely, sql } from 'kysely';
import type { Database } from '../../store/index.ts';
import { LISTED_STATUSES } from '../model.ts';
import { mayStart } from './may-start.ts';

export const EVENT_FACTS = ['hour', 'price', 'link', 'description', 'picture', 'end', 'performers'] as const;
export const VENUE_FACTS = ['address', 'neighborhood', 'point', 'hours', 'website', 'capacity'] as const;

export interface Coverage {
  /** Listed events from now on, and of how many each fact is known. */
  events: FactCounts<(typeof EVENT_FACTS)[number]> & {
    /** How often sources list them, together. */
    listings: number;
    /** Events that several sources list. */
    several: number;
  };
  /** Verified venues. */
  venues: FactCounts<(typeof VENUE_FACTS)[number]>;
  /** Records that were found to be another one, ever. */
  merged: { events: number; venues: number };
}

export interface FactCounts<Fact extends string> {
  total: number;
  known: Record<Fact, number>;
}

/** `now`: directory time, milliseconds. */
export async function loadCoverage(db: Kysely<Database>, now: number): Promise<Coverage> {
  const events = await sql<Counted<(typeof EVENT_FACTS)[number]> & { listings: number; several: number }>`
    select count(*)::int as total, coalesce(sum(cardinality(sources)), 0)::int as listings,
      (count(*) filter (where cardinality(sources) > 1))::int as several,
      (count(*) filter (where precision = 'time'))::int as hour,
      (count(*) filter (where is_free or price_min is not null))::int as price,
      (count(*) filter (where jsonb_array_length(links) > 0))::int as link,
      (count(description))::int as description, (count(image_url))::int as picture, (count(ends_at))::int as end,
      (count(*) filter (where cardinality(performers) > 0))::int as performers
    from event where state = 'published' and status in (${sql.join(LISTED_STATUSES)}) and ${mayStart(now)}`.execute(db);
  const venues = await sql<Counted<(typeof VENUE_FACTS)[number]>>`
    select count(*)::int as total, (count(address))::int as address, (count(neighborhood))::int as neighborhood,
      (count(*) filter (where location_precision = 'exact'))::int as point, (count(opening_hours))::int as hours,
      (count(website))::int as website, (count(capacity_tier))::int as capacity
    from venue where state = 'published' and is_verified`.execute(db);
  const merged = await sql<Coverage['merged']>`
    select (select count(*)::int from event where state = 'merged') as events,
      (select count(*)::int from venue where state = 'merged') as venues`.execute(db);
  const { total: eventTotal = 0, listings = 0, several = 0, ...eventFacts } = events.rows[0] ?? {};
  const { total: venueTotal = 0, ...venueFacts } = venues.rows[0] ?? {};
  return {
    events: { total: eventTotal, listings, several, known: eventFacts as Coverage['events']['known'] },
    venues: { total: venueTotal, known: venueFacts as Coverage['venues']['known'] },
    merged: merged.rows[0] ?? { events: 0, venues: 0 },
  };
}

type Counted<Fact extends string> = { total: number } & Record<Fact, number>;
