/** Writing venues in bulk, in the manner of events: only what differs is written and told. */

import { sql, type Transaction } from 'kysely';
import type { Database } from '../store/index.ts';
import type { Change, ChangeKind, Venue } from './model.ts';
import { assignSlugs } from './slug.ts';
import { indexedWords } from './words.ts';

/** `isHidden`: the operator does not want it published. */
export type VenueWrite = Omit<Venue, 'slug'> & { isHidden?: boolean };

/** Creates and updates venues inside a transaction, at `now` (milliseconds since 1970 UTC). Returns what changed, for `recordChanges`. */
export async function writeVenues(
  trx: Transaction<Database>,
  venues: readonly VenueWrite[],
  now: number,
  revived: ReadonlySet<string> = new Set(),
): Promise<Change[]> {
  if (venues.length === 0) return [];
  const held = await heldVenues(
    trx,
    venues.map(({ id }) => id),
  );
  const changed = venues.flatMap((venue) => {
    const kind = changeKind(venue, held.get(venue.id), revived.has(venue.id));
    return kind ? [{ venue, kind }] : [];
  });
  const slugs = await assignSlugs(
    trx,
    'venue',
    changed
      .filter(({ venue }) => held.get(venue.id)?.name !== venue.name)
      .map(({ venue }) => ({ id: venue.id, title: venue.name, current: held.get(venue.id)?.slug ?? null })),
  );
  await upsertVenues(
    trx,
    changed.map(({ venue }) => ({ ...venue, slug: slugs.get(venue.id) ?? held.get(venue.id)?.slug ?? '' })),
    now,
  );
  return changed.map(({ venue, kind }) => ({ kind, entity: 'venue', entityId: venue.id }));
}

/** Gives venues another neighborhood (a slug, or null for none). Returns the changes. */
export async function moveVenues(
  trx: Transaction<Database>,
  moves: readonly { venueId: string; neighborhood: string | null }[],
  now: number,
): Promise<Change[]> {
  if (moves.length === 0) return [];
  const ids = moves.map(({ venueId }) => venueId);
  const slugs = moves.map(({ neighborhood }) => neighborhood);
  await sql`
    update venue set neighborhood = r.neighborhood, updated_at = ${new Date(now)}
    from unnest(${ids}::uuid[], ${slugs}::text[]) as r (id, neighborhood) where venue.id = r.id`.execute(trx);
  return moves.map(({ venueId }) => ({ kind: 'updated', entity: 'venue', entityId: venueId }));
}

/** Takes venues out of the directory. The caller has made sure that no published event is held there. Returns the changes. */
export async function removeVenues(trx: Transaction<Database>, ids: readonly string[], now: number): Promise<Change[]> {
  if (ids.length === 0) return [];
  const removed = await trx
    .updateTable('venue')
    .set({ state: 'removed', updated_at: new Date(now) })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('state', 'in', ['published', 'hidden'])
    .returning('id')
    .execute();
  return removed.map(({ id }) => ({ kind: 'removed', entity: 'venue', entityId: id }));
}

interface HeldVenue {
  slug: string;
  name: string;
  state: string;
  facts: string;
}

async function heldVenues(trx: Transaction<Database>, ids: readonly string[]): Promise<Map<string, HeldVenue>> {
  const rows = await trx.selectFrom('venue').selectAll().where('id', '=', sql<string>`any(${ids}::uuid[])`).forUpdate().execute();
  return new Map(
    rows.map((row) => [
      row.id,
      {
        slug: row.slug,
        name: row.name,
        state: row.state,
        facts: JSON.stringify([
          row.type,
          row.address,
          row.latitude,
          row.longitude,
          row.capacity_tier,
          row.is_verified,
          row.neighborhood,
          row.website,
          row.parking,
          row.transit_nearby,
          sortedKeys(row.opening_hours),
        ]),
      },
    ]),
  );
}

function facts(venue: VenueWrite): string {
  return JSON.stringify([
    venue.type,
    venue.address,
    venue.latitude,
    venue.longitude,
    venue.capacityTier,
    venue.isVerified,
    venue.neighborhood,
    venue.website,
    venue.parking,
    venue.transitNearby,
    sortedKeys(venue.openingHours),
  ]);
}

/** jsonb forgets the order of keys, so both sides are put in one order. */
function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sortedKeys(inner)]),
  );
}

function changeKind(venue: VenueWrite, held: HeldVenue | undefined, isRevived: boolean): ChangeKind | null {
  if (held?.state === 'merged' && !isRevived) return null;
  const isSame = venue.name === held?.name && facts(venue) === held.facts;
  if (venue.isHidden) {
    if (!held || held.state === 'published') return 'removed';
    return held.state === 'hidden' && isSame ? null : 'updated';
  }
  if (held?.state !== 'published') return 'created';
  return isSame ? null : 'updated';
}

async function upsertVenues(
  trx: Transaction<Database>,
  venues: readonly (VenueWrite & Pick<Venue, 'slug'>)[],
  now: number,
): Promise<void> {
  if (venues.length === 0) return;
  const moment = new Date(now).toISOString();
  const rows = venues.map((venue) => ({
    id: venue.id,
    slug: venue.slug,
    name: venue.name,
    type: venue.type,
    address: venue.address,
    latitude: venue.latitude,
    longitude: venue.longitude,
    capacity_tier: venue.capacityTier,
    is_verified: venue.isVerified,
    neighborhood: venue.neighborhood,
    website: venue.website,
    parking: venue.parking,
    transit_nearby: venue.transitNearby,
    opening_hours: venue.openingHours,
    words: indexedWords(venue.name, venue.slug),
    state: venue.isHidden ? 'hidden' : 'published',
  }));
  await sql`
    insert into venue (id, slug, name, type, address, latitude, longitude, capacity_tier, is_verified, neighborhood, website, parking,
      transit_nearby, opening_hours, words, state, created_at, updated_at)
    select id, slug, name, type, address, latitude, longitude, capacity_tier, is_verified, neighborhood, website, parking,
      transit_nearby, opening_hours, words, state, ${moment}, ${moment}
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (id uuid, slug text, name text, type text, address text,
      latitude double precision, longitude double precision, capacity_tier text, is_verified boolean, neighborhood text, website text,
      parking text, transit_nearby text[], opening_hours jsonb, words text, state text)
    on conflict (id) do update set slug = excluded.slug, name = excluded.name, type = excluded.type, address = excluded.address,
      latitude = excluded.latitude, longitude = excluded.longitude, capacity_tier = excluded.capacity_tier,
      is_verified = excluded.is_verified, neighborhood = excluded.neighborhood, website = excluded.website, parking = excluded.parking,
      transit_nearby = excluded.transit_nearby, opening_hours = excluded.opening_hours, words = excluded.words,
      state = excluded.state, merged_into = null, updated_at = excluded.updated_at`.execute(trx);
}
