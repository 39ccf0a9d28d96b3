/** The recorded facts that scores are computed of. */

import { type Kysely, sql } from 'kysely';
import type { CapacityTier, Signal, SignalKind, StartPrecision } from '../catalog/index.ts';
import { type ScoreFacts, scoreFacts } from '../ranking/index.ts';
import { readTrusts } from '../sources/index.ts';
import type { Database } from '../store/index.ts';

/** All observations of these events, by event. */
export async function readSignals(db: Kysely<Database>, eventIds: readonly string[]): Promise<Map<string, Signal[]>> {
  if (eventIds.length === 0) return new Map();
  const rows = await db.selectFrom('signal').selectAll().where('event_id', '=', sql<string>`any(${eventIds}::uuid[])`).execute();
  const signals = rows.map((row) => ({
    eventId: row.event_id,
    signal: { kind: row.kind as SignalKind, value: row.value, observedAt: row.observed_at.getTime() },
  }));
  const byEvent = Map.groupBy(signals, ({ eventId }) => eventId);
  return new Map([...byEvent].map(([eventId, entries]) => [eventId, entries.map(({ signal }) => signal)]));
}

/** What is known of these events, by event; `discoveryScore` explains it as of the moment it was scored at. */
export async function readScoreFacts(db: Kysely<Database>, eventIds: readonly string[]): Promise<Map<string, ScoreFacts>> {
  const trusts = await readTrusts(db);
  const signals = await readSignals(db, eventIds);
  const rows = await db
    .selectFrom('event')
    .innerJoin('venue', 'venue.id', 'event.venue_id')
    .select([
      'event.id',
      'event.description',
      'event.image_url',
      'event.starts_at',
      'event.precision',
      'event.ends_at',
      'event.is_free',
      'event.price_min',
      'event.price_max',
      'event.performers',
      'event.sources',
      'event.showing',
      'venue.capacity_tier',
      'venue.is_verified',
    ])
    .where('event.id', '=', sql<string>`any(${eventIds}::uuid[])`)
    .execute();
  return new Map(
    rows.map((row) => {
      const event = {
        description: row.description,
        imageUrl: row.image_url,
        startsAt: row.starts_at.getTime(),
        precision: row.precision as StartPrecision,
        endsAt: row.ends_at?.getTime() ?? null,
        isFree: row.is_free,
        priceMin: row.price_min === null ? null : Number(row.price_min),
        priceMax: row.price_max === null ? null : Number(row.price_max),
        performers: row.performers,
        sources: row.sources,
      };
      const venue = { capacityTier: row.capacity_tier as CapacityTier | null, isVerified: row.is_verified };
      return [row.id, scoreFacts(event, venue, trusts, row.showing, signals.get(row.id) ?? [])];
    }),
  );
}
