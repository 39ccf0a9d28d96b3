/** Events as they are stored, to compare them with what is about to be written. */

import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import type { Database } from '../store/index.ts';
import type { Category, Event, EventStatus, RecordState, StartPrecision } from './model.ts';

/** What the API shows of an event, but for its slug and its score. */
export type EventFields = Omit<Event, 'id' | 'slug' | 'discoveryScore'>;

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
  return byId(await selectEvents(db, ids).execute());
}

/** The same; nobody else writes them until the transaction ends. */
export async function lockStoredEvents(trx: Transaction<Database>, ids: readonly string[]): Promise<Map<string, StoredEvent>> {
  if (ids.length === 0) return new Map();
  return byId(await selectEvents(trx, ids).forUpdate().execute());
}

const selectEvents = (db: Kysely<Database>, ids: readonly string[]) =>
  db.selectFrom('event').selectAll().where('id', '=', sql<string>`any(${ids}::uuid[])`);

function byId(rows: readonly Selectable<Database['event']>[]): Map<string, StoredEvent> {
  return new Map(
    rows.map((row) => [
      row.id,
      {
        slug: row.slug,
        state: row.state as RecordState,
        isUnconfirmed: row.unconfirmed_since !== null,
        score: row.discovery_score,
        appeal: row.appeal,
        fields: {
          title: row.title,
          category: row.category as Category,
          startsAt: row.starts_at.getTime(),
          endsAt: row.ends_at?.getTime() ?? null,
          precision: row.precision as StartPrecision,
          description: row.description,
          imageUrl: row.image_url,
          isFree: row.is_free,
          priceMin: row.price_min === null ? null : Number(row.price_min),
          priceMax: row.price_max === null ? null : Number(row.price_max),
          venueId: row.venue_id,
          status: row.status as EventStatus,
          performers: row.performers,
          tags: row.tags,
          sources: row.sources,
          links: row.links,
        },
      },
    ]),
  );
}
