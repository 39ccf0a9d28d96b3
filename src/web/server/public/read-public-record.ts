/** What the public page of an event or venue shows: what the API answers of it, read again. */

import { data, redirect } from 'react-router';
import { findBySlug, type OpeningHours } from '../../../catalog/index.ts';
import { formatHours } from '../../../curation/index.ts';
import type { RecordLookup, Snapshot } from '../../../search/index.ts';
import type { PublicEvent, PublicVenue } from '../../model/records.ts';
import { readRecordMap } from '../maps/read-record-map.ts';
import type { Rooms } from '../rooms.ts';

type RecordRooms = Pick<Rooms, 'store' | 'search' | 'clocks' | 'publicUrl'>;

/**
 * The item of an event in the snapshot that is current. Throws 404 or 410 where there is none. `lead` gives the address to redirect to
 * from a slug that its event, or the one it was merged with, has no longer.
 */
export async function findPublicEvent(
  { store, search }: Pick<Rooms, 'store' | 'search'>,
  slug: string,
  lead: (slug: string) => string,
): Promise<{ snapshot: Snapshot; item: number }> {
  const snapshot = search.current();
  const found = snapshot.eventBySlug(slug);
  if (found !== null) return { snapshot, item: found };
  // Only what is published nowhere under this slug needs the database: it may have moved, or be gone.
  const item = published(await findBySlug(store.db, 'event', slug), (id) => snapshot.event(id));
  throw redirect(lead(readEvent(snapshot, item).slug), MOVED);
}

/** Throws as `findPublicEvent`. */
export async function readPublicEvent(rooms: RecordRooms, slug: string): Promise<PublicEvent> {
  const { clocks, publicUrl } = rooms;
  const { snapshot, item } = await findPublicEvent(rooms, slug, (current) => `/events/${current}`);
  const event = readEvent(snapshot, item);
  const { startPrecision, status, currency } = snapshot.extras(item);
  const ours = `${publicUrl}/`;
  const picture = event.imageUrl?.startsWith(ours) ? event.imageUrl.slice(publicUrl.length) : null;
  const neighborhood = nameOfNeighborhood(snapshot, event.venue.neighborhood, clocks.directory());
  const { locationPrecision: precision } = snapshot.extras(item);
  const map = await readRecordMap(rooms, { ...event.venue, precision });
  return { ...event, startPrecision, status, currency, picture, map, venue: { ...event.venue, neighborhood } };
}

/** The same of a venue, with what is on there next. */
export async function readPublicVenue(rooms: RecordRooms, slug: string): Promise<PublicVenue> {
  const { store, search, clocks } = rooms;
  const snapshot = search.current();
  const now = clocks.directory();
  const item =
    snapshot.venueBySlug(slug) ?? published(await findBySlug(store.db, 'venue', slug), (id) => snapshot.venue(id, now));
  const text = snapshot.writeVenues([item], 'detail', now, '', '').toString();
  const { metadata, ...venue } = JSON.parse(text) as VenueAnswer;
  if (venue.slug !== slug) throw redirect(`/venues/${venue.slug}`, MOVED);
  const { openingHours, ...others } = metadata;
  const { items, total } = snapshot.venueEvents(venue.id, now, MAX_COMING, 0);
  const events = items
    .map((one) => {
      const { id, slug, title, startDatetime } = readEvent(snapshot, one);
      return { id, slug, title, startDatetime, startPrecision: snapshot.extras(one).startPrecision };
    })
    .sort((a, b) => Date.parse(a.startDatetime) - Date.parse(b.startDatetime));
  const hours = openingHours ? formatHours(openingHours, snapshot.city.timezone).split('\n') : [];
  return {
    ...venue,
    ...others,
    neighborhood: nameOfNeighborhood(snapshot, venue.neighborhood, now),
    hours,
    map: await readRecordMap(rooms, { ...venue, precision: snapshot.venueExtras(item).locationPrecision }),
    upcoming: { total, events },
  };
}

/** The item of a record, or of the one that it was merged into. */
function published(id: string | null, look: (id: string) => RecordLookup): number {
  const first: RecordLookup = id === null ? { found: 'unknown' } : look(id);
  // One step is enough: a merge updates the records that were merged earlier.
  const lookup = first.found === 'merged' ? look(first.into) : first;
  if (lookup.found === 'published') return lookup.item;
  throw data(null, { status: lookup.found === 'removed' ? 410 : 404 });
}

const readEvent = (snapshot: Snapshot, item: number): EventAnswer =>
  JSON.parse(snapshot.writeEvents([item], 'detail', '', '').toString()) as EventAnswer;

function nameOfNeighborhood(snapshot: Snapshot, slug: string | null, now: number): string | null {
  if (slug === null) return null;
  return snapshot.neighborhoods(now).items.find((each) => each.slug === slug)?.name ?? null;
}

/** As `GET /events/{id}` and `GET /venues/{id}` answer. */
type EventAnswer = Omit<PublicEvent, 'picture' | 'startPrecision' | 'status' | 'currency' | 'map' | 'venue'> & {
  imageUrl: string | null;
  venue: PublicEvent['venue'] & { latitude: number; longitude: number };
};
type VenueAnswer = Omit<PublicVenue, 'hours' | 'upcoming' | 'website' | 'parking' | 'transitNearby' | 'map'> & {
  slug: string;
  latitude: number;
  longitude: number;
  metadata: Pick<PublicVenue, 'website' | 'parking' | 'transitNearby'> & { openingHours: OpeningHours | null };
};

const MOVED = 301;
const MAX_COMING = 20;
