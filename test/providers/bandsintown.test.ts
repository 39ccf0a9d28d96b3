import { describe, expect, it } from 'vitest';
import { eventsIn, facts, fates, KEY, noEventData, provider, query, readCapture, readPage } from '../support/fakes/provider.ts';

const { request } = provider('bandsintown');
const event = (said: object = {}) => ({
  id: '501',
  url: `https://bands.example/e/501?app_id=${KEY}&came_from=1`,
  datetime: '2026-07-04T19:30:00',
  title: '',
  lineup: ['Ada Lowe ', 'Guests'],
  offers: [{ type: 'Tickets', status: 'available' }],
  venue: {
    name: 'Canal Hall',
    latitude: '40.7190',
    longitude: '-74.0010',
    city: 'New York',
    region: 'NY',
    country: 'United States',
  },
  ...said,
});
const one = async (said: object) => eventsIn(await readPage('bandsintown', [event(said)]))[0];

describe('bandsintown is asked', () => {
  it('for what is to come of one artist, whose name is escaped', () => {
    const asked = request(facts({ location: 'AC/DC & Guests' }));
    expect(new URL(asked.url).pathname).toBe('/artists/AC%252FDC%20%26%20Guests/events');
    expect(query(asked)).toEqual({ date: 'upcoming', app_id: KEY });
  });
});

describe('a bandsintown event', () => {
  it('gives what the record says, at the clock of its place', async () => {
    expect(await one({ artist: { image_url: 'https://i.example/ada.jpg' } })).toMatchObject({
      externalId: '501',
      title: 'Ada Lowe ',
      category: 'concert',
      start: '2026-07-04T19:30:00',
      zone: null,
      image: 'https://i.example/ada.jpg',
      isFree: null,
      status: null,
      performers: ['Ada Lowe ', 'Guests'],
      venue: { name: 'Canal Hall', address: 'New York, NY', latitude: 40.719, longitude: -74.001 },
    });
  });

  it('never repeats the key that its link has', async () => {
    expect((await one({}))?.url).toBe('https://bands.example/e/501?came_from=1');
  });

  it('has a day and no hour where only the date counts', async () => {
    expect((await one({ datetime_display_rule: 'date' }))?.start).toBe('2026-07-04');
  });

  it('is called by its festival, or by its first artist', async () => {
    const titled = { title: 'Ada Lowe @ Canal Hall' };
    expect((await one(titled))?.title).toBe('Ada Lowe ');
    expect(await one({ title: 'Quayside Days', festival_start_date: '2026-07-03' })).toMatchObject({
      title: 'Quayside Days',
      category: 'festival',
    });
    expect((await one({ ...titled, lineup: [] }))?.title).toBe('Ada Lowe @ Canal Hall');
  });

  it('is sold out when every offer is, and free when it says so', async () => {
    expect((await one({ offers: [{ status: 'sold out' }], free: true })) ?? {}).toMatchObject({
      status: 'sold_out',
      isFree: true,
    });
    expect((await one({ offers: [{ status: 'sold out' }, { status: 'available' }], free: false })) ?? {}).toMatchObject({
      status: null,
      isFree: null,
    });
  });

  it('without an artist, a title or a date is refused', async () => {
    const read = await readPage('bandsintown', [
      event({ lineup: [null, ' '] }),
      event({ datetime: 'nullT19:30:00' }),
      'x',
      event(),
    ]);
    expect(fates(read)).toEqual(['title', 'start', 'externalId', 'listed']);
  });

  it.each([[{ errorMessage: '[NotFound] The artist was not found' }], ['{warn=Not found}'], [null]])(
    'is not sought in %j',
    async (document) => {
      await expect(readPage('bandsintown', document)).rejects.toMatchObject({ code: 'not_of_the_kind' });
    },
  );
});

describe.skipIf(noEventData)('recorded answers of bandsintown', () => {
  it('give every concert with its place', async () => {
    const events = eventsIn(await readCapture('bandsintown', 'bandsintown/beach_boys_2018.json'));
    expect(events).toHaveLength(25);
    expect(events[0]).toMatchObject({
      externalId: '20011430',
      title: 'The Beach Boys',
      start: '2018-02-13T19:30:00',
      venue: { name: 'Ruth Eckerd Hall', latitude: 27.976034, longitude: -82.704614 },
    });
    expect(JSON.stringify(events)).not.toContain('app_id');
  });
});
