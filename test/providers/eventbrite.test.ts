import { describe, expect, it } from 'vitest';
import { eventsIn, facts, fates, KEY, noEventData, provider, query, readCapture, readPage } from '../support/fakes/provider.ts';

const { request } = provider('eventbrite');
const event = (said: object = {}) => ({
  id: '300',
  name: { text: 'Dock Clean-up', html: 'Dock <b>Clean-up</b>' },
  description: { text: 'Bring gloves.', html: '<P>Bring&nbsp;gloves.</P>' },
  url: 'https://tickets.example/300',
  start: { timezone: 'America/New_York', local: '2026-07-04T09:00:00', utc: '2026-07-04T13:00:00Z' },
  end: { timezone: 'America/New_York', local: '2026-07-04T12:00:00', utc: '2026-07-04T16:00:00Z' },
  status: 'live',
  listed: true,
  online_event: false,
  is_series_parent: false,
  is_free: false,
  venue_id: '40',
  category_id: '111',
  logo: { url: 'https://i.example/300.jpg' },
  ...said,
});
/** As the search gives it. */
const found = (said: object = {}) => ({
  id: '301',
  name: 'Knots for beginners',
  summary: 'Every Sunday',
  url: 'https://tickets.example/301',
  start_date: '2026-07-05',
  start_time: '11:00',
  end_date: '2026-07-05',
  end_time: '11:30',
  timezone: 'Europe/London',
  is_online_event: true,
  primary_venue_id: null,
  series_id: '299',
  primary_organizer: { name: 'The Knot School' },
  image: { url: 'https://i.example/301.jpg' },
  ticket_availability: {
    is_free: true,
    minimum_ticket_price: { major_value: '0.00' },
    maximum_ticket_price: { major_value: '0.00' },
  },
  tags: [
    { prefix: 'EventbriteSubCategory', display_name: 'Sailing' },
    { prefix: 'EventbriteCategory', display_name: 'Auto, Boat & Air' },
    { prefix: 'EventbriteFormat', display_name: 'Class, Training, or Workshop' },
    { prefix: 'OrganizerTag', display_name: 'knots' },
  ],
  ...said,
});
const one = async (record: object) => eventsIn(await readPage('eventbrite', [record]))[0];

describe('eventbrite is asked', () => {
  it('for the events of an organizer, a venue or an organization, with the token in a header', () => {
    const asked = request(facts({ location: 'organizers/8632' }));
    expect(asked.url).toMatch(/^https:\/\/www\.eventbriteapi\.com\/v3\/organizers\/8632\/events\/\?expand=venue/);
    expect(asked.headers).toEqual({ authorization: `Bearer ${KEY}` });
    expect(asked.url).not.toContain(KEY);
  });

  it('at an address, or not at all', () => {
    expect(request(facts({ location: 'https://a.example/events.json' })).headers).toBeUndefined();
    expect(() => request(facts({ location: 'organizers/../me' }))).toThrow('the location is neither a URL nor a file');
  });

  it('for page after page, by mark or by number', async () => {
    const next = async (pagination: object) =>
      (await readPage('eventbrite', { pagination, events: [event()] }, { location: 'venues/40' })).next[0];
    expect(query(await next({ has_more_items: true, continuation: 'abc', page_number: 1 }))).toMatchObject({
      continuation: 'abc',
    });
    expect(await next({ has_more_items: true, page_number: 1 })).toMatchObject({ headers: { authorization: `Bearer ${KEY}` } });
    expect(query(await next({ has_more_items: true, page_number: 1 }))).toMatchObject({ page: '2' });
    expect(await next({ has_more_items: false, continuation: 'abc' })).toBeUndefined();
  });
});

describe('an eventbrite event', () => {
  it('gives what the record says, its text as it is written', async () => {
    const venue = {
      id: '40',
      name: 'Pier 9',
      latitude: '40.7010',
      longitude: '-74.0150',
      capacity: 80,
      address: { address_1: 'Pier 9', localized_address_display: 'Pier 9, New York, NY 10004' },
    };
    expect(await one(event({ venue, organizer: { name: 'Dock Friends' } }))).toMatchObject({
      externalId: '300',
      seriesId: null,
      title: 'Dock Clean-up',
      category: null,
      categoryWords: ['Charity & Causes'],
      start: '2026-07-04T09:00:00-04:00',
      end: '2026-07-04T12:00:00-04:00',
      zone: 'America/New_York',
      description: '<P>Bring&nbsp;gloves.</P>',
      image: 'https://i.example/300.jpg',
      organizer: 'Dock Friends',
      isOnline: false,
      venue: { externalId: '40', name: 'Pier 9', address: 'Pier 9, New York, NY 10004', latitude: 40.701, capacity: 80 },
    });
  });

  it('keeps the id of a venue that did not come along', async () => {
    expect((await one(event()))?.venue).toMatchObject({ externalId: '40', name: null });
  });

  it('of the search has its date, time and zone apart', async () => {
    expect(await one(found())).toMatchObject({
      externalId: '301',
      seriesId: '299',
      title: 'Knots for beginners',
      categoryWords: ['Sailing', 'Class, Training, or Workshop', 'Auto, Boat & Air'],
      tags: ['knots'],
      start: '2026-07-05T11:00:00',
      end: '2026-07-05T11:30:00',
      zone: 'Europe/London',
      description: 'Every Sunday',
      organizer: 'The Knot School',
    });
    expect((await one(found({ start_time: null })))?.start).toBe('2026-07-05');
  });

  it('that is online has no venue, and is listed all the same', async () => {
    expect(await one(found())).toMatchObject({ isOnline: true, venue: { externalId: null, name: null } });
  });

  it.each([
    [
      { is_free: true, minimum_ticket_price: { major_value: '0.00' }, maximum_ticket_price: { major_value: '0.00' } },
      [true, 0, 0],
    ],
    [
      { is_free: false, minimum_ticket_price: { major_value: '0.00' }, maximum_ticket_price: { major_value: '0.00' } },
      [false, null, null],
    ],
    [
      { is_free: false, minimum_ticket_price: { major_value: '0.00' }, maximum_ticket_price: { major_value: '20.00' } },
      [false, 0, 20],
    ],
    [{ is_free: false, minimum_ticket_price: null, maximum_ticket_price: null }, [false, null, null]],
    [null, [null, null, null]],
  ])('with the tickets %j costs %j', async (ticket_availability, prices) => {
    const read = await one(found({ ticket_availability }));
    expect([read?.isFree, read?.priceMin, read?.priceMax]).toEqual(prices);
  });

  it.each([
    [{ status: 'canceled' }, 'cancelled'],
    [{ status: 'live' }, null],
    [{ is_cancelled: true }, 'cancelled'],
    [{ event_sales_status: { sales_status: 'sold_out' } }, 'sold_out'],
    [{ ticket_availability: { is_sold_out: true } }, 'sold_out'],
  ])('with %j has the status %s', async (said, status) => {
    expect((await one(event(said)))?.status).toBe(status);
  });

  it.each([
    ['Concert or Performance', 'Music', null, 'concert'],
    ['Class, Training, or Workshop', 'Music', null, null],
    ['Festival or Fair', 'Food & Drink', null, 'festival'],
    ['Concert or Performance', 'Performing & Visual Arts', 'Comedy', 'comedy'],
  ])('of the format %s and the category %s (%s) is filed under %s', async (format, category, subcategory, expected) => {
    const read = await one(
      event({ format: { name: format }, category: { name: category }, subcategory: subcategory && { name: subcategory } }),
    );
    expect(read?.category).toBe(expected);
  });

  it('is left out as the parent of a series, as a draft, or when its owner does not list it', async () => {
    const hidden = [{ is_series_parent: true }, { status: 'draft' }, { listed: false }, { invite_only: true }].map(event);
    expect(fates(await readPage('eventbrite', { events: [...hidden, event()] }))).toEqual([
      ...hidden.map(() => 'dropped'),
      'listed',
    ]);
  });

  it.each([[{ events: { results: [found()] } }], [{ events: [found()] }], [[found()]], [event()]])(
    'is found in each shape of answer',
    async (document) => {
      expect(eventsIn(await readPage('eventbrite', document))).toHaveLength(1);
    },
  );

  it('is not sought in an error', async () => {
    await expect(readPage('eventbrite', { error: 'NOT_FOUND', status_code: 404 })).rejects.toMatchObject({
      code: 'not_of_the_kind',
    });
  });
});

describe.skipIf(noEventData)('recorded answers of eventbrite', () => {
  it('give all online events of a search, without venues and without invented prices', async () => {
    const events = eventsIn(await readCapture('eventbrite', 'eventbrite/destination_search_2023-09.json'));
    expect(events).toHaveLength(150);
    expect(events.every(({ isOnline, venue }) => isOnline && venue.name === null)).toBe(true);
    expect(events.filter(({ isFree, priceMax }) => isFree === false && priceMax === 0)).toEqual([]);
    expect(events.every(({ start, zone }) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:00$/.test(start ?? '') && zone !== null)).toBe(true);
  });
});
