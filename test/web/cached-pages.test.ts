/**
 * Pages that are equal for all signed-out readers come as finished bytes from the serving thread. One engine is enough: the pages
 * come from the memory of the service.
 */

import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importBundle } from '../../src/ingest/index.ts';
import { readCity } from '../../src/records/index.ts';
import { type BrowserRequest, cachePages, type PageResponse } from '../../src/web/index.ts';
import { openSite, type Site } from '../support/rigs/site.ts';
import { PATIENCE_MS, until } from '../support/runs/patience.ts';

const PATHS = ['/', '/developers', '/pricing', '/docs', '/docs/errors'];

describe('a cached page', () => {
  let site: Site;
  beforeAll(async () => {
    // Frozen only where no page needs it.
    site = await openSite({ faulty: true, pagesPatienceMs: PATIENCE_MS });
    for (const path of PATHS) await held(path);
  });
  afterAll(() => site?.close());

  const read = (path: string, headers: Record<string, string> = {}) =>
    site.ask(path, { headers: { accept: 'text/html', ...headers } });
  /** It is there from a moment after it was first asked for. */
  const held = (path: string, headers: Record<string, string> = {}) =>
    until(async () => {
      const answer = await read(path, headers);
      expect(answer.headers.get('etag')).toMatch(/^W\/"/);
      return answer;
    });

  test.each(PATHS)('%s has a tag, and none of its bytes are sent to who has them', async (path) => {
    const first = await held(path);
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    expect(first.headers.get('content-security-policy')).toContain("script-src 'self';");
    expect(await first.text()).not.toMatch(/<script|nonce=/);
    const again = await read(path, { 'if-none-match': first.headers.get('etag') ?? '' });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  test('is compressed as its reader likes', async () => {
    await held('/docs');
    const raw = async (encoding: string) => {
      const { request } = await import('node:http');
      return new Promise<{ encoding: string | undefined; bytes: Buffer }>((resolve, reject) => {
        request(`${site.url}/docs`, { headers: { 'accept-encoding': encoding }, agent: false }, async (answer) => {
          resolve({ encoding: answer.headers['content-encoding'], bytes: Buffer.concat(await answer.toArray()) });
        })
          .on('error', reject)
          .end();
      });
    };
    const plain = (await raw('identity')).bytes.toString();
    for (const [encoding, open] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
      ['zstd', zstdDecompressSync],
    ] as const) {
      const answer = await raw(encoding);
      expect([answer.encoding, open(answer.bytes).toString() === plain]).toEqual([encoding, true]);
    }
  });

  test('keeps the colors of its reader, and is nobody’s who is signed in', async () => {
    expect(await (await held('/', { cookie: 'theme=dark' })).text()).toContain('data-theme="dark"');
    expect(await (await held('/')).text()).toContain('data-theme="auto"');
    const { cookie } = await site.signIn({ email: 'reads@example.org' });
    const own = await read('/', { cookie });
    expect([own.headers.get('etag'), own.headers.get('cache-control')]).toEqual([null, 'private, no-store']);
    expect(await own.text()).toContain('href="/dashboard"');
    expect(await (await held('/')).text()).not.toContain('href="/dashboard"');
  });

  test('has the language of its reader', async () => {
    const german = await held('/', { 'accept-language': 'de-AT,en;q=0.8' });
    expect(german.headers.get('vary')).toBe('Accept-Encoding, Cookie, Accept-Language');
    expect(await german.text()).toContain('data-language="de"');
    expect(await (await held('/', { cookie: 'language=fr', 'accept-language': 'de' })).text()).toContain('data-language="fr"');
    expect(await (await held('/')).text()).toContain('data-language="en"');
  });

  test('follows the directory, without a request that waits for it', async () => {
    const city = await readCity(site.store.db);
    const center = { latitude: city?.latitude, longitude: city?.longitude };
    await importBundle({ store: site.store, bundle: { city: { ...city, center, name: 'Port Elder' } } });
    for (const path of PATHS) await until(async () => expect(await (await held(path)).text()).toContain('Port Elder'));
  });

  test('needs no database', async () => {
    site.database?.freeze();
    for (const path of PATHS) expect((await read(path)).status).toBe(200);
    expect((await held('/')).status).toBe(200);
    site.database?.thaw();
  });
});

describe('holding pages', () => {
  test('makes a page once for any number of readers, again when it may show something else, and keeps it when that fails', async () => {
    const asked: BrowserRequest[] = [];
    const state = { edition: 1, now: 0, text: 'first', fails: false };
    const pages = cachePages(
      {
        async answer(question): Promise<PageResponse> {
          asked.push(question);
          if (state.fails) throw new Error('a fault');
          return { status: 200, headers: [['content-type', 'text/html']], body: Buffer.from(state.text) };
        },
        end: () => undefined,
      },
      {
        edition: () => state.edition,
        now: () => state.now,
        publicUrl: 'http://127.0.0.1',
        log: { warn: () => undefined } as never,
        lookEveryMs: 5,
        leastAgeMs: 0,
      },
    );
    const question: BrowserRequest = {
      requestId: 'r',
      method: 'GET',
      target: '/',
      headers: {},
      body: null,
      address: '',
    };
    const text = async () => {
      const answer = await pages.answer(question);
      return Buffer.from((answer as { body: Uint8Array }).body).toString();
    };
    // From the start on, in every language, before anybody has asked.
    await until(() => expect(asked.map(languageCookie).sort()).toEqual(['de', 'en', 'es', 'fr']));
    await until(async () => {
      const before = asked.length;
      await text();
      expect(asked).toHaveLength(before);
    });
    const made = asked.length;
    for (let reader = 0; reader < 100; reader += 1) expect(await text()).toBe('first');
    expect(asked).toHaveLength(made);
    state.text = 'second';
    state.edition = 2;
    await until(async () => expect(await text()).toBe('second'));
    state.text = 'third';
    state.now = 60_000;
    await until(async () => expect(await text()).toBe('third'));
    state.fails = true;
    state.edition = 3;
    const before = asked.length;
    await until(() => expect(asked.length).toBeGreaterThan(before));
    expect(await text()).toBe('third');
    pages.close();
  });
});

const languageCookie = ({ headers }: BrowserRequest) => /language=(\w+)/.exec(headers.cookie?.join() ?? '')?.[1];
