/** From the slug of a record to the record: it may have moved, been merged, or be gone. */

import { data, redirect } from 'react-router';
import { findBySlug } from '../../records/index.ts';
import type { RecordLookup, Snapshot } from '../../search/index.ts';
import type { Rooms } from './rooms.ts';

type FoundRecord = { snapshot: Snapshot; item: number } | { snapshot: Snapshot; removedId: string };

/**
 * The item of an event in the snapshot that is current, or its id if it was removed. Throws 404 where there was none. `lead` gives the
 * address to redirect to from a slug that its event, or the one it was merged with, has no longer.
 */
export async function findPublicEvent(
  { store, search }: Pick<Rooms, 'store' | 'search'>,
  slug: string,
  lead: (slug: string) => string,
): Promise<FoundRecord> {
  const snapshot = search.current();
  const found = snapshot.eventBySlug(slug);
  if (found !== null) return { snapshot, item: found };
  // Only what is published nowhere under this slug needs the database: it may have moved, or be gone.
  const moved = follow(await findBySlug(store.db, 'event', slug), (id) => snapshot.event(id));
  if (moved.item === null) return { snapshot, removedId: moved.id };
  const current = JSON.parse(snapshot.writeEvents([moved.item], 'list', '', '').toString()) as { slug: string };
  throw redirect(lead(current.slug), MOVED);
}

/** The same of a venue. */
export async function findPublicVenue(
  { store, search, clocks }: Pick<Rooms, 'store' | 'search' | 'clocks'>,
  slug: string,
): Promise<FoundRecord> {
  const snapshot = search.current();
  const now = clocks.directory();
  const found = snapshot.venueBySlug(slug);
  if (found !== null) return { snapshot, item: found };
  const moved = follow(await findBySlug(store.db, 'venue', slug), (id) => snapshot.venue(id, now));
  if (moved.item === null) return { snapshot, removedId: moved.id };
  const current = JSON.parse(snapshot.writeVenues([moved.item], 'list', now, '', '').toString()) as { slug: string };
  throw redirect(`/venues/${current.slug}`, MOVED);
}

/** Of a record, or of the one that it was merged into. Throws 404. */
function follow(id: string | null, look: (id: string) => RecordLookup): { id: string; item: number | null } {
  if (id === null) throw data(null, { status: 404 });
  const first = look(id);
  // One step is enough: a merge updates the records that were merged earlier.
  const lookup = first.found === 'merged' ? look(first.into) : first;
  if (lookup.found === 'published') return { id, item: lookup.item };
  if (lookup.found === 'removed') return { id, item: null };
  throw data(null, { status: 404 });
}

const MOVED = 301;
