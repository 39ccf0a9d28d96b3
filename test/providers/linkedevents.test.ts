import { describe, expect, it } from 'vitest';
import { eventsIn, facts, fates, noEventData, provider, query, readCapture, readPage } from '../support/fakes/provider.ts';

const { request } = provider('linkedevents');
const HOME = 'https://events.example/v1/event/';
const event = (said: object = {}) => ({
  id: 'town:1',
  '@id': `${HOME}town:1/`,
  name: { fi: 'Satamailta', sv: 'Hamnkväll', en: 'Harbour night' },
  short_description: { fi: 'Musiikkia.' },
  description: { fi: '<p>Musiikkia satamassa.</p>', en: '<p>Music.</p>' },
  start_time: '2026-07-04T16:30:00Z',
  end_time: '2026-07-04T18:00:00Z',
  keywords: [
    { name: { fi: 'musiikki', en: 'music' } },
    { name: { fi: 'satama' } },
    { '@id': 'https://events.example/v1/keyword/9/' },
  ],
  type_id: 'General',
  images: [{ url: 'https://i.example/1.jpg' }],
  info_url: { fi: 'https://town.example/satama' },
  offers: [{ is_free: true, price: null }],
  event_status: 'EventScheduled',
  provider: { fi: 'Kaupunki' },
  super_event: null,
  super_event_type: null,
  sub_events: [],
  location: {
    id: 'tprek:7',
    name: { fi: 'Satama', en: 'Harbour' },
    street_address: { fi: 'Laiturikatu 1' },
    address_locality: { fi: 'Turku' },
    postal_code: '20100',
    position: { type: 'Point', coordinates: [22.23, 60.43] },
  },
  ...said,
});
const page = (data: object[], meta: object = {}) => ({ meta, data });
const one = async (said: object) => eventsIn(await readPage('linkedevents', page([event(said)])))[0];

describe('linkedevents is asked', () => {
  it('with places and keywords, inside the window', () => {
    expect(query(request(facts({ location: `${HOME}?division=kunta:turku` })))).toEqual({
      division: 'kunta:turku',
      include: 'location,keywords',
      start: '2026-06-16',
      end: '2027-07-21',
      sort: 'start_time',
      page_size: '100',
    });
    expect(() => request(facts({ location: 'turku' }))).toThrow('neither a URL nor a file');
  });

  it('for the next page that the answer names, on the same host only', async () => {
    const next = async (url: unknown) =>
      (await readPage('linkedevents', page([event()], { next: url }), { location: HOME })).next;
    expect(await next(`${HOME}?page=2`)).toMatchObject([{ url: `${HOME}?page=2` }]);
    for (const other of ['https://evil.example/?page=2', 'http://169.254.169.254/', 'file:///etc/passwd', null, 7]) {
      expect(await next(other)).toEqual([]);
    }
  });
});

describe('a Linked Events event', () => {
  it('gives what the record says, in the language that says most', async () => {
    expect(await one({})).toMatchObject({
      externalId: 'town:1',
      seriesId: null,
      title: 'Satamailta',
      description: '<p>Musiikkia satamassa.</p>',
      categoryWords: ['musiikki', 'satama'],
      start: '2026-07-04T16:30:00Z',
      end: '2026-07-04T18:00:00Z',
      zone: null,
      image: 'https://i.example/1.jpg',
      url: 'https://town.example/satama',
      isFree: true,
      status: null,
      organizer: 'Kaupunki',
      venue: { externalId: 'tprek:7', name: 'Satama', address: 'Laiturikatu 1, 20100 Turku', latitude: 60.43, longitude: 22.23 },
    });
  });

  it('of a series carries its id, and the series itself is left out', async () => {
    expect((await one({ super_event: { '@id': `${HOME}town:0/` } }))?.seriesId).toBe('town:0');
    const parents = [{ super_event_type: 'recurring' }, { super_event_type: 'umbrella' }, { sub_events: [{ '@id': HOME }] }];
    const gone = [{ deleted: true }, { replaced_by: `${HOME}town:5/` }, { publication_status: 'draft' }];
    expect(fates(await readPage('linkedevents', page([...parents, ...gone].map(event))))).toEqual(Array(6).fill('dropped'));
  });

  it('without a place is where its prose says', async () => {
    const extra = { fi: 'Laiturikatu 1, Turku / satama\n' };
    expect((await one({ location: null, location_extra_info: extra }))?.venue).toMatchObject({
      externalId: null,
      name: 'Laiturikatu 1, Turku / satama\n',
      address: 'Laiturikatu 1, Turku / satama\n',
    });
    const reference = { '@id': 'https://events.example/v1/place/tprek:7/' };
    expect((await one({ location: reference, location_extra_info: extra }))?.venue).toMatchObject({
      externalId: 'tprek:7',
      name: 'Laiturikatu 1, Turku / satama\n',
    });
  });

  it('is online when its place is the network', async () => {
    expect((await one({ location: { id: 'town:internet', name: { fi: 'Internet' } } }))?.isOnline).toBe(true);
    expect((await one({ location: null, is_virtualevent: true }))?.isOnline).toBe(true);
    expect((await one({ is_virtualevent: true }))?.isOnline).toBe(false);
  });

  it.each([
    [[{ is_free: true }], [true, null, null, null]],
    [[{ is_free: false, price: { fi: '<p>2,50 € + ohjaus</p>' } }], [false, null, null, '<p>2,50 € + ohjaus</p>']],
    [
      [
        { is_free: false, price: { fi: '12' } },
        { is_free: false, price: { fi: '7,50' } },
      ],
      [false, 7.5, 12, null],
    ],
    [
      [
        { is_free: false, price: { fi: '12' } },
        { is_free: true, price: { fi: 'lapset' } },
      ],
      [false, null, null, '12 / lapset'],
    ],
    [[], [null, null, null, null]],
  ])('with the offers %j costs %j', async (offers, prices) => {
    const read = await one({ offers });
    expect([read?.isFree, read?.priceMin, read?.priceMax, read?.priceText]).toEqual(prices);
  });

  it.each([
    ['EventCancelled', 'cancelled'],
    ['EventPostponed', 'postponed'],
    ['EventRescheduled', 'rescheduled'],
    ['EventScheduled', null],
  ])('of %s has the status %s', async (event_status, status) => {
    expect((await one({ event_status }))?.status).toBe(status);
  });

  it('may start on a day without an hour', async () => {
    expect((await one({ start_time: '2026-07-04' }))?.start).toBe('2026-07-04');
  });

  it('is not sought in an error', async () => {
    await expect(readPage('linkedevents', { detail: 'Not found.' })).rejects.toMatchObject({ code: 'not_of_the_kind' });
  });
});

describe.skipIf(noEventData)('recorded answers of Linked Events', () => {
  it('give the date of a series with its place in prose', async () => {
    const read = await readCapture('linkedevents', 'ec2u-provider-samples/EventsTurkuCity.1.json');
    expect(eventsIn(read)).toMatchObject([
      {
        externalId: 'turku:991417',
        seriesId: 'turku:991415',
        title: 'Kesäillan vesijumppa',
        start: '2022-06-14T16:30:00Z',
        status: 'rescheduled',
        isFree: false,
        priceText: '<p>Sisäänpääsymaksu + ohjausmaksu 2,50 €</p>',
        venue: { name: 'Blombergin aukio 12, Turku / Kupittaa, Kupittaan maauimala\n' },
      },
    ]);
  });
});
