/** Single events and venues, whatever their state: by id, by slug, and what a page or a command shows of them. */

import { type Kysely, sql } from 'kysely';
import type { Database } from '../../store/index.ts';
import type { RecordState, StartPrecision } from '../model.ts';
import { mayStart } from './may-start.ts';

type Db = Kysely<Database>;
type Kind = 'event' | 'venue';

/** The record that has this slug now. */
export async function loadIdBySlug(db: Db, kind: Kind, slug: string): Promise<string | null> {
  const found = await db.selectFrom(kind).select('id').where('slug', '=', slug).executeTakeFirst();
  return found?.id ?? null;
}

/** Those of these ids that a record has. */
export async function loadExistingIds(db: Db, kind: Kind, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.selectFrom(kind).select('id').where('id', 'in', ids).execute();
  return new Set(rows.map(({ id }) => id));
}

/** How to name a record and where it leads. */
export interface RecordTitle {
  id: string;
  slug: string;
  title: string;
  state: string;
  mergedInto: string | null;
  /** Null for a venue. */
  venueId: string | null;
}

export async function loadTitle(db: Db, kind: Kind, id: string): Promise<RecordTitle | null> {
  if (kind === 'venue') {
    const row = await db
      .selectFrom('venue')
      .select(['id', 'slug', 'name as title', 'state', 'merged_into as mergedInto'])
      .where('id', '=', id)
      .executeTakeFirst();
    return row ? { ...row, venueId: null } : null;
  }
  const row = await db
    .selectFrom('event')
    .select(['id', 'slug', 'title', 'state', 'merged_into as mergedInto', 'venue_id as venueId'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

export interface ScoredEvent {
  id: string;
  title: string;
  state: RecordState;
  status: string;
  startsAt: Date;
  scoredAt: Date;
}

export async function loadScoredEvent(db: Db, by: 'id' | 'slug', name: string): Promise<ScoredEvent | null> {
  const row = await db
    .selectFrom('event')
    .select(['id', 'title', 'state', 'status', 'starts_at', 'scored_at'])
    .where(by, '=', name)
    .executeTakeFirst();
  if (!row) return null;
  const { starts_at: startsAt, scored_at: scoredAt, state, ...event } = row;
  return { ...event, state: state as RecordState, startsAt, scoredAt };
}

/** By venue. */
export async function loadVenueNames(db: Db, venueIds: readonly string[]): Promise<Map<string, string>> {
  if (venueIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('venue')
    .select(['id', 'name'])
    .where('id', 'in', [...new Set(venueIds)])
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Present venues with an exact point: their names and addresses. */
export async function loadVenueAddresses(db: Db) {
  return await db
    .selectFrom('venue')
    .select(['name', 'address', 'latitude', 'longitude'])
    .where('state', '=', 'published')
    .where('location_precision', '=', 'exact')
    .orderBy('id')
    .execute();
}

/** Published venues with a web site, by name. */
export async function loadVenueSites(db: Db): Promise<{ venue: string; website: string }[]> {
  const rows = await db
    .selectFrom('venue')
    .select(['name', 'website'])
    .where('state', '=', 'published')
    .where('website', 'is not', null)
    .orderBy('name')
    .orderBy('id')
    .execute();
  return rows.flatMap(({ name, website }) => (website === null ? [] : [{ venue: name, website }]));
}

/** Ids of present venues of which only the area is known. */
export async function loadAreaVenues(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('venue')
    .select('id')
    .where('state', '=', 'published')
    .where('location_precision', '=', 'area')
    .execute();
  return rows.map(({ id }) => id);
}

/** Where a venue is. */
export async function loadVenuePlace(db: Db, venueId: string) {
  const place = await db
    .selectFrom('venue')
    .select(['id', 'name', 'state', 'latitude', 'longitude', 'neighborhood'])
    .where('id', '=', venueId)
    .executeTakeFirst();
  return place ?? null;
}

/** The next events at a venue that may start from `now` (milliseconds) on, hidden and unlisted ones too. */
export async function loadNextAtVenue(db: Db, venueId: string, now: number, limit: number) {
  const rows = await db
    .selectFrom('event')
    .select(['id', 'title', 'starts_at', 'precision', 'state'])
    .where('venue_id', '=', venueId)
    .where(mayStart(now))
    .where('state', 'in', ['published', 'unlisted', 'hidden'])
    .orderBy('starts_at')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ starts_at, precision, ...row }) => ({
    ...row,
    startsAt: starts_at.getTime(),
    precision: precision as StartPrecision,
  }));
}

/** By event the venue where it takes place. */
export async function loadVenuesOfEvents(db: Db, eventIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('event')
    .select(['id', 'venue_id'])
    .where('id', '=', sql<string>`any(${eventIds}::uuid[])`)
    .execute();
  return new Map(rows.map(({ id, venue_id }) => [id, venue_id]));
}
