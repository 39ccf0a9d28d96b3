// One engine is enough: the thread of the pages asks the main thread, whatever stands behind it.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Allowance, createAccounts } from '../../src/accounts/index.ts';
import { importBundle } from '../../src/ingest/index.ts';
import { createLog } from '../../src/log.ts';
import { readCity } from '../../src/records/index.ts';
import { openPagesThread } from '../../src/web/index.ts';
import { LANGUAGE_CODES } from '../../src/web/server/languages.ts';
import { openSite, type Person, type Site } from '../support/rigs/site.ts';

describe('the site with its pages in a thread of their own', () => {
  let site: Site;
  let developer: Person;
  const first = { answers: [] as Response[], signUp: 0 };
  beforeAll(async () => {
    site = await openSite({ pagesThread: true });
    const signUp = site.ask('/sign-up', {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ email: 'first@example.org', password: 'a long first password' }),
      headers: { accept: 'text/html', 'sec-fetch-site': 'same-origin' },
    });
    const languages = LANGUAGE_CODES.map((code) => site.ask('/', { headers: { accept: 'text/html', 'accept-language': code } }));
    first.answers = await Promise.all(languages);
    first.signUp = (await signUp).status;
    developer = await site.signIn({ email: 'dev@example.org' });
  });
  afterAll(() => site.close());

  const read = async (path: string, cookie = '') => {
    const answer = await site.ask(path, { headers: { accept: 'text/html', cookie, 'accept-encoding': 'br' } });
    return { answer, text: await answer.text() };
  };

  test('is ready when it says so: the first readers of every language find the page made, and somebody signs up', () => {
    expect(first.answers.map(({ status, headers }) => [status, headers.get('etag') !== null])).toEqual(
      LANGUAGE_CODES.map(() => [200, true]),
    );
    expect(first.signUp).toBe(302);
  });

  test('answers pages of the running city, compressed and with their headers', async () => {
    const { answer, text } = await read('/');
    expect([answer.status, answer.headers.get('content-encoding'), answer.headers.get('cache-control')]).toEqual([
      200,
      'br',
      'private, no-cache',
    ]);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(text).toContain('Port Alder');
  });

  test('leaves addresses of no page to the server', async () => {
    const plain = await site.ask('/nothing');
    expect([plain.status, plain.headers.get('content-type')]).toEqual([404, 'application/problem+json; charset=utf-8']);
  });

  test('shows what has changed in the directory since the thread began', async () => {
    const city = await readCity(site.store.db);
    expect((await read('/pricing')).text).toContain(city?.name);
    const center = { latitude: city?.latitude, longitude: city?.longitude };
    await importBundle({ store: site.store, bundle: { city: { ...city, center, name: 'Port Elder' } } });
    await expect.poll(async () => (await read('/pricing')).text).toContain('Port Elder');
  });

  test('tells what is left to a key as it is used, and asks the API in its name', async () => {
    const keys = createAccounts({ db: site.store.db, now: site.now });
    const made = await keys.createKey({ email: developer.email, tier: 'growth' });
    const key = made.ok ? made.key : '';
    const leaving = new AbortController();
    const live = await site.ask('/dashboard/usage/live', { headers: { cookie: developer.cookie }, signal: leaving.signal });
    expect(live.headers.get('content-type')).toContain('text/event-stream');
    const told = live.body?.pipeThrough(new TextDecoderStream()).getReader();
    const until = async (word: string) => {
      for (let text = ''; !text.includes(word); text += (await told?.read())?.value ?? '')
        if (text.length > 1e6) throw new Error(text);
    };
    await until('"used":0');
    const form = new URLSearchParams({ endpoint: 'listEvents', key, limit: '1' });
    const ran = await site.ask('/playground?endpoint=listEvents', {
      method: 'POST',
      body: form,
      headers: { accept: 'text/html', 'sec-fetch-site': 'same-origin' },
    });
    expect(await ran.text()).toMatch(/discoveryScore/);
    await until('"used":1');
    leaving.abort();
  });

  test('counts a stream as over when its reader leaves, and ends those that are open with the service', async () => {
    const open = async () => {
      const leaving = new AbortController();
      const answer = await site.ask('/dashboard/usage/live', { headers: { cookie: developer.cookie }, signal: leaving.signal });
      return { status: answer.status, answer, leave: () => leaving.abort() };
    };
    const streams = await Promise.all(Array.from({ length: 20 }, open));
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
    const tooMany = await open();
    expect(tooMany.status).toBe(429);
    for (const { leave } of streams) leave();
    await expect.poll(async () => (await open()).status).toBe(200);
    const last = await open();
    const ended = last.answer.text();
    await site.close();
    await expect(ended).resolves.toContain('retry:');
  });
});

describe('the thread of the pages', () => {
  const bell = new Int32Array(new SharedArrayBuffer(4));
  const listeners = new Set<(allowance: Allowance) => void>();
  const host = {
    gate: {
      allowancesOf: async () => new Map(),
      flush: async () => {},
      watch: (_id: string, listener: (allowance: Allowance) => void) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    credits: async () => [],
    answerTimes: () => ({ p50: null, p99: null, requests: 0 }) as never,
    status: () => Promise.reject(new Error('not asked')),
    askApi: async () => ({ status: 200, headers: [], body: '' }),
    attempts: { take: () => 0, giveBack: () => undefined },
    wake: () => {},
  };
  const logged: string[] = [];
  const log = createLog('info', { write: (line) => void logged.push(line) });
  const open = () =>
    openPagesThread({
      module: new URL('../support/processes/odd-pages-thread.ts', import.meta.url),
      build: Promise.resolve({ client: '', server: '' }),
      facts: { bell },
      host,
      relay: () => {},
      log,
    });
  let thread = open();
  const ask = (target: string, more: object = {}) =>
    thread.answer({ requestId: 'r', method: 'GET', target, headers: {}, body: null, address: '', ...more });
  const text = async (...asked: Parameters<typeof ask>) => {
    const answer = await ask(...asked);
    return Buffer.from((answer && 'body' in answer ? answer.body : []) as Uint8Array).toString();
  };
  afterEach(async () => {
    await thread.close();
    thread = open();
    logged.length = 0;
  });

  test('is given the whole request, and says when nothing stands there', async () => {
    const post = { method: 'POST', headers: { 'x-odd': ['1', '2'] }, body: Buffer.from('a=b') };
    expect(await text('/echo', post)).toBe('POST 1,2 a=b');
    expect(await ask('/unknown')).toBeNull();
  });

  test('may be busy while the serving thread goes on', async () => {
    const answer = text('/busy');
    // Rung by this thread: were it the same one, nobody could.
    await expect.poll(() => Atomics.notify(bell, 0)).toBe(1);
    expect(await answer).toBe('ok');
  });

  test('says what an answer failed of', async () => {
    await expect(ask('/throw')).rejects.toThrow('an odd page');
    expect(await text('/echo')).toContain('GET');
  });

  test('that dies takes its answers with it, leaves nothing watched, and is begun again', async () => {
    const [waiting, watching] = [ask('/never'), ask('/watch')];
    await expect.poll(() => listeners.size).toBe(1);
    const dying = ask('/die');
    for (const answer of [waiting, watching, dying]) await expect(answer).rejects.toThrow('has ended');
    expect(listeners.size).toBe(0);
    expect(logged.join()).toContain('the pages thread has died');
    expect(await text('/echo')).toContain('GET');
  });

  test('watches what is left to a subscription until it has seen enough', async () => {
    const answer = text('/watch');
    await expect.poll(() => listeners.size).toBe(1);
    for (const used of [1, 2]) for (const tell of listeners) tell({ used } as unknown as Allowance);
    expect(JSON.parse(await answer)).toEqual([{ used: 1 }, { used: 2 }]);
    await expect.poll(() => listeners.size).toBe(0);
  });
});
