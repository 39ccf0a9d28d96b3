/** JSON-LD in the words of schema.org: an `ItemList` of events or places. */

import type { Category, EventStatus, VenueType } from '../../records/index.ts';
import { DAY_CHARS, lastDayOf } from '../../values/duration.ts';
import type { Form, ListFacts, ServedEvent, ServedVenue } from './model.ts';

export const eventJsonld: Form<ServedEvent> = { ...form(), record: (record, list, at) => writeItem(eventItem(record, list), at) };
export const venueJsonld: Form<ServedVenue> = { ...form(), record: (record, _list, at) => writeItem(venueItem(record), at) };

function form() {
  return {
    extension: 'jsonld',
    mediaType: 'application/ld+json',
    contentType: 'application/ld+json; charset=utf-8',
    separator: ',\n',
    open(list: ListFacts): string {
      const { title, selfUrl, total } = list;
      const head = { '@context': 'https://schema.org', '@type': 'ItemList', name: title, url: selfUrl, numberOfItems: total };
      return `${writeJson(head).slice(0, -1)},"itemListElement":[\n`;
    },
    close: () => '\n]}\n',
  };
}

function eventItem({ event, status, startPrecision, isInArea }: ServedEvent, { currency }: ListFacts): object {
  const { venue, performers } = event;
  const isTimed = startPrecision === 'time';
  return {
    '@type': EVENT_TYPES[event.category],
    '@id': `urn:uuid:${event.id}`,
    identifier: event.id,
    name: event.title,
    url: event.url,
    startDate: isTimed ? event.startDatetime : event.startDatetime.slice(0, DAY_CHARS),
    ...(event.endDatetime !== null && { endDate: isTimed ? event.endDatetime : lastDayOf(event.endDatetime) }),
    eventStatus: `https://schema.org/${STATUSES[status]}`,
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    location: {
      '@type': 'Place',
      '@id': `urn:uuid:${venue.id}`,
      name: venue.name,
      ...(venue.address !== null && { address: venue.address }),
      ...geoOf(venue, isInArea),
    },
    ...(event.description !== null && { description: event.description }),
    ...(event.imageUrl !== null && { image: [event.imageUrl] }),
    ...offersOf(event, status, currency),
    ...(performers.length > 0 && { performer: performers.map((name) => ({ '@type': 'PerformingGroup', name })) }),
  };
}

/** What is known of the price, and nothing else. */
function offersOf({ url, isFree, priceMin, priceMax }: ServedEvent['event'], status: EventStatus, currency: string): object {
  const hasPrice = priceMin !== null || priceMax !== null;
  return {
    ...((isFree || hasPrice) && { isAccessibleForFree: isFree }),
    ...((hasPrice || status === 'sold_out') && {
      offers: {
        '@type': hasPrice ? 'AggregateOffer' : 'Offer',
        url,
        ...(priceMin !== null && { lowPrice: priceMin }),
        ...(priceMax !== null && { highPrice: priceMax }),
        ...(hasPrice && { priceCurrency: currency }),
        ...availabilityOf(status),
      },
    }),
  };
}

/** Of tickets; nothing for an event that does not take place. */
export function availabilityOf(status: EventStatus): { availability?: string } {
  if (status === 'cancelled' || status === 'postponed') return {};
  return { availability: `https://schema.org/${status === 'sold_out' ? 'SoldOut' : 'InStock'}` };
}

/** Nothing where the point only stands for an area. */
export function geoOf({ latitude, longitude }: { latitude: number; longitude: number }, isInArea: boolean | undefined): object {
  return isInArea ? {} : { geo: { '@type': 'GeoCoordinates', latitude, longitude } };
}

function venueItem({ venue, isInArea }: ServedVenue): object {
  return {
    '@type': VENUE_TYPES[venue.type],
    '@id': `urn:uuid:${venue.id}`,
    identifier: venue.id,
    name: venue.name,
    url: venue.url,
    ...(venue.address !== null && { address: venue.address }),
    ...geoOf(venue, isInArea),
  };
}

const writeItem = (item: object, at: number): string => writeJson({ '@type': 'ListItem', position: at + 1, item });
/** May stand inside a `<script>`. */
const writeJson = (value: object): string => JSON.stringify(value).replaceAll('<', '\\u003c');

const EVENT_TYPES = {
  concert: 'MusicEvent',
  sports: 'SportsEvent',
  comedy: 'ComedyEvent',
  theater: 'TheaterEvent',
  festival: 'Festival',
  food: 'FoodEvent',
  art: 'VisualArtsEvent',
  community: 'SocialEvent',
  nightlife: 'SocialEvent',
  family: 'ChildrensEvent',
  outdoor: 'Event',
} as const satisfies Record<Category, string>;
const VENUE_TYPES = {
  bar: 'BarOrPub',
  restaurant: 'Restaurant',
  arena: 'StadiumOrArena',
  park: 'Park',
  theater: 'PerformingArtsTheater',
  gallery: 'ArtGallery',
  club: 'NightClub',
  stadium: 'StadiumOrArena',
  brewery: 'Brewery',
  museum: 'Museum',
} as const satisfies Record<VenueType, string>;
const STATUSES = {
  scheduled: 'EventScheduled',
  sold_out: 'EventScheduled',
  rescheduled: 'EventRescheduled',
  postponed: 'EventPostponed',
  cancelled: 'EventCancelled',
} as const satisfies Record<EventStatus, string>;
