/** A small city that is asked in free text: each record is there for what it is mistaken for. */

import type { Category } from '../../src/records/index.ts';
import type { DirectoryRows, EventRow, VenueRow } from '../../src/search/index.ts';

/** A Wednesday, noon in the city. */
export const ASK_NOW = Date.parse('2026-06-17T12:00:00-04:00');
const HOUR = 3_600_000;

const id = (kind: string, number: number): string => `${kind.repeat(8)}-0000-7000-8000-${String(number).padStart(12, '0')}`;

const AREAS: readonly [name: string, description: string][] = [
  ['Old Harbor-Mill Yards', 'Northside'],
  ['Bellwick (East)', 'Southside'],
  ['Bellwick (West)', 'Southside'],
  ['East Fennimore', 'Southside'],
  ['Lower South Quay', 'Northside'],
  ['Ashford-Tolliver Heights', 'Northside'],
];
const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z]+/g, '-')
    .replace(/^-|-$/g, '');

const VENUES: readonly [name: string, area: number | null, address: string | null, type: VenueRow['type']][] = [
  ['Marble Square Garden', 0, '1 Fourth Street', 'arena'],
  ['Bellwick Hall', 1, '22 Dock St', 'club'],
  ['Nowhere', 2, '80 Mill Avenue', 'club'],
  ['Nowhere (Cellar)', 2, '80 Mill Avenue', 'club'],
  ['The Lantern Theatre', 4, '5 E 4th St', 'theater'],
  ['Southside', null, null, 'club'],
  ['Fennimore Green', 3, null, 'park'],
];

interface AskEvent {
  title: string;
  at: string;
  venue: number;
  category?: Category;
  performers?: string[];
  description?: string;
  price?: number | null;
  tags?: string[];
  score?: number;
}

const EVENTS: readonly AskEvent[] = [
  { title: 'Free Jazz in the Yard', at: '06-17T20:00', venue: 1, price: 0 },
  { title: 'Jazz at the Hall', at: '06-17T21:00', venue: 1, price: 25 },
  { title: 'Quiet Trio', at: '06-18T20:00', venue: 2, price: 15, description: 'An evening of jazz and dance', tags: ['jazz'] },
  { title: 'Bon Navi', at: '07-30T20:00', venue: 0, price: 90 },
  { title: 'Bon Appetit', at: '06-18T18:00', venue: 4, category: 'food', price: 40 },
  { title: 'Rock the Quay', at: '06-19T20:00', venue: 4, performers: ['Gilly Haynes', 'The Tonics'], price: 30 },
  { title: 'Haines and Sons Brunch', at: '06-20T11:00', venue: 4, category: 'food', price: 20 },
  { title: 'Tonight Show: Live', at: '06-25T19:00', venue: 4, category: 'comedy', price: 35 },
  { title: 'Laugh Cellar', at: '06-17T20:00', venue: 3, category: 'comedy', price: 10 },
  { title: 'Story Hour', at: '06-20T10:00', venue: 6, category: 'family', price: 0 },
  { title: 'Kids of Yesterday', at: '06-20T20:00', venue: 1, price: 22 },
  { title: 'Hamlet', at: '06-19T19:30', venue: 4, category: 'theater', price: 60 },
  { title: 'Hamlet', at: '06-20T19:30', venue: 4, category: 'theater', price: 60 },
  { title: 'Fireworks over the Quay', at: '07-04T21:00', venue: 6, category: 'outdoor', price: 0 },
  { title: 'Dog Parade', at: '06-21T14:00', venue: 6, category: 'community', price: 0 },
  { title: 'Barker', at: '06-22T20:00', venue: 5, performers: ['Southside'], price: 12 },
  { title: 'Summerstage Opening', at: '06-23T18:00', venue: 6, price: null },
  { title: 'Café Müller', at: '06-24T20:00', venue: 4, category: 'theater', price: 45 },
  { title: 'The Who', at: '08-02T20:00', venue: 0, price: 120 },
  { title: 'Birding Tour', at: '07-12T08:00', venue: 5, category: 'outdoor', price: 18 },
];

export function askDirectory(): DirectoryRows {
  const neighborhoods = AREAS.map(([name, description], number) => ({
    id: id('b', number),
    slug: slugOf(name),
    name,
    description,
    latitude: 40 + number / 100,
    longitude: -74,
  }));
  const venues = VENUES.map(
    ([name, area, address, type], number): VenueRow => ({
      id: id('a', number),
      slug: `venue-${number}`,
      name,
      type,
      address,
      latitude: 40,
      longitude: -74,
      capacityTier: null,
      isVerified: true,
      neighborhood: area === null ? null : neighborhoods[area]!.slug,
      website: null,
      parking: null,
      transitNearby: [],
      openingHours: null,
      state: 'published',
      mergedInto: null,
    }),
  );
  return {
    seq: 1,
    city: {
      slug: 'port',
      name: 'Port Quay',
      timezone: 'America/New_York',
      currency: 'USD',
      locale: 'en-US',
      latitude: 40,
      longitude: -74,
    },
    neighborhoods,
    venues,
    events: EVENTS.map((event, number) => eventRow(event, number)),
  };
}

function eventRow(event: AskEvent, number: number): EventRow {
  const startsAt = Date.parse(`2026-${event.at}:00-04:00`);
  const price = event.price === undefined ? null : event.price;
  return {
    id: id('e', number),
    slug: `event-${number}`,
    title: event.title,
    category: event.category ?? 'concert',
    startsAt,
    precision: 'time',
    endsAt: startsAt + 2 * HOUR,
    description: event.description ?? null,
    imageUrl: null,
    isFree: price === 0,
    priceMin: price,
    priceMax: price,
    venueId: id('a', event.venue),
    status: 'scheduled',
    performers: event.performers ?? [],
    organizer: null,
    tags: event.tags ?? [],
    sources: ['city'],
    discoveryScore: event.score ?? 50,
    updatedAt: ASK_NOW,
    scoredAt: ASK_NOW,
    signals: [],
    scores: [],
    state: 'published',
    mergedInto: null,
  };
}
