import { describe, expect, it } from 'vitest';
import type { EventListing } from '../../../src/providers/listing.ts';
import { eventsOf, one, PAGE, read, reasonsOf, SHOW } from './pages.ts';

describe('an event on a page', () => {
  it('says all that its page says', () => {
    const event = one({
      ...SHOW,
      '@id': 'https://harbour.example/e/1#event',
      '@type': ['Event', 'MusicEvent'],
      url: '/e/1',
      endDate: '2026-07-04T23:00:00-0400',
      description: '&lt;p&gt;Songs &amp;amp; stories&lt;/p&gt;',
      image: [{ '@type': 'ImageObject', url: 'https://harbour.example/1.jpg?a=1&amp;b=2' }, 'https://harbour.example/2.jpg'],
      performer: [{ '@type': 'Person', name: 'Ana Quill' }, 'The Tides', { '@type': 'MusicGroup', name: 'Ana Quill' }],
      organizer: { '@type': 'Organization', name: 'Harbour Arts' },
      keywords: 'folk, harbour,',
      eventStatus: 'https://schema.org/EventScheduled',
      isAccessibleForFree: false,
      offers: [
        { '@type': 'Offer', price: '25.00', priceCurrency: 'USD', availability: 'https://schema.org/InStock' },
        { '@type': 'AggregateOffer', lowPrice: 12, highPrice: '$40' },
      ],
      location: {
        '@type': 'Place',
        '@id': 'https://harbour.example/v/shed',
        name: 'Net Shed',
        sameAs: 'https://netshed.example/',
        maximumAttendeeCapacity: 240,
        containedInPlace: { '@type': 'Place', name: 'Fish Market' },
        address: {
          '@type': 'PostalAddress',
          streetAddress: '1 Quay St',
          addressLocality: 'Port Alder',
          addressRegion: 'NY',
          postalCode: '10001',
        },
        geo: { '@type': 'GeoCoordinates', latitude: '40.7012', longitude: -74.0123 },
      },
    });
    expect(event).toEqual({
      externalId: 'https://harbour.example/e/1#event',
      seriesId: null,
      title: 'Quay Songs',
      category: 'concert',
      categoryWords: ['folk', 'harbour', 'Music Event'],
      start: '2026-07-04T20:00:00-04:00',
      end: '2026-07-04T23:00:00-04:00',
      zone: null,
      isAllDay: false,
      description: '&lt;p&gt;Songs &amp;amp; stories&lt;/p&gt;',
      image: 'https://harbour.example/1.jpg?a=1&b=2',
      url: 'https://harbour.example/e/1',
      isFree: false,
      priceMin: 12,
      priceMax: 40,
      priceText: null,
      status: 'scheduled',
      performers: ['Ana Quill', 'The Tides'],
      tags: ['folk', 'harbour'],
      sources: [],
      organizer: 'Harbour Arts',
      organizerUrl: null,
      isOnline: false,
      venue: {
        externalId: 'https://harbour.example/v/shed',
        name: 'Net Shed',
        type: null,
        address: '1 Quay St, Port Alder, NY 10001',
        latitude: 40.7012,
        longitude: -74.0123,
        capacityTier: null,
        capacity: 240,
        isVerified: null,
        website: 'https://netshed.example/',
        neighborhood: null,
        hints: [{ kind: 'venue', name: 'Fish Market' }],
      },
    });
  });

  it.each<[string, object, Partial<EventListing>]>([
    ['an offset without a colon', { startDate: '2026-07-04T20:00:00-0400' }, { start: '2026-07-04T20:00:00-04:00' }],
    ['an offset of hours', { startDate: '2026-07-04 20:00:00-04' }, { start: '2026-07-04T20:00:00-04:00' }],
    ['the short form', { startDate: '20260704T200000-0400' }, { start: '2026-07-04T20:00:00-04:00', zone: null }],
    [
      'a zone in brackets, which its end has, too',
      { startDate: '2026-07-04T20:00-04:00[America/New_York]', endDate: '2026-07-04T24:00' },
      { start: '2026-07-04T20:00:00-04:00', end: '2026-07-05T00:00:00', zone: 'America/New_York' },
    ],
    [
      'a whole day until 24:00',
      { startDate: '2026-07-04T00:00', endDate: '2026-07-04T24:00' },
      { start: '2026-07-04', end: '2026-07-04', isAllDay: true },
    ],
    ['a wall clock', { startDate: '2026-07-04T20:00' }, { start: '2026-07-04T20:00:00' }],
    ['a day alone, whose hour is unknown', { startDate: '2026-07-04' }, { start: '2026-07-04', end: null, isAllDay: false }],
    [
      'one day from and to, whose hour is unknown',
      { startDate: '2026-07-04', endDate: '2026-07-04' },
      { start: '2026-07-04', end: '2026-07-04', isAllDay: false },
    ],
    [
      'days without hours, which are whole days',
      { startDate: '2026-07-04', endDate: '2026-07-09' },
      { start: '2026-07-04', end: '2026-07-09', isAllDay: true },
    ],
    [
      'the whole day as calendars write it',
      { startDate: '2026-07-04T00:00:00-04:00', endDate: '2026-07-04T23:59:59-04:00' },
      { start: '2026-07-04', end: '2026-07-04', isAllDay: true },
    ],
    [
      'whole days from midnight to midnight',
      { startDate: '2026-07-04T00:00:00Z', endDate: '2026-07-09T00:00:00Z' },
      { start: '2026-07-04', end: '2026-07-08', isAllDay: true },
    ],
    [
      'midnight, when it ends in the night',
      { startDate: '2026-07-04T00:00:00-04:00', endDate: '2026-07-04T04:00:00-04:00' },
      { start: '2026-07-04T00:00:00-04:00', isAllDay: false },
    ],
    [
      'a start with an hour and an end without',
      { startDate: '2026-07-04T20:00:00', endDate: '2026-07-04' },
      { start: '2026-07-04T20:00:00', end: '2026-07-04', isAllDay: false },
    ],
    ['an end that cannot be read', { endDate: '2026-7-4T25-00' }, { end: null }],
    ['a duration', { duration: 'PT2H30M' }, { end: '2026-07-04T22:30:00-04:00' }],
    ['a duration that is none', { duration: 'long' }, { end: null }],
    [
      'a value object',
      { startDate: { '@type': 'xsd:dateTime', '@value': '2026-07-04T20:00:00Z' } },
      { start: '2026-07-04T20:00:00Z' },
    ],
    [
      'one start in three forms',
      { startDate: ['July 4, 8 pm', '20260704T2000-0400', '2026-07-04T20:00:00-04:00'] },
      { start: '2026-07-04T20:00:00-04:00' },
    ],
    ['one start said twice', { startDate: ['2026-07-04', '2026-07-04'] }, { start: '2026-07-04' }],
  ])('has %s', (_, said, wanted) => {
    expect(one({ ...SHOW, ...said })).toMatchObject(wanted);
  });

  it.each<[string, unknown, string]>([
    ['of a calendar plug-in', '2026-9-13T10-10-00-00', 'start: wanted an ISO 8601 date, got "2026-9-13T10-10-00-00"'],
    ['of February', '2026-02-30T20:00:00', 'start: wanted an ISO 8601 date, got "2026-02-30T20:00:00"'],
    ['in words', 'next Friday', 'start: wanted an ISO 8601 date, got "next Friday"'],
    ['that is missing', undefined, 'start: the event has no startDate'],
    ['that is empty', '', 'start: the event has no startDate'],
    ['that is two', ['2026-07-04', '2026-07-05'], 'start: wanted one startDate, got 2'],
  ])('with a start %s is refused, not guessed', (_, startDate, reason) => {
    const page = read({ ...SHOW, startDate });
    expect(eventsOf(page)).toEqual([]);
    expect(reasonsOf(page)).toEqual([reason]);
  });

  it('without a name is refused, and stops no other', () => {
    const page = read([{ ...SHOW, name: ' ' }, { ...SHOW, url: '/e/2' }, 'text', null, 7, { ...SHOW, startDate: 'soon' }]);
    expect(eventsOf(page)).toHaveLength(1);
    expect(reasonsOf(page)).toEqual(['title: the event has no name', 'start: wanted an ISO 8601 date, got "soon"']);
  });

  it.each<[string, unknown, Partial<EventListing>, Partial<EventListing['venue']>]>([
    ['a text', 'Net Shed, 1 Quay St', {}, { name: 'Net Shed, 1 Quay St' }],
    [
      'a place with a text for its address',
      { '@type': 'Place', name: 'Net Shed', address: '1 Quay St' },
      {},
      { name: 'Net Shed', address: '1 Quay St' },
    ],
    [
      'an address with the name of the house',
      { '@type': 'Place', address: { '@type': 'PostalAddress', name: 'Net Shed', streetAddress: '1 Quay St' } },
      {},
      { name: 'Net Shed', address: '1 Quay St' },
    ],
    [
      'an address whose name is all of it',
      { '@type': 'Place', name: 'Net Shed', address: { '@type': 'PostalAddress', name: '1 Quay St' } },
      {},
      { name: 'Net Shed', address: '1 Quay St' },
    ],
    ['an empty address', { name: 'TBD', address: { '@type': 'PostalAddress' }, url: false }, {}, { name: 'TBD', address: null }],
    [
      'a postal address alone',
      { '@type': 'PostalAddress', streetAddress: '1 Quay St' },
      {},
      { name: null, address: '1 Quay St' },
    ],
    [
      'a street that has the town in it',
      {
        name: 'Shed',
        address: {
          streetAddress: '1 Quay St Port Alder, NY 10001',
          addressLocality: 'Port Alder',
          addressRegion: 'NY',
          postalCode: '10001',
        },
      },
      {},
      { address: '1 Quay St Port Alder, NY 10001' },
    ],
    [
      'a list of which one is a place',
      [
        { '@type': 'VirtualLocation', url: 'https://x.example' },
        { '@type': 'Place', name: 'Shed' },
      ],
      { isOnline: false },
      { name: 'Shed' },
    ],
    [
      'a virtual location',
      { '@type': 'VirtualLocation', name: 'Stream', url: 'https://x.example' },
      { isOnline: true },
      { name: null },
    ],
    ['an address of the web', 'https://zoom.example/j/1', { isOnline: true }, { name: null }],
    ['coordinates 0/0', { name: 'Shed', geo: { latitude: 0, longitude: 0 } }, {}, { latitude: null, longitude: null }],
    [
      'coordinates of nowhere',
      { name: 'Shed', geo: { latitude: 'NaN', longitude: 1e9 } },
      {},
      { latitude: null, longitude: null },
    ],
    [
      'coordinates on the place itself',
      { name: 'Shed', latitude: 40.5, longitude: '-74.5' },
      {},
      { latitude: 40.5, longitude: -74.5 },
    ],
    ['nothing', undefined, { isOnline: false }, { name: null }],
  ])('takes place at %s', (_, location, wanted, venue) => {
    const event = one({ ...SHOW, location });
    expect(event).toMatchObject(wanted);
    expect(event.venue).toMatchObject(venue);
  });

  it('is online when it says so, wherever its organizer sits', () => {
    const mode = 'https://schema.org/OnlineEventAttendanceMode';
    expect(one({ ...SHOW, eventAttendanceMode: mode, location: { '@type': 'Place', name: 'Shed' } })).toMatchObject({
      isOnline: true,
    });
    expect(one({ ...SHOW, eventAttendanceMode: 'MixedEventAttendanceMode', location: 'Shed' })).toMatchObject({
      isOnline: false,
    });
  });

  it.each<[string, unknown, Partial<EventListing>]>([
    ['0 as a text', { price: '0' }, { priceMin: 0, priceMax: 0, isFree: null }],
    ['0 as a number', { price: 0 }, { priceMin: 0, priceMax: 0 }],
    ['a currency in it', { price: 'USD', lowPrice: '1,250.00 USD' }, { priceMin: 1250, priceMax: 1250, priceText: null }],
    ['words', { price: 'Donation' }, { priceMin: null, priceMax: null, priceText: 'Donation' }],
    ['a specification', { priceSpecification: [{ minPrice: 5, maxPrice: 9 }] }, { priceMin: 5, priceMax: 9 }],
    ['several amounts', { price: ['10', 15] }, { priceMin: 10, priceMax: 15 }],
    ['a plain text', '$12', { priceMin: 12, priceMax: 12 }],
    ['plain words', 'Free', { priceMin: null, priceText: 'Free' }],
    ['a value object', { price: { '@value': '7.50' } }, { priceMin: 7.5 }],
    ['offers inside', { '@type': 'AggregateOffer', offers: [{ price: 7 }, { price: '11' }] }, { priceMin: 7, priceMax: 11 }],
    ['1e999', { price: '1e999' }, { priceMin: null, priceMax: null, priceText: '1e999' }],
    ['nothing', {}, { priceMin: null, priceMax: null, priceText: null }],
  ])('with a price of %s', (_, offers, wanted) => {
    expect(one({ ...SHOW, offers })).toMatchObject(wanted);
  });

  it.each<[string, object, string | null]>([
    ['EventCancelled', { eventStatus: 'http://schema.org/EventCancelled' }, 'cancelled'],
    ['a bare word', { eventStatus: 'EventPostponed' }, 'postponed'],
    ['rescheduled and moved online', { eventStatus: ['EventMovedOnline', 'EventRescheduled'] }, 'rescheduled'],
    ['words of no list, which the normalizer may know', { eventStatus: 'abgesagt' }, 'abgesagt'],
    ['a word that nobody knows', { eventStatus: 'constructor' }, 'constructor'],
    ['no word', { eventStatus: ' ' }, null],
    ['a list that says two things', { eventStatus: ['EventScheduled', 'Event Cancelled'] }, 'cancelled'],
    ['an object with an id', { eventStatus: { '@id': 'schema:EventPostponed' } }, 'postponed'],
    ['an object with a name', { eventStatus: { '@type': 'EventStatusType', name: 'EventCancelled' } }, 'cancelled'],
    ['all offers out of stock', { offers: [{ availability: 'OutOfStock' }, { availability: 'sold out' }] }, 'sold_out'],
    ['an offer of an object', { offers: { availability: { '@id': 'http://schema.org/SoldOut/' } } }, 'sold_out'],
    ['tickets that are not on sale yet', { offers: { availability: 'PreOrder' } }, null],
    ['cancelled in words and sold out', { eventStatus: 'abgesagt', offers: { availability: 'SoldOut' } }, 'abgesagt'],
    [
      'all offers sold out',
      { offers: [{ availability: 'https://schema.org/SoldOut' }, { availability: 'SoldOut' }] },
      'sold_out',
    ],
    ['one offer of two sold out', { offers: [{ availability: 'SoldOut' }, { availability: 'InStock' }] }, null],
    ['cancelled and sold out', { eventStatus: 'EventCancelled', offers: { availability: 'SoldOut' } }, 'cancelled'],
    ['nothing', {}, null],
  ])('has the status of %s', (_, said, status) => {
    expect(one({ ...SHOW, ...said }).status).toBe(status);
  });

  it('has every term of the list of statuses in every form and case', () => {
    const forms = ['https://schema.org/@', 'http://schema.org/@/', '@ ', 'schema:@', 'https://schema.org/EventStatusType#@'];
    const words = (name: string) => [
      name,
      name.toLowerCase(),
      name.replace(/(?=[A-Z])(?!^)/g, ' '),
      name.replace(/(?=[A-Z])(?!^)/g, '_').toUpperCase(),
    ];
    const names = {
      EventCancelled: 'cancelled',
      Canceled: 'cancelled',
      EventPostponed: 'postponed',
      EventRescheduled: 'rescheduled',
      EventScheduled: 'scheduled',
    };
    for (const [name, status] of Object.entries(names))
      for (const word of words(name))
        for (const form of forms) {
          const eventStatus = form.replace('@', word);
          expect([eventStatus, one({ ...SHOW, eventStatus }).status]).toEqual([eventStatus, status]);
        }
  });

  it('has no place any more once it has moved online, unless people may come, too', () => {
    const moved = { ...SHOW, eventStatus: ['EventRescheduled', 'schema:EventMovedOnline'], location: 'Shed' };
    expect(one(moved)).toMatchObject({ status: 'rescheduled', isOnline: true, venue: { name: null } });
    expect(one({ ...moved, eventAttendanceMode: 'https://schema.org/MixedEventAttendanceMode/' })).toMatchObject({
      isOnline: false,
      venue: { name: 'Shed' },
    });
  });

  it.each<[unknown, boolean | null]>([
    [true, true],
    ['True', true],
    ['http://schema.org/False', false],
    [false, false],
    ['maybe', null],
  ])('is free or not by isAccessibleForFree %j', (isAccessibleForFree, isFree) => {
    expect(one({ ...SHOW, isAccessibleForFree }).isFree).toBe(isFree);
  });

  it('gives no address that is not of http or https', () => {
    const event = one({
      ...SHOW,
      '@id': 'javascript:alert(1)',
      name: '<img src=x onerror=alert(1)>',
      url: 'javascript:alert(1)',
      image: ['data:image/svg+xml,<svg onload=alert(1)>', 'javascript:1', '//cdn.example/1.jpg'],
      location: { name: 'Shed', sameAs: 'javascript:1' },
    });
    expect(event).toMatchObject({ externalId: PAGE, url: PAGE, image: 'https://cdn.example/1.jpg' });
    expect(event.title).toBe('<img src=x onerror=alert(1)>');
    expect(event.venue.website).toBeNull();
  });
});

it.each<[string, string, string | null]>([
  ['2026-07-04T20:00/2026-07-04T22:00', '2026-07-04T20:00:00', '2026-07-04T22:00:00'],
  ['2026-07-04T20:00-04:00/22:00', '2026-07-04T20:00:00-04:00', '2026-07-04T22:00:00-04:00'],
  ['2026-07-04T20:00Z/PT90M', '2026-07-04T20:00:00Z', '2026-07-04T21:30:00Z'],
  ['2026-07-04/2026-07-06', '2026-07-04', '2026-07-06'],
  ['20260704T2000/20260704T2200', '2026-07-04T20:00:00', '2026-07-04T22:00:00'],
  ['2026-07-04T20:00[America/New_York]/PT2H', '2026-07-04T20:00:00-04:00', '2026-07-04T22:00:00-04:00'],
])('a span %s is start and end', (startDate, start, end) => {
  expect(one({ ...SHOW, startDate, endDate: undefined })).toMatchObject({ start, end });
});

it.each(['2026-07-04T20:00/', '/2026-07-04', '2026-07-04/soon', '2026-07-04/22:00', '07/04/2026', '2026/07/04'])(
  '%s is no span',
  (startDate) => {
    expect(reasonsOf(read({ ...SHOW, startDate }))[0]).toMatch('wanted an ISO 8601 date');
  },
);
