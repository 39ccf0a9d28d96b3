import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEventParser } from '../../src/facts/normalize/parse-event.ts';
import { parseVenue } from '../../src/facts/normalize/parse-venue.ts';
import { parseCity } from '../../src/ingest/bundle/import-city.ts';
import { parseNeighborhood } from '../../src/ingest/bundle/parse-neighborhoods.ts';
import { createCityTime } from '../../src/values/city-time.ts';
import { CITY, eventLine, square, venueLine } from '../support/records/bundle.ts';

const parseEvent = createEventParser(createCityTime('America/New_York'));
const refusal = (read: { ok: boolean; field?: string | null; reason?: string }) =>
  read.ok ? 'accepted' : `${read.field}: ${read.reason}`;

describe('a line of events.ndjson', () => {
  it('is read into a draft, with the city’s zone for local times', () => {
    const read = parseEvent(
      eventLine('jazz', {
        endDatetime: '2026-06-20T23:30:00-07:00',
        title: 'Cafe\u0301',
        tags: ['a'],
        image: 1,
        imageUrl: '/posters/1.svg',
      }),
    );
    expect(read).toMatchObject({
      ok: true,
      value: {
        id: null,
        title: 'Café',
        startsAt: Date.parse('2026-06-21T00:00:00Z'),
        endsAt: Date.parse('2026-06-21T06:30:00Z'),
        status: 'scheduled',
        description: null,
        tags: ['a'],
        performers: [],
        signals: [],
        imageUrl: '/posters/1.svg',
      },
    });
  });

  it.each([
    ['2026-03-08T02:30', '2026-03-08T07:30:00.000Z'],
    ['2026-11-01T01:30', '2026-11-01T05:30:00.000Z'],
    ['2026-06-20t20:00:00.123z', '2026-06-20T20:00:00.000Z'],
    ['2026-02-28T23:59:59', '2026-03-01T04:59:59.000Z'],
  ])('reads %s as %s', (startDatetime, instant) => {
    const read = parseEvent(eventLine('x', { startDatetime }));
    expect(read.ok && new Date(read.value.startsAt).toISOString()).toBe(instant);
  });

  it.each<[string, object, RegExp]>([
    ['no title', { title: undefined }, /^title: wanted text, got nothing$/],
    ['a blank title', { title: ' \u00a0 ' }, /^title: wanted text/],
    ['a title of 301 characters', { title: '🎷'.repeat(301) }, /^title: wanted at most 300 characters, got 301$/],
    ['a control character', { title: 'a\u0000b' }, /^title: wanted no control characters, got U\+0000$/],
    ['a line break in a title', { title: 'a\nb' }, /^title: .*U\+000A/],
    ['half a surrogate pair', { title: 'a\ud800' }, /^title: wanted well-formed Unicode/],
    ['a long description', { description: 'x'.repeat(20_001) }, /^description: wanted at most 20000 characters, got 20001$/],
    ['an unknown category', { category: 'Concert' }, /^category: wanted one of concert, .*, got "Concert"$/],
    ['an unknown status', { status: 'maybe' }, /^status: wanted one of/],
    ['a date alone', { startDatetime: '2026-06-20' }, /^startDatetime: wanted a date-time/],
    ['an impossible date', { startDatetime: '2026-02-30T20:00' }, /^startDatetime: wanted a date that exists/],
    ['24:00', { startDatetime: '2026-06-20T24:00' }, /^startDatetime: wanted a date-time/],
    ['a leap second', { startDatetime: '2026-06-20T23:59:60Z' }, /^startDatetime: wanted a date-time/],
    ['a zone in brackets', { startDatetime: '2026-06-20T20:00Z[UTC]' }, /^startDatetime: wanted a date-time/],
    ['the year 1970', { startDatetime: '1970-01-01T00:00:00Z' }, /^startDatetime: wanted a year from 1971 to 2199/],
    ['the year 9999', { startDatetime: '9999-12-31T00:00:00Z' }, /^startDatetime: wanted a year/],
    ['a number as date', { startDatetime: 1781999999 }, /^startDatetime: wanted a date-time .*, got 1781999999$/],
    ['an end before the start', { endDatetime: '2026-06-20T19:59' }, /^endDatetime: wanted an end at or after the start$/],
    ['fifty years', { endDatetime: '2076-06-20T20:00' }, /^endDatetime: wanted an event of at most 1830 days/],
    ['a script as address', { imageUrl: 'javascript:alert(1)' }, /^imageUrl: wanted an http or https address or a path/],
    ['an address with a password', { imageUrl: 'https://a:b@c.example/' }, /^imageUrl/],
    ['an address of another host by two slashes', { imageUrl: '//evil.example/x' }, /^imageUrl/],
    ['no word on the price', { isFree: undefined }, /^isFree: wanted true or false, got nothing$/],
    ['a price of a free event', { isFree: true }, /^priceMin: wanted 0 because isFree is true, got 10$/],
    ['prices the wrong way round', { priceMin: 30 }, /^priceMax: wanted at least priceMin \(30\), got 20$/],
    ['a negative price', { priceMin: -1 }, /^priceMin: wanted a number from 0/],
    ['an endless price', { priceMax: Number.POSITIVE_INFINITY }, /^priceMax: wanted a number/],
    ['a price in words', { priceMin: '10' }, /^priceMin: wanted a number .*, got "10"$/],
    ['an id that is none', { id: 'jazz' }, /^id: wanted a UUID, got "jazz"$/],
    ['the nil id', { id: '00000000-0000-0000-0000-000000000000' }, /^id: wanted a UUID that names something/],
    ['no external id', { externalId: '' }, /^externalId: wanted text/],
    ['no venue', { venue: null }, /^venue: wanted text, got null$/],
    ['performers that are no list', { performers: 'Bob' }, /^performers: wanted a list, got "Bob"$/],
    ['a performer that is no text', { performers: ['Bob', 7] }, /^performers\[1\]: wanted text, got 7$/],
    [
      'an unknown kind of signal',
      { signals: [{ kind: 'likes', value: 1, observedAt: '2026-06-01T00:00Z' }] },
      /^signals\[0\]\.kind: wanted one of/,
    ],
    [
      'a negative signal',
      { signals: [{ kind: 'page_views', value: -1, observedAt: '2026-06-01T00:00Z' }] },
      /^signals\[0\]\.value: wanted a number of at least 0/,
    ],
  ])('is refused for %s', (_, change, reason) => {
    expect(refusal(parseEvent(eventLine('x', change)))).toMatch(reason);
  });

  it('never throws, whatever is in it', () => {
    const keys = Object.keys({ ...eventLine('x'), id: 1, endDatetime: 1, signals: 1, imageUrl: 1, tags: 1 });
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...keys), fc.anything()),
        (change) => typeof parseEvent(eventLine('x', change)).ok === 'boolean',
      ),
    );
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    expect(refusal(parseEvent(eventLine('x', { title: deep })))).toBe('title: wanted text, got a list');
    for (const value of [null, 1, 'x', [], undefined]) expect(parseEvent(value).ok).toBe(false);
  });
});

describe('a line of venues.ndjson', () => {
  it('is read into a draft with its metadata', () => {
    const openingHours = {
      timezone: 'America/New_York',
      weekly: [{ days: ['mon'], opens: '17:00', closes: '02:00' }],
      exceptions: [],
    };
    const metadata = { website: 'https://cellar.example', parking: 'Street', transitNearby: ['L'], openingHours };
    expect(parseVenue(venueLine('cellar', { metadata }))).toMatchObject({
      ok: true,
      value: { name: 'The cellar', capacityTier: null, neighborhood: null, ...metadata },
    });
  });

  it.each<[string, object, RegExp]>([
    ['0/0', { latitude: 0, longitude: 0 }, /^latitude: wanted coordinates, got 0\/0/],
    ['a latitude of 91', { latitude: 91 }, /^latitude: wanted a number from -90 to 90, got 91$/],
    ['no longitude', { longitude: Number.NaN }, /^longitude: wanted a number from -180 to 180, got NaN$/],
    ['an unknown type', { type: 'pub' }, /^type: wanted one of bar, /],
    ['an unknown capacity', { capacityTier: 'huge' }, /^capacityTier: wanted one of intimate/],
    ['no word on verification', { isVerified: undefined }, /^isVerified: wanted true or false/],
    ['a bad website', { metadata: { website: 'ftp://x.example' } }, /^metadata\.website: wanted an http or https address/],
    [
      'bad hours',
      {
        metadata: {
          openingHours: { timezone: 'America/New_York', weekly: [{ days: ['someday'], opens: '17:00', closes: '02:00' }] },
        },
      },
      /^metadata\.openingHours\.weekly\[0\]\.days\[0\]: wanted one of mon/,
    ],
    [
      'hours of an unknown zone',
      { metadata: { openingHours: { timezone: 'Mars' } } },
      /^metadata\.openingHours\.timezone: wanted an IANA time zone/,
    ],
    [
      'an exception without hours',
      { metadata: { openingHours: { timezone: 'UTC', exceptions: [{ from: '2026-12-24', to: '2026-12-26', closed: false }] } } },
      /exceptions\[0\]\.opens: wanted a time/,
    ],
  ])('is refused for %s', (_, change, reason) => {
    expect(refusal(parseVenue(venueLine('x', change)))).toMatch(reason);
  });
});

describe('city.json', () => {
  it('is read', () => {
    expect(parseCity(CITY)).toMatchObject({ ok: true, value: { slug: 'tidewater', center: { latitude: 40.5 } } });
  });

  it.each<[string, object, RegExp]>([
    ['an unknown zone', { timezone: 'Mars/Base' }, /^timezone: wanted an IANA time zone/],
    ['an offset as zone', { timezone: '+01:00' }, /^timezone: wanted an IANA time zone/],
    ['an unknown currency', { currency: 'usd' }, /^currency: wanted an ISO 4217 currency/],
    ['a bad locale', { locale: 'english!' }, /^locale: wanted a BCP 47 locale/],
    ['a bad slug', { slug: 'New York' }, /^slug: wanted a slug/],
    ['half a center', { center: { latitude: 40 } }, /^center\.longitude: wanted a number/],
  ])('is refused for %s', (_, change, reason) => {
    expect(refusal(parseCity({ ...CITY, ...change }))).toMatch(reason);
  });
});

describe('a feature of neighborhoods.geojson', () => {
  const feature = (geometry: unknown, properties: unknown = { name: 'Harbor' }) =>
    parseNeighborhood({ type: 'Feature', properties, geometry });
  const ring = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 0],
  ];

  it('is read, with a slug of its name when it has none and a point inside', () => {
    expect(feature({ type: 'Polygon', coordinates: [ring] })).toMatchObject({
      ok: true,
      value: { slug: 'harbor', description: null },
    });
    expect(parseNeighborhood(square('old-town', 10, 10, 1))).toMatchObject({
      ok: true,
      value: { slug: 'old-town', latitude: expect.closeTo(10.5, 0), longitude: 10.5 },
    });
  });

  it.each<[string, unknown, RegExp]>([
    ['a point', { type: 'Point', coordinates: [0, 0] }, /^geometry: wanted a Polygon or MultiPolygon, got "Point"$/],
    ['no geometry', null, /^geometry: wanted a Polygon or MultiPolygon, got null$/],
    [
      'an open ring',
      {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 1],
          ],
        ],
      },
      /^geometry\.coordinates\[0\]: wanted a ring that ends where it begins$/,
    ],
    [
      'three positions',
      {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [1, 0],
            [0, 0],
          ],
        ],
      },
      /wanted a ring of at least 4 positions, got 3$/,
    ],
    [
      'a flat ring',
      {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [1, 0],
            [2, 0],
            [0, 0],
          ],
        ],
      },
      /wanted a ring that encloses an area$/,
    ],
    ['no rings', { type: 'Polygon', coordinates: [] }, /wanted at least an outer ring, got none$/],
    ['no polygons', { type: 'MultiPolygon', coordinates: [] }, /wanted at least one polygon, got none$/],
    [
      'a lone number',
      { type: 'Polygon', coordinates: [[[0], [1, 0], [1, 1], [0]]] },
      /^geometry\.coordinates\[0\]\[0\]: wanted \[longitude, latitude\]/,
    ],
    [
      'coordinates the wrong way round',
      {
        type: 'Polygon',
        coordinates: [
          [
            [40, -100],
            [41, -100],
            [41, -101],
            [40, -100],
          ],
        ],
      },
      /\[1\]: wanted a number from -90 to 90, got -100$/,
    ],
    [
      'words as coordinates',
      {
        type: 'Polygon',
        coordinates: [
          [
            ['0', 0],
            [1, 0],
            [1, 1],
            ['0', 0],
          ],
        ],
      },
      /\[0\]: wanted a number from -180 to 180, got "0"$/,
    ],
  ])('is refused for %s', (_, geometry, reason) => {
    expect(refusal(feature(geometry))).toMatch(reason);
  });

  it('is refused without a name or with a bad slug', () => {
    expect(refusal(feature({ type: 'Polygon', coordinates: [ring] }, null))).toMatch(/^properties: wanted an object/);
    expect(refusal(feature({ type: 'Polygon', coordinates: [ring] }, {}))).toMatch(/^properties\.name: wanted text/);
    expect(refusal(feature({ type: 'Polygon', coordinates: [ring] }, { name: 'x', slug: 'Old Town' }))).toMatch(
      /^properties\.slug: wanted a slug/,
    );
    expect(refusal(feature({ type: 'Polygon', coordinates: [ring] }, { name: '港' }))).toMatch(/^properties\.slug/);
  });
});
