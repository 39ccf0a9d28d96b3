/**
 * Records for statements of other rooms that need them in the same statement: each stands in a `from` or a `join` there.
 * PostgreSQL plans them as if the tables themselves were named.
 */

import { type RawBuilder, sql } from 'kysely';
import type { RecordKind } from './records.ts';

/** All records: `id`. */
export const RECORD_IDS: RawBuilder<unknown> = sql`(select id from record)`;

/** All records: `id`, and the event they belong to, `event_id`. */
export const RECORD_EVENTS: RawBuilder<unknown> = sql`(select id, event_id from record)`;

/** Records that their source still lists: `id`, and the event or venue they belong to, `target_id`. */
export const PRESENT_RECORDS: RawBuilder<unknown> = sql`(
  select id, coalesce(event_id, venue_id) as target_id from record where gone_at is null)`;

/** All records: `id`, and `title`, the title or name as the source lists it, '' without one. */
export const RECORD_TITLES: RawBuilder<unknown> = sql`(
  select id, coalesce(listing ->> 'title', listing ->> 'name', '') as title from record)`;

/** All records with their sources: `id`, `is_present`, `target_id`, the columns of the listing, and `source`, `trust` of the source. */
export const LISTED_RECORDS: RawBuilder<unknown> = sql`(
  select record.id, record.gone_at is null as is_present, coalesce(event_id, venue_id) as target_id, event_id, venue_id, external_id,
    first_seen_at, listing, source.name as source, source.trust
  from record join source on source.id = record.source_id)`;

/** The records of one event or venue: `id`. */
export const recordsOf = (kind: RecordKind, id: string): RawBuilder<unknown> =>
  sql`(select id from record where kind = ${kind} and ${sql.ref(`${kind}_id`)} = ${id})`;

/** SQL: the names of the sources that list the same event or venue as this row of `LISTED_RECORDS`, as a JSON array. */
export const companionsOf = (row: string): RawBuilder<unknown> => sql`(
  select coalesce(json_agg(distinct beside.name), '[]') from record as other join source as beside on beside.id = other.source_id
  where other.id <> ${sql.ref(`${row}.id`)} and other.gone_at is null
    and (other.event_id = ${sql.ref(`${row}.event_id`)} or other.venue_id = ${sql.ref(`${row}.venue_id`)}))`;

/** SQL: titles and sources of these two records, as a JSON array. */
export const titlesOf = (left: string, right: string): RawBuilder<unknown> => sql`(
  select json_agg(json_build_object('title', coalesce(listing ->> 'title', listing ->> 'name', external_id), 'source', source.name) order by record.id)
  from record join source on source.id = record.source_id where record.id in (${sql.ref(left)}, ${sql.ref(right)}))`;

/** SQL: whether the source of this name lists the venue. */
export const isListedBy = (venueId: RawBuilder<unknown>, source: string): RawBuilder<boolean> => sql<boolean>`exists (
  select from record join source on source.id = record.source_id
  where record.venue_id = ${venueId} and record.kind = 'venue' and source.name = ${source})`;

/** SQL: the first external id by which a source lists the venue. */
export const externalIdAt = (sourceId: string, venueId: RawBuilder<unknown>): RawBuilder<string | null> =>
  sql<string | null>`(select min(external_id) from record where venue_id = ${venueId} and source_id = ${sourceId})`;

/** SQL: whether a source names the neighborhood of the venue, or knows only roughly where it is. */
export const isPlacedBySource = (venueId: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`exists (
  select from record where venue_id = ${venueId} and (listing ->> 'neighborhood' is not null or listing ->> 'isApproximate' = 'true'))`;
