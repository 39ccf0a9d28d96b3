/** Events and venues as they are stored, to compare them with what is about to be written. */

import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Database } from '../store/index.ts';
import { type EventFields, storedEventFields } from './event-fields.ts';
import type { RecordState } from './model.ts';
import { storedVenueFields, type VenueFields } from './venue-fields.ts';

export interface StoredEvent {
  slug: string;
  state: RecordState;
  isUnconfirmed: boolean;
  score: number;
  appeal: number | null;
  fields: EventFields;
}

/** By event. */
export async function loadStoredEvents(db: Kysely<Database>, ids: readonly string[]): Promise<Map<string, StoredEvent>> {
  return eventsById(await selectEvents(db, ids).execute());
}

/** The same; nobody else writes them until the transaction ends. */
export async function lockStoredEvents(trx: Transaction<Database>, ids: readonly string[]): Promise<Map<string, StoredEvent>> {
  if (ids.length === 0) return new Map();
  return eventsById(await selectEvents(trx, ids).forUpdate().execute());
}

const selectEvents = (db: Kysely<Database>, ids: readonly string[]) =>
  db.selectFrom('event').selectAll().where('id', '=', sql<string>`any(${ids}::uuid[])`);

function eventsById(rows: readonly Selectable<Database['event']>[]): Map<string, StoredEvent> {
  return new Map(
    rows.map((row) => [
      row.id,
      {
        slug: row.slug,
        state: row.state as RecordState,
        isUnconfirmed: row.unconfirmed_since !== null,
        score: row.discovery_score,
        appeal: row.appeal,
        fields: storedEventFields.fromRow(row),
      },
    ]),
  );
}

export interface StoredVenue {
  slug: string;
  state: RecordState;
  fields: VenueFields;
}

/** By venue. */
export async function loadStoredVenues(db: Kysely<Database>, ids: readonly string[]): Promise<Map<string, StoredVenue>> {
  return venuesById(await selectVenues(db, ids).execute());
}

/** The same; nobody else writes them until the transaction ends. */
export async function lockStoredVenues(trx: Transaction<Database>, ids: readonly string[]): Promise<Map<string, StoredVenue>> {
  return venuesById(await selectVenues(trx, ids).forUpdate().execute());
}

const selectVenues = (db: Kysely<Database>, ids: readonly string[]) =>
  db.selectFrom('venue').selectAll().where('id', '=', sql<string>`any(${ids}::uuid[])`);

function venuesById(rows: readonly Selectable<Database['venue']>[]): Map<string, StoredVenue> {
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
