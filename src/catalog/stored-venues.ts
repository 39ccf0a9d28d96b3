/** Venues as they are stored, to compare them with what is about to be written. */

import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Database } from '../store/index.ts';
import type { CapacityTier, LocationPrecision, OpeningHours, RecordState, Venue, VenueType } from './model.ts';

export interface StoredVenue {
  slug: string;
  state: RecordState;
  fields: Omit<Venue, 'id' | 'slug'>;
}

/** By venue. */
export async function loadStoredVenues(db: Kysely<Database>, ids: readonly string[]): Promise<Map<string, StoredVenue>> {
  return byId(await selectVenues(db, ids).execute());
}

/** The same; nobody else writes them until the transaction ends. */
export async function lockStoredVenues(trx: Transaction<Database>, ids: readonly string[]): Promise<Map<string, StoredVenue>> {
  return byId(await selectVenues(trx, ids).forUpdate().execute());
}

const selectVenues = (db: Kysely<Database>, ids: readonly string[]) =>
  db.selectFrom('venue').selectAll().where('id', '=', sql<string>`any(${ids}::uuid[])`);

function byId(rows: readonly Selectable<Database['venue']>[]): Map<string, StoredVenue> {
  return new Map(
    rows.map((row) => [
      row.id,
      {
        slug: row.slug,
        state: row.state as RecordState,
        fields: {
          name: row.name,
          type: row.type as VenueType,
          address: row.address,
          latitude: row.latitude,
          longitude: row.longitude,
          capacityTier: row.capacity_tier as CapacityTier | null,
          isVerified: row.is_verified,
          neighborhood: row.neighborhood,
          website: row.website,
          parking: row.parking,
          transitNearby: row.transit_nearby,
          openingHours: row.opening_hours as OpeningHours | null,
          locationPrecision: row.location_precision as LocationPrecision,
        },
      },
    ]),
  );
}
