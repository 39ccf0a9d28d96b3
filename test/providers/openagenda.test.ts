import { describe, expect, it } from 'vitest';
import {
  ALWAYS,
  eventsIn,
  facts,
  fates,
  KEY,
  noEventData,
  provider,
  query,
  readCapture,
  readPage,
} from '../support/fakes/provider.ts';

const { request } = provider('openagenda');
const event = (said: object = {}) => ({
  uid: 900,
  slug: 'contes-du-quai',
  title: { fr: 'Contes du quai', en: 'Tales of the quay' },
  description: { fr: 'Pour tous.' },
  longDescription: { fr: '**Pour tous**, au bord de l’eau.' },
  keywords: { fr: ['conte', 'quai'] },
  conditions: { fr: 'entrée libre' },
  timezone: 'Europe/Paris',
  timings: [
    { begin: '2026-07-04T15:00:00+02:00', end: '2026-07-04T16:00:00+02:00' },
    { begin: '2026-07-05T15:00:00+02:00', end: '2026-07-05T16:00:00+02:00' },
  ],
  image: { base: 'https://i.example/', filename: '900.base.jpg' },
  originAgenda: { uid: 1, title: 'Le Quai' },
  location: {
    uid: 70,
    name: 'Halle du quai',
    address: '1 quai Neuf',
    postalCode: '33000',
    city: 'Bordeaux',
    latitude: 44.84,
    longitude: -0.57,
    website: null,
  },
  status: 1,
  state: 2,
  attendanceMode: 1,
  private: 0,
  draft: 0,
  ...said,
});
const read = async (...events: object[]) => eventsIn(await readPage('openagenda', { events }, ALWAYS));

describe('openagenda is asked', () => {
  it('for the details of an agenda inside the window, with the key', () => {
    const asked = request(facts({ location: '48353388' }));
    expect(new URL(asked.url).pathname).toBe('/v2/agendas/48353388/events');
    expect(query(asked)).toEqual({
      detailed: '1',
      size: '100',
      'timings[gte]': '2026-06-16T00:00:00.000Z',
      'timings[lte]': '2027-07-21T00:00:00.000Z',
      key: KEY,
    });
  });

  it('for page after page with the marks of the last one', async () => {
    const location = '48353388';
    const { next } = await readPage('openagenda', { events: [event()], after: [1783000000000, '900', null] }, { location });
    expect(query(next[0])).toMatchObject({ 'after[0]': '1783000000000', 'after[1]': '900', 'after[2]': 'null', key: KEY });
    expect((await readPage('openagenda', { events: [], after: [1] }, { location })).next).toEqual([]);
    expect((await readPage('openagenda', { events: [event()] }, { location })).next).toEqual([]);
  });
});

describe('an openagenda event', () => {
  it('is a listing for each of its dates', async () => {
    const events = await read(event());
    expect(events.map(({ externalId, seriesId, start, end }) => [externalId, seriesId, start, end])).toEqual([
      ['900@2026-07-04T15:00:00+02:00', '900', '2026-07-04T15:00:00+02:00', '2026-07-04T16:00:00+02:00'],
      ['900@2026-07-05T15:00:00+02:00', '900', '2026-07-05T15:00:00+02:00', '2026-07-05T16:00:00+02:00'],
    ]);
    expect(events[0]).toMatchObject({
      title: 'Contes du quai',
      description: '**Pour tous**, au bord de l’eau.',
      categoryWords: ['conte', 'quai'],
      tags: ['conte', 'quai'],
      zone: 'Europe/Paris',
      image: 'https://i.example/900.base.jpg',
      priceText: 'entrée libre',
      organizer: 'Le Quai',
      isAllDay: false,
      isOnline: false,
      venue: {
        externalId: '70',
        name: 'Halle du quai',
        address: '1 quai Neuf, 33000 Bordeaux',
        latitude: 44.84,
        longitude: -0.57,
      },
    });
  });

  it('gives the dates of the window only, each once', async () => {
    const timings = ['2026-06-01', '2026-06-16', '2026-07-01', '2026-07-01', '2027-08-01'].map((day) => ({
      begin: `${day}T15:00:00-04:00`,
      end: `${day}T17:00:00-04:00`,
    }));
    const page = await readPage('openagenda', { events: [event({ timings }), event({ timings: timings.slice(0, 1) })] });
    // That of June 16 has begun and is not over at 16:00.
    expect(eventsIn(page).map(({ start }) => start?.slice(0, 10))).toEqual(['2026-06-16', '2026-07-01']);
    expect(fates(page)).toEqual(['listed', 'listed', 'dropped']);
  });

  it('without details gives the dates that it has', async () => {
    const timing = (day: string) => ({ begin: `${day}T15:00:00+02:00`, end: `${day}T16:00:00+02:00` });
    const brief = { ...event(), timings: undefined, firstTiming: timing('2026-07-01'), nextTiming: timing('2026-07-08') };
    const events = await read({ ...brief, lastTiming: timing('2026-07-08') });
    expect(events.map(({ start }) => start?.slice(0, 10))).toEqual(['2026-07-01', '2026-07-08']);
  });

  it('of midnight to a minute before midnight lasts the whole day', async () => {
    const [whole] = await read(event({ timings: [{ begin: '2026-07-04T00:00:00+02:00', end: '2026-07-06T23:59:00+02:00' }] }));
    expect([whole?.start, whole?.end, whole?.isAllDay]).toEqual(['2026-07-04', '2026-07-06', true]);
    const [party] = await read(event({ timings: [{ begin: '2026-07-04T00:00:00+02:00', end: '2026-07-04T04:00:00+02:00' }] }));
    expect([party?.start, party?.isAllDay]).toEqual(['2026-07-04T00:00:00+02:00', false]);
  });

  it('is read in the language that says most, then in the one that its title names first', async () => {
    const most = {
      title: { en: 'Quay', fr: 'Quai' },
      longDescription: { fr: 'Au bord.' },
      description: { fr: 'Bord.', en: 'Bank.' },
    };
    expect((await read(event({ ...most, conditions: {} })))[0]).toMatchObject({ title: 'Quai', description: 'Au bord.' });
    const equal = { title: { en: 'Quay', fr: 'Quai' }, longDescription: {}, description: {}, conditions: {} };
    expect((await read(event(equal)))[0]?.title).toBe('Quay');
    expect((await read(event({ ...equal, title: { en: '', fr: 'Quai', de: 'Kai' } })))[0]?.title).toBe('Quai');
    expect((await read(event({ ...equal, title: 'Kai' })))[0]?.title).toBe('Kai');
  });

  it.each([
    [1, 1, null, false],
    [2, 1, 'rescheduled', false],
    [3, 1, null, true],
    [4, 1, 'postponed', false],
    [5, 1, 'sold_out', false],
    [6, 1, 'cancelled', false],
    [1, 2, null, true],
    [1, 3, null, false],
    [{ id: 6 }, { id: 2 }, 'cancelled', true],
  ])('of status %j and attendance %j is %s (online: %s)', async (status, attendanceMode, word, isOnline) => {
    expect((await read(event({ status, attendanceMode })))[0]).toMatchObject({ status: word, isOnline });
  });

  it('may be nowhere, and may have no picture', async () => {
    expect((await read(event({ location: null, image: null })))[0]).toMatchObject({ image: null, venue: { name: null } });
  });

  it('that is private, a draft or not published is left out', async () => {
    const page = await readPage('openagenda', { events: [{ private: 1 }, { draft: true }, { state: 0 }, {}].map(event) }, ALWAYS);
    expect(fates(page)).toEqual(['dropped', 'dropped', 'dropped', 'listed', 'listed']);
  });

  it('without uid, title or dates is refused', async () => {
    const bad = [{ uid: null }, { title: {} }, { timings: [{ begin: 'samedi' }] }].map(event);
    expect(fates(await readPage('openagenda', { events: bad }, ALWAYS))).toEqual(['externalId', 'title', 'start']);
  });

  it.each([[{ event: event() }], [[event()]], [event()]])('is found in each shape of answer', async (document) => {
    expect(eventsIn(await readPage('openagenda', document, ALWAYS))).toHaveLength(2);
  });

  it('is not sought in an agenda or an error', async () => {
    for (const document of [{ uid: 1, title: 'Le Quai' }, { message: 'no key' }, 7]) {
      await expect(readPage('openagenda', document)).rejects.toMatchObject({ code: 'not_of_the_kind' });
    }
  });
});

describe.skipIf(noEventData)('recorded answers of openagenda', () => {
  it('give every date of every event once', async () => {
    const events = eventsIn(
      await readCapture('openagenda', 'openagenda/pdf-exports__agenda__test__fixtures__tcheque__events.json'),
    );
    // 663 dates of 205 events; one of them stands twice in its record.
    expect(events).toHaveLength(662);
    expect(new Set(events.map(({ seriesId }) => seriesId)).size).toBe(205);
    expect(new Set(events.map(({ externalId }) => externalId)).size).toBe(662);
    expect(events.every(({ title, image, venue }) => title && venue.name && !image?.endsWith('null'))).toBe(true);
  });
});
