/** Venues as tools print them. */

import type { VenueFields, VenueSummary } from '../../records/index.ts';
import type { Snapshot } from '../../search/index.ts';
import type { JsonObject } from '../protocol/message.ts';
import { cleanLine, cleanText, describeStart } from '../text.ts';
import { type ListedEvent, readListed } from './event-facts.ts';

/** What is used of the list and the detail form of the API. */
export interface ListedVenue extends VenueSummary {
  metadata?: Pick<VenueFields, 'website' | 'parking' | 'transitNearby' | 'openingHours'>;
}

export function readVenues(snapshot: Snapshot, items: readonly number[], form: 'list' | 'detail', now: number): ListedVenue[] {
  return items.length === 0 ? [] : JSON.parse(snapshot.writeVenues(items, form, now, '[', ']').toString());
}

/** The next events at a venue, the earliest first. */
export function readNextEvents(snapshot: Snapshot, venueId: string, now: number, limit: number): ListedEvent[] {
  const query = { venueId, from: now, to: Number.POSITIVE_INFINITY, sort: 'start', limit, offset: 0 } as const;
  return readListed(snapshot, snapshot.events(query).items, 'list');
}

/** Type, place, size, as words. */
export function describeVenue({ type, neighborhood, capacityTier }: ListedVenue): string {
  return [type, neighborhood, capacityTier].filter((part) => part !== null).join(', ');
}

export const describeNext = ({ title, startDatetime, startPrecision }: ListedEvent): string =>
  `${describeStart(startDatetime, startPrecision)}: ${cleanLine(title)}`;

export function venueFacts(venue: ListedVenue): JsonObject {
  const { id, name, type, neighborhood, address, latitude, longitude, capacityTier, upcomingEventCount, url } = venue;
  const texts = { name: cleanText(name), address: address === null ? null : cleanText(address) };
  return { id, ...texts, type, neighborhood, latitude, longitude, capacityTier, upcomingEventCount, url };
}
