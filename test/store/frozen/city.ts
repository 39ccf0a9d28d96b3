/** Tidewater, the small city that `make-city.ts` makes: its bundle, its sources, and what is done to them. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Of the bundle; so that commands can name them. */
export const idOf = (kind: 'event' | 'venue', number: number): string =>
  `01900000-0000-7000-8000-${kind === 'event' ? 'e' : 'f'}${String(number).padStart(11, '0')}`;

const CITY = {
  slug: 'tidewater',
  name: 'Tidewater',
  timezone: 'America/New_York',
  currency: 'USD',
  locale: 'en-US',
  center: { latitude: 40.05, longitude: -73.95 },
};

const square = (slug: string, name: string, west: number) => ({
  type: 'Feature',
  properties: { slug, name, description: `${name} of Tidewater` },
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [west, 40],
        [west + 0.1, 40],
        [west + 0.1, 40.1],
        [west, 40.1],
        [west, 40],
      ],
    ],
  },
});

const WEEK = [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat'], opens: '17:00', closes: '02:00' }];
const VENUES = [
  { name: 'The Cellar', type: 'club', latitude: 40.05, longitude: -73.95, address: '1 Fiddle Lane', capacityTier: 'intimate' },
  { name: 'Harbor Hall', type: 'theater', latitude: 40.06, longitude: -73.93, address: '20 Quay Street', capacityTier: 'medium' },
  { name: 'Tidewater Arena', type: 'arena', latitude: 40.02, longitude: -73.97, capacityTier: 'large' },
  { name: 'Gull Park', type: 'park', latitude: 40.07, longitude: -73.85, isApproximate: true },
  { name: 'Salt Gallery', type: 'gallery', latitude: 40.03, longitude: -73.88, address: '7 Dune Road' },
  { name: 'The Anchor', type: 'bar', latitude: 40.045, longitude: -73.86, address: '9 Dune Road', capacityTier: 'small' },
].map((venue, index) => ({
  ...{ externalId: `venue-${index + 1}`, id: idOf('venue', index + 1), isVerified: index % 2 === 0, ...venue },
  ...(index === 0 && {
    metadata: {
      website: 'https://cellar.example/',
      parking: 'Two garages nearby',
      transitNearby: ['Line 4'],
      openingHours: { timezone: 'America/New_York', weekly: WEEK, exceptions: [] },
    },
  }),
}));

const at = (day: number, time: string) => `2019-06-${day}T${time}`;
const seen = (kind: string, value: number, day: number) => ({ kind, value, observedAt: `2019-06-${day}T12:00:00Z` });
const EVENTS = [
  {
    title: 'Night of Fiddles',
    startDatetime: at(20, '20:00'),
    venue: 'venue-1',
    priceMin: 10,
    priceMax: 25.5,
    performers: ['Ada Fiddler'],
  },
  { title: 'Night of Drums', startDatetime: at(21, '20:00'), endDatetime: at(21, '23:30'), venue: 'venue-1', isFree: true },
  {
    title: 'Morning of Books',
    category: 'community',
    startDatetime: at(22, '09:00'),
    venue: 'venue-5',
    isFree: true,
    tags: ['books'],
  },
  { title: 'The Long Play', category: 'theater', startDatetime: at(22, '19:30'), venue: 'venue-2', priceMin: 40, priceMax: 90 },
  { title: 'The Long Play', category: 'theater', startDatetime: at(23, '19:30'), venue: 'venue-2', priceMin: 40, priceMax: 90 },
  { title: 'Gulls against Herons', category: 'sports', startDatetime: at(22, '18:00'), venue: 'venue-3', status: 'sold_out' },
  {
    title: 'Kites over the Bay',
    category: 'family',
    startDatetime: at(23, '00:00'),
    startPrecision: 'all_day',
    venue: 'venue-4',
    isFree: true,
  },
  {
    title: 'Laughing Matters',
    category: 'comedy',
    startDatetime: at(21, '21:00'),
    venue: 'venue-6',
    priceMin: 12,
    imageUrl: 'https://images.example/laugh.jpg',
  },
  {
    title: 'Salt and Light',
    category: 'art',
    startDatetime: at(20, '10:00'),
    endDatetime: '2019-07-20T18:00',
    venue: 'venue-5',
    isFree: true,
  },
  { title: 'Brass on the Quay', startDatetime: at(24, '19:00'), venue: 'venue-2', status: 'cancelled', priceMin: 15 },
  {
    title: 'Supper for Strangers',
    category: 'food',
    startDatetime: at(25, '18:30'),
    venue: 'venue-6',
    priceMin: 30,
    tags: ['supper', 'vegan'],
  },
  { title: 'A Private Rehearsal', startDatetime: at(26, '11:00'), venue: 'venue-1', isFree: true },
  {
    title: 'Harbor Choir',
    startDatetime: at(27, '19:00'),
    venue: 'venue-2',
    priceMin: 8,
    signals: [seen('tickets_sold', 40, 10), seen('tickets_sold', 95, 18)],
  },
  {
    title: 'Dockside Dancing',
    category: 'nightlife',
    startDatetime: at(28, '22:00'),
    venue: 'venue-6',
    sources: ['Harbor Weekly'],
  },
  {
    title: 'Yesterday in Song',
    startDatetime: at(17, '20:00'),
    venue: 'venue-1',
    isFree: true,
    description: 'It is over, but its page stays.',
  },
  { title: 'Given Up by Its House', startDatetime: at(29, '20:00'), venue: 'venue-1', isFree: true },
].map((event, index) => ({
  ...{ externalId: `event-${index + 1}`, id: idOf('event', index + 1), category: 'concert', isFree: false },
  ...event,
}));
/** What is done to them, by their numbers. */
export const NUMBERS = { corrected: 1, retitled: 3, hidden: 12, pruned: 16 };

/** The bundle; the second time, with another title and without an event. */
export function writeBundle(folder: string, isSecond: boolean): void {
  mkdirSync(folder, { recursive: true });
  const events = EVENTS.map((event) =>
    isSecond && event.id === idOf('event', NUMBERS.retitled) ? { ...event, title: 'Morning of Many Books' } : event,
  );
  const kept = isSecond ? events.filter(({ id }) => id !== idOf('event', NUMBERS.pruned)) : events;
  const areas = [square('old-port', 'Old Port', -74), square('dunes', 'Dunes', -73.9)];
  const files = {
    'city.json': JSON.stringify(CITY),
    'neighborhoods.geojson': JSON.stringify({ type: 'FeatureCollection', features: areas }),
    'venues.ndjson': VENUES.map((venue) => JSON.stringify(venue)).join('\n'),
    'events.ndjson': kept.map((event) => JSON.stringify(event)).join('\n'),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), `${text}\n`);
}

/** How the sources are read. */
export const MAPPING = {
  records: 'events',
  fields: {
    ...{ externalId: 'id', title: 'name', category: { path: 'kind', table: { music: 'concert' } }, start: 'start', end: 'end' },
    ...{ isFree: 'free', priceMin: 'min', priceMax: 'max', description: 'text', status: 'status', url: 'url' },
    venue: { name: 'place', address: 'address', latitude: 'lat', longitude: 'lon' },
  },
};

const listing = (id: string, name: string, place: (typeof VENUES)[number] | undefined, start: string, more: object = {}) => ({
  ...{ id, name, kind: 'music', start: `${start}:00`, place: place?.name, lat: place?.latitude, lon: place?.longitude },
  ...{ url: `https://harbor.example/events/${id}`, ...more },
});
const [cellar, hall, , , , anchor] = VENUES;
const HARBOR_OFFICE = [
  listing('copper', 'Copper Lantern', cellar, at(20, '22:00'), { min: 11, text: 'As the harbor office lists it.' }),
  listing('brass', 'Brass Harbor', hall, at(21, '22:00')),
  listing('velvet', 'Velvet Sparrow', anchor, at(22, '22:00'), { min: 9, max: 9 }),
  listing('lemma', 'Lemma Quartet', hall, at(26, '19:00'), { min: 20, max: 30, text: 'Four strings.' }),
  listing('corollary', 'Corollary Night', undefined, at(25, '21:00'), {
    place: 'Proof House',
    lat: 40.08,
    lon: -73.92,
    free: true,
  }),
  listing('twice', 'An Evening of Shanties', cellar, at(30, '20:00')),
];
/** Three that may be events of the harbor office, and one that is. */
const CITY_RADIO = [
  listing('iron', 'Iron Lantern', cellar, at(20, '22:00')),
  listing('glass', 'Glass Harbor', hall, at(21, '22:00')),
  listing('cotton', 'Cotton Sparrow', anchor, at(22, '22:00')),
  listing('lemma', 'Lemma Quartet, live', hall, at(26, '19:00'), { text: 'Four strings and no figures, live from the hall.' }),
];
/** In the second run of the harbor office, one is canceled, one has moved, and one has no start any more. */
const HARBOR_OFFICE_AGAIN = [
  ...HARBOR_OFFICE.slice(0, -3),
  { ...HARBOR_OFFICE.at(-3), status: 'cancelled' },
  { ...HARBOR_OFFICE.at(-2), start: at(25, '22:30:00') },
  { ...HARBOR_OFFICE.at(-1), start: undefined },
];

/** What the sources list, by their names. */
export const listingsOf = (isSecond: boolean): Readonly<Record<string, readonly object[]>> => ({
  'harbor-office': isSecond ? HARBOR_OFFICE_AGAIN : HARBOR_OFFICE,
  'city-radio': CITY_RADIO,
});
