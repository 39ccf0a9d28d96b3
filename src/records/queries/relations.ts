/**
 * Rows of the directory for statements of other rooms that need them in the same statement: each stands in a `from` or a `join` there.
 * PostgreSQL plans them as if the tables themselves were named.
 */

import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../store/index.ts';

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

/** When an event was merged, milliseconds. */
export interface MergedEventTime {
  id: string;
  mergedAt: number;
}

/** Those at or after `since`, the latest first, at most `limit`. */
export async function loadMergers(db: Kysely<Database>, since: number, limit: number): Promise<MergedEventTime[]> {
  const rows = await db
    .selectFrom('event')
    .where('state', '=', 'merged')
    .where('updated_at', '>=', new Date(since))
    .orderBy('updated_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .select(['id', 'updated_at'])
    .execute();
  return rows.map(({ id, updated_at }) => ({ id, mergedAt: updated_at.getTime() }));
}

type Db = Kysely<Database>;

/** The record of an id, or the one that the id leads to. */
export async function loadSurvivor(db: Db, kind: Kind, id: string): Promise<{ id: string; state: string } | null> {
  const { rows } = await sql<{ id: string; state: string }>`select id, state from ${survivorsOf(kind, [id])} as found`.execute(
    db,
  );
  return rows[0] ?? null;
}

/** The ids that lead to this one. */
export async function loadMergedInto(db: Db, kind: Kind, id: string): Promise<string[]> {
  const rows = await db.selectFrom(kind).select('id').where('merged_into', '=', id).execute();
  return rows.map((row) => row.id);
}

/** By venue the one that it leads to; a venue that was removed is missing. */
export async function loadVenueSurvivors(db: Db, venueIds: readonly string[]): Promise<Map<string, string>> {
  if (venueIds.length === 0) return new Map();
  const { rows } = await sql<{ id: string; leads_to: string }>`
    select venue.id, coalesce(survivor.id, venue.id) as leads_to from venue left join venue as survivor on survivor.id = venue.merged_into
    where venue.id = any(${venueIds}::uuid[]) and coalesce(survivor.state, venue.state) <> 'removed'`.execute(db);
  return new Map(rows.map(({ id, leads_to }) => [id, leads_to]));
}
