import { readFileSync } from 'node:fs';
import { parse as parseCsv } from 'csv-parse/sync';
import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith';
import { describe, expect, it } from 'vitest';
import { BYTE_ORDER_MARK, EVENT_FORMS, type ListFacts, VENUE_FORMS, writeForm } from '../../../src/feeds/index.ts';
import { eventRecord, LIST, venueRecord } from './made-records.ts';

const pages = { next: 'https://events.example/api/v1/events.atom?q=a%20b&offset=20', prev: 'https://events.example/x' };
const write = (form: keyof typeof EVENT_FORMS, list: Partial<ListFacts> = {}, records = [eventRecord()]) =>
  writeForm(EVENT_FORMS[form], { ...LIST, ...list }, records).toString();

describe('the forms of a list', () => {
  it('are the same bytes each time, and hold no more records than they may', () => {
    const records = [eventRecord(), eventRecord({ id: '019a0000-0000-7000-8000-000000000002' })];
    for (const form of Object.values(EVENT_FORMS)) {
      const once = writeForm(form, { ...LIST, maxRecords: 1 }, records).toString();
      expect(once).toBe(writeForm(form, { ...LIST, maxRecords: 1 }, records.slice(0, 1)).toString());
      expect(once).toContain('019a0000-0000-7000-8000-000000000001');
      expect(once).not.toContain('019a0000-0000-7000-8000-000000000002');
    }
  });

  it('are whole documents without records', () => {
    const nothing = (form: keyof typeof EVENT_FORMS) => write(form, { updatedAt: 0, total: 0 }, []);
    expect(parseRssFeed(nothing('rss')).items).toBeUndefined();
    expect(parseAtomFeed(nothing('atom')).entries).toBeUndefined();
    expect(JSON.parse(nothing('feed.json')).items).toEqual([]);
    expect(JSON.parse(nothing('geojson')).features).toEqual([]);
    expect(JSON.parse(nothing('jsonld')).itemListElement).toEqual([]);
    expect(nothing('ndjson')).toBe('');
    expect(parseCsv(nothing('csv'))).toHaveLength(1);
    expect(nothing('ics')).toMatch(/^BEGIN:VCALENDAR\r\n(?:.*\r\n)*END:VCALENDAR\r\n$/);
  });
});

it.each([
  [2_000, 5_312, 'Upcoming events. At most 2,000 events; 5,312 match.'],
  [20, 1, 'Upcoming events. At most 20 events; 1 matches.'],
  [1, 7, 'Upcoming events. At most 1 event; 7 match.'],
  [1, 1, 'Upcoming events.'],
])('a list of at most %i of %i events says so', (maxRecords, total, description) => {
  expect(JSON.parse(write('feed.json', { maxRecords, total })).description).toBe(description);
});

describe('RSS', () => {
  it('names days alone where the hour is unknown', () => {
    const days = { startDatetime: '2026-11-21T00:00:00-06:00', endDatetime: '2026-11-23T00:00:00-06:00' };
    const text = write('rss', {}, [eventRecord({ startPrecision: 'all_day', ...days }), eventRecord()]);
    const [allDay, hours] = text.matchAll(/<ev:startdate>(.*)<\/ev:startdate>\n<ev:enddate>(.*)<\/ev:enddate>/g);
    expect(allDay?.slice(1)).toEqual(['2026-11-21', '2026-11-22']);
    expect(hours?.slice(1)).toEqual(['2026-11-21T20:00:00-06:00', '2026-11-21T22:30:00-06:00']);
  });

  it('names the list, itself and its other pages', () => {
    const feed = parseRssFeed(write('rss', { pages }));
    expect(feed).toMatchObject({
      title: 'Events in Port Alder',
      link: 'https://events.example/',
      description: 'Upcoming events. At most 2,000 events; 5,312 match.',
      language: 'en-US',
      lastBuildDate: 'Sun, 01 Nov 2026 09:30:00 GMT',
      ttl: 60,
    });
    expect(feed.atom?.links?.map(({ rel, href }) => [rel, href])).toEqual([
      ['self', LIST.selfUrl],
      ['next', pages.next],
      ['previous', pages.prev],
    ]);
  });

  it('shows when and where an event is, dated by its last change', () => {
    const [item] = parseRssFeed(write('rss', {}, [eventRecord({ title: 'A & B', description: 'One\nTwo <b>' })])).items ?? [];
    expect(item).toMatchObject({
      title: 'A & B',
      link: 'https://events.example/events/noon-concert',
      guid: { value: 'urn:uuid:019a0000-0000-7000-8000-000000000001', isPermaLink: false },
      pubDate: 'Sun, 01 Nov 2026 09:30:00 GMT',
      description:
        '<p>Sat, Nov 21, 2026, 8:00 PM · Harbor Hall, 8 Quay St</p><p>12.5 to 40 USD</p><p>With Ann</p><p>One<br>Two &lt;b&gt;</p>',
    });
    expect(item?.categories?.map(({ name }) => name)).toEqual(['concert']);
  });
});

describe('Atom', () => {
  it('has what RFC 4287 demands', () => {
    const feed = parseAtomFeed(
      write('atom', { pages }, [eventRecord({ status: 'cancelled', startPrecision: 'date', isFree: true })]),
    );
    expect(feed).toMatchObject({ id: LIST.selfUrl, updated: '2026-11-01T09:30:00Z', authors: [{ name: 'Marquee' }] });
    expect(feed.links?.map(({ rel, href }) => [rel, href])).toEqual([
      ['self', LIST.selfUrl],
      ['alternate', 'https://events.example/'],
      ['next', pages.next],
      ['previous', pages.prev],
    ]);
    const [entry] = feed.entries ?? [];
    expect(entry).toMatchObject({ id: 'urn:uuid:019a0000-0000-7000-8000-000000000001', updated: '2026-11-01T09:30:00Z' });
    expect(entry?.content?.value).toBe('Canceled\n\nSat, Nov 21, 2026 · Harbor Hall, 8 Quay St\n\nFree\n\nWith Ann\n\nLoud.');
  });
});

describe('JSON Feed', () => {
  it('follows version 1.1 and adds the facts of an event', () => {
    const text = write('feed.json', { pages });
    const feed = parseJsonFeed(JSON.parse(text));
    expect(feed).toMatchObject({ title: LIST.title, feed_url: LIST.selfUrl, next_url: pages.next, language: 'en-US' });
    expect(feed.items?.[0]).toMatchObject({ date_modified: '2026-11-01T09:30:00Z', tags: ['concert'], title: 'Noon Concert' });
    const { _marquee } = JSON.parse(text).items[0];
    expect(_marquee).toMatchObject({ startDatetime: '2026-11-21T20:00:00-06:00', startPrecision: 'time', status: 'scheduled' });
    expect(_marquee.venue).toMatchObject({ name: 'Harbor Hall', latitude: 41.881832 });
  });
});

describe('GeoJSON', () => {
  it('puts longitude first and serves the record as properties', () => {
    const meta = '{"total":5312,"limit":1,"offset":0,"hasMore":true}';
    const record = eventRecord();
    const collection = JSON.parse(write('geojson', { meta }, [record]));
    expect(collection).toEqual({
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          id: record.event.id,
          geometry: { type: 'Point', coordinates: [-87.623177, 41.881832] },
          properties: JSON.parse(record.json),
        },
      ],
      meta: JSON.parse(meta),
    });
    const venues = JSON.parse(writeForm(VENUE_FORMS.geojson, LIST, [venueRecord()]).toString());
    expect(venues.features[0]).toMatchObject({
      geometry: { coordinates: [-87.623177, 41.881832] },
      properties: { type: 'theater' },
    });
    expect(venues.meta).toBeUndefined();
  });
});

describe('CSV', () => {
  it('has one header and one row for each record, ends of lines as RFC 4180 has them', () => {
    const text = write('csv', {}, [eventRecord({ description: 'a\r\n"b"', endDatetime: null, address: null })]);
    expect(text.split('\r\n')).toHaveLength(3);
    const [row] = parseCsv(text, { columns: true }) as Record<string, string>[];
    expect(row).toMatchObject({
      title: 'Noon Concert',
      description: 'a\n"b"',
      endDatetime: '',
      venueAddress: '',
      longitude: '-87.623177',
      isFree: 'false',
      priceMin: '12.5',
      status: 'scheduled',
      updatedAt: '2026-11-01T09:30:00Z',
    });
    expect(text.startsWith(BYTE_ORDER_MARK)).toBe(false);
  });
});

describe('JSON-LD', () => {
  it.each([
    ['scheduled', 'EventScheduled', 'InStock'],
    ['sold_out', 'EventScheduled', 'SoldOut'],
    ['cancelled', 'EventCancelled', undefined],
    ['postponed', 'EventPostponed', undefined],
    ['rescheduled', 'EventRescheduled', 'InStock'],
  ] as const)('shows %s as %s', (status, eventStatus, availability) => {
    const list = JSON.parse(write('jsonld', {}, [eventRecord({ status })]));
    expect(list).toMatchObject({ '@context': 'https://schema.org', '@type': 'ItemList', numberOfItems: 5_312 });
    expect(list.itemListElement).toMatchObject([
      {
        '@type': 'ListItem',
        position: 1,
        item: {
          '@type': 'MusicEvent',
          startDate: '2026-11-21T20:00:00-06:00',
          eventStatus: `https://schema.org/${eventStatus}`,
          location: { '@type': 'Place', name: 'Harbor Hall', address: '8 Quay St', geo: { latitude: 41.881832 } },
          offers: { lowPrice: 12.5, highPrice: 40, priceCurrency: 'USD' },
        },
      },
    ]);
    expect(list.itemListElement[0].item.offers.availability).toBe(availability && `https://schema.org/${availability}`);
  });

  it('says nothing about money where nothing is known', () => {
    const record = eventRecord({});
    const unknown = { ...record, event: { ...record.event, isFree: false, priceMin: null, priceMax: null } };
    const [{ item }] = JSON.parse(write('jsonld', {}, [unknown])).itemListElement;
    expect([item.offers, item.isAccessibleForFree]).toEqual([undefined, undefined]);
  });

  it('dates whole days by their first and last', () => {
    const days = { startDatetime: '2026-11-21T00:00:00-06:00', endDatetime: '2026-11-23T00:00:00-06:00' };
    const list = JSON.parse(write('jsonld', {}, [eventRecord({ startPrecision: 'all_day', ...days })]));
    expect(list.itemListElement[0].item).toMatchObject({ startDate: '2026-11-21', endDate: '2026-11-22' });
  });

  it('names venues by their kind', () => {
    const list = JSON.parse(writeForm(VENUE_FORMS.jsonld, LIST, [venueRecord()]).toString());
    expect(list.itemListElement[0].item).toMatchObject({ '@type': 'PerformingArtsTheater', name: 'Harbor Hall' });
  });
});

describe('docs/formats.md', () => {
  it('lists every form with its media type, and no other', () => {
    const page = readFileSync(new URL('../../../docs/formats.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^\| `([a-z.]+)` \| `([a-z/+-]+)` \| ([a-z, ]+) \|/gm)].map(([, ...cells]) => cells);
    const venues = new Set<string>(Object.keys(VENUE_FORMS));
    expect(rows).toEqual(
      Object.values(EVENT_FORMS).map(({ extension, mediaType }) => [
        extension,
        mediaType,
        venues.has(extension) ? 'events, venues' : 'events',
      ]),
    );
  });
});
