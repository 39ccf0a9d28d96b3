import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FetchOutcome, type Outbound, openOutbound } from '../../src/outbound/index.ts';
import { type EvilOrigin, openEvilOrigin, reply } from '../support/network/evil-origin.ts';

const NOW = Date.parse('2026-06-16T12:00:00Z');
const KB = 1024;
/** Does not become smaller. */
const noise = randomBytes(600 * KB);

let origin: EvilOrigin;
let outbound: Outbound;
/** Gives up at once where the answer never comes; the other one waits for a slow machine. */
let hasty: Outbound;
beforeAll(async () => {
  origin = await openEvilOrigin({
    '/tagged': (socket, { headers }) => {
      const isKnown = headers['if-none-match'] === 'W/"v1"' || headers['if-modified-since'] === 'yesterday, perhaps';
      const tags = { etag: 'W/"v1"', 'last-modified': 'yesterday, perhaps', 'cache-control': 'max-age=315360000' };
      reply(socket, isKnown ? { status: 304 } : { headers: tags, body: 'new' });
    },
    '/odd-tags': (socket) => reply(socket, { headers: { etag: `"${'x'.repeat(2_000)}"`, 'last-modified': 'Caf\xe9' } }),
    '/always-304': (socket) => reply(socket, { status: 304 }),
    '/gzip-noise': (socket) => reply(socket, { headers: { 'content-encoding': 'gzip' }, body: gzipSync(noise) }),
  });
});
afterAll(() => origin.close());
beforeEach(() => {
  origin.seen.length = 0;
  const open = (headersMs: number, totalMs: number) =>
    openOutbound({
      allowedHosts: [`127.0.0.1:${origin.port}`],
      now: () => NOW,
      limits: { headersMs, totalMs, bodyBytes: 2_000 * KB, codedBytes: 400 * KB },
    });
  outbound = open(PATIENCE_MS, PATIENCE_MS);
  hasty = open(300, PATIENCE_MS);
});
afterEach(() => Promise.all([outbound.close(), hasty.close()]));
const PATIENCE_MS = 120_000;

const get = (path: string, more: object = {}) => outbound.fetch({ url: origin.url + path, ...more });
const text = (outcome: FetchOutcome) => (outcome.ok === true ? Buffer.from(outcome.body).toString() : outcome);

describe('an answer', () => {
  it.each([
    ['/fine', 'fine'],
    ['/empty', ''],
    ['/no-length', 'until the end'],
    ['/chunked', 'one two'],
    ['/gzip', 'folded'],
    ['/one-hint', 'after a hint'],
    ['/hops?left=2', 'fine'],
  ])('of %s is read', async (path, body) => {
    expect(text(await get(path))).toBe(body);
  });

  it('comes with its type, its tags and the address that gave it', async () => {
    expect(await get('/fine')).toMatchObject({ status: 200, contentType: 'text/plain', url: `${origin.url}/fine` });
    expect(await get('/hops?left=1')).toMatchObject({ url: `${origin.url}/fine` });
    expect(await get('/tagged')).toMatchObject({ etag: 'W/"v1"', lastModified: 'yesterday, perhaps' });
    expect(await get('/odd-tags')).toMatchObject({ ok: true, etag: null, lastModified: null });
  });

  it('that is too large comes cut where any body will do, compressed or not', async () => {
    expect(await get('/gzip-noise')).toMatchObject({ ok: false, code: 'too_large' });
    const outcome = await get('/gzip-noise', { anyBody: true });
    const body = outcome.ok === true ? Buffer.from(outcome.body) : Buffer.alloc(0);
    expect(body.length).toBeGreaterThan(300 * KB);
    expect(body.equals(noise.subarray(0, body.length))).toBe(true);
    expect(await get('/zeros', { anyBody: true })).toMatchObject({ ok: true, status: 200 });
  });

  it('is asked for by name, with what the caller adds, and with gzip as the only coding', async () => {
    await outbound.fetch({
      url: `${origin.url}/fine?a=b`,
      method: 'POST',
      accept: 'text/plain',
      headers: { Authorization: 'Bearer k', Host: 'elsewhere', 'Content-Length': '3', 'Accept-Encoding': 'br' },
      body: Buffer.from('hello'),
    });
    expect(origin.seen).toEqual([
      {
        method: 'POST',
        path: '/fine?a=b',
        headers: {
          host: `127.0.0.1:${origin.port}`,
          authorization: 'Bearer k',
          'user-agent': 'Marquee',
          accept: 'text/plain',
          'accept-encoding': 'gzip',
          connection: 'close',
          'content-length': '5',
        },
        body: 'hello',
      },
    ]);
  });
});

describe('a hostile answer', () => {
  it.each<[string, string, string, string]>([
    ['an endless body', '/zeros', 'too_large', '127.0.0.1 sent more than 2000 KiB'],
    ['a body of 10 GB, as declared', '/declared', 'too_large', '127.0.0.1 sent more than 2000 KiB'],
    ['an endless body of gzip', '/gzip-zeros', 'too_large', '127.0.0.1 sent more than 400 KiB'],
    ['a bomb of gzip', '/bomb', 'too_large', '127.0.0.1 sent a body that decompresses to more than 100 times its size'],
    ['a bomb of brotli', '/bomb-br', 'encoding', '127.0.0.1 sent a content coding that was not requested'],
    ['a bomb of deflate', '/bomb-deflate', 'encoding', '127.0.0.1 sent a content coding that was not requested'],
    ['a bomb in a bomb', '/nested', 'encoding', '127.0.0.1 sent a content coding that was not requested'],
    ['two codings', '/twice', 'encoding', '127.0.0.1 sent a content coding that was not requested'],
    [
      'gzip that is none',
      '/not-gzip',
      'encoding',
      '127.0.0.1 sent a body that is not what its Content-Encoding says (Z_DATA_ERROR)',
    ],
    ['half of gzip', '/half-gzip', 'encoding', '127.0.0.1 sent a body that is not what its Content-Encoding says (Z_BUF_ERROR)'],
    ['headers of 1 MB', '/big-headers', 'too_large', '127.0.0.1 sent too many headers (HPE_HEADER_OVERFLOW)'],
    ['a flood of headers', '/many-headers', 'too_large', '127.0.0.1 sent too many headers (HPE_HEADER_OVERFLOW)'],
    ['endless 100 Continue', '/continue', 'not_http', '127.0.0.1 sends no final response'],
    ['a flood of 103 Early Hints', '/hints', 'not_http', '127.0.0.1 sends no final response'],
    ['another protocol', '/smtp', 'not_http', '127.0.0.1 does not speak HTTP (HPE_INVALID_CONSTANT)'],
    ['a switch of protocols', '/upgrade', 'status', '127.0.0.1 answered with status 101'],
    [
      'a connection cut at once',
      '/hang-up',
      'unreachable',
      '127.0.0.1 could not be reached, or closed the connection (ECONNRESET)',
    ],
    ['a body cut short', '/broken', 'unreachable', '127.0.0.1 could not be reached, or closed the connection (ECONNRESET)'],
    [
      'a chunk cut short',
      '/broken-chunk',
      'unreachable',
      '127.0.0.1 could not be reached, or closed the connection (ECONNRESET)',
    ],
  ])('%s is an outcome', async (_, path, code, detail) => {
    expect(await get(path)).toMatchObject({ ok: false, code, detail, retryAfterMs: null });
  });

  it('a body that never ends is an outcome', async () => {
    const brief = openOutbound({ allowedHosts: [`127.0.0.1:${origin.port}`], limits: { headersMs: PATIENCE_MS, totalMs: 600 } });
    const detail = '127.0.0.1 did not finish within 0.6 s';
    expect(await brief.fetch({ url: `${origin.url}/drip` })).toMatchObject({ ok: false, code: 'timeout', detail });
    // On a busy machine the body may not have begun by then.
    const begin = async () => {
      const begun = await brief.fetch({ url: `${origin.url}/drip`, anyBody: true });
      return { ...begun, text: text(begun) };
    };
    await expect.poll(begin).toMatchObject({ ok: true, status: 200, bodyFault: detail, text: expect.stringMatching(/^0+$/) });
    await brief.close();
  });

  it.each([
    ['no headers', '/silent'],
    ['headers that never end', '/drip-headers'],
  ])('%s is an outcome', async (_, path) => {
    const detail = '127.0.0.1 sent no headers within 0.3 s';
    expect(await hasty.fetch({ url: origin.url + path })).toMatchObject({ ok: false, code: 'timeout', detail });
  });

  it('leaves no connection and no memory behind', async () => {
    const before = process.memoryUsage().arrayBuffers;
    // Other files of this process may keep connections to their databases.
    const sockets = () => process.getActiveResourcesInfo().filter((each) => each.startsWith('TCPSocket')).length;
    const open = sockets();
    for (let round = 0; round < 5; round++)
      await Promise.all(['/zeros', '/gzip-zeros', '/bomb', '/declared'].map((path) => get(path)));
    await expect.poll(() => process.memoryUsage().arrayBuffers - before).toBeLessThan(100_000 * KB);
    await expect.poll(sockets).toBeLessThanOrEqual(open);
  });

  it('does not decide how long its answer is kept, and is asked whether it has changed', async () => {
    expect(await get('/tagged', { etag: 'W/"v1"' })).toEqual({ ok: 'unchanged' });
    expect(await get('/tagged', { lastModified: 'yesterday, perhaps' })).toEqual({ ok: 'unchanged' });
    expect(text(await get('/tagged', { etag: '"v0"', lastModified: 'Mon, 01 Jan 2024 00:00:00 GMT' }))).toBe('new');
    expect(text(await get('/tagged', { etag: 'bad\r\nX-Injected: 1' }))).toBe('new');
    expect(origin.seen.at(-1)?.headers).not.toHaveProperty('x-injected');
    expect(await get('/always-304')).toMatchObject({ ok: false, code: 'status', status: 304 });
  });

  it.each([200, 301, 400, 401, 403, 404, 410, 429, 500, 503])('of status %d says so and nothing of its body', async (code) => {
    const outcome = await get(`/status?code=${code}`);
    if (code === 200) return expect(text(outcome)).toBe('internal secret');
    expect(outcome).toEqual({
      ok: false,
      code: 'status',
      status: code,
      retryAfterMs: null,
      detail: `127.0.0.1 answered with status ${code}`,
    });
  });

  it.each([
    ['120', 120_000],
    ['0', 0],
    ['31536000', 86_400_000],
    ['99999999999999999999', 86_400_000],
    ['Tue, 16 Jun 2026 12:01:00 GMT', 60_000],
    ['Wed, 16 Jun 2027 12:00:00 GMT', 86_400_000],
    ['Tue, 16 Jun 2026 11:00:00 GMT', 0],
    ['Tue, 99 Jun 2026 11:00:00 GMT', null],
    ['1 y', null],
    ['-5', null],
    ['1.5', null],
    ['', null],
    ['soon', null],
  ])('that asks for patience of %j is given %d ms', async (after, retryAfterMs) => {
    expect(await get(`/status?code=503&after=${encodeURIComponent(after)}`)).toMatchObject({ status: 503, retryAfterMs });
  });

  it('never shows a key that was sent in an address', async () => {
    for (const path of ['/status?code=500&key=k-123', '/loop?key=k-123', '/silent?key=k-123'])
      expect(JSON.stringify(await hasty.fetch({ url: origin.url + path }))).not.toContain('k-123');
    expect(JSON.stringify(await outbound.fetch({ url: 'http://127.0.0.1:9/?key=k-123' }))).not.toContain('k-123');
  });
});

describe('a request', () => {
  it('that cannot be sent is an outcome', async () => {
    expect(await get('/fine', { headers: { authorization: 'Bearer k-123\n' } })).toEqual({
      ok: false,
      code: 'bad_request',
      retryAfterMs: null,
      detail: '127.0.0.1 cannot be sent these headers (ERR_INVALID_CHAR)',
    });
  });

  it('to a closed port is an outcome', async () => {
    const closed = await openEvilOrigin();
    await closed.close();
    const other = openOutbound({ allowedHosts: [`127.0.0.1:${closed.port}`] });
    expect(await other.fetch({ url: closed.url })).toMatchObject({
      code: 'unreachable',
      detail: expect.stringContaining('ECONNREFUSED'),
    });
    await other.close();
  });

  it('is stopped by its caller, in line or under way', async () => {
    const stop = new AbortController();
    const asked = Array.from({ length: 5 }, () => get('/drip', { signal: stop.signal }));
    await expect.poll(() => origin.seen.length).toBe(2);
    stop.abort();
    expect(new Set((await Promise.all(asked)).map((outcome) => outcome.ok === false && outcome.code))).toEqual(
      new Set(['stopped']),
    );
    expect(origin.seen).toHaveLength(2);
  });

  it('is stopped when all is closed, and refused after', async () => {
    const asked = get('/drip');
    await expect.poll(() => origin.seen.length).toBe(1);
    await outbound.close();
    expect(await asked).toMatchObject({ code: 'stopped' });
    expect(await get('/fine')).toMatchObject({ code: 'stopped' });
  });

  it('waits for its turn at a host that is slow, while other hosts answer at once', async () => {
    const held: (() => void)[] = [];
    let answered = 0;
    let most = 0;
    const slow = await openEvilOrigin({
      '/': (socket) => {
        held.push(() => reply(socket, { body: String(++answered) }));
        most = Math.max(most, held.length - answered);
      },
    });
    const both = openOutbound({
      allowedHosts: [`slow.test:${slow.port}`, `127.0.0.1:${origin.port}`],
      lookup: async () => [{ address: '127.0.0.1', family: 4 }],
    });
    const asked = Array.from({ length: 6 }, () => both.fetch({ url: `http://slow.test:${slow.port}/` }));
    await expect.poll(() => held.length).toBe(2);
    expect(text(await both.fetch({ url: `${origin.url}/fine` }))).toBe('fine');
    expect(held).toHaveLength(2);
    for (let at = 0; at < 6; at++) {
      await expect.poll(() => held.length).toBeGreaterThan(at);
      held[at]?.();
    }
    expect((await Promise.all(asked)).map(text)).toHaveLength(6);
    expect(most).toBe(2);
    await Promise.all([both, slow].map((each) => each.close()));
  });
});
