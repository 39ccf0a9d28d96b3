/** A listing that needs no repair, in an invented city, and what is made of it with changes. */

import { type NormalContext, type NormalEvent, normalizeEvent } from '../../src/facts/index.ts';
import { type EventListing, eventListing, type VenueListing } from '../../src/providers/listing.ts';

export const CONTEXT: NormalContext & { now: number } = {
  city: {
    timezone: 'America/New_York',
    name: 'New York',
    locale: 'en-US',
    bounds: { west: -74.05, south: 40.54, east: -73.7, north: 40.92 },
  },
  sourceName: 'feed',
  now: Date.parse('2026-06-16T20:00:00Z'),
};

type Said = Partial<Omit<EventListing, 'venue'>> & { venue?: Partial<VenueListing> };

export function listing({ venue, ...said }: Said = {}): EventListing {
  return eventListing({
    externalId: '1',
    title: 'Night of Jazz',
    start: '2026-06-20T20:00:00',
    ...said,
    venue: { name: 'Cellar', latitude: 40.7, longitude: -73.95, ...venue },
  });
}

/** The event, or `field: code` of the refusal. */
export function normal(said: Said = {}, context: Partial<NormalContext> = {}): NormalEvent | string {
  const result = normalizeEvent(listing(said), { ...CONTEXT, ...context });
  return result.ok ? result.event : `${result.field}: ${result.code}`;
}
