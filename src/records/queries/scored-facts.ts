/** The recorded facts that scores and trends are computed of. */

import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../store/index.ts';
import { type EventFields, storedEventFields } from '../event-fields.ts';
import { type CapacityTier, type Category, LISTED_STATUSES, type Signal, type SignalKind, type VenueType } from '../model.ts';
import { mayStart } from './may-start.ts';

type Db = Kysely<Database>;

/** All observations of these events, by event. */
export async function loadSignals(db: Db, eventIds: readonly string[]): Promise<Map<string, Signal[]>> {
  if (eventIds.length === 0) return new Map();
  const rows = await db.selectFrom('signal').selectAll().where('event_id', '=', sql<string>`any(${eventIds}::uuid[])`).execute();
  const signals = rows.map((row) => ({
    eventId: row.event_id,
    signal: { kind: row.kind as SignalKind, value: row.value, observedAt: row.observed_at.getTime() },
  }));
  const byEvent = Map.groupBy(signals, ({ eventId }) => eventId);
  return new Map([...byEvent].map(([eventId, entries]) => [eventId, entries.map(({ signal }) => signal)]));
}

/** The appeal of these events on earlier days, by event; null where it was not recorded. */
export async function loadAppealDays(
  db: Db,
  eventIds: readonly string[],
): Promise<Map<string, { day: string; appeal: number | null }[]>> {
  const rows = await db
    .selectFrom('score_history')
    .select(['event_id', 'day', 'appeal'])
    .where('event_id', '=', sql<string>`any(${eventIds}::uuid[])`)
    .execute();
  return Map.groupBy(rows, ({ event_id }) => event_id);
}

/** What counts of a venue. */
export interface VenueScoreFacts {
  type: VenueType;
  capacityTier: CapacityTier | null;
  isVerified: boolean;
}

export interface EventScoreFacts {
  event: EventFields;
  /** Which of the coming events of its program it was when it was scored. */
  showing: number;
  /** What else its score was computed of. */
  context: number[] | null;
}

/** What counts of these events, by event. */
export async function loadEventScoreFacts(db: Db, eventIds: readonly string[]): Promise<Map<string, EventScoreFacts>> {
  const rows = await db.selectFrom('event').selectAll().where('id', '=', sql<string>`any(${eventIds}::uuid[])`).execute();
  return new Map(
    rows.map((row) => [row.id, { event: storedEventFields.fromRow(row), showing: row.showing, context: row.score_context }]),
  );
}

/** What counts of these venues, by venue. */
export async function loadVenueScoreFacts(db: Db, venueIds: readonly string[]): Promise<Map<string, VenueScoreFacts>> {
  const rows = await db
    .selectFrom('venue')
    .select(['id', 'type', 'capacity_tier', 'is_verified'])
    .where('id', '=', sql<string>`any(${[...new Set(venueIds)]}::uuid[])`)
    .execute();
  return new Map(
    rows.map(({ id, type, capacity_tier, is_verified }) => {
      return [id, { type: type as VenueType, capacityTier: capacity_tier as CapacityTier | null, isVerified: is_verified }];
    }),
  );
}

/** A listed event as ranking looks at it, with what its score was computed of. */
export interface ListedRow
  extends Pick<
    EventFields,
    'title' | 'venueId' | 'sources' | 'startsAt' | 'precision' | 'category' | 'isFree' | 'imageUrl' | 'performers'
  > {
  id: string;
  /** As `runKey` gives it. */
  run: string;
  /** The highest that is known. */
  price: number | null;
  showing: number;
  context: number[] | null;
}

/** The next listed events that start after `since` (milliseconds), in the order of their ids. */
export async function loadNextListed(
  db: Db,
  { since, after, limit }: { since: number; after: string; limit: number },
): Promise<ListedRow[]> {
  const listed = sql.join(LISTED_STATUSES.map((status) => sql.lit(status)));
  const { rows } = await sql<ListedRow>`
    select id, title, run, venue_id as "venueId", sources, extract(epoch from starts_at)::float8 * 1000 as "startsAt", precision, category,
      is_free as "isFree", coalesce(price_max, price_min)::float8 as price, image_url as "imageUrl", performers, showing,
      score_context as context
    from event
    where state = 'published' and status in (${listed}) and starts_at > ${new Date(since)} and id > ${after}
    order by id limit ${limit}`.execute(db);
  return rows;
}

/** Where a page of `loadNextScores` ends. */
export interface ScorePlace {
  run: string;
  id: string;
}

/** The scores of the next published events that may still start, whatever their status, series by series. */
export async function loadNextScores(
  db: Db,
  now: number,
  { after, limit }: { after: ScorePlace; limit: number },
): Promise<(ScorePlace & { discoveryScore: number; showing: number; context: number[] | null })[]> {
  return await db
    .selectFrom('event')
    .select(['id', 'run', 'discovery_score as discoveryScore', 'showing', 'score_context as context'])
    .where('state', '=', 'published')
    .where(mayStart(now))
    .where(sql<boolean>`(run, id) > (${after.run}, ${after.id}::uuid)`)
    .orderBy('run')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** What a trend is compared with. */
export interface ComingScore {
  id: string;
  category: Category;
  venueId: string;
  run: string;
  discoveryScore: number;
  /** Since this local day (`YYYY-MM-DD`) its appeal is what it is. */
  scoredDay: string;
  appeal: number | null;
}

/** The next coming events in the order of their ids. */
export async function loadNextComing(
  db: Db,
  now: number,
  { after, limit }: { after: string; limit: number },
): Promise<ComingScore[]> {
  const rows = await db
    .selectFrom('event')
    .select(['id', 'category', 'venue_id', 'run', 'discovery_score', 'scored_day', 'appeal'])
    .where(isComing(now))
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id, category, venue_id, run, discovery_score, scored_day, appeal }) => ({
    id,
    run,
    appeal,
    category: category as Category,
    venueId: venue_id,
    discoveryScore: discovery_score,
    scoredDay: scored_day,
  }));
}

/** It is to come, and lists show it. */
function isComing(now: number): RawBuilder<boolean> {
  const listed = sql.join(LISTED_STATUSES.map((status) => sql.lit(status)));
  return sql<boolean>`(event.state = 'published' and event.status in (${listed}) and ${mayStart(now)})`;
}
