import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileMapping, PROVIDERS } from '../../src/providers/index.ts';
import type { ListingPage } from '../../src/providers/provider.ts';
import { ProviderError } from '../../src/providers/provider-error.ts';
import { PLATFORMS } from '../support/fakes/platforms.ts';
import { ALWAYS, eventsIn, fates, KEY, readPage, venuesIn } from '../support/fakes/provider.ts';

const moment = { local: '2026-07-04T20:00:00', utc: '2026-07-05T00:00:00Z', timezone: 'America/New_York' };
const point = { latitude: '40.719', longitude: -74.001, lat: 40.719, lon: -74.001 };
const texts = { fr: 'Quai', en: 'Quay' };
/** A record of each kind with everything that it may say. */
const SOUND: Record<string, { document: object; location: string; mapping?: object }> = {
  ticketmaster: {
    location: 'dmaId=345',
    document: {
      _embedded: {
        events: [
          {
            id: 'E1',
            name: 'Lanterns',
            url: 'https://t.example/1',
            images: [{ url: 'https://i.example/1.jpg', ratio: '16_9', width: 640, fallback: false }],
            dates: {
              start: { localDate: '2026-07-04', localTime: '20:00:00', dateTime: moment.utc, timeTBA: false },
              end: { localDate: '2026-07-05' },
              timezone: moment.timezone,
              status: { code: 'postponed' },
              spanMultipleDays: true,
            },
            classifications: [{ primary: true, segment: { name: 'Music' }, genre: { name: 'Rock' } }],
            priceRanges: [{ type: 'standard', currency: 'USD', min: 1, max: 2 }],
            _embedded: {
              venues: [{ id: 'V', name: 'Hall', location: point, address: { line1: '1' } }],
              attractions: [{ name: 'A' }],
            },
          },
        ],
      },
      page: { size: 200, totalPages: 9, number: 4 },
    },
  },
  seatgeek: {
    location: 'venue.city=New York',
    document: {
      events: [
        {
          id: 1,
          title: 'Lanterns',
          type: 'concert',
          taxonomies: [{ name: 'concert' }],
          datetime_local: moment.local,
          datetime_utc: '2026-07-05T00:00:00',
          time_tbd: false,
          stats: { lowest_price: 1, highest_price: 2 },
          performers: [{ name: 'A', primary: true, image: 'https://i.example/1.jpg', genres: [{ name: 'Folk' }] }],
          venue: { id: 2, name: 'Hall', capacity: 5, location: point, timezone: moment.timezone },
        },
      ],
      meta: { page: 1, per_page: 1, total: 9 },
    },
  },
  eventbrite: {
    location: 'venues/40',
    document: {
      pagination: { has_more_items: true, continuation: 'x', page_number: 1 },
      events: [
        {
          id: '1',
          name: { text: 'Dock' },
          start: moment,
          end: moment,
          logo: { url: 'https://i.example/1.jpg' },
          ticket_availability: { is_free: false, minimum_ticket_price: { major_value: '1.00' } },
          tags: [{ prefix: 'EventbriteFormat', display_name: 'Festival or Fair' }],
          venue: { id: '4', name: 'Pier', ...point, address: { localized_address_display: 'Pier 9' } },
        },
        { id: '2', name: 'Knots', start_date: '2026-07-05', start_time: '11:00', timezone: 'Europe/London' },
      ],
    },
  },
  bandsintown: {
    location: 'Ada Lowe',
    document: [
      {
        id: '5',
        url: `https://b.example/5?app_id=${KEY}`,
        datetime: moment.local,
        lineup: ['Ada Lowe'],
        offers: [{ status: 'sold out' }],
        venue: { name: 'Hall', ...point },
      },
    ],
  },
  openagenda: {
    location: '48353388',
    document: {
      after: [1, '2'],
      events: [
        {
          uid: 9,
          title: texts,
          longDescription: texts,
          keywords: { fr: ['quai'] },
          conditions: texts,
          timings: [{ begin: '2026-07-04T15:00:00+02:00', end: '2026-07-04T16:00:00+02:00' }],
          image: { base: 'https://i.example/', filename: '1.jpg' },
          location: { uid: 7, name: 'Halle', address: 'Quai 1', city: 'Albi', ...point },
          status: 6,
          attendanceMode: 2,
        },
      ],
    },
  },
  linkedevents: {
    location: 'https://events.example/v1/event/',
    document: {
      meta: { next: 'https://events.example/v1/event/?page=2' },
      data: [
        {
          id: 't:1',
          name: texts,
          start_time: moment.utc,
          keywords: [{ name: texts }],
          offers: [{ is_free: false, price: texts }],
          super_event: { '@id': 'https://events.example/v1/event/t:0/' },
          location: { id: 'p:1', name: texts, street_address: texts, position: { coordinates: [22.2, 60.4] } },
          images: [{ url: 'https://i.example/1.jpg' }],
        },
      ],
    },
  },
  ...PLATFORMS,
  socrata: {
    location: 'https://data.example/resource/a.json?$limit=1',
    document: [
      { event_id: '6', event_name: 'Kites', start_date_time: moment.local, event_location: 'Park: Lawn', event_borough: 'Bronx' },
    ],
  },
  geojson: {
    location: 'https://data.example/a.geojson',
    document: {
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          id: 1,
          properties: { name: 'Shed', website: 'https://s.example/' },
          geometry: { type: 'Point', coordinates: [-74, 40.7] },
        },
        {
          type: 'Feature',
          properties: { name: 'Yard' },
          geometry: {
            type: 'Polygon',
            coordinates: [
              [
                [0, 1],
                [2, 1],
                [2, 3],
                [0, 1],
              ],
            ],
          },
        },
      ],
    },
  },
  osm: {
    location: 'bbox=40,-75,41,-73',
    document: {
      elements: [
        {
          type: 'way',
          id: 1,
          center: { lat: 40.7, lon: -74 },
          tags: { amenity: 'bar', name: 'Shed', website: 'https://s.example/', capacity: '9' },
        },
      ],
    },
  },
};
const MAPPING = {
  records: 'events',
  each: 'dates',
  zone: 'Europe/Paris',
  drop: [{ path: 'kind', contains: ['private', 'closed'] }, { all: [{ not: { path: 'kind', exists: true } }] }],
  fields: {
    externalId: { join: ['id', 'each.at'], with: '@' },
    title: { path: ['title', 'name'], text: 'html', dropPrefix: ['NEW:'] },
    category: {
      cases: [{ when: { path: 'kind', in: ['gig'] }, use: { const: 'concert' } }],
      path: 'kind',
      table: { play: 'theater' },
    },
    categoryWords: { path: 'words', split: [';'] },
    start: { path: 'each.at', date: ['iso', 'MM/DD/YYYY hh:mm A'] },
    isFree: 'free',
    priceMin: 'price',
    image: 'image',
    performers: 'who.*.name',
    venue: { name: 'place', point: { path: 'where', as: 'lat,lon' }, capacity: 'holds', locate: [{ neighborhood: 'area' }] },
  },
};
SOUND.json = {
  location: 'https://data.example/a.json',
  mapping: MAPPING,
  document: {
    events: [
      {
        id: 1,
        title: 'NEW: Lanterns',
        kind: 'gig',
        words: 'folk;live',
        dates: [{ at: '2026-07-04T20:00' }, { at: '07/05/2026 08:00 PM' }],
        free: 'no',
        price: '$12.50',
        image: 'https://i.example/1.jpg',
        who: [{ name: 'A' }],
        place: 'Hall',
        where: [40.7, -74],
        holds: '1,200',
        area: 'harbor',
      },
    ],
  },
};
const KINDS = Object.keys(SOUND);

/** One value somewhere in the document replaced by another one of any shape. */
function replaced(document: unknown, path: readonly number[], value: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined || typeof document !== 'object' || document === null) return value;
  const keys = Object.keys(document);
  const key = keys[step % Math.max(1, keys.length)];
  if (key === undefined) return value;
  const copy = Array.isArray(document) ? [...document] : { ...document };
  Reflect.set(copy, key, replaced(Reflect.get(document, key), rest, value));
  return copy;
}

const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(
    'javascript:alert(1)',
    'data:text/html,x',
    '//h.example/x',
    ' ',
    '1e400',
    1e308,
    -5,
    0,
    '2026-02-30',
    '0',
    'null',
  ),
  fc.constantFrom([], {}, [[]], [null], { __proto__: null, constructor: 1 }, 'constructor', 'toString', '__proto__'),
);

function isSound(page: ListingPage): void {
  const text = JSON.stringify(page.listings);
  expect(text).not.toContain(KEY);
  for (const event of eventsIn(page)) {
    for (const at of [event.start, event.end]) expect(at ?? '2026-07-04').toMatch(DATE);
    for (const url of [event.url, event.image]) expect(url ?? 'https://x').toMatch(/^https?:\/\//i);
    for (const price of [event.priceMin, event.priceMax]) expect(price === null || Number.isFinite(price)).toBe(true);
    for (const list of [event.performers, event.tags, event.categoryWords])
      expect(list.every((each) => typeof each === 'string')).toBe(true);
  }
  for (const venue of [...venuesIn(page), ...eventsIn(page).map((event) => event.venue)]) {
    const { latitude, longitude, capacity, website } = venue;
    expect(website ?? 'https://x').toMatch(/^https?:\/\//i);
    expect(capacity === null || (capacity > 0 && Number.isFinite(capacity))).toBe(true);
    if (latitude === null || longitude === null) expect([latitude, longitude]).toEqual([null, null]);
    else expect(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && (latitude !== 0 || longitude !== 0)).toBe(true);
  }
  for (const { url } of page.next) expect(url).toMatch(/^https:\/\//);
}

describe.each(KINDS)('%s', (kind) => {
  const { document, ...source } = SOUND[kind]!;
  const read = (value: unknown) => readPage(kind, value, { ...ALWAYS, ...source });

  it('lists its sound record', async () => {
    expect(new Set(fates(await read(document)))).toEqual(new Set(['listed']));
  });

  it('makes sound listings of any JSON, or refuses it by name', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(30), { maxLength: 9 }), odd, async (path, value) => {
        try {
          isSound(await read(replaced(document, path, value)));
        } catch (error) {
          if (!(error instanceof ProviderError)) throw error;
          expect(error.message).not.toContain(KEY);
        }
      }),
      { numRuns: 150 },
    );
  });

  it.each<[string, string, string]>([
    ['a hundred thousand lists', '['.repeat(100_000), 'too_deep'],
    ['text cut off', JSON.stringify(document).slice(0, -2), 'not_of_the_kind'],
    ['records line by line', '{"id":1}\n{"id":2}', 'not_of_the_kind'],
    ['NaN', '[NaN]', 'not_of_the_kind'],
    ['a page for people', '<!doctype html><title>Sign in</title>', 'not_of_the_kind'],
    ['nothing', '', 'not_of_the_kind'],
  ])('refuses %s', async (_, text, code) => {
    await expect(read(Buffer.from(text))).rejects.toMatchObject({ name: 'ProviderError', code });
  });

  it('reads past a byte order mark and a key that would be a prototype', async () => {
    const text = JSON.stringify(document).replace(/\{/g, '{"__proto__":{"name":"spoilt"},');
    expect(new Set(fates(await read(Buffer.from(`\ufeff${text}`))))).toEqual(new Set(['listed']));
    expect(({} as { name?: string }).name).toBeUndefined();
  });
});

describe('a mapping', () => {
  it('of any shape is taken, or refused with the part that is wrong', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(30), { maxLength: 6 }), odd, (path, value) => {
        const compiled = compileMapping(replaced(MAPPING, path, value));
        expect(compiled.ok || (typeof compiled.field === 'string' && compiled.reason !== '')).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe('the kinds that read JSON', () => {
  it('are all tried here', () => {
    const others = ['jsonld', 'microformats', 'feed', 'ical', 'csv'];
    expect(PROVIDERS.map(({ kind }) => kind).filter((kind) => !KINDS.includes(kind) && !others.includes(kind))).toEqual([]);
  });

  it('skip one bad record in five thousand', async () => {
    const [sound] = (SOUND.seatgeek!.document as { events: object[] }).events;
    const events = Array.from({ length: 5000 }, (_, id) => (id === 2500 ? { id, datetime_utc: 'never' } : { ...sound, id }));
    const page = await readPage('seatgeek', { events });
    expect(eventsIn(page)).toHaveLength(4999);
    expect(page.listings.filter(({ ok }) => ok === false)).toEqual([
      {
        ok: false,
        index: 2501,
        bytes: expect.any(Number),
        field: 'title',
        reason: 'wanted a title, got nothing',
        externalId: '2500',
      },
    ]);
  });

  it.each([
    ['0', '0'],
    ['NaN', 'NaN'],
    [1e9, 1e9],
    ['91', '10'],
    [null, 12],
    ['', ''],
  ])('take the coordinates %j, %j for unknown', async (lat, lon) => {
    const [record] = SOUND.bandsintown!.document as { venue: object }[];
    const [event] = eventsIn(
      await readPage('bandsintown', [{ ...record, venue: { name: 'Hall', latitude: lat, longitude: lon } }]),
    );
    expect([event?.venue.latitude, event?.venue.longitude]).toEqual([null, null]);
  });
});

const DATE = /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?)?$/;
