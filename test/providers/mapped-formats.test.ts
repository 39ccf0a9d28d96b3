import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ALWAYS, EVENT_DATA, eventsIn, fates, noEventData, readPage, venuesIn } from '../support/fakes/provider.ts';

/** Formats that need no file of their own: the kind `json` reads them through a mapping. */

const inSomeLanguage = (path: string) => ['nl', 'fr', 'en', 'de'].map((language) => `${path}.${language}`);
const uitdatabank = (records: string) => ({
  records,
  each: 'subEvent',
  // What is open for ever is a place, not an event.
  drop: [{ path: 'calendarType', equals: 'permanent' }],
  fields: {
    externalId: {
      cases: [
        {
          when: { path: 'each.id', exists: true },
          use: { join: [{ path: '@id', after: ['/events/', '/event/'] }, 'each.id'], with: '#' },
        },
      ],
      path: '@id',
      after: ['/events/', '/event/'],
    },
    seriesId: { path: '@id', after: ['/events/', '/event/'] },
    title: { path: inSomeLanguage('name') },
    categoryWords: 'terms.*.label',
    start: {
      cases: [{ when: { path: 'calendarType', equals: 'periodic' }, use: { path: 'startDate', before: ['T'] } }],
      path: ['each.startDate', 'startDate'],
    },
    end: {
      cases: [{ when: { path: 'calendarType', equals: 'periodic' }, use: { path: 'endDate', before: ['T'] } }],
      path: ['each.endDate', 'endDate'],
    },
    description: { path: inSomeLanguage('description') },
    image: 'image',
    isFree: { cases: [{ when: { path: 'priceInfo.0.price', equals: 0 }, use: { const: true } }], const: null },
    priceMin: 'priceInfo.0.price',
    status: {
      path: ['each.status.type', 'status.type'],
      table: { Available: 'scheduled', Unavailable: 'cancelled', TemporarilyUnavailable: 'postponed' },
    },
    organizer: { path: inSomeLanguage('organizer.name') },
    isOnline: { path: 'attendanceMode', table: { online: true, mixed: false, offline: false } },
    venue: {
      externalId: { path: 'location.@id', after: ['/places/', '/place/'] },
      name: { path: inSomeLanguage('location.name') },
      address: {
        join: [
          { path: inSomeLanguage('location.address').map((path) => `${path}.streetAddress`) },
          { path: inSomeLanguage('location.address').map((path) => `${path}.addressLocality`) },
        ],
        with: ', ',
      },
      latitude: 'location.geo.latitude',
      longitude: 'location.geo.longitude',
    },
  },
});

describe('UiTdatabank through a mapping', () => {
  const event = (said: object = {}) => ({
    '@id': 'https://io.example/events/ab-1',
    name: { fr: 'Nuit du canal' },
    calendarType: 'multiple',
    startDate: '2026-07-04T18:00:00+00:00',
    endDate: '2026-07-06T20:00:00+00:00',
    subEvent: [
      {
        id: 0,
        startDate: '2026-07-04T18:00:00+00:00',
        endDate: '2026-07-04T20:00:00+00:00',
        status: { type: 'TemporarilyUnavailable' },
      },
      { id: 1, startDate: '2026-07-06T18:00:00+00:00', endDate: '2026-07-06T20:00:00+00:00' },
    ],
    status: { type: 'Available' },
    attendanceMode: 'mixed',
    terms: [{ label: 'Concert' }],
    priceInfo: [{ category: 'base', price: 0 }],
    location: {
      '@id': 'https://io.example/places/hall',
      name: { nl: 'Zaal' },
      address: { fr: { streetAddress: 'Quai 1', addressLocality: 'Gand' } },
      geo: { latitude: 51.05, longitude: 3.72 },
    },
    ...said,
  });

  it('gives every date of a record, its state and its place', async () => {
    const page = await readPage('json', { member: [event()] }, { ...ALWAYS, mapping: uitdatabank('member') });
    expect(eventsIn(page)).toMatchObject([
      {
        externalId: 'ab-1#0',
        seriesId: 'ab-1',
        title: 'Nuit du canal',
        categoryWords: ['Concert'],
        start: '2026-07-04T18:00:00+00:00',
        status: 'postponed',
        isFree: true,
        isOnline: false,
        venue: { externalId: 'hall', name: 'Zaal', address: 'Quai 1, Gand', latitude: 51.05, longitude: 3.72 },
      },
      { externalId: 'ab-1#1', seriesId: 'ab-1', start: '2026-07-06T18:00:00+00:00', status: 'scheduled' },
    ]);
  });

  it('takes the days of what runs for a while, and leaves out what is there for ever', async () => {
    const records = [
      event({ calendarType: 'permanent', subEvent: [] }),
      event({ calendarType: 'periodic', subEvent: undefined }),
    ];
    const page = await readPage('json', records, { ...ALWAYS, mapping: uitdatabank('') });
    expect(fates(page)).toEqual(['dropped', 'listed']);
    expect(eventsIn(page)).toMatchObject([{ externalId: 'ab-1', start: '2026-07-04', end: '2026-07-06' }]);
  });

  it.skipIf(noEventData)('reads the published example', async () => {
    const file = readFileSync(`${EVENT_DATA}uitdatabank/event-with-read-example.json`);
    const [read] = eventsIn(await readPage('json', file, { ...ALWAYS, mapping: uitdatabank('examples') }));
    expect(read).toMatchObject({
      externalId: '85b04295-479c-40f5-b3dd-469dfb4387b3#0',
      title: 'Nederlandse naam',
      start: '2021-05-17T16:00:00+00:00',
      end: '2021-05-17T22:00:00+00:00',
      priceMin: 10.5,
      venue: { name: 'Nederlandse naam', address: 'Wetstraat 1, Brussel', latitude: 50.8816177 },
    });
  });
});

describe('Gancio through a mapping', () => {
  const events = {
    fields: {
      externalId: 'id',
      seriesId: 'parentId',
      title: 'title',
      start: { path: 'start_datetime', date: 'epoch' },
      end: { path: 'end_datetime', date: 'epoch' },
      tags: 'tags',
      isOnline: { cases: [{ when: { path: 'place.name', equals: 'online' }, use: { const: true } }], const: false },
      venue: { name: 'place.name', address: 'place.address', latitude: 'place.latitude', longitude: 'place.longitude' },
    },
  };
  const places = {
    target: 'venues',
    drop: [
      { path: 'address.type', equals: 'VirtualLocation' },
      { path: 'name', exists: false },
    ],
    fields: { externalId: 'id', name: 'name', address: { path: ['address.streetAddress', 'address'] } },
  };

  it('gives events by their instants', async () => {
    const place = { name: 'Zsa Zsa', address: 'Via Nuova 1', latitude: 45.07, longitude: 7.68 };
    const record = { id: 7, parentId: 3, title: 'Jam', start_datetime: 1783188000, tags: ['jam'], place };
    expect(eventsIn(await readPage('json', [record], { mapping: events }))).toMatchObject([
      { externalId: '7', seriesId: '3', start: '2026-07-04T18:00:00.000Z', end: null, tags: ['jam'], venue: { name: 'Zsa Zsa' } },
    ]);
  });

  it('gives places, but those of the network', async () => {
    const records = [
      { id: 'p/1', name: 'Hall', address: { type: 'PostalAddress', streetAddress: '15 Main St' } },
      { id: 'p/2', name: 'Shed', address: '2 Pier' },
      { id: 'https://stream.example', name: 'Stream', address: { type: 'VirtualLocation', url: 'https://stream.example' } },
      { id: 'p/4' },
    ];
    const page = await readPage('json', records, { mapping: places });
    expect(venuesIn(page).map(({ name, address }) => [name, address])).toEqual([
      ['Hall', '15 Main St'],
      ['Shed', '2 Pier'],
    ]);
    expect(fates(page)).toEqual(['listed', 'listed', 'dropped', 'dropped']);
  });

  it.skipIf(noEventData)('reads the recorded places', async () => {
    const names = ['physical-location-no-address', 'physical-location-with-postal-address', 'physical-location-without-id'];
    const more = ['physical-location-with-simple-string-address', 'virtual-location', 'bad-location-without-a-name'];
    const records = [...names, ...more].map((name) => JSON.parse(readFileSync(`${EVENT_DATA}gancio/${name}.json`, 'utf8')));
    const mixed = JSON.parse(readFileSync(`${EVENT_DATA}gancio/multiple-mixed-locations.json`, 'utf8'));
    const page = await readPage('json', [...records, ...mixed], { mapping: places });
    expect(venuesIn(page).map(({ name, address }) => [name, address])).toEqual([
      ['Location with a name', null],
      ['Location with a postal address', '15 Fediverse Street'],
      ['Location without id', null],
      ['Location with a simple string address', 'Simple string address'],
      ['Location with a name', null],
      ['A second location with a name', null],
    ]);
  });
});

describe('meetings of Legistar through a mapping', () => {
  const mapping = {
    zone: 'America/Chicago',
    fields: {
      externalId: { path: 'iCalendar.url', after: ['&ID='], before: ['&'] },
      title: { path: ['Name.label', 'Name'] },
      category: { const: 'community' },
      start: { join: ['Meeting Date', 'Meeting Time'], date: 'M/D/YYYY h:mm A' },
      url: 'Meeting Details.url',
      venue: { name: { path: 'Meeting Location', before: ['\r', '\n', ','] } },
    },
  };

  it.skipIf(noEventData)('lists those of two boards', async () => {
    const read = async (name: string) =>
      readPage('json', readFileSync(`${EVENT_DATA}chicago-city-scrapers/files/${name}.json`), { mapping });
    const [parks, county] = [await read('chi_parks'), await read('cook_board')];
    expect([parks, county].map((page) => [page.listings.length, new Set(fates(page))])).toEqual([
      [19, new Set(['listed'])],
      [167, new Set(['listed'])],
    ]);
    expect(eventsIn(parks)[0]).toMatchObject({
      title: 'Board of Commissioners',
      start: '2017-12-13T15:30:00',
      zone: 'America/Chicago',
      url: null,
      venue: { name: '8TH FLOOR BOARD ROOM' },
    });
    expect(eventsIn(county)[0]).toMatchObject({ venue: { name: 'Cook County Building' } });
  });
});
