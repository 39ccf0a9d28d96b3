/** A venue in the words of schema.org, with what is on there next. */

import type { OpeningHours, VenueSummary, VenueType, Weekday } from '../../../records/index.ts';
import { addressMarkup } from './event-markup.ts';

export interface MarkedVenue extends Omit<VenueSummary, 'upcomingEventCount'> {
  website: string | null;
  openingHours: OpeningHours | null;
}

/** `events`: markup of events there. */
export function venueMarkup(venue: MarkedVenue, cityName: string, events: readonly object[]): object {
  const { name, url, address, latitude, longitude, website, openingHours } = venue;
  return {
    '@context': 'https://schema.org',
    '@type': VENUE_TYPES[venue.type],
    '@id': url,
    name,
    url,
    ...(website !== null && { sameAs: website }),
    address: addressMarkup(address, cityName),
    geo: { '@type': 'GeoCoordinates', latitude, longitude },
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
