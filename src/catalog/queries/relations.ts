/**
 * Rows of the directory for statements of other rooms that need them in the same statement: each stands in a `from` or a `join` there.
 * PostgreSQL plans them as if the tables themselves were named.
 */

import { type RawBuilder, sql } from 'kysely';

type Kind = 'event' | 'venue';

/** All records: `id`, `merged_into`. */
export const redirectsOf = (kind: Kind): RawBuilder<unknown> => sql`(select id, merged_into from ${sql.table(kind)})`;

/** For each of these ids (`asked_id`) the record that stands for it: `id`, `state`. */
export const survivorsOf = (kind: Kind, ids: readonly string[]): RawBuilder<unknown> => sql`(
  select asked.id as asked_id, survivor.id, survivor.state from ${sql.table(kind)} as asked
    join ${sql.table(kind)} as survivor on survivor.id = coalesce(asked.merged_into, asked.id)
  where asked.id = any(${ids}::uuid[]))`;

/** Events that were not merged or removed: `id`, `venue_id`. */
export const PRESENT_EVENTS: RawBuilder<unknown> = sql`(
  select id, venue_id from event where state not in ('merged', 'removed'))`;

/** All events: `id`, `venue_id`. */
export const EVENT_VENUES: RawBuilder<unknown> = sql`(select id, venue_id from event)`;

/** Venues that are published or hidden: `id`, `latitude`, `longitude`, `neighborhood`. */
export const VENUE_POINTS: RawBuilder<unknown> = sql`(
  select id, latitude, longitude, neighborhood from venue where state in ('published', 'hidden'))`;

/** Published venues of these neighborhoods: `id`, `neighborhood`. */
export const venuesOfNeighborhoods = (slugs: readonly string[]): RawBuilder<unknown> => sql`(
  select id, neighborhood from venue where state = 'published' and neighborhood = any(${slugs}::text[]))`;

/** What counts of each venue for scores: `id`, `type`, `capacity_tier`, `is_verified`. */
export const VENUE_SCORE_FACTS: RawBuilder<unknown> = sql`(select id, type, capacity_tier, is_verified from venue)`;
