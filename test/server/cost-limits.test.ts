import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROUTE_COSTS_MS } from '../../src/server/page-limits.ts';
import { createTestApi, type TestApi } from '../support/rigs/api.ts';
import { type Site, sharedSite } from '../support/rigs/site.ts';

describe('documents without a key', () => {
  let api: TestApi;
  beforeAll(() => {
    api = createTestApi({ pageLimits: { documentBurstMs: 3, documentPerSecondMs: 1e-6 } });
  });
  afterAll(() => api.close());
  const from = (remoteAddress: string) => api.server.app.inject({ url: '/openapi.json', remoteAddress });

  test.each([
    ['addresses of one IPv4 /24', ['203.0.113.7', '203.0.113.8', '203.0.113.9', '203.0.113.10'], '203.0.114.7'],
    ['networks of one IPv6 /48', ['2001:db8:1:1::1', '2001:db8:1:2::1', '2001:db8:1:3::1', '2001:db8:1:4::1'], '2001:db8:2:1::1'],
  ])('are limited by what they cost, for all %s together', async (_, addresses, other) => {
    const answers = await Promise.all(addresses.map(from));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 429]);
    const refused = answers[3];
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(1);
    expect(refused?.json()).toMatchObject({ code: 'page_limit' });
    expect((await from(other)).statusCode).toBe(200);
    expect((await api.ask('/events?limit=1')).status).toBe(200);
  });
});

describe('what routes cost', () => {
  let site: Site;
  beforeAll(async () => {
    site = await sharedSite();
  });

  test('is said of routes that exist', async () => {
    const examples: Record<string, string> = {
      '/posters/:name.svg': '/posters/concert-1f0c9a3e.svg',
      '/images/:id/:version/:file': '/images/x/y/share.png',
    };
    for (const route of Object.keys(ROUTE_COSTS_MS)) {
      const answer = await site.ask(examples[route] ?? route);
      // A picture of no event: the route is asked, and has nothing there.
      expect([route, answer.status]).toEqual([route, route.startsWith('/images/') ? 404 : 200]);
      await answer.body?.cancel();
    }
  });
});
