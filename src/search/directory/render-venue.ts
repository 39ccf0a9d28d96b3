/** Venues as the contract's JSON, in layers that are prefixes of each other. */

import type { Venue } from '../../records/index.ts';

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
  const base = JSON.stringify({
    id: venue.id,
    name: venue.name,
    slug: venue.slug,
    type: venue.type,
    neighborhood: venue.neighborhood,
    address: venue.address,
    latitude: venue.latitude,
    longitude: venue.longitude,
    capacityTier: venue.capacityTier,
    isVerified: venue.isVerified,
    url: `${publicUrl}/venues/${venue.slug}`,
  });
  const metadata = JSON.stringify({
    website: venue.website,
    parking: venue.parking,
    transitNearby: venue.transitNearby,
    openingHours: venue.openingHours,
  });
  return { base: base.slice(0, -1), metadata: `,"metadata":${metadata}` };
}

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
