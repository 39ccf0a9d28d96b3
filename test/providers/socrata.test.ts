import { describe, expect, it } from 'vitest';
import { eventsIn, facts, fates, KEY, noEventData, provider, query, readCapture, readPage } from '../support/fakes/provider.ts';

const { request } = provider('socrata');
const HOME = 'https://data.city.example/resource/abcd-1234.json';
const permit = (said: object = {}) => ({
  event_id: '6001',
  event_name: 'Kite Day',
  start_date_time: '2026-07-04T12:00:00.000',
  end_date_time: '2026-07-04T16:00:00.000',
  event_agency: 'Parks Department',
  event_type: 'Special Event',
  event_borough: 'Bronx',
  event_location: 'Orchard Park: Lawn-01 ,Orchard Park: Lawn-02',
  ...said,
});

describe('socrata is asked', () => {
  it('in pages of a fixed order, with the token in a header', async () => {
    const asked = request(facts({ location: `${HOME}?$where=event_type='Parade'` }));
    expect(query(asked)).toEqual({ $where: "event_type='Parade'", $limit: '1000', $offset: '0', $order: ':id' });
    expect(asked.headers).toEqual({ 'x-app-token': KEY });
    const location = `${HOME}?$limit=2`;
    const { next } = await readPage('socrata', [permit(), permit()], { location });
    expect(query(next[0])).toMatchObject({ $limit: '2', $offset: '2' });
    const second = await readPage('socrata', [permit(), permit()], { location, url: next[0]!.url });
    expect(query(second.next[0])).toMatchObject({ $offset: '4' });
    expect((await readPage('socrata', [permit()], { location })).next).toEqual([]);
  });

  it('without a token too, and never sends one in the clear', () => {
    expect(request(facts({ location: HOME, key: null })).headers).toBeUndefined();
    expect(request(facts({ location: 'http://data.city.example/x.json' })).headers).toBeUndefined();
  });
});

describe('a permit of New York', () => {
  it('is known by its id and its start, since one id covers many days', async () => {
    const [read] = eventsIn(await readPage('socrata', [permit()]));
    expect(read).toMatchObject({
      externalId: '6001@2026-07-04T12:00:00.000',
      seriesId: '6001',
      title: 'Kite Day',
      categoryWords: ['Special Event'],
      start: '2026-07-04T12:00:00.000',
      end: '2026-07-04T16:00:00.000',
      zone: 'America/New_York',
      organizer: 'Parks Department',
      venue: { name: 'Orchard Park', hints: [{ kind: 'point', latitude: 40.8448, longitude: -73.8648 }] },
    });
  });

  it('may come as CSV with American dates', async () => {
    const csv = [
      'Event ID,Event Name,Start Date/Time,End Date/Time,Event Agency,Event Type,Event Borough,Event Location',
      '6001,Kite Day,07/04/2026 12:00:00 PM,07/04/2026 04:00:00 PM,Parks Department,Special Event,Bronx,"MAIN ST between A AVE and B AVE,  B AVE"',
    ];
    const [read] = eventsIn(await readPage('socrata', Buffer.from(csv.join('\r\n')), { contentType: 'text/csv; charset=utf-8' }));
    expect(read).toMatchObject({
      externalId: '6001@07/04/2026 12:00:00 PM',
      start: '2026-07-04T12:00:00',
      end: '2026-07-04T16:00:00',
      venue: { name: 'MAIN ST between A AVE and B AVE' },
    });
  });

  it('with a start that is none is refused', async () => {
    expect(fates(await readPage('socrata', [permit({ start_date_time: 'TBA' }), permit()]))).toEqual(['start', 'listed']);
  });
});

describe('another data set', () => {
  const mapping = { fields: { externalId: 'permit', title: 'what', start: 'on', venue: { name: 'where' } } };

  it('is read by a mapping', async () => {
    const row = { permit: 'p1', what: 'Parade', on: '2026-07-04', where: 'Main St' };
    const [read] = eventsIn(await readPage('socrata', [row], { mapping }));
    expect(read).toMatchObject({ externalId: 'p1', title: 'Parade', start: '2026-07-04', zone: null });
  });

  it('is refused where the mapping is bad, or the answer is an error', async () => {
    await expect(readPage('socrata', [], { mapping: { fields: { externalId: 'permit' } } })).rejects.toMatchObject({
      code: 'bad_mapping',
    });
    await expect(readPage('socrata', { code: 'not_found', error: true })).rejects.toMatchObject({ code: 'not_of_the_kind' });
  });
});

describe.skipIf(noEventData)('recorded permits', () => {
  it('are all listed, each day of an id by itself', async () => {
    const events = eventsIn(await readCapture('socrata', 'nyc-socrata/NYC_Permitted_Event_Information_2022.csv'));
    expect(events).toHaveLength(8501);
    expect(new Set(events.map(({ externalId }) => externalId)).size).toBe(8501);
    expect(events.filter(({ seriesId }) => seriesId === '605313')).toHaveLength(29);
    expect(events.every(({ venue }) => venue.name !== null && venue.name.length <= 300)).toBe(true);
  });
});
