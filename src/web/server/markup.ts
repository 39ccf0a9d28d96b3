/** Events, venues and lists in the words of schema.org: what is known, and nothing else. */

import { availabilityOf, geoOf, type ServedEvent } from '../../feeds/index.ts';
import type { Category, EventStatus, OpeningHours, VenueSummary, VenueType, Weekday } from '../../records/index.ts';
import { DAY_CHARS, lastDayOf } from '../../values/duration.ts';

interface MarkedEvent extends ServedEvent {
  /** ISO 4217. */
  currency: string;
  cityName: string;
  /** Absolute. */
  images: readonly string[];
  /** Where tickets are sold, the best first; the event's own page if there is none. */
  offerUrl: string;
  /** City time with offset; null if the event was not moved. */
  movedFrom: string | null;
  /** Other nights of the same program at this venue. */
  isSeries: boolean;
}

export function eventMarkup(record: MarkedEvent): object {
  const { event, status, startPrecision, movedFrom, isInArea } = record;
  const { venue, performers, description } = event;
  const isTimed = startPrecision === 'time';
  const start = (local: string): string => (isTimed ? local : local.slice(0, DAY_CHARS));
  return {
    '@context': 'https://schema.org',
    '@type': EVENT_TYPES[event.category] ?? 'Event',
    '@id': event.url,
    name: event.title,
    url: event.url,
    // The day alone where the hour is unknown, never midnight.
    startDate: start(event.startDatetime),
    ...(event.endDatetime !== null && { endDate: isTimed ? event.endDatetime : lastDayOf(event.endDatetime) }),
    ...(status === 'rescheduled' && movedFrom !== null && { previousStartDate: start(movedFrom) }),
    eventStatus: `https://schema.org/${EVENT_STATUS_TYPES[status]}`,
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    location: {
      '@type': 'Place',
      name: venue.name,
      address: addressMarkup(venue.address, record.cityName),
      ...geoOf(venue, isInArea),
    },
    ...(description !== null && { description }),
    ...(record.images.length > 0 && { image: record.images }),
    ...offersOf(record),
    ...(performers.length > 0 && { performer: performers.map((name) => ({ '@type': 'PerformingGroup', name })) }),
    ...organizerOf(record),
    ...(record.isSeries && { superEvent: { '@type': 'EventSeries', name: event.title } }),
  };
}

function organizerOf({ organizer }: MarkedEvent): object {
  const known = organizer();
  return known === null
    ? {}
    : { organizer: { '@type': 'Organization', name: known.name, ...(known.url !== null && { url: known.url }) } };
}

/** A venue without a street, such as a park, is in the city all the same: search engines refuse events without an address. */
function addressMarkup(street: string | null, cityName: string): object {
  return { '@type': 'PostalAddress', ...(street !== null && { streetAddress: street }), addressLocality: cityName };
}

/** Nothing where no price is known, but for what is sold out. */
function offersOf({ event, status, currency, offerUrl }: MarkedEvent): object {
  const { isFree, priceMin, priceMax } = event;
  const availability = availabilityOf(status);
  if (isFree) {
    const offer = { '@type': 'Offer', url: offerUrl, price: 0, priceCurrency: currency, ...availability };
    return { isAccessibleForFree: true, offers: offer };
  }
  if (priceMin === null && priceMax === null) {
    return status === 'sold_out' ? { offers: { '@type': 'Offer', url: offerUrl, ...availability } } : {};
  }
  return {
    isAccessibleForFree: false,
    offers: {
      '@type': 'AggregateOffer',
      url: offerUrl,
      ...(priceMin !== null && { lowPrice: priceMin }),
      ...(priceMax !== null && { highPrice: priceMax }),
      priceCurrency: currency,
      ...availability,
    },
  };
}

interface MarkedVenue extends Omit<VenueSummary, 'upcomingEventCount'> {
  website: string | null;
  openingHours: OpeningHours | null;
  /** Only its area is known. */
  isInArea: boolean;
}

/** `events`: markup of events there. */
export function venueMarkup(venue: MarkedVenue, cityName: string, events: readonly object[]): object {
  const { name, url, address, website, openingHours, isInArea } = venue;
  return {
    '@context': 'https://schema.org',
    '@type': VENUE_TYPES[venue.type],
    '@id': url,
    name,
    url,
    ...(website !== null && { sameAs: website }),
    address: addressMarkup(address, cityName),
    ...geoOf(venue, isInArea),
    ...(openingHours !== null && { openingHoursSpecification: hoursOf(openingHours) }),
    ...(events.length > 0 && { event: events }),
  };
}

/** An exception without hours is a day on which it is closed: it opens and closes at midnight. */
function hoursOf({ weekly, exceptions }: OpeningHours): object[] {
  const type = { '@type': 'OpeningHoursSpecification' };
  return [
    ...weekly.map(({ days, opens, closes }) => ({
      ...type,
      dayOfWeek: days.map((day) => `https://schema.org/${WEEKDAY_NAMES[day]}`),
      opens,
      closes,
    })),
    ...exceptions.map(({ from, to, opens, closes }) => ({
      ...type,
      validFrom: from,
      validThrough: to,
      opens: opens ?? '00:00',
      closes: closes ?? '00:00',
    })),
  ];
}

function listMarkup(name: string, url: string, urls: readonly string[]): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'ItemList',
    name,
    url,
    numberOfItems: urls.length,
    itemListElement: urls.map((each, at) => ({ '@type': 'ListItem', position: at + 1, url: each })),
  };
}

/** From the front page to this one; `url` absolute. */
export function breadcrumbMarkup(steps: readonly { name: string; url: string }[]): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'BreadcrumbList',
    itemListElement: steps.map(({ name, url }, at) => ({ '@type': 'ListItem', position: at + 1, name, item: url })),
  };
}

/** What stands in a `<script type="application/ld+json">`: no text of a source can end it. */
export const writeMarkup = (markup: object): string => JSON.stringify(markup).replaceAll('<', '\\u003c');

/** The blocks of a page that lists records: `name` as its heading has it, `urls` absolute and in order. Nothing for an empty list. */
export const writeListBlocks = (name: string, address: string, urls: readonly string[]): string[] =>
  urls.length === 0 ? [] : [writeMarkup(listMarkup(name, address, urls))];

/** The others are an `Event`. */
const EVENT_TYPES: Readonly<Partial<Record<Category, string>>> = {
  concert: 'MusicEvent',
  sports: 'SportsEvent',
  comedy: 'ComedyEvent',
  theater: 'TheaterEvent',
  festival: 'Festival',
  food: 'FoodEvent',
  art: 'VisualArtsEvent',
  family: 'ChildrensEvent',
};
const EVENT_STATUS_TYPES: Readonly<Record<EventStatus, string>> = {
  scheduled: 'EventScheduled',
  sold_out: 'EventScheduled',
  rescheduled: 'EventRescheduled',
  postponed: 'EventPostponed',
  cancelled: 'EventCancelled',
};
const VENUE_TYPES: Readonly<Record<VenueType, string>> = {
  bar: 'BarOrPub',
  restaurant: 'Restaurant',
  arena: 'StadiumOrArena',
  park: 'Park',
  theater: 'PerformingArtsTheater',
  gallery: 'ArtGallery',
  club: 'MusicVenue',
  stadium: 'StadiumOrArena',
  brewery: 'Brewery',
  museum: 'Museum',
};
const WEEKDAY_NAMES: Readonly<Record<Weekday, string>> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};
