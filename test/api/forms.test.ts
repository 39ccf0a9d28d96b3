import { brotliDecompressSync } from 'node:zlib';
import { parse as parseCsv } from 'csv-parse/sync';
import { parseAtomFeed, parseJsonFeed } from 'feedsmith';
import { afterAll, describe, expect, test } from 'vitest';
import { FORM_ROUTES } from '../../src/api/index.ts';
import { idOf } from '../support/fakes/directory.ts';
import { FAKE_KEYS } from '../support/fakes/gate.ts';
import { idsOf } from '../support/records/read-forms.ts';
import { createTestApi, PUBLIC_URL } from '../support/rigs/api.ts';

const api = createTestApi();
afterAll(() => api.close());

const extensionOf = (path: string) => path.slice(path.indexOf('.') + 1);

describe.each(
  FORM_ROUTES.map(({ path, form }) => ({ path, list: form!.of, contentType: form!.contentType, mediaType: form!.mediaType })),
)('$path', ({ path, list, contentType, mediaType }) => {
  test('answers the records of the list, with its type and a strong tag', async () => {
    for (const query of ['', '?limit=1', '?limit=2&offset=1', '?limit=7&offset=40', '?q=nothing&neighborhood=nowhere']) {
      const { json } = await api.ask(list + query);
      const answer = await api.accepted(path + query);
      expect(answer.headers['content-type']).toBe(contentType);
      expect(answer.headers.etag).toMatch(/^"[^"]+"$/);
      expect(answer.headers['cache-control']).toBe('private, max-age=30');
      expect(answer.headers.vary).toBe('Accept-Encoding, X-API-Key');
      expect(idsOf(extensionOf(path), answer.text)).toEqual(json.data.map(({ id }: { id: string }) => id));
    }
  });

  test('answers the same by Accept, and says that Accept decides', async () => {
    const named = await api.accepted(`${path}?limit=2`);
    const asked = await api.accepted(`${list}?limit=2`, { accept: mediaType });
    expect(asked.text).toBe(named.text);
    expect(asked.headers.etag).toBe(named.headers.etag);
    expect(asked.headers['content-type']).toBe(contentType);
    expect(asked.headers.vary).toBe('Accept, Accept-Encoding, X-API-Key');
    expect((await api.accepted(`${list}?limit=2`)).headers['content-type']).toBe('application/json; charset=utf-8');
  });

  test('wins over Accept by its extension', async () => {
    for (const accept of ['application/json', 'text/html', '*/*;q=0', 'image/png']) {
      expect((await api.accepted(path, { accept })).headers['content-type']).toBe(contentType);
    }
  });

  test('answers 304 to its tag and to that of each encoding', async () => {
    const path100 = `${path}?limit=100`;
    const plain = await api.accepted(path100);
    const packed = await api.accepted(path100, { 'accept-encoding': 'br' });
    if (packed.headers['content-encoding'] === 'br') {
      expect(packed.headers.etag).not.toBe(plain.headers.etag);
      expect(brotliDecompressSync(packed.bytes).toString()).toBe(plain.text);
    }
    for (const { etag = '' } of [plain.headers, packed.headers]) {
      const same = await api.ask(path100, { 'if-none-match': `"other", ${etag}` });
      expect(same.status).toBe(304);
      expect(same.headers.etag).toBe(etag);
      expect(same.text).toBe('');
    }
    expect((await api.ask(path100, { 'if-none-match': '"other"' })).status).toBe(200);
    expect((await api.ask(path100, { 'if-none-match': '*' })).status).toBe(304);
  });

  test('has a tag of its own for every question, because a document names its address', async () => {
    const one = await api.accepted(`${path}?limit=2`);
    const other = await api.accepted(`${path}?limit=2&radius=5&near=40.7,-74`);
    if (one.text !== other.text) expect(one.headers.etag).not.toBe(other.headers.etag);
    expect((await api.accepted(`${path}?limit=2`)).text).toBe(one.text);
    expect((await api.accepted(`${path}?limit=2&radius=5&near=40.7,-74`)).text).toBe(other.text);
  });

  test('is read by every tier with the limits of the list, metered once under its own name', async () => {
    const before = api.gate.used();
    const answer = await api.accepted(`${path}?limit=500`, { 'x-api-key': FAKE_KEYS.starter });
    expect(api.gate.used() - before).toBe(1);
    expect(api.gate.settled().at(-1)).toBe(`/api/v1${path} 200`);
    expect(answer.headers.link).toContain(`<${PUBLIC_URL}/api/v1${path}?limit=100&offset=0>; rel="first"`);
    for (const query of ['limit=0', 'limit=x', 'offset=-1', 'near=1', 'neighborhood=%00']) {
      expect((await api.ask(`${path}?${query}`)).status, query).toBe(400);
    }
    expect((await api.ask(`${path}?facets=day&fields=id&facets=day`, { prefer: 'handling=strict' })).status).toBe(400);
    const head = await api.ask(path, {}, 'HEAD');
    expect([head.status, head.text]).toEqual([200, '']);
  });
});

describe('Accept on a list', () => {
  const typeOf = async (accept: string, path = '/events') =>
    (await api.ask(path, { accept })).headers['content-type']?.split(';')[0];

  test.each([
    ['text/calendar', 'text/calendar'],
    ['TEXT/Calendar; charset=utf-8', 'text/calendar'],
    ['text/csv;q=0.5, application/rss+xml;q=0.6', 'application/rss+xml'],
    ['application/json;q=0.2, text/csv;q=0.3', 'text/csv'],
    ['text/csv, application/json', 'application/json'],
    ['text/csv, */*', 'application/json'],
    ['text/csv, */*;q=0.1', 'text/csv'],
    ['application/*', 'application/json'],
    ['application/json;q=0, application/geo+json', 'application/geo+json'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/json'],
    ['text/html, text/calendar;q=0.1', 'text/calendar'],
    ['nonsense', 'application/json'],
  ])('%s is answered as %s', async (accept, expected) => {
    expect(await typeOf(accept)).toBe(expected);
  });

  test.each(['text/html', 'application/xml', 'image/*', '*/*;q=0', 'text/csv;q=0'])('%s is 406', async (accept) => {
    for (const path of ['/events', '/venues']) {
      const answer = await api.ask(path, { accept });
      expect([answer.status, answer.json.code]).toEqual([406, 'not_acceptable']);
      expect(answer.headers.vary).toContain('Accept,');
      expect(answer.json.detail).toContain('application/geo+json');
    }
  });

  test('of venues knows no calendar, and of other paths nothing but JSON', async () => {
    expect((await api.ask('/venues', { accept: 'text/calendar' })).status).toBe(406);
    expect((await api.ask('/trending', { accept: 'text/csv' })).status).toBe(406);
    expect((await api.accepted('/trending')).headers.vary).toBe('Accept-Encoding, X-API-Key');
    expect((await api.accepted('/events')).headers.vary).toBe('Accept, Accept-Encoding, X-API-Key');
  });

  test('never mixes up the forms of one address, however often it is asked', async () => {
    const path = '/events?limit=3';
    for (let round = 0; round < 3; round += 1) {
      expect(JSON.parse((await api.accepted(path)).text).data).toHaveLength(3);
      expect((await api.accepted(path, { accept: 'text/calendar' })).text).toMatch(/^BEGIN:VCALENDAR/);
      expect((await api.accepted(path, { accept: 'text/csv' })).text).toMatch(/^id,title,/);
    }
  });
});

test.each([
  '/events.xml',
  '/events.json',
  '/events.ICS',
  '/events.',
  '/events.ics/',
  '/venues.ics',
  '/trending.csv',
  '/events.ics.csv',
])('%s is an unknown path', async (path) => {
  expect((await api.ask(path)).json).toMatchObject({ status: 404, code: 'unknown_route' });
});

describe('the document', () => {
  test('names its own address and the other pages', async () => {
    const address = `${PUBLIC_URL}/api/v1/events`;
    const feed = parseJsonFeed((await api.accepted('/events.feed.json?limit=5&offset=5&free=')).json);
    expect(feed.feed_url).toBe(`${address}.feed.json?limit=5&offset=5&free=`);
    const atom = parseAtomFeed((await api.accepted('/events.atom?limit=5&offset=5&q=a%26b')).text);
    const links = Object.fromEntries((atom.links ?? []).map(({ rel, href }) => [rel, href]));
    expect(links).toMatchObject({
      self: `${address}.atom?limit=5&offset=5&q=a%26b`,
      previous: `${address}.atom?q=a%26b&limit=5&offset=0`,
      next: `${address}.atom?q=a%26b&limit=5&offset=10`,
    });
    expect((await api.accepted('/events.ics?limit=5')).text).toContain(
      'DESCRIPTION:Part of the list of events in New York. At most 5 events\\;',
    );
  });

  test('follows its next links to the end and shows every event once', async () => {
    const seen: string[] = [];
    let path: string | undefined = '/events.csv?limit=7';
    while (path) {
      const { text, headers }: Awaited<ReturnType<typeof api.ask>> = await api.accepted(path);
      seen.push(...idsOf('csv', text));
      path = /<([^>]+)>; rel="next"/.exec(headers.link ?? '')?.[1]?.replace(`${PUBLIC_URL}/api/v1`, '');
    }
    expect(seen).toEqual(Array.from({ length: 45 }, (_, n) => idOf('e', n)));
  });

  test('takes the place, the status and the last change from the record', async () => {
    const text = (await api.accepted('/events.ics?limit=2')).text.replaceAll('\r\n ', '');
    expect(text).toContain('LOCATION:Hall 1\\, 1 Main St');
    expect(text).toContain('DTSTAMP:20260616T200000Z');
    expect([...text.matchAll(/^SEQUENCE:(\d)/gm)].map(([, n]) => n)).toEqual(['0', '1']);
  });

  test('begins with a byte order mark when a table is asked for one', async () => {
    for (const path of ['/events.csv', '/venues.csv']) {
      const plain = await api.accepted(`${path}?limit=1`);
      for (const bom of ['bom=1', 'bom=true', 'bom', 'bom=']) {
        const { bytes, text, headers } = await api.accepted(`${path}?limit=1&${bom}`);
        expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
        expect(headers.etag).not.toBe(plain.headers.etag);
        expect(parseCsv(text, { bom: true, columns: true })).toHaveLength(1);
      }
      expect((await api.accepted(`${path}?limit=1&bom=0`)).bytes[0]).toBe('i'.charCodeAt(0));
      expect((await api.ask(`${path}?bom=yes`)).status).toBe(400);
    }
  });

  test('shapes the records of GeoJSON and NDJSON as JSON is shaped', async () => {
    const query = '?limit=3&fields=title&include=status,score';
    const { data } = (await api.accepted(`/events${query}`)).json;
    const lines = (await api.accepted(`/events.ndjson${query}`)).text.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(data);
    const { features, meta } = (await api.accepted(`/events.geojson${query}`)).json;
    expect(features.map(({ properties }: { properties: unknown }) => properties)).toEqual(data);
    expect(features[0].geometry.coordinates).toEqual([-74, 40.7]);
    expect(meta).toEqual({ total: 45, limit: 3, offset: 0, hasMore: true });
  });
});
