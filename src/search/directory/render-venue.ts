/** Venues as the contract's JSON, in layers that are prefixes of each other. */

import { rowsOf, VENUE_FIELDS, type Venue } from '../../records/index.ts';

/**
 *     base      {"id":…,"url":…            list   = base + count
 *     metadata  ,"metadata":{…}            detail = base + metadata + count
 *     count     ,"upcomingEventCount":7}   is written when it is asked for: it depends on the moment
 */
export interface RenderedVenue {
  base: string;
  metadata: string;
}

export function renderVenue(venue: Venue, publicUrl: string): RenderedVenue {
  const shown = { ...venue, url: `${publicUrl}/venues/${venue.slug}` };
  return { base: printFields(shown, LISTED).slice(0, -1), metadata: `,"metadata":${printFields(shown, IN_METADATA)}` };
}

/** A field that the record lacks, such as the count, is left out. */
const printFields = (venue: object, fields: readonly string[]): string =>
  JSON.stringify(Object.fromEntries(fields.map((field) => [field, (venue as Record<string, unknown>)[field]])));

const fieldsOf = (wanted: 'list' | 'metadata'): string[] =>
  rowsOf(VENUE_FIELDS).flatMap(({ field, form }) => (form === wanted ? [field] : []));
const [LISTED, IN_METADATA] = [fieldsOf('list'), fieldsOf('metadata')];

export const venueCount = (upcoming: number): string => `,"upcomingEventCount":${upcoming}}`;

/** What an event shows of its venue: `list` lacks its closing brace, `detail` goes on and closes it. */
export interface VenueCard {
  list: string;
  detail: string;
}

export function renderVenueCard(
  venue: Pick<Venue, 'id' | 'name' | 'slug' | 'neighborhood' | 'latitude' | 'longitude' | 'address' | 'capacityTier'>,
): VenueCard {
  const { id, name, slug, neighborhood, latitude, longitude, address, capacityTier } = venue;
  return {
    list: JSON.stringify({ id, name, slug, neighborhood, latitude, longitude }).slice(0, -1),
    detail: `,${JSON.stringify({ address, capacityTier }).slice(1)}`,
  };
}
