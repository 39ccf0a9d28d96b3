import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { idOf, MERGED_EVENT, MERGED_VENUE, REMOVED_EVENT, UNKNOWN_ID } from '../support/fakes/directory.ts';
import { createTestApi, PUBLIC_URL } from '../support/rigs/api.ts';

const api = createTestApi();
afterAll(() => api.close());

/** rel → path and query below the prefix. */
function linksOf(header: string | undefined): Record<string, string> {
  const links = [...(header ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)];
  return Object.fromEntries(links.map(([, url = '', rel = '']) => [rel, url.replace(`${PUBLIC_URL}/api/v1`, '')]));
}

describe('lists', () => {
  test('meta has exactly its four keys', async () => {
    for (const path of ['/events', '/venues', `/venues/${idOf('a', 1)}/events`]) {
      const { json } = await api.ask(path);
      expect(Object.keys(json)).toEqual(['data', 'meta']);
      expect(Object.keys(json.meta)).toEqual(['total', 'limit', 'offset', 'hasMore']);
    }
    expect((await api.ask('/neighborhoods')).json.meta).toEqual({ total: 2 });
    expect((await api.ask('/trending')).json.meta).toEqual({ generatedAt: '2026-06-16T19:59:58Z', window: '7d' });
  });

  test('following next shows every record once, and hasMore says when to stop', async () => {
    const seen: string[] = [];
    let path: string | undefined = '/events?limit=7&free=0';
    while (path) {
      const { json, headers }: Awaited<ReturnType<typeof api.ask>> = await api.ask(path);
      seen.push(...json.data.map(({ id }: { id: string }) => id));
      path = linksOf(headers.link).next;
      expect(json.meta.hasMore).toBe(path !== undefined);
    }
    expect(seen).toEqual(Array.from({ length: 45 }, (_, n) => idOf('e', n)));
  });

  test.each([
    ['/events?limit=20', { first: 0, next: 20, last: 40 }],
    ['/events?limit=20&offset=20', { first: 0, prev: 0, next: 40, last: 40 }],
    ['/events?limit=20&offset=5', { first: 0, prev: 0, next: 25, last: 40 }],
    ['/events?limit=20&offset=40', { first: 0, prev: 20, last: 40 }],
    ['/events?limit=20&offset=45', { first: 0, prev: 25, last: 40 }],
    ['/events?limit=20&offset=4500', { first: 0, prev: 40, last: 40 }],
    ['/events?limit=45', { first: 0, last: 0 }],
    ['/events?neighborhood=nowhere&limit=20', { first: 0, last: 0 }],
    ['/events?neighborhood=nowhere&limit=20&offset=10', { first: 0, prev: 0, last: 0 }],
  ])('%s has the links %o', async (path, offsets) => {
    const links = linksOf((await api.ask(path)).headers.link);
    expect(Object.fromEntries(Object.entries(links).map(([rel, url]) => [rel, Number(/offset=(\d+)$/.exec(url)?.[1])]))).toEqual(
      offsets,
    );
  });

  test('links keep what shaped the answer, re-encoded, and nothing else', async () => {
    const { headers } = await api.ask(
      '/events?q=caf%C3%A9+%26+more&free&foo=secret&limit=500&category=concert,art&neighborhood=',
    );
    expect(linksOf(headers.link).first).toBe('/events?q=caf%C3%A9%20%26%20more&free=&category=concert%2Cart&limit=100&offset=0');
    const venue = await api.ask(`/venues/${idOf('a', 1).toUpperCase()}/events?limit=1`);
    expect(linksOf(venue.headers.link).next).toBe(`/venues/${idOf('a', 1)}/events?limit=1&offset=1`);
    expect((await api.ask('/neighborhoods')).headers.link).toBeUndefined();
  });

  test('what a word was read as is said in ASCII', async () => {
    api.directory.interpret('madona', 'madonna');
    api.directory.interpret('bjö', 'bjö*');
    const { headers } = await api.ask('/events?q=madona+bj%C3%B6');
    expect(headers['x-search-interpretation']).toBe('madona=madonna, bj%C3%B6=bj%C3%B6*');
    expect((await api.ask('/events?q=madonna')).headers['x-search-interpretation']).toBeUndefined();
  });
});

describe('include, fields and facets', () => {
  const keys = async (path: string) => Object.keys((await api.ask(path)).json.data[0] ?? {});
  test('the documented keys stand alone unless more is asked for', async () => {
    const plain = await keys('/events?limit=1');
    expect(plain).not.toContain('status');
    expect(await keys('/events?limit=1&include=status,score,status')).toEqual([...plain, 'status', 'score']);
    expect((await api.ask('/events?limit=1&include=score')).json.data[0].score.signals[0].sentence).toBe('It has an image.');
  });
  test('fields keeps what it names, id always, in the documented order; it may name an extra', async () => {
    expect(await keys('/events?limit=1&fields=url,title')).toEqual(['id', 'title', 'url']);
    const some = ['id', 'slug', 'category', 'venue', 'url'];
    expect(await keys('/events?limit=1&fields=url,slug,category,venue')).toEqual(some);
    expect(await keys('/events?limit=1&fields=tags,id')).toEqual(['id', 'tags']);
    expect(await keys('/events?limit=1&fields=title&include=currency')).toEqual(['id', 'title', 'currency']);
    expect(await keys(`/venues/${idOf('a', 0)}/events?limit=1&fields=title&include=status`)).toEqual(['id', 'title', 'status']);
  });
  test('one event takes both too', async () => {
    const { json } = await api.ask(`/events/${idOf('e', 3)}?fields=title,venue&include=updatedAt,tags`);
    expect(Object.keys(json.data)).toEqual(['id', 'title', 'venue', 'tags', 'updatedAt']);
    expect(json.data.venue.address).toBe('0 Main St');
    const whole = await api.ask(`/events/${idOf('e', 3)}?include=tags`);
    expect(whole.json).toEqual((await api.ask(`/events/${idOf('e', 3)}`)).json);
  });
  test.each(['/venues?limit=2', `/venues/${idOf('a', 1)}?`])('%s with and without include are two answers', async (path) => {
    const precisions = async (query: string) =>
      [(await api.ask(path + query)).json.data].flat().map(({ locationPrecision }) => locationPrecision);
    for (const _ of ['first', 'again']) {
      expect(new Set(await precisions(''))).toEqual(new Set([undefined]));
      expect(new Set(await precisions('&include=locationPrecision'))).toEqual(new Set(['exact']));
    }
  });
  test('facets stand in meta', async () => {
    const { json } = await api.ask('/events?facets=category');
    expect(json.meta.facets).toEqual({ category: [{ value: 'concert', count: 5 }] });
  });
});

describe('single records', () => {
  test('merged: 301 with body and Location, the parameters kept', async () => {
    const event = await api.ask(`/events/${MERGED_EVENT}?fields=title&x=1`);
    expect(event.status).toBe(301);
    expect(event.headers.location).toBe(`${PUBLIC_URL}/api/v1/events/${idOf('e', 1)}?fields=title`);
    expect(event.json).toEqual({ data: { id: idOf('e', 1), location: event.headers.location } });
    expect(event.headers['x-ratelimit-limit']).toBe('100000');
    expect((await api.ask(`/venues/${MERGED_VENUE}`)).headers.location).toBe(`${PUBLIC_URL}/api/v1/venues/${idOf('a', 1)}`);
    const list = await api.ask(`/venues/${MERGED_VENUE}/events?limit=3`);
    expect(list.headers.location).toBe(`${PUBLIC_URL}/api/v1/venues/${idOf('a', 1)}/events?limit=3`);
  });
  test('records that share a tag are not mixed up', async () => {
    for (const n of [1, 2, 1]) expect((await api.ask(`/events/${idOf('e', n)}`)).json.data.id).toBe(idOf('e', n));
    for (const n of [1, 2, 1]) expect((await api.ask(`/venues/${idOf('a', n)}`)).json.data.id).toBe(idOf('a', n));
  });
  test('removed: 410; unknown: 404', async () => {
    expect((await api.ask(`/events/${REMOVED_EVENT}`)).json).toMatchObject({ status: 410, code: 'gone' });
    for (const path of [`/events/${UNKNOWN_ID}`, `/venues/${UNKNOWN_ID}`, `/venues/${UNKNOWN_ID}/events`]) {
      expect((await api.ask(path)).json).toMatchObject({ status: 404, code: 'not_found' });
    }
  });
});

describe('caching', () => {
  const PATHS = [
    '/events',
    '/events?fields=title',
    '/venues',
    `/events/${idOf('e', 1)}`,
    `/venues/${idOf('a', 1)}`,
    '/neighborhoods',
    '/trending',
  ];
  test.each(PATHS)('%s has a weak ETag, which answers 304 with the same headers', async (path) => {
    const { headers } = await api.ask(path);
    expect(headers.etag).toMatch(/^W\/"[\w-]+"$/);
    expect(headers['cache-control']).toBe('private, max-age=30');
    // Lists come in other forms by `Accept`.
    const negotiated = /^\/(events|venues)(\?|$)/.test(path) ? 'Accept, ' : '';
    expect(headers.vary).toBe(`${negotiated}Accept-Encoding, X-API-Key`);
    const before = api.gate.used();
    const again = await api.ask(path, { 'if-none-match': headers.etag ?? '' });
    expect(again.status).toBe(304);
    expect(again.text).toBe('');
    expect(api.gate.used() - before).toBe(1);
    for (const name of [
      'etag',
      'cache-control',
      'vary',
      'link',
      'access-control-allow-origin',
      'x-ratelimit-limit',
      'x-ratelimit-reset',
    ]) {
      expect(again.headers[name], name).toBe(headers[name]);
    }
    expect(again.headers['content-length']).toBeUndefined();
  });
  test('what shapes the bytes shapes the tag', async () => {
    const paths = [
      '/events',
      '/events?limit=21',
      '/events?limit=20&offset=1',
      '/events?free',
      '/events?fields=title',
      '/events?include=status',
      '/events?facets=free',
    ];
    const tags = await Promise.all(paths.map(async (path) => (await api.ask(path)).headers.etag));
    expect(new Set(tags).size).toBe(paths.length);
    expect((await api.ask('/trending?type=events')).headers.etag).not.toBe((await api.ask('/trending')).headers.etag);
  });
  test('If-None-Match is read as RFC 9110 says', async () => {
    const { headers } = await api.ask('/events');
    const tag = headers.etag ?? '';
    const strong = tag.slice(2);
    const many = Array.from({ length: 900 }, (_, n) => `"t${n}"`).join(',');
    for (const value of ['*', tag, strong, `"a", ${tag}`, `W/"a",${strong}  ,"b"`, `,, ${tag},`, `${many},${tag}`]) {
      expect((await api.ask('/events', { 'if-none-match': value })).status, value.slice(0, 60)).toBe(304);
    }
    for (const value of [
      '',
      '"x"',
      'nonsense',
      `${tag} junk`,
      tag.slice(0, -1),
      `w/${strong}`,
      `x${tag}`,
      `"${strong}`,
      '**',
      many,
    ]) {
      expect((await api.ask('/events', { 'if-none-match': value })).status, value.slice(0, 60)).toBe(200);
    }
  });
});

describe('compression', () => {
  const DECODERS = { br: brotliDecompressSync, zstd: zstdDecompressSync, gzip: gunzipSync };
  test.each(['br', 'zstd', 'gzip'] as const)('%s when asked for, the same bytes, the same tag', async (encoding) => {
    const plain = await api.ask('/events');
    const packed = await api.ask('/events', { 'accept-encoding': encoding });
    expect(packed.headers['content-encoding']).toBe(encoding);
    expect(packed.headers.etag).toBe(plain.headers.etag);
    expect(packed.headers.vary).toContain('Accept-Encoding');
    expect(Number(packed.headers['content-length'])).toBe(packed.bytes.length);
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length);
    expect(DECODERS[encoding](packed.bytes).equals(plain.bytes)).toBe(true);
    const head = await api.ask('/events', { 'accept-encoding': encoding }, 'HEAD');
    expect(head.headers['content-encoding']).toBe(encoding);
    expect(head.headers['content-length']).toBe(packed.headers['content-length']);
    expect(head.bytes.length).toBe(0);
  });
  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['br;q=0, *', 'zstd'],
    ['*', 'br'],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['identity', undefined],
    ['identity;q=1, gzip;q=0.5', undefined],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['gzip;q=0', undefined],
    ['deflate', undefined],
    ['', undefined],
  ])('Accept-Encoding: %s → %s', async (accepted, encoding) => {
    expect((await api.ask('/events', { 'accept-encoding': accepted })).headers['content-encoding']).toBe(encoding);
  });
  test.each(['br', 'zstd', 'gzip'] as const)('%s of a long refusal too', async (encoding) => {
    const query = ['limit', 'offset', 'venue_id', 'start_date', 'end_date', 'near', 'bbox', 'sort', 'category', 'status'];
    const path = `/events?${query.map((name) => `${name}=%zz`).join('&')}`;
    const packed = await api.ask(path, { 'accept-encoding': encoding });
    expect([packed.status, packed.headers['content-encoding']]).toEqual([400, encoding]);
    expect(JSON.parse(DECODERS[encoding](packed.bytes).toString()).errors).toHaveLength(query.length);
  });
  test('a small body is sent as it is', async () => {
    expect((await api.ask('/events?limit=1', { 'accept-encoding': 'br' })).headers['content-encoding']).toBeUndefined();
    expect((await api.ask('/events?limit=x', { 'accept-encoding': 'br' })).headers['content-encoding']).toBeUndefined();
  });
});

test('a browser may read the headers that matter', async () => {
  const exposed =
    (await api.ask('/events', { origin: 'https://elsewhere.example' })).headers['access-control-expose-headers'] ?? '';
  for (const name of [
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Per-Minute',
    'X-RateLimit-Reset',
    'ETag',
    'Link',
    'Retry-After',
    'X-Request-Id',
    'Age',
  ]) {
    expect(exposed.split(', ')).toContain(name);
  }
  const preflight = await api.ask('/no/such/path', null, 'OPTIONS');
  expect(preflight.status).toBe(204);
});

test('every request has an id of its own', async () => {
  const ids = await Promise.all(
    Array.from({ length: 50 }, async () => (await api.ask('/events?limit=1')).headers['x-request-id']),
  );
  expect(new Set(ids).size).toBe(50);
  expect([...ids].sort()).toEqual(ids);
});

test('usage tells the caller what is used', async () => {
  const { json } = await api.ask('/usage');
  expect(json.data.tier).toBe('enterprise');
  expect(json.data.day).toMatchObject({ limit: 100_000, resetsAt: '2026-06-17T00:00:00Z' });
  expect(Object.keys(json.data)).toEqual(['tier', 'day', 'minute', 'days']);
  expect(Object.keys(json.data.minute)).toEqual(['limit', 'used', 'remaining']);
});
