/** How callers learn that something will go: headers of answers, the OpenAPI document. One engine is enough: no database is involved. */

import { afterAll, describe, expect, test } from 'vitest';
import { API_CHANGES, apiChangeAnchor, type Deprecation } from '../../src/api/index.ts';
import { idOf, MERGED_EVENT, UNKNOWN_ID } from '../support/fakes/directory.ts';
import { createTestApi, PUBLIC_URL } from '../support/rigs/api.ts';

const TRENDING: Deprecation = {
  path: '/trending',
  announced: '2027-01-01',
  ends: '2027-07-01',
  instead: 'Use `sort=trend` of `GET /events`.',
};
const RADIUS: Deprecation = {
  path: '/events',
  parameter: 'radius',
  announced: '2027-02-01',
  ends: '2028-02-01',
  instead: 'Use `bbox`.',
};
const NEAR: Deprecation = { ...RADIUS, parameter: 'near', announced: '2027-03-01', ends: '2027-12-01' };
const EVENT: Deprecation = { ...TRENDING, path: '/events/{id}' };

const api = createTestApi({ deprecations: [TRENDING, RADIUS, NEAR, EVENT] });
const plain = createTestApi();
afterAll(async () => {
  await api.close();
  await plain.close();
});

const linkTo = (anchor: string) => `<${PUBLIC_URL}/docs/deprecation#${anchor}>; rel="deprecation"; type="text/html"`;

describe('a deprecated endpoint', () => {
  test('says since when, until when and where to read on, with every answer', async () => {
    const first = await api.ask('/trending');
    expect(first.status).toBe(200);
    expect(first.headers).toMatchObject({
      deprecation: '@1798761600',
      sunset: 'Thu, 01 Jul 2027 00:00:00 GMT',
      link: linkTo('trending'),
    });
    expect(first.headers['access-control-expose-headers']).toMatch(/\bDeprecation, Sunset\b/);
    const unchanged = await api.ask('/trending', { 'if-none-match': first.headers.etag ?? '' });
    expect([unchanged.status, unchanged.headers.sunset]).toEqual([304, first.headers.sunset]);
    const refused = await api.ask('/trending?type=people');
    expect([refused.status, refused.headers.sunset, refused.headers.link]).toEqual([
      400,
      first.headers.sunset,
      first.headers.link,
    ]);
  });

  test('says it of merged and unknown records, too', async () => {
    for (const [id, status] of [[MERGED_EVENT, 301] as const, [UNKNOWN_ID, 404] as const, [idOf('e', 1), 200] as const]) {
      const answer = await api.ask(`/events/${id}`);
      expect([answer.status, answer.headers.deprecation, answer.headers.link]).toEqual([
        status,
        '@1798761600',
        linkTo('events-id'),
      ]);
    }
  });
});

describe('a deprecated parameter', () => {
  test('is told to those who use it, also in another form of the list', async () => {
    const { headers } = await api.accepted('/events?near=43.5,-87.8');
    expect(headers).toMatchObject({ deprecation: '@1803859200', sunset: 'Wed, 01 Dec 2027 00:00:00 GMT' });
    expect(headers.link).toMatch(/rel="first".*rel="last", <[^>]+#events-near>; rel="deprecation"/);
    expect((await api.accepted('/events.csv?near=43.5,-87.8')).headers.sunset).toBe(headers.sunset);
  });

  test('of several, the earliest dates are told', async () => {
    const { headers } = await api.accepted('/events?near=43.5,-87.8&radius=500');
    expect(headers).toMatchObject({ deprecation: '@1801440000', sunset: 'Wed, 01 Dec 2027 00:00:00 GMT' });
    expect([...(headers.link ?? '').matchAll(/#([a-z-]+)>; rel="deprecation"/g)].map(([, anchor]) => anchor)).toEqual([
      'events-radius',
      'events-near',
    ]);
  });

  test('nobody else hears of it', async () => {
    for (const path of ['/events', '/events?near=', '/venues?near=43.5,-87.8']) {
      const { headers } = await api.accepted(path);
      expect([headers.deprecation, headers.sunset], path).toEqual([undefined, undefined]);
      expect(headers.link).not.toContain('deprecation');
    }
  });
});

test('the OpenAPI document marks what is deprecated, with dates and replacement', async () => {
  const { paths } = (await api.askPlain('/openapi.json')).json;
  const { path: _path, ...notice } = TRENDING;
  expect(paths['/trending'].get).toMatchObject({ deprecated: true, 'x-deprecation': notice });
  expect(Object.keys(paths['/trending'].get.responses[200].headers)).toEqual(
    expect.arrayContaining(['Deprecation', 'Sunset', 'Link']),
  );
  for (const path of ['/events', '/events.csv']) {
    const { parameters, deprecated } = paths[path].get;
    const marked = parameters
      .filter((each: { deprecated?: boolean }) => each.deprecated)
      .map(({ name }: { name: string }) => name);
    expect([deprecated, marked], path).toEqual([undefined, ['near', 'radius']]);
  }
  expect((await plain.askPlain('/openapi.json')).text).not.toContain('"deprecated"');
});

test.each([
  ['/tracks, which is no endpoint', { ...TRENDING, path: '/tracks' }],
  ['genre, which is no parameter of /events', { ...RADIUS, parameter: 'genre' }],
  ['180 days after the notice', { ...TRENDING, ends: '2027-06-29' }],
  ['180 days after the notice', { ...TRENDING, ends: 'soon' }],
])('a table that is wrong starts no service: %s', (message, row) => {
  expect(() => createTestApi({ deprecations: [row] })).toThrow(message);
});

test('the changes are told with the latest first, each under its own anchor', () => {
  expect(API_CHANGES.length).toBeGreaterThan(5);
  expect(API_CHANGES.map(({ date }) => date)).toEqual(
    API_CHANGES.map(({ date }) => date)
      .sort()
      .reverse(),
  );
  expect(new Set(API_CHANGES.map(apiChangeAnchor)).size).toBe(API_CHANGES.length);
  for (const { date, text } of API_CHANGES) {
    expect(new Date(date).toISOString().slice(0, 10)).toBe(date);
    expect(text).toMatch(/\.$/);
  }
});
