/** Finding events and venues by hand, also by the ids of their sources, with how many corrections each has. */

import { type Kysely, sql } from 'kysely';
import {
  type FindOptions,
  type FoundEvent,
  type FoundPage,
  type FoundVenue,
  findEvents as findEventsOf,
  findVenues as findVenuesOf,
  type RecordLookups,
} from '../../records/index.ts';
import type { Database } from '../../store/index.ts';
import { loadTargetsByExternalId } from '../records/load-listings.ts';
import { isListedBy } from '../records/relations.ts';

/** From a moment on (`from`, milliseconds) the soonest first; without one the latest first. */
export function findEvents(
  db: Kysely<Database>,
  options: FindOptions & { from?: number | null },
): Promise<FoundPage<FoundEvent>> {
  return findEventsOf(db, options, LOOKUPS);
}

/** By name, in the order of code points. */
export function findVenues(db: Kysely<Database>, options: FindOptions): Promise<FoundPage<FoundVenue>> {
  return findVenuesOf(db, options, LOOKUPS);
}

const LOOKUPS: RecordLookups = {
  findIds: loadTargetsByExternalId,
  isListedBy,
  countCorrections: (entity, id) => sql<number>`(
    select count(*)::int from correction where entity = ${entity} and target_id = ${id} and revoked_at is null)`,
};
