/** Events and venues of the read model as lists, maps and other pages show them. */

import { pictureOf } from '../../pictures/index.ts';
import { type Category, type EventSummary, priceOf, type VenueSummary } from '../../records/index.ts';
import type { Snapshot } from '../../search/index.ts';
import type { EventCardFacts, MappedEvent, VenueCardFacts } from '../model/lists.ts';
import type { EventCard } from '../model/records.ts';
import type { ListPlaces } from './list-search.ts';

/** `items` of a page of the same snapshot. */
export function readEventCards({ snapshot, neighborhood, publicUrl }: ListPlaces, items: readonly number[]): EventCardFacts[] {
  const events = JSON.parse(snapshot.writeEvents(items, 'list', '[', ']').toString()) as EventSummary[];
  return events.map((event, at) => ({
    ...cardOf(snapshot, items[at] ?? 0, event, publicUrl),
    neighborhood: neighborhood(event.venue.neighborhood),
  }));
}

/** `publicUrl` without a trailing slash. */
export const readEventCard = (snapshot: Snapshot, item: number, publicUrl: string): EventCard =>
  cardOf(snapshot, item, readEventAnswer(snapshot, item), publicUrl);

function cardOf(snapshot: Snapshot, item: number, event: EventSummary, publicUrl: string): EventCard {
  const { id, slug, title, category, startDatetime, venue } = event;
  const { status, startPrecision } = snapshot.lifecycle(item);
  const { src, srcSet, width, height } = pictureOf(event, publicUrl);
  const { currency } = snapshot.city;
  return {
    ...{ id, slug, title, category, startDatetime, startPrecision, status, ...priceOf(event), currency },
    venue: { name: venue.name, slug: venue.slug },
    picture: { src, srcSet, width, height },
  };
}

/** With the best of what is on at each. */
export function readVenueCards(place: ListPlaces, items: readonly number[]): VenueCardFacts[] {
  const { snapshot, now, neighborhood } = place;
  const venues = JSON.parse(snapshot.writeVenues(items, 'list', now, '[', ']').toString()) as VenueSummary[];
  return venues.map(({ id, slug, name, type, address, upcomingEventCount, neighborhood: area }) => {
    const [next = null] = readEventCards(place, snapshot.venueEvents(id, now, 1, 0).items);
    return { id, slug, name, type, address, neighborhood: neighborhood(area), upcoming: upcomingEventCount, next };
  });
}

export const readEventAnswer = (snapshot: Snapshot, item: number): EventSummary =>
  JSON.parse(snapshot.writeEvents([item], 'list', '', '').toString()) as EventSummary;

export const bySoonest = (a: { startDatetime: string }, b: { startDatetime: string }): number =>
  Date.parse(a.startDatetime) - Date.parse(b.startDatetime);

/** `items` of the same snapshot. Events of which only an area is known have no place on a map. */
export function readMappedEvents({ snapshot }: ListPlaces, items: readonly number[]): MappedEvent[] {
  const placed = items.filter((item) => snapshot.extras(item).locationPrecision !== 'area');
  const events = JSON.parse(snapshot.writeEvents(placed, 'list', '[', ']').toString()) as PlacedEvent[];
  return events.map(({ id, slug, title, category, startDatetime, venue: { name, latitude, longitude } }, at) => {
    const { startPrecision } = snapshot.lifecycle(placed[at] ?? 0);
    return { id, slug, title, category, startDatetime, startPrecision, venue: name, latitude, longitude };
  });
}

/** As `GET /events` prints it. */
interface PlacedEvent extends Omit<MappedEvent, 'venue' | 'startPrecision'> {
  category: Category;
  venue: { name: string; latitude: number; longitude: number };
}
