import { describe, expect, it } from 'vitest';
import { eventsIn, facts, fates, KEY, noEventData, provider, query, readCapture, readPage } from '../support/fakes/provider.ts';

const { request } = provider('ticketmaster');
const NIGHT = { localDate: '2026-07-04', localTime: '20:00:00', dateTime: '2026-07-05T00:00:00Z' };
const HALL = {
  id: 'KV1',
  name: 'Canal Hall ',
  timezone: 'America/New_York',
  address: { line1: '12 Canal St ' },
  city: { name: 'New York' },
  state: { stateCode: 'NY' },
  postalCode: '10013',
  location: { latitude: '40.7190', longitude: '-74.0010' },
};
const event = (said: object = {}) => ({
  id: 'E1',
  name: 'The Lanterns',
  url: 'https://tickets.example/e1',
  dates: { start: NIGHT, timezone: 'America/New_York', status: { code: 'onsale' } },
  classifications: [{ primary: true, segment: { name: 'Music' }, genre: { name: 'Rock' }, subGenre: { name: 'Undefined' } }],
  _embedded: { venues: [HALL], attractions: [{ name: 'The Lanterns' }, { name: 'Guests' }] },
  ...said,
});
const page = (events: object[], said: object = {}) => ({
  _embedded: { events },
  page: { size: 200, totalElements: events.length, totalPages: 1, number: 0, ...said },
});
const startOf = async (start: object, said: object = {}) => {
  const [read] = eventsIn(
    await readPage('ticketmaster', page([event({ dates: { start, ...said }, _embedded: { venues: [{}] } })])),
  );
  return read && [read.start, read.zone];
};

describe('ticketmaster is asked', () => {
  it('for a search with the key, in the order of starts, inside the window', () => {
    const asked = request(facts({ location: 'dmaId=345&classificationName=music' }));
    expect(new URL(asked.url).origin).toBe('https://app.ticketmaster.com');
    expect(query(asked)).toMatchObject({
      dmaId: '345',
      classificationName: 'music',
      size: '200',
      sort: 'date,asc',
      startDateTime: '2026-06-16T00:00:00Z',
      apikey: KEY,
    });
  });

  it('at a full address too, whose own parameters count', () => {
    const asked = request(facts({ location: 'https://app.ticketmaster.com/discovery/v2/events.json?size=50&city=Austin' }));
    expect(query(asked)).toMatchObject({ size: '50', city: 'Austin', apikey: KEY });
  });

  it('without the key anywhere but at the host of the API', () => {
    for (const location of ['https://a.example/copy.json', 'http://app.ticketmaster.com/x', 'file:///srv/copy.json']) {
      expect(JSON.stringify(request(facts({ location })))).not.toContain(KEY);
    }
  });

  it('not at all without a key, and the refusal names the setting alone', () => {
    expect(() => request(facts({ location: 'dmaId=345', key: null }))).toThrow('the setting TICKETMASTER_API_KEY is needed');
  });

  it('for page after page', async () => {
    const location = 'dmaId=345';
    const first = await readPage('ticketmaster', page([event()], { totalPages: 3 }), { location });
    expect(query(first.next[0])).toMatchObject({ page: '1', dmaId: '345', apikey: KEY });
    const last = await readPage('ticketmaster', page([event()], { totalPages: 3, number: 2 }), { location });
    expect(last.next).toEqual([]);
  });

  it('from the last start on where the API gives no further page', async () => {
    const deep = { size: 200, totalPages: 40, number: 4 };
    const { next } = await readPage(
      'ticketmaster',
      page([event(), event({ dates: { start: { localDate: '2026-07-05' } } })], deep),
      {
        location: 'dmaId=345',
      },
    );
    expect(query(next[0])).toMatchObject({ page: '0', startDateTime: '2026-07-05T00:00:00Z' });
    // All thousand start at the moment that was asked for: the next second, or it would never end.
    const again = await readPage('ticketmaster', page([event()], deep), { location: 'dmaId=345', url: next[0]!.url });
    expect(query(again.next[0])).toMatchObject({ page: '0', startDateTime: '2026-07-05T00:00:01Z' });
    // And the search that is asked from there on keeps its start while it is paged.
    const paged = await readPage('ticketmaster', page([event()], { totalPages: 2 }), {
      location: 'dmaId=345',
      url: again.next[0]!.url,
    });
    expect(query(paged.next[0])).toMatchObject({ page: '1', startDateTime: '2026-07-05T00:00:01Z' });
  });

  it('for nothing after a file', async () => {
    expect((await readPage('ticketmaster', page([event()], { totalPages: 3 }))).next).toEqual([]);
  });
});

describe('a ticketmaster event', () => {
  it('gives what the record says, texts as they are written', async () => {
    const [read] = eventsIn(
      await readPage(
        'ticketmaster',
        page([event({ info: 'Doors at 7.', pleaseNote: 'No bags.', promoter: { name: 'Canal Shows' } })]),
      ),
    );
    expect(read).toMatchObject({
      externalId: 'E1',
      title: 'The Lanterns',
      category: 'concert',
      categoryWords: ['Rock', 'Music'],
      start: '2026-07-04T20:00:00-04:00',
      zone: 'America/New_York',
      description: 'Doors at 7.\n\nNo bags.',
      url: 'https://tickets.example/e1',
      isFree: null,
      priceMin: null,
      status: null,
      performers: ['The Lanterns', 'Guests'],
      organizer: 'Canal Shows',
      venue: {
        externalId: 'KV1',
        name: 'Canal Hall ',
        address: '12 Canal St, New York, NY 10013',
        latitude: 40.719,
        longitude: -74.001,
      },
    });
  });

  it('has its offset from the two clocks where no zone is given, on the day of a change too', async () => {
    expect(await startOf(NIGHT)).toEqual(['2026-07-04T20:00:00-04:00', null]);
    const spring = { localDate: '2026-03-08', localTime: '12:30:00', dateTime: '2026-03-08T19:30:00Z' };
    expect(await startOf(spring)).toEqual(['2026-03-08T12:30:00-07:00', null]);
  });

  it('keeps the wall clock where the two cannot be one moment', async () => {
    expect(await startOf({ ...NIGHT, dateTime: '2026-07-09T00:00:00Z' })).toEqual(['2026-07-04T20:00:00', null]);
    expect(await startOf({ ...NIGHT, dateTime: 'soon' }, { timezone: 'America/Chicago' })).toEqual([
      '2026-07-04T20:00:00',
      'America/Chicago',
    ]);
  });

  it.each(['timeTBA', 'dateTBA', 'dateTBD', 'noSpecificTime'])('has a day and no hour when %s', async (flag) => {
    expect(await startOf({ ...NIGHT, [flag]: true })).toEqual(['2026-07-04', null]);
    expect(await startOf({ localDate: '2026-07-04', [flag]: true })).toEqual(['2026-07-04', null]);
  });

  it('without any day is refused', async () => {
    const read = await readPage('ticketmaster', page([event({ dates: { start: { dateTBD: true, dateTime: NIGHT.dateTime } } })]));
    expect(fates(read)).toEqual(['start']);
  });

  it.each([
    ['canceled', 'cancelled'],
    ['cancelled', 'cancelled'],
    ['postponed', 'postponed'],
    ['rescheduled', 'rescheduled'],
    ['offsale', null],
    ['constructor', null],
  ])('of code %s has the status %s', async (code, status) => {
    const [read] = eventsIn(await readPage('ticketmaster', page([event({ dates: { start: NIGHT, status: { code } } })])));
    expect(read?.status).toBe(status);
  });

  it('costs what ordinary tickets cost', async () => {
    const priceRanges = [
      { type: 'standard', currency: 'USD', min: 20, max: 90 },
      { type: 'standard', currency: 'CAD', min: 5, max: 500 },
      { type: 'vip', currency: 'USD', min: 300, max: 900 },
    ];
    const [read] = eventsIn(await readPage('ticketmaster', page([event({ priceRanges })])));
    expect([read?.priceMin, read?.priceMax]).toEqual([20, 90]);
  });

  it('of several days of music is a festival, of several days of golf is not', async () => {
    const dates = { start: NIGHT, spanMultipleDays: true };
    const golf = [{ primary: true, segment: { name: 'Sports' }, genre: { name: 'Golf' } }];
    const read = eventsIn(await readPage('ticketmaster', page([event({ dates }), event({ dates, classifications: golf })])));
    expect(read.map(({ category }) => category)).toEqual(['festival', 'sports']);
  });

  it('leaves the kind open where its own words do', async () => {
    const classifications = [{ segment: { name: 'Arts & Theatre' }, genre: { name: 'Undefined' } }];
    const [read] = eventsIn(await readPage('ticketmaster', page([event({ classifications })])));
    expect([read?.category, read?.categoryWords]).toEqual([null, ['Arts & Theatre']]);
  });

  it('shows a picture of its own, wide and large', async () => {
    const images = [
      { url: 'https://i.example/generic.jpg', ratio: '16_9', width: 2048, fallback: true },
      { url: 'https://i.example/square.jpg', ratio: '3_2', width: 2048, fallback: false },
      { url: 'https://i.example/small.jpg', ratio: '16_9', width: 640, fallback: false },
      { url: 'https://i.example/large.jpg', ratio: '16_9', width: 1136, fallback: false },
      { url: 'javascript:alert(1)', ratio: '16_9', width: 2048, fallback: false },
    ];
    expect(eventsIn(await readPage('ticketmaster', page([event({ images })])))[0]?.image).toBe('https://i.example/large.jpg');
  });

  it('that is only a test is left out', async () => {
    expect(fates(await readPage('ticketmaster', page([event({ test: true }), event()])))).toEqual(['dropped', 'listed']);
  });

  it('may be the whole answer', async () => {
    expect(eventsIn(await readPage('ticketmaster', event()))).toHaveLength(1);
  });

  it.each([[{ fault: { faultstring: 'Invalid ApiKey' } }], [{ _embedded: { venues: [] }, page: {} }], [[]], [null]])(
    'is not sought in %j',
    async (document) => {
      await expect(readPage('ticketmaster', document)).rejects.toMatchObject({ name: 'ProviderError', code: 'not_of_the_kind' });
    },
  );
});

describe.skipIf(noEventData)('recorded answers of ticketmaster', () => {
  it('give every event a start with its offset, or a day', async () => {
    const resale = eventsIn(await readCapture('ticketmaster', 'ticketmaster/discovery_v2_2020-03_resale.json'));
    expect(resale).toHaveLength(20);
    expect(resale.every(({ start }) => /T\d\d:\d\d:00-0[4567]:00$/.test(start ?? ''))).toBe(true);
    expect(resale[0]?.start).toBe('2020-03-08T12:30:00-07:00');
    expect(resale.map(({ venue }) => venue.name)).toContain('Spectrum Center ');
    const tba = eventsIn(await readCapture('ticketmaster', 'ticketmaster/documented_search-events.json'));
    expect(tba.map(({ start }) => start)).toEqual(['2016-03-06']);
  });

  it('may be empty', async () => {
    expect((await readCapture('ticketmaster', 'ticketmaster/discovery_v2_2022_empty_page.json')).listings).toEqual([]);
  });
});
