/** The recorded facts that scores and trends are computed of. */

import { type Kysely, sql } from 'kysely';
import type { Database } from '../../store/index.ts';
import { type EventFields, storedEventFields } from '../event-fields.ts';
import type { CapacityTier, Signal, SignalKind, VenueType } from '../model.ts';

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
