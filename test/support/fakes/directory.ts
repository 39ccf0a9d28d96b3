/** A small directory in memory that answers like the read model and writes down what it was asked. For tests of the API's own work. */

import { hash } from 'node:crypto';
import { CATEGORIES } from '../../../src/records/index.ts';
import type {
  EventExtras,
  EventForm,
  EventQuery,
  ResultPage,
  Search,
  Snapshot,
  VenueForm,
  VenueQuery,
} from '../../../src/search/index.ts';
import { createCityTime } from '../../../src/values/city-time.ts';

export const FAKE_NOW = Date.parse('2026-06-16T20:00:00Z');
const FAKE_ZONE = 'America/New_York';
const city = createCityTime(FAKE_ZONE);

export const idOf = (kind: 'e' | 'a', n: number): string => `${kind}0000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
export const MERGED_EVENT = 'dddddddd-0000-7000-8000-000000000001';
export const REMOVED_EVENT = 'dddddddd-0000-7000-8000-000000000002';
export const MERGED_VENUE = 'dddddddd-0000-7000-8000-000000000003';
export const UNKNOWN_ID = 'dddddddd-0000-7000-8000-00000000000f';

export interface FakeDirectory {
  search: Pick<Search, 'current'>;
  eventQueries: EventQuery[];
  venueQueries: VenueQuery[];
  lastEventQuery(): EventQuery;
  /** What the next lists say they read a word as. */
  interpret(word: string, readAs: string): void;
  /** Makes the next call of any list throw. */
  breakDown(): void;
}

export function createFakeDirectory(size = 45): FakeDirectory {
  const venues = [0, 1, 2].map((n) => ({
    id: idOf('a', n),
    name: `Hall ${n}`,
    slug: `hall-${n}`,
    type: 'theater' as const,
    neighborhood: n === 2 ? null : `area-${n}`,
    address: n === 2 ? null : `${n} Main St`,
    latitude: 40.7 + n / 100,
    longitude: -74,
    capacityTier: n === 2 ? null : ('small' as const),
    isVerified: n !== 2,
    upcomingEventCount: 15,
    url: `https://example.org/venues/hall-${n}`,
  }));
  const events = Array.from({ length: size }, (_, n) => ({
    n,
    at: FAKE_NOW + n * 3_600_000,
    category: CATEGORIES[n % CATEGORIES.length]!,
    isFree: n % 5 === 0,
    venue: venues[n % 3]!,
  }));
  const eventQueries: EventQuery[] = [];
  const venueQueries: VenueQuery[] = [];
  let interpretations: { word: string; readAs: string }[] = [];
  let broken = false;

  const page = (all: number[], limit: number, offset: number): ResultPage => {
    if (broken) {
      broken = false;
      throw new Error('the directory broke at /secret/path');
    }
    const items = all.slice(offset, offset + limit);
    const read = interpretations;
    interpretations = [];
    return { total: all.length, items, interpretations: read, tag: hash('sha1', `${all.length}:${items.join()}`).slice(0, 16) };
  };

  const printEvent = (n: number, form: EventForm) => {
    const { at, category, isFree, venue } = events[n]!;
    const compact = {
      id: idOf('e', n),
      title: `Évent “${n}”`,
      category,
      startDatetime: city.format(at),
      isFree,
      discoveryScore: 100 - n,
    };
    if (form === 'compact') return compact;
    const { id, name, slug, neighborhood, latitude, longitude, address, capacityTier } = venue;
    const place = { id, name, slug, neighborhood, latitude, longitude };
    const list = {
      id: compact.id,
      title: compact.title,
      slug: `event-${n}`,
      category,
      startDatetime: compact.startDatetime,
      endDatetime: n % 2 ? null : city.format(at + 7_200_000),
      description: n % 3 ? 'Loud.' : null,
      imageUrl: null,
      isFree,
      priceMin: isFree ? 0 : 12.5,
      priceMax: isFree ? 0 : null,
      discoveryScore: compact.discoveryScore,
      venue: place,
      url: `https://example.org/events/event-${n}`,
    };
    if (form === 'list') return list;
    return { ...list, venue: { ...place, address, capacityTier }, performers: ['Ann'], tags: ['live'], sources: ['city'] };
  };

  const snapshot: Snapshot = {
    edition: 1,
    seq: 7,
    history: '',
    city: { slug: 'nyc', name: 'New York', timezone: FAKE_ZONE, currency: 'USD', locale: 'en-US' },
    counts: { events: events.length, venues: venues.length, neighborhoods: 2 },
    events(query) {
      eventQueries.push(query);
      const found = events.filter(
        (event) =>
          event.at >= query.from &&
          event.at <= query.to &&
          (!query.categories || query.categories.includes(event.category)) &&
          (!query.free || event.isFree) &&
          (!query.venueId || event.venue.id === query.venueId) &&
          (query.neighborhood === undefined || event.venue.neighborhood === query.neighborhood),
      );
      const answer = page(
        found.map(({ n }) => n),
        query.limit,
        query.offset,
      );
      return query.facets ? { ...answer, facets: { category: [{ value: 'concert', count: 5 }] } } : answer;
    },
    suggest: (text) => [{ type: 'performer', text, id: null, slug: null, context: null }],
    ask: ({ text, limit, offset }) => ({
      ...page(
        events.map(({ n }) => n),
        limit,
        offset,
      ),
      asked: {
        parts: [{ kind: 'word', text, from: 0, to: text.length, means: text, parameters: null, without: '', overriddenBy: null }],
        complete: events.length,
        relaxations: [],
      },
    }),
    venueEvents(venueId, _now, limit, offset) {
      const found = events.filter(({ venue }) => venue.id === venueId).map(({ n }) => n);
      return page(found, limit, offset);
    },
    venues(query) {
      venueQueries.push(query);
      return page(query.anyVerified ? [0, 1, 2] : [0, 1], query.limit, query.offset);
    },
    eventBySlug: () => null,
    venueBySlug: () => null,
    slug: (kind, item) => (kind === 'event' ? `event-${item}` : (venues[item]?.slug ?? '')),
    event(id) {
      if (id === MERGED_EVENT) return { found: 'merged', into: idOf('e', 1) };
      if (id === REMOVED_EVENT) return { found: 'removed' };
      const item = events.findIndex(({ n }) => idOf('e', n) === id);
      return item < 0 ? { found: 'unknown' } : { found: 'published', item, tag: 'same' };
    },
    venue(id) {
      if (id === MERGED_VENUE) return { found: 'merged', into: idOf('a', 1) };
      const item = venues.findIndex((venue) => venue.id === id);
      return item < 0 ? { found: 'unknown' } : { found: 'published', item, tag: 'same' };
    },
    neighborhoods: () => ({
      tag: 'n1',
      items: [0, 1].map((n) => ({
        slug: `area-${n}`,
        name: `Area ${n}`,
        description: null,
        latitude: 40.7,
        longitude: -74,
        eventCount: 15,
        venueCount: 1,
        topCategories: ['concert', 'art'],
      })),
    }),
    neighborhood: () => null,
    isAmong: () => true,
    checksums: () => ({ records: events.length, ranges: new BigUint64Array(256) }),
    trending: (type, limit) => ({
      tag: 't1',
      generatedAt: FAKE_NOW - 1_500,
      events:
        type === 'venues'
          ? []
          : [0, 1, 2].slice(0, limit).map((n) => ({
              id: idOf('e', n),
              title: `Évent “${n}”`,
              category: 'concert',
              startDatetime: city.format(FAKE_NOW),
              discoveryScore: 90,
              trendScore: 3.25 - n,
              venue: { name: 'Hall 0', slug: 'hall-0' },
            })),
      venues:
        type === 'events'
          ? []
          : [venues[0]!].map(({ id, name, slug, type, neighborhood, upcomingEventCount }) => ({
              id,
              name,
              slug,
              type,
              neighborhood,
              upcomingEventCount,
              trendScore: 1.5,
            })),
    }),
    writeEvents: (items, form, head, tail) =>
      Buffer.from(head + items.map((n) => JSON.stringify(printEvent(n, form))).join(',') + tail),
    writeVenues: (items, form: VenueForm, _now, head, tail) =>
      Buffer.from(
        head +
          items
            .map((n) => {
              const metadata = { website: null, parking: null, transitNearby: [], openingHours: null };
              return JSON.stringify(form === 'detail' ? { ...venues[n], metadata } : venues[n]);
            })
            .join(',') +
          tail,
      ),
    writeLines: (_kind, items) => Buffer.from(items.map((n) => `${JSON.stringify(printEvent(n, 'detail'))}\n`).join('')),
    facts: () => ({
      status: 'scheduled',
      startPrecision: 'time',
      updatedAt: FAKE_NOW,
      signals: [],
      links: [],
      organizer: null,
      movedFrom: null,
    }),
    records: () => ({ count: 0, item: () => 0, id: () => '', idWord: () => 0, tag: () => [0, 0] }),
    lifecycle: (n) => ({ status: 'scheduled', startPrecision: 'time', updatedAt: FAKE_NOW, revision: n }),
    extras: (n): EventExtras => ({
      status: 'scheduled',
      timezone: FAKE_ZONE,
      currency: 'USD',
      sources: ['city'],
      tags: ['live'],
      performers: ['Ann'],
      organizer: null,
      score: {
        discoveryScore: 100 - n,
        trendScore: 0,
        signals: [{ signal: 'image', value: 1, weight: 10, points: 10, sentence: 'It has an image.' }],
        trendSignals: [],
      },
      updatedAt: city.format(FAKE_NOW),
      startPrecision: 'time',
      locationPrecision: 'exact',
    }),
    venueExtras: () => ({ locationPrecision: 'exact' }),
  };

  return {
    search: { current: () => snapshot },
    eventQueries,
    venueQueries,
    lastEventQuery: () => eventQueries.at(-1)!,
    interpret: (word, readAs) => void interpretations.push({ word, readAs }),
    breakDown: () => {
      broken = true;
    },
  };
}
