import { describe, expect, it } from 'vitest';
import { eventsIn, facts, fates, KEY, noEventData, provider, query, readCapture, readPage } from '../support/fakes/provider.ts';

const { request } = provider('seatgeek');
const event = (said: object = {}) => ({
  id: 77,
  title: 'The Lanterns - New York',
  url: 'https://tickets.example/77',
  type: 'concert',
  taxonomies: [{ name: 'concert' }],
  datetime_local: '2026-07-04T20:00:00',
  datetime_utc: '2026-07-05T00:00:00',
  time_tbd: false,
  stats: { lowest_price: 35, highest_price: 120 },
  performers: [
    { name: 'Guests', image: 'https://i.example/guests.jpg' },
    { name: 'The Lanterns', primary: true, image: 'https://i.example/lanterns.jpg', genres: [{ name: 'Folk' }] },
  ],
  venue: {
    id: 9,
    name: 'Canal Hall',
    timezone: 'America/New_York',
    capacity: 0,
    address: '12 Canal St',
    extended_address: 'New York, NY 10013',
    location: { lat: 40.719, lon: -74.001 },
  },
  ...said,
});
const page = (events: object[], meta: object = {}) => ({
  events,
  meta: { total: events.length, page: 1, per_page: 100, ...meta },
});
const one = async (said: object) => eventsIn(await readPage('seatgeek', page([event(said)])))[0];

describe('seatgeek is asked', () => {
  it('for a search with the client id, inside the window', () => {
    expect(query(request(facts({ location: 'venue.city=New York' })))).toEqual({
      'venue.city': 'New York',
      per_page: '100',
      sort: 'datetime_utc.asc',
      'datetime_utc.gte': '2026-06-16',
      'datetime_utc.lt': '2027-07-21',
      client_id: KEY,
    });
  });

  it('for page after page until all are read', async () => {
    const location = 'venue.city=New York';
    const next = async (meta: object) => (await readPage('seatgeek', page([event()], meta), { location })).next[0];
    expect(query(await next({ total: 201 }))).toMatchObject({ page: '2', client_id: KEY });
    expect(query(await next({ total: 201, page: 2 }))).toMatchObject({ page: '3' });
    expect(await next({ total: 201, page: 3 })).toBeUndefined();
    expect(await next({ total: 'many' })).toBeUndefined();
  });
});

describe('a seatgeek event', () => {
  it('gives what the record says', async () => {
    expect(await one({})).toMatchObject({
      externalId: '77',
      title: 'The Lanterns - New York',
      category: 'concert',
      categoryWords: ['concert'],
      start: '2026-07-04T20:00:00-04:00',
      end: null,
      zone: 'America/New_York',
      image: 'https://i.example/lanterns.jpg',
      priceMin: 35,
      priceMax: 120,
      performers: ['Guests', 'The Lanterns'],
      tags: ['Folk'],
      venue: { externalId: '9', name: 'Canal Hall', address: '12 Canal St, New York, NY 10013', latitude: 40.719 },
    });
  });

  it.each(['time_tbd', 'date_tbd', 'datetime_tbd'])('has a day and no hour when %s, whatever hour is printed', async (flag) => {
    const read = await one({ [flag]: true, datetime_local: '2026-07-04T03:30:00', datetime_utc: '2026-07-04T07:30:00' });
    expect(read).toMatchObject({ start: '2026-07-04', end: null });
  });

  it('reads UTC that is written without its Z', async () => {
    expect(await one({ datetime_local: null, enddatetime_utc: '2026-07-05T02:30:00' })).toMatchObject({
      start: '2026-07-05T00:00:00Z',
      end: '2026-07-05T02:30:00Z',
    });
  });

  it('takes a capacity of 0 and missing prices for unknown', async () => {
    const read = await one({ stats: { lowest_price: null, highest_price: null } });
    expect([read?.venue.capacity, read?.priceMin, read?.priceMax]).toEqual([null, null, null]);
    expect((await one({ venue: { name: 'Hall', capacity: 1200 } }))?.venue.capacity).toBe(1200);
  });

  it.each([
    [['sports', 'baseball', 'ncaa_baseball'], 'ncaa_baseball', 'sports'],
    [['theater', 'comedy'], 'comedy', 'comedy'],
    [['concert', 'music_festival'], 'music_festival', 'festival'],
    [['theater', 'broadway_tickets_national'], 'broadway_tickets_national', 'theater'],
    [['theater', 'family'], 'family', null],
    [['theater'], 'theater', null],
  ])('of the taxonomies %j is filed under them only where they leave no doubt', async (names, type, category) => {
    const read = await one({ type, taxonomies: names.map((name) => ({ name })) });
    expect([read?.category, read?.categoryWords]).toEqual([category, names.toReversed()]);
  });

  it('without a date is refused, and the others stay', async () => {
    const bad = event({ datetime_local: 'soon', datetime_utc: null });
    expect(fates(await readPage('seatgeek', page([bad, event()])))).toEqual(['start', 'listed']);
  });

  it.each([[{ id: 1, name: 'no event' }], [{ status: 'error' }], [[event()]]])('is not sought in %j', async (document) => {
    await expect(readPage('seatgeek', document)).rejects.toMatchObject({ code: 'not_of_the_kind' });
  });
});

describe.skipIf(noEventData)('recorded answers of seatgeek', () => {
  it('give placeholders no hour, and the others their offset', async () => {
    const events = eventsIn(await readCapture('seatgeek', 'seatgeek/events_v2_2020-03.json'));
    expect(events).toHaveLength(10);
    expect(events.slice(0, 3).map(({ start }) => start)).toEqual(['2020-03-03', '2020-03-03', '2020-03-03T07:00:00-05:00']);
    expect(events.find(({ title }) => title === 'Philadelphia Flower Show - Philadelphia')?.category).toBeNull();
  });

  it('may be one event, and are none where the file is of something else', async () => {
    const [read] = eventsIn(await readCapture('seatgeek', 'seatgeek/event_2017.json'));
    expect(read?.start).toBe('2017-08-13T19:00:00-07:00');
    await expect(readCapture('seatgeek', 'seatgeek/sg_2015_solo.json')).rejects.toMatchObject({ code: 'not_of_the_kind' });
  });
});
