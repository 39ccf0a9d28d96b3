/** Events and venues of the read model as cards. */

import { pictureOf } from '../../../../pictures/index.ts';
import type { EventSummary, VenueSummary } from '../../../../records/index.ts';
import type { EventCardFacts, VenueCardFacts } from '../../../model/lists/list-facts.ts';
import type { ListPlaces } from './list-place.ts';

/** `items` of a page of the same snapshot. */
export function readEventCards({ snapshot, neighborhood, publicUrl }: ListPlaces, items: readonly number[]): EventCardFacts[] {
  const events = JSON.parse(snapshot.writeEvents(items, 'list', '[', ']').toString()) as EventSummary[];
  const { currency } = snapshot.city;
  return events.map((event, at) => {
    const { id, slug, title, category, startDatetime, isFree, priceMin, priceMax, venue } = event;
    const { status, startPrecision } = snapshot.lifecycle(items[at] ?? 0);
    const { src, srcSet, width, height } = pictureOf(event, publicUrl);
    return {
      ...{ id, slug, title, category, startDatetime, startPrecision, status, isFree, priceMin, priceMax, currency },
      venue: { name: venue.name, slug: venue.slug },
      neighborhood: neighborhood(venue.neighborhood),
      picture: { src, srcSet, width, height },
    };
  });
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
