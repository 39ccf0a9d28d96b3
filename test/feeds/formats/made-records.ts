/** Records of lists as the API would serve them, for the writers of forms. */

import type { ListFacts, ServedEvent, ServedVenue } from '../../../src/feeds/index.ts';

const CHANGED_AT = Date.parse('2026-11-01T09:30:00Z');

export const LIST: ListFacts = {
  title: 'Events in Port Alder',
  description: 'Upcoming events.',
  selfUrl: 'https://events.example/api/v1/events.ics?category=concert&q=a%20b',
  homeUrl: 'https://events.example/',
  language: 'en-US',
  timezone: 'America/Chicago',
  currency: 'USD',
  updatedAt: CHANGED_AT,
  total: 5_312,
  maxRecords: 2_000,
};

interface Given {
  id?: string;
  title?: string;
  description?: string | null;
  startDatetime?: string;
  endDatetime?: string | null;
  status?: ServedEvent['status'];
  startPrecision?: ServedEvent['startPrecision'];
  revision?: number;
  venueName?: string;
  address?: string | null;
  isFree?: boolean;
}

export function eventRecord(given: Given = {}): ServedEvent {
  const { id = '019a0000-0000-7000-8000-000000000001', title = 'Noon Concert', description = 'Loud.', isFree = false } = given;
  const list = {
    id,
    title,
    slug: 'noon-concert',
    category: 'concert' as const,
    startDatetime: given.startDatetime ?? '2026-11-21T20:00:00-06:00',
    endDatetime: given.endDatetime === undefined ? '2026-11-21T22:30:00-06:00' : given.endDatetime,
    description,
    imageUrl: 'https://cdn.example/a%20b.jpg',
    isFree,
    priceMin: isFree ? 0 : 12.5,
    priceMax: isFree ? 0 : 40,
    discoveryScore: 71,
    venue: {
      id: '019a0000-0000-7000-8000-0000000000aa',
      name: given.venueName ?? 'Harbor Hall',
      slug: 'harbor-hall',
      neighborhood: 'harbor',
      latitude: 41.881832,
      longitude: -87.623177,
    },
    url: 'https://events.example/events/noon-concert',
  };
  const address = given.address === undefined ? '8 Quay St' : given.address;
  return {
    json: JSON.stringify(list),
    event: { ...list, venue: { ...list.venue, address, capacityTier: null }, performers: ['Ann'], tags: [], sources: [] },
    status: given.status ?? 'scheduled',
    startPrecision: given.startPrecision ?? 'time',
    updatedAt: CHANGED_AT,
    revision: given.revision ?? 0,
    organizer: () => null,
  };
}

export function venueRecord(name = 'Harbor Hall', address: string | null = '8 Quay St'): ServedVenue {
  const venue = {
    id: '019a0000-0000-7000-8000-0000000000aa',
    name,
    slug: 'harbor-hall',
    type: 'theater' as const,
    neighborhood: 'harbor',
    address,
    latitude: 41.881832,
    longitude: -87.623177,
    capacityTier: 'small' as const,
    isVerified: true,
    upcomingEventCount: 3,
    url: 'https://events.example/venues/harbor-hall',
  };
  return { json: JSON.stringify(venue), venue };
}

export const idOf = (n: number): string => `019a0000-0000-7000-8000-${String(n).padStart(12, '0')}`;
