import { afterAll, describe, expect, test } from 'vitest';
import { FAKE_KEYS } from '../support/fakes/gate.ts';
import { createTestApi, PUBLIC_URL, type TestApi } from '../support/rigs/api.ts';

const named = createTestApi();
const unnamed = createTestApi({ publicUrl: 'http://0.0.0.0:3000', acceptsAddresses: true });
const proxied = createTestApi({ trustProxy: ['127.0.0.0/8'] });
const elsewhere = createTestApi({ trustProxy: ['203.0.113.9'] });
afterAll(() => Promise.all([named, unnamed, proxied, elsewhere].map((api) => api.close())));

async function askUnder(api: TestApi, host: string, path = '/openapi.json', headers: Record<string, string> = {}) {
  return await api.askPlain(path, { host, ...headers });
}

describe('pages', () => {
  test.each([
    'events.example.org',
    'EVENTS.example.org:8443',
    'events.example.org.',
    'localhost',
    'localhost:3000',
    'marquee.localhost',
    '127.0.0.1:3000',
    '[::1]:3000',
  ])('are answered under %s', async (host) => {
    expect((await askUnder(named, host)).status).toBe(200);
  });

  test.each([
    'rebound.example',
    'rebound.example:3000',
    'events.example.org.rebound.example',
    'localhost.rebound.example',
    '127.0.0.1.rebound.example',
    '10.0.0.5:3000',
    'user@events.example.org',
    'events.example.org/x',
    '?',
  ])('are not answered under "%s", which another site may have pointed here', async (host) => {
    for (const path of ['/openapi.json', '/healthz/', '/nothing']) {
      const answer = await askUnder(named, host, path);
      expect([answer.status, answer.json.code]).toEqual([421, 'misdirected_request']);
      expect(answer.json.detail).toContain('must be events.example.org or localhost');
    }
    expect((await named.askPlain('/nothing', { host }, 'OPTIONS')).status).toBe(421);
  });

  test('say so to a browser on a page, and show nothing that the other site has written', async () => {
    const answer = await askUnder(named, 'rebound.example', '/', { accept: 'text/html' });
    expect([answer.status, answer.headers['content-type']]).toEqual([421, 'text/html; charset=utf-8']);
    expect(answer.text).toContain('The Host header must be events.example.org or localhost, but is &#34;rebound.example&#34;');
    const hostile = await askUnder(named, '<script>alert(1)</script>', '/', { accept: 'text/html' });
    expect(hostile.text).not.toContain('<script');
    expect(hostile.headers['content-security-policy']).toContain("default-src 'none'");
  });

  test('are answered under any IP address where no name is set and other machines may connect: no address can be rebound', async () => {
    for (const host of ['192.168.1.5:3000', '[fe80::1]:3000', 'localhost'])
      expect((await askUnder(unnamed, host)).status).toBe(200);
    const answer = await askUnder(unnamed, 'rebound.example');
    expect([answer.status, answer.json.detail]).toEqual([421, expect.stringContaining('an IP address of this machine')]);
  });

  test('behind a trusted proxy are answered under the name that the proxy was asked for', async () => {
    const asked = async (api: TestApi, host: string, forwarded: string) =>
      (await askUnder(api, host, '/openapi.json', { 'x-forwarded-host': forwarded })).status;
    expect(await asked(proxied, 'upstream:3000', 'events.example.org')).toBe(200);
    expect(await asked(proxied, 'localhost', 'rebound.example')).toBe(421);
    expect(await asked(proxied, 'localhost', 'events.example.org, rebound.example')).toBe(421);
    expect(await asked(elsewhere, 'rebound.example', 'events.example.org')).toBe(421);
  });
});

describe('the API and health checks', () => {
  test('answer whatever the Host', async () => {
    for (const path of ['/healthz', '/readyz', '/healthz?from=probe']) {
      expect((await askUnder(named, '10.0.0.5:3000', path)).status).toBe(200);
    }
    const answer = await named.ask('/events?limit=1', { host: 'rebound.example', 'x-api-key': FAKE_KEYS.enterprise });
    expect(answer.status).toBe(200);
    expect(answer.text + JSON.stringify(answer.headers)).not.toContain('rebound');
    expect(JSON.stringify(answer.headers)).toContain(PUBLIC_URL);
  });
});
