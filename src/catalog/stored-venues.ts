/** Venues as they are stored, to compare them with what is about to be written. */

import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Database } from '../store/index.ts';
import type { RecordState } from './model.ts';
import { storedVenueFields, type VenueFields } from './venue-fields.ts';

export interface StoredVenue {
  slug: string;
  state: RecordState;
  fields: VenueFields;
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
        fields: storedVenueFields.fromRow(row),
      },
    ]),
  );
}
