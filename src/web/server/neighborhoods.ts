/** The neighborhoods of the city, and what is on in one of them. */

import { data } from 'react-router';
import type { NeighborhoodSummary } from '../../search/index.ts';
import { distanceInCity } from '../../values/distance.ts';
import { type NeighborhoodCard, type NeighborhoodFacts, neighborhoodPath } from '../model/lists.ts';
import { readEventCards, readMappedEvents, readVenueCards } from './cards.ts';
import { readCategories } from './list-choices.ts';
import { countEvents, itemsOf, openListPlace, searchHouses, searchList } from './list-search.ts';
import type { Rooms } from './rooms.ts';

type ListRooms = Pick<Rooms, 'search' | 'clocks' | 'publicUrl'>;

/** Those with the most events first. */
export function readNeighborhoodIndex(rooms: ListRooms): { neighborhoods: NeighborhoodCard[]; canonical: string } {
  const { neighborhoods, publicUrl } = openListPlace(rooms);
  return { neighborhoods: neighborhoods.map(cardOf), canonical: `${publicUrl}/neighborhoods` };
}

/** Throws 404 for a neighborhood that the city does not have. */
export function readNeighborhood(rooms: ListRooms, slug: string): NeighborhoodFacts {
  const place = openListPlace(rooms);
  const found = place.neighborhoods.find((each) => each.slug === slug);
  if (!found) throw data(null, { status: 404 });
  const query = { neighborhood: slug };
  const near = place.neighborhoods
    .filter((each) => each !== found)
    .map((each) => ({ each, meters: distanceInCity(found, each) }))
    .sort((a, b) => a.meters - b.meters)
    .slice(0, MAX_NEAR);
  const best = itemsOf(searchList(place, { ...query, limit: MAX_BEST }));
  return {
    ...cardOf(found),
    description: found.description,
    best: readEventCards(place, best),
    mapped: readMappedEvents(place, best),
    latitude: found.latitude,
    longitude: found.longitude,
    total: countEvents(place, query),
    categories: readCategories(place, query),
    houses: readVenueCards(place, itemsOf(searchHouses(place, { ...query, limit: MAX_VENUES }))),
    near: near.map(({ each }) => cardOf(each)),
    canonical: place.publicUrl + neighborhoodPath(slug),
  };
}

export const cardOf = ({ slug, name, eventCount, venueCount, topCategories }: NeighborhoodSummary): NeighborhoodCard => ({
  ...{ slug, name, topCategories },
  events: eventCount,
  venues: venueCount,
});

const MAX_BEST = '12';
const MAX_VENUES = '8';
const MAX_NEAR = 6;
