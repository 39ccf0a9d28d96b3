/** The city's front page: the best of the week, tonight, the weekend, and where to go on from there. */

import type { EventCardFacts, FrontFacts, ListQuery } from '../model/lists.ts';
import { readEventCards, readVenueCards } from './cards.ts';
import { readCategories } from './list-choices.ts';
import { countEvents, itemsOf, type ListPlaces, openListPlace, searchHouses, searchList } from './list-search.ts';
import { cardOf } from './neighborhoods.ts';
import type { Rooms } from './rooms.ts';

export function readFront(rooms: Pick<Rooms, 'search' | 'clocks' | 'publicUrl'>): FrontFacts {
  const place = openListPlace(rooms);
  const shown = new Set<string>();
  const best = pickFresh(place, WEEK, BEST, shown);
  // Who looks for tonight wants all of it.
  const tonight = pickFresh(place, TONIGHT, ROW, new Set());
  const weekend = pickFresh(place, WEEKEND, ROW, shown);
  return {
    ...{ best, tonight, weekend },
    counts: { tonight: countEvents(place, TONIGHT), weekend: countEvents(place, WEEKEND), week: countEvents(place, WEEK) },
    categories: readCategories(place, {}),
    neighborhoods: place.neighborhoods
      .filter(({ eventCount }) => eventCount > 0)
      .slice(0, MAX_NEIGHBORHOODS)
      .map(cardOf),
    venues: readVenueCards(place, itemsOf(searchHouses(place, { limit: MAX_VENUES }))).filter(({ upcoming }) => upcoming > 0),
  };
}

/** The best that the page does not show yet: of a show that runs every night, one night. */
function pickFresh(place: ListPlaces, query: ListQuery, wanted: number, shown: Set<string>): EventCardFacts[] {
  const cards = readEventCards(place, itemsOf(searchList(place, { ...query, limit: LOOKED_AT })));
  const picked: EventCardFacts[] = [];
  for (const card of cards) {
    const show = `${card.title.toLowerCase()} ${card.venue.slug}`;
    if (picked.length === wanted || shown.has(show)) continue;
    shown.add(show);
    picked.push(card);
  }
  return picked;
}

const WEEK = { when: 'next_7_days' };
const TONIGHT = { when: 'tonight' };
const WEEKEND = { when: 'this_weekend' };
const LOOKED_AT = '60';
/** One large, four beside it. */
const BEST = 5;
const ROW = 8;
const MAX_VENUES = '8';
const MAX_NEIGHBORHOODS = 12;
