import { connect } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { TIERS, type TierName, tierOpens } from '../../src/accounts/index.ts';
import { ROUTES } from '../../src/api/index.ts';
import { idOf, UNKNOWN_ID } from '../support/fakes/directory.ts';
import { FAKE_EXPORT } from '../support/fakes/exports.ts';
import { FAKE_FEED } from '../support/fakes/feeds.ts';
import { FAKE_KEYS } from '../support/fakes/gate.ts';
import { type Answer, createTestApi, PUBLIC_URL } from '../support/rigs/api.ts';

const api = createTestApi();
afterAll(() => api.close());

const IDS: Record<string, string> = { '/feeds/{id}': FAKE_FEED, '/exports/{id}': FAKE_EXPORT };
const KIND = { '/events/{id}': 'e', '/venues/{id}': 'a', '/venues/{id}/events': 'a' } as Record<string, 'e' | 'a'>;
const PATHS = ROUTES.map(({ path, tier, metered }) => ({
  path: path.replace('{id}', IDS[path] ?? idOf(KIND[path] ?? 'e', 1)),
  tier,
  metered,
}));
const withKey = (key: keyof typeof FAKE_KEYS) => ({ 'x-api-key': FAKE_KEYS[key] });

const ALLOWANCE = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-per-minute', 'x-ratelimit-reset'];

function expectAllowance({ headers }: Answer): void {
  for (const name of ALLOWANCE) expect(headers[name], name).toBeDefined();
  expect(headers['x-ratelimit-limit']).toMatch(/^\d+$/);
  expect(headers['x-ratelimit-reset']).toBe('2026-06-17T00:00:00Z');
  expect(headers['ratelimit-policy']).toMatch(/^"minute";q=\d+;w=60, "day";q=\d+;w=86400$/);
  expect(headers.ratelimit).toMatch(/^"minute";r=\d+;t=\d+, "day";r=\d+;t=14400$/);
}

function expectProblem(answer: Answer, status: number, code: string): void {
  expect(answer.status).toBe(status);
  expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.headers['x-content-type-options']).toBe('nosniff');
  expect(answer.headers['access-control-allow-origin']).toBe('*');
  expect(answer.json).toMatchObject({ type: `${PUBLIC_URL}/docs/errors#${code}`, status, code });
  expect(answer.json.instance).toBe(`urn:request:${answer.headers['x-request-id']}`);
  if (status !== 429) expect(answer.headers['retry-after']).toBeUndefined();
}

const NO_KEY: [string, Record<string, string> | null, string][] = [
  ['no key', null, 'missing_api_key'],
  ['an empty key', { 'x-api-key': '' }, 'missing_api_key'],
  ['an unknown key', { 'x-api-key': 'mq_live_nobody' }, 'invalid_api_key'],
  ['a revoked key', withKey('revoked'), 'revoked_api_key'],
  ['a key past its grace', withKey('expired'), 'expired_api_key'],
  ['the key as a bearer token', { 'x-api-key': '', authorization: `Bearer ${FAKE_KEYS.starter}` }, 'missing_api_key'],
  ['the key in a cookie', { 'x-api-key': '', cookie: `X-API-Key=${FAKE_KEYS.starter}` }, 'missing_api_key'],
];

describe.each(PATHS)('every route: $path', ({ path, tier, metered }) => {
  test.each(NO_KEY)('%s is refused with 401, a challenge and no allowance', async (_name, headers, code) => {
    const answer = await api.ask(path, headers);
    expectProblem(answer, 401, code);
    expect(answer.headers['www-authenticate']).toBe('ApiKey realm="api", header="X-API-Key"');
    for (const name of [...ALLOWANCE, 'ratelimit', 'ratelimit-policy']) expect(answer.headers[name]).toBeUndefined();
  });

  test('a key in the query does not count', async () => {
    const answer = await api.ask(`${path}?X-API-Key=${FAKE_KEYS.enterprise}&api_key=${FAKE_KEYS.enterprise}`, null);
    expectProblem(answer, 401, 'missing_api_key');
    expect(answer.text).not.toContain(FAKE_KEYS.enterprise);
  });

  test('a genuine key whose account may not call is told where to pay', async () => {
    const ended = await api.ask(path, withKey('trialEnded'));
    expectProblem(ended, 402, 'trial_expired');
    expect(ended.json.upgradeUrl).toBe(`${PUBLIC_URL}/dashboard/plans`);
    expectAllowance(ended);
    expectProblem(await api.ask(path, withKey('inactive')), 402, 'subscription_inactive');
  });

  test.each(Object.keys(TIERS) as TierName[])('the tier decides: %s', async (callers) => {
    const answer = await api.ask(path, withKey(callers));
    expectAllowance(answer);
    if (tierOpens(callers, tier)) {
      expect(answer.status).toBe(200);
      return;
    }
    expectProblem(answer, 403, 'tier_required');
    expect(answer.json).toMatchObject({ currentTier: callers, requiredTier: tier, upgradeUrl: `${PUBLIC_URL}/dashboard/plans` });
  });

  test.each([
    ['overMinute', 'rate_limit_minute', 17],
    ['overDay', 'rate_limit_day', 14_400],
  ] as const)('%s is refused with the seconds to wait, unless the route is free', async (key, code, seconds) => {
    const answer = await api.ask(path, withKey(key));
    expectAllowance(answer);
    if (!metered) {
      expect(answer.status).toBe(200);
      return;
    }
    expectProblem(answer, 429, code);
    expect(answer.headers['retry-after']).toBe(String(seconds));
    expect(answer.json.retryAfterSeconds).toBe(seconds);
  });

  test('an address that tries too many unknown keys is slowed down without an allowance', async () => {
    const answer = await api.ask(path, withKey('overUnknown'));
    expectProblem(answer, 429, 'rate_limit_minute');
    expect(answer.headers['retry-after']).toBe('9');
    expect(answer.headers['x-ratelimit-limit']).toBeUndefined();
  });

  test('keys that cannot be checked right now are 503 without Retry-After', async () => {
    const answer = await api.ask(path, withKey('unavailable'));
    expectProblem(answer, 503, 'dependency_unavailable');
    expect(answer.json.retryAfterSeconds).toBe(1);
  });

  test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND', 'QUERY'])(
    '%s is 405 with Allow, after the key',
    async (method) => {
      expectProblem(await api.ask(path, null, method), 401, 'missing_api_key');
      const answer = await api.ask(path, {}, method);
      expectProblem(answer, 405, 'method_not_allowed');
      expect(answer.headers.allow).toBe('GET, HEAD, OPTIONS');
      expectAllowance(answer);
    },
  );

  test('HEAD answers the same headers without a body', async () => {
    const get = await api.ask(path);
    const head = await api.ask(path, {}, 'HEAD');
    expect(head.status).toBe(200);
    expect(head.bytes.length).toBe(0);
    const stable = ({ headers }: Answer) =>
      Object.fromEntries(
        Object.entries(headers).filter(
          ([name]) => !['date', 'x-request-id', 'x-ratelimit-remaining', 'ratelimit', 'etag', 'content-length'].includes(name),
        ),
      );
    expect(stable(head)).toEqual(stable(get));
    if (metered) {
      expect(head.headers.etag).toBe(get.headers.etag);
      expect(head.headers['content-length']).toBe(get.headers['content-length']);
    }
  });

  test('OPTIONS is a preflight: 204, no key, not metered', async () => {
    const before = api.gate.used();
    const answer = await api.ask(path, null, 'OPTIONS');
    expect(answer.status).toBe(204);
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect(answer.headers['access-control-allow-methods']).toBe('GET, HEAD, OPTIONS');
    expect(answer.headers['access-control-allow-headers']).toContain('X-API-Key');
    expect(api.gate.used()).toBe(before);
  });

  test('JSON must be acceptable', async () => {
    for (const accept of ['text/html', 'application/xml', '*/*;q=0', 'application/json;q=0, image/*']) {
      expectProblem(await api.ask(path, { accept }), 406, 'not_acceptable');
    }
    for (const accept of [
      'application/json',
      '*/*',
      'application/*',
      'text/html,application/xhtml+xml,*/*;q=0.8',
      '',
      'nonsense',
    ]) {
      expect((await api.ask(path, { accept })).status, accept).toBe(200);
    }
  });

  test('a request counts once, and only a metered one', async () => {
    const before = api.gate.used();
    await api.ask(path);
    await api.ask(path, {}, 'HEAD');
    await api.ask(path, { accept: 'text/html' });
    expect(api.gate.used() - before).toBe(metered ? 3 : 0);
    await api.ask(path, {}, 'POST');
    expect(api.gate.used() - before).toBe(metered ? 4 : 0);
  });
});

test('each check stands before the next', async () => {
  const worst = '/neighborhoods/?limit=abc';
  expectProblem(await api.ask(worst, null, 'POST'), 401, 'missing_api_key');
  expectProblem(await api.ask(worst, withKey('overMinute'), 'POST'), 429, 'rate_limit_minute');
  expectProblem(await api.ask(worst, withKey('trialEnded'), 'POST'), 404, 'unknown_route');
  expectProblem(await api.ask('/trending?limit=abc', withKey('trialEnded'), 'POST'), 405, 'method_not_allowed');
  expectProblem(await api.ask('/trending?limit=abc', { ...withKey('trialEnded'), accept: 'text/html' }), 402, 'trial_expired');
  expectProblem(await api.ask('/trending?limit=abc', { ...withKey('starter'), accept: 'text/html' }), 403, 'tier_required');
  expectProblem(await api.ask('/trending?limit=abc', { ...withKey('growth'), accept: 'text/html' }), 406, 'not_acceptable');
  expectProblem(await api.ask(`/venues/${UNKNOWN_ID}/events?limit=abc`), 400, 'invalid_parameter');
  expectProblem(await api.ask(`/venues/${UNKNOWN_ID}/events`), 404, 'not_found');
});

test.each([
  '',
  '/',
  '/nope',
  '/events/',
  '//events',
  '/Events',
  '/events;x=y',
  `/events/${idOf('e', 1)}/`,
  `/events/${idOf('e', 1)};x=y`,
  `/venues//events`,
  '/%65vents',
  '/events/../venues',
])('paths are exact: "%s" is an unknown route, metered like any other', async (path) => {
  const { port } = { port: await api.port() };
  expect(port).toBeGreaterThan(0);
  const before = api.gate.used();
  const raw = await api.send(
    `GET /api/v1${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${FAKE_KEYS.starter}\r\nConnection: close\r\n\r\n`,
  );
  expect(raw.text).toMatch(/^HTTP\/1\.1 404 /);
  expect(raw.text).toContain('"code":"unknown_route"');
  expect(raw.text).toContain('X-RateLimit-Limit: 1000');
  expect(api.gate.used() - before).toBe(1);
});

test('a fault of ours is 500 without a detail, gives the request back and keeps the headers', async () => {
  api.directory.breakDown();
  const before = api.gate.refunded();
  const answer = await api.ask('/events');
  expectProblem(answer, 500, 'internal');
  expectAllowance(answer);
  expect(answer.text).not.toContain('secret');
  expect(api.gate.refunded() - before).toBe(1);
  expect((await api.ask('/events')).status).toBe(200);
});

test('keys in memory are served however many wait for a key to be looked up', async () => {
  const small = createTestApi({ maxInFlight: 2 });
  const waiting = Array.from({ length: 50 }, () => small.ask('/events', withKey('slow')));
  await expect.poll(() => small.gate.waiting()).toBe(50);
  for (let request = 0; request < 5; request += 1) expect((await small.ask('/events')).status).toBe(200);
  small.gate.release();
  for (const answer of await Promise.all(waiting)) expect(answer.status).toBe(200);
  await small.close();
});

test('a crowd that waits for keys of its own is shed', async () => {
  const shed = await api.ask('/events', withKey('crowded'));
  expectProblem(shed, 503, 'overloaded');
  expect(shed.json.retryAfterSeconds).toBe(1);
});

test('requests that wait for the store beyond the cap are shed; lists are sent as they are instead of compressed', async () => {
  const small = createTestApi({ maxInFlight: 2 });
  small.gate.holdUsage();
  const waiting = [1, 2].map(() => small.ask('/usage'));
  await expect.poll(() => small.gate.waiting()).toBe(2);
  expectProblem(await small.ask('/usage'), 503, 'overloaded');
  const plain = await small.ask('/events?limit=100', { 'accept-encoding': 'br' });
  expect(plain.status).toBe(200);
  expect(plain.headers['content-encoding']).toBeUndefined();
  small.gate.release();
  for (const answer of await Promise.all(waiting)) expect(answer.status).toBe(200);
  expect((await small.ask('/events?limit=100', { 'accept-encoding': 'br' })).headers['content-encoding']).toBe('br');
  await small.close();
});

test('a caller who leaves while the key is looked up is counted once and not worked for', async () => {
  const small = createTestApi();
  const port = await small.port();
  const connections = () => new Promise((resolve) => small.server.app.server.getConnections((_error, count) => resolve(count)));
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET /api/v1/events HTTP/1.1\r\nHost: x\r\nX-API-Key: ${FAKE_KEYS.slow}\r\n\r\n`);
  await expect.poll(() => small.gate.waiting()).toBe(1);
  socket.destroy();
  await expect.poll(connections).toBe(0);
  small.gate.release();
  await expect.poll(() => small.logged().filter(({ status }) => status === 499).length).toBe(1);
  expect(small.gate.used()).toBe(1);
  expect(small.gate.settled()).toEqual(['/api/v1/events 499']);
  expect(small.directory.eventQueries).toEqual([]);
  await small.close();
});
