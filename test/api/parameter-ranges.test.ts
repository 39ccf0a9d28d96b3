import { afterAll, describe, expect, test } from 'vitest';
import { FAKE_NOW } from '../support/fakes/directory.ts';
import { createTestApi } from '../support/rigs/api.ts';

const api = createTestApi();
const { refusal, accepted } = api;
afterAll(() => api.close());

const HOUR = 3_600_000;
const at = (text: string) => Date.parse(text);

describe('start_date and end_date', () => {
  test.each([
    ['', FAKE_NOW, FAKE_NOW + 720 * HOUR],
    ['start_date=2026-11-20', at('2026-11-20T05:00:00Z'), at('2026-11-20T05:00:00Z') + 720 * HOUR],
    ['start_date=2026-11-20T20:00', at('2026-11-21T01:00:00Z'), at('2026-11-21T01:00:00Z') + 720 * HOUR],
    ['start_date=2026-07-01&end_date=2026-07-01', at('2026-07-01T04:00:00Z'), at('2026-07-02T04:00:00Z') - 1],
    ['end_date=2026-06-16T16:00:00-04:00', FAKE_NOW, FAKE_NOW],
    ['end_date=2026-06-16', FAKE_NOW, at('2026-06-17T03:59:59.999Z')],
    ['start_date=2020-01-01&end_date=2020-01-02', at('2020-01-01T05:00:00Z'), at('2020-01-03T04:59:59.999Z')],
    ['start_date=2026-06-20T00:00:00%2B01:00', at('2026-06-19T23:00:00Z'), at('2026-06-19T23:00:00Z') + 720 * HOUR],
    ['start_date=2026-06-20T00:00:00+01:00', at('2026-06-19T23:00:00Z'), at('2026-06-19T23:00:00Z') + 720 * HOUR],
    ['start_date=2026-06-20t00:00:00.5z', at('2026-06-20T00:00:00.500Z'), at('2026-06-20T00:00:00.500Z') + 720 * HOUR],
  ])('?%s is the range', async (query, from, to) => {
    await accepted(`/events?${query}`);
    expect(api.directory.lastEventQuery()).toMatchObject({ from, to });
  });
  test.each([
    'start_date=2026-07-02&end_date=2026-07-01',
    'start_date=2026-07-01T10:00:00Z&end_date=2026-07-01T09:59:59Z',
    'end_date=2026-06-15',
    'end_date=2020-01-01T00:00:00Z',
  ])('?%s ends before it starts', async (query) => {
    expect(await refusal(`/events?${query}`)).toMatchObject({ name: 'end_date', code: 'before_start' });
  });
});

describe('when', () => {
  test.each([
    ['now', FAKE_NOW, FAKE_NOW + 2 * HOUR],
    ['tonight', at('2026-06-16T17:00-04:00'), at('2026-06-17T05:00-04:00') - 1],
    ['tomorrow', at('2026-06-17T05:00-04:00'), at('2026-06-18T05:00-04:00') - 1],
    ['this_weekend', at('2026-06-19T17:00-04:00'), at('2026-06-22T05:00-04:00') - 1],
    ['next_weekend', at('2026-06-26T17:00-04:00'), at('2026-06-29T05:00-04:00') - 1],
    ['this_week', FAKE_NOW, at('2026-06-22T05:00-04:00') - 1],
    // Today is one: what is left of it.
    ['tuesday', FAKE_NOW, at('2026-06-17T05:00-04:00') - 1],
    ['friday', at('2026-06-19T05:00-04:00'), at('2026-06-20T05:00-04:00') - 1],
    ['monday', at('2026-06-22T05:00-04:00'), at('2026-06-23T05:00-04:00') - 1],
    ['next_7_days', FAKE_NOW, FAKE_NOW + 168 * HOUR],
    ['next_30_days', FAKE_NOW, FAKE_NOW + 720 * HOUR],
  ])('=%s is the range', async (when, from, to) => {
    await accepted(`/events?when=${when}`);
    expect(api.directory.lastEventQuery()).toMatchObject({ from, to });
    expect(api.directory.lastEventQuery().ongoing).toBe(when === 'now' ? true : undefined);
  });
  test('counts an event without an hour to its calendar day', async () => {
    await accepted('/events?when=tonight');
    expect(api.directory.lastEventQuery().lastDayEnds).toBe(at('2026-06-17T00:00-04:00') - 1);
  });
  test('cannot be combined with a date', async () => {
    for (const name of ['start_date', 'end_date']) {
      const { code, name: refused, detail } = await refusal(`/events?when=tonight&${name}=2026-07-01`);
      expect([refused, code]).toEqual(['when', 'conflicting']);
      expect(detail).toContain(name);
    }
  });
  test('is one of a closed set', async () => {
    expect(await refusal('/events?when=Tonight')).toMatchObject({ name: 'when', code: 'unknown_value' });
  });
});

describe('prices, tags and changes', () => {
  test.each([
    ['price_max=25', { priceMax: 25 }],
    ['price_max=012.50', { priceMax: 12.5 }],
    ['price_max=0', { priceMax: 0 }],
    ['tags=jazz', { tags: ['jazz'] }],
    ['tags=jazz,Live%20Music,,jazz,%20', { tags: ['jazz', 'Live Music'] }],
    ['updated_since=2026-06-01', { updatedSince: at('2026-06-01T00:00-04:00') }],
    ['updated_since=2026-06-01T10:00:00Z', { updatedSince: at('2026-06-01T10:00Z') }],
  ])('?%s filters', async (query, expected) => {
    await accepted(`/events?${query}`);
    expect(api.directory.lastEventQuery()).toMatchObject(expected);
  });
  test('are no filters where nothing is named', async () => {
    await accepted('/events?tags=,&price_max=&updated_since=');
    const { tags, priceMax, updatedSince } = api.directory.lastEventQuery();
    expect([tags, priceMax, updatedSince]).toEqual([undefined, undefined, undefined]);
  });
  test.each([
    ['price_max=-1', 'price_max', 'out_of_range'],
    ['price_max=1000001', 'price_max', 'out_of_range'],
    ['price_max=1e3', 'price_max', 'not_a_number'],
    ['price_max=free', 'price_max', 'not_a_number'],
    [`tags=${'a,'.repeat(101)}`, 'tags', 'too_long'],
    ['updated_since=yesterday', 'updated_since', 'not_a_date'],
    ['updated_since=2026-02-30', 'updated_since', 'impossible_date'],
  ])('?%s is refused', async (query, name, code) => {
    expect(await refusal(`/events?${query}`)).toMatchObject({ name, code });
  });
});

describe('places', () => {
  test('near has a radius of 1000 m unless told', async () => {
    await accepted('/events?near=40.7,-74');
    expect(api.directory.lastEventQuery().near).toEqual({ latitude: 40.7, longitude: -74, radius: 1000 });
    await accepted('/venues?near=40.7,%20-74&radius=50000');
    expect(api.directory.venueQueries.at(-1)?.near).toEqual({ latitude: 40.7, longitude: -74, radius: 50_000 });
    await accepted('/events?near=40.7,-74&sort=distance&radius=250.5');
    expect(api.directory.lastEventQuery()).toMatchObject({ sort: 'distance', near: { radius: 250.5 } });
  });
  test('a box is west, south, east, north and may cross the antimeridian', async () => {
    await accepted('/events?bbox=170,-10,-170,10');
    expect(api.directory.lastEventQuery().box).toEqual({ west: 170, south: -10, east: -170, north: 10 });
    await accepted('/venues?bbox=-74,40,-73,41&verified=any');
    expect(api.directory.venueQueries.at(-1)).toMatchObject({ anyVerified: true, box: { west: -74 } });
  });
  test.each([
    ['near=91,0', 'near', 'out_of_range'],
    ['near=0,180.1', 'near', 'out_of_range'],
    ['near=40.7', 'near', 'not_coordinates'],
    ['near=40.7,-74,1', 'near', 'not_coordinates'],
    ['near=4e1,0', 'near', 'not_coordinates'],
    ['near=NaN,0', 'near', 'not_coordinates'],
    ['near=.5,0', 'near', 'not_coordinates'],
    ['bbox=1,2,3', 'bbox', 'not_coordinates'],
    ['bbox=0,10,1,5', 'bbox', 'out_of_range'],
    ['bbox=0,-91,1,5', 'bbox', 'out_of_range'],
    ['near=1,1&radius=0', 'radius', 'out_of_range'],
    ['near=1,1&radius=50001', 'radius', 'out_of_range'],
    ['near=1,1&radius=-5', 'radius', 'out_of_range'],
    ['near=1,1&radius=1e3', 'radius', 'not_a_number'],
    ['near=1,1&radius=abc', 'radius', 'not_a_number'],
    ['near=1,1&radius=1000000', 'radius', 'out_of_range'],
    ['radius=500', 'radius', 'needs_near'],
  ])('?%s is refused', async (query, name, code) => {
    expect(await refusal(`/events?${query}`)).toMatchObject({ name, code });
    expect(await refusal(`/venues?${query}`)).toMatchObject({ name, code });
  });
  test('sort=distance needs near', async () => {
    expect(await refusal('/events?sort=distance')).toMatchObject({ name: 'sort', code: 'needs_near' });
  });
});

describe('parameters that contradict each other', () => {
  const errorsOf = async (path: string) => (await api.ask(path)).json.errors.map(({ name }: { name: string }) => name);

  test('are reported beside all else that is wrong', async () => {
    expect(await errorsOf('/events?radius=5&limit=x&sort=distance&end_date=2020-01-01')).toEqual([
      'limit',
      'radius',
      'end_date',
      'sort',
    ]);
    expect(await errorsOf('/venues?radius=5&limit=x')).toEqual(['limit', 'radius']);
  });
  test('are none where one of them cannot be read', async () => {
    expect(await errorsOf('/events?radius=5&near=here&sort=distance')).toEqual(['near']);
    expect(await errorsOf('/venues?radius=5&near=here')).toEqual(['near']);
    expect(await errorsOf('/events?start_date=soon&end_date=2020-01-01')).toEqual(['start_date']);
  });
  test('are shown as they were sent', async () => {
    expect((await refusal('/events?start_date=2026-11-23&end_date=2026-11-22')).value).toBe('2026-11-22');
    expect((await refusal('/events?radius=00500')).value).toBe('00500');
    expect((await refusal('/venues?radius=00500')).value).toBe('00500');
  });
});

test('no reader takes long over a hostile string', async () => {
  const hostile = [
    '1'.repeat(12_000),
    `${'2026-'.repeat(2_400)}`,
    `${'a-'.repeat(6_000)}`,
    `${'0.'.repeat(6_000)}`,
    `${'1,'.repeat(6_000)}`,
    `${'%20'.repeat(4_000)}x`,
  ];
  for (const text of hostile) {
    for (const name of ['limit', 'start_date', 'venue_id', 'near', 'bbox', 'radius', 'category', 'q', 'x'.repeat(50)]) {
      const answer = await api.ask(`/events?${name}=${text}`, { prefer: 'handling=strict', accept: `${'a/b;'.repeat(900)},*/*` });
      expect([200, 400]).toContain(answer.status);
    }
  }
});
