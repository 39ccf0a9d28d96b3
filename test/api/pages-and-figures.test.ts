import { get } from 'node:http';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { createMetrics } from '../../src/api/index.ts';
import { idOf } from '../support/fakes/directory.ts';
import { FAKE_KEYS } from '../support/fakes/gate.ts';
import { createTestApi } from '../support/rigs/api.ts';

const api = createTestApi();
afterAll(() => api.close());

describe('pages', () => {
  test('the description is JSON with a tag, compressed when asked for', async () => {
    const { status, headers, text } = await api.askPlain('/openapi.json');
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(JSON.parse(text).openapi).toBe('3.1.0');
    const { etag = '' } = headers;
    expect((await api.askPlain('/openapi.json', { 'if-none-match': etag })).status).toBe(304);
    expect((await api.askPlain('/openapi.json', { 'accept-encoding': 'br' })).headers['content-encoding']).toBe('br');
  });
  test('an unknown address is a problem, a known one is read only, and neither needs a key', async () => {
    expect((await api.askPlain('/nope')).json).toMatchObject({ status: 404, code: 'unknown_route' });
    const post = await api.askPlain('/openapi.json', {}, 'POST');
    expect(post.json).toMatchObject({ status: 405, code: 'method_not_allowed' });
    expect(post.headers.allow).toBe('GET, HEAD, OPTIONS');
    expect((await api.askPlain('/openapi.json', {}, 'OPTIONS')).status).toBe(204);
    expect((await api.askPlain('/openapi.json', {}, 'HEAD')).status).toBe(200);
    for (const path of ['/API/v1/events', '/api/v10/events', '/api']) expect((await api.askPlain(path)).status).toBe(404);
  });
  test.each(['/%61pi/v1/events', '/ap%69/v1/usage', '/api/%761/events', '/%61pi/v1/', '/api%2Fv1/events'])(
    'paths are exact: %s, which only decoded is one of the API, is unknown by every method',
    async (path) => {
      for (const method of ['GET', 'POST', 'PUT', 'PROPFIND', 'QUERY']) {
        const answer = await api.askPlain(path, { 'x-api-key': FAKE_KEYS.enterprise }, method);
        expect(answer.json).toMatchObject({ status: 404, code: 'unknown_route' });
        expect(answer.headers['x-request-id']).toBe(answer.json.instance.replace('urn:request:', ''));
      }
      expect((await api.askPlain(path, {}, 'OPTIONS')).status).toBe(204);
      expect(api.gate.used()).toBe(0);
    },
  );
});

describe('health', () => {
  test('healthz speaks of the process, readyz of the service', async () => {
    let isReady = false;
    const starting = createTestApi({ ready: () => isReady });
    expect((await starting.askPlain('/healthz')).status).toBe(200);
    expect((await starting.askPlain('/readyz')).json).toEqual({ status: 'starting' });
    expect((await starting.askPlain('/readyz')).status).toBe(503);
    isReady = true;
    expect((await starting.askPlain('/readyz')).status).toBe(200);
    await starting.close();
  });
});

describe('mounted rooms', () => {
  test('a plain route gets its id, its log line and its figures, and a fault in it stays inside', async () => {
    const other = createTestApi();
    other.server.mount((room, _options, done) => {
      room.get('/posters/:name', async () => 'poster');
      room.get('/broken', async () => {
        throw new Error('secret');
      });
      done();
    });
    const poster = await other.askPlain('/posters/a');
    expect(poster.text).toBe('poster');
    expect(poster.headers['x-request-id']).toBeDefined();
    const broken = await other.askPlain('/broken');
    expect(broken.json).toMatchObject({ status: 500, code: 'internal' });
    expect(broken.text).not.toContain('secret');
    await expect
      .poll(() =>
        other
          .logged()
          .filter(({ msg }) => msg === 'answered')
          .map(({ route, status }) => [route, status]),
      )
      .toEqual([
        ['/posters/:name', 200],
        ['/broken', 500],
      ]);
    await other.close();
  });
});

describe('log lines', () => {
  test('one line a request: template, status, time, ids; no query, no key', async () => {
    const own = createTestApi();
    await own.ask(`/events/${idOf('e', 1)}?fields=title`);
    await own.ask('/events?q=private', null);
    await own.ask(`/nope/${FAKE_KEYS.enterprise}`);
    await own.askPlain(`/lost/${FAKE_KEYS.enterprise}?key=${FAKE_KEYS.enterprise}`);
    own.directory.breakDown();
    await own.ask('/events');
    const lines = own.logged();
    expect(
      lines.filter(({ msg }) => msg === 'answered').map(({ route, status, method, keyId }) => [method, route, status, keyId]),
    ).toEqual([
      ['GET', '/api/v1/events/{id}', 200, 'id-enterprise'],
      ['GET', '/api/v1/events', 401, undefined],
      ['GET', '/api/v1/*', 404, 'id-enterprise'],
      ['GET', '*', 404, undefined],
      ['GET', '/api/v1/events', 500, 'id-enterprise'],
    ]);
    expect(lines.every(({ requestId }) => /^[0-9A-Z]{26}$/.test(String(requestId)))).toBe(true);
    const all = JSON.stringify(lines);
    for (const secret of ['mq_live', 'private', 'title', '/lost']) expect(all).not.toContain(secret);
    await own.close();
  });
});

describe('figures', () => {
  test('count requests by template, method and class of status, with bounded labels', async () => {
    const own = createTestApi();
    for (let n = 0; n < 30; n++) {
      await own.ask(`/events/${n}`);
      await own.ask(`/x${n}`, { 'x-api-key': `mq_live_${n}` }, n % 2 ? 'GET' : 'PROPFIND');
      await own.askPlain(`/y${n}`);
    }
    const text = await own.metrics.registry.metrics();
    expect(text).toContain('marquee_requests_total{route="/api/v1/events/{id}",method="GET",status="4xx"} 30');
    expect(text).toContain('marquee_requests_total{route="/api/v1/*",method="other",status="4xx"} 15');
    expect(text).toContain('marquee_gate_verdicts_total{reason="invalid"} 30');
    expect(text).toContain('marquee_request_duration_seconds_count{route="/api/v1/events/{id}"} 30');
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
    expect(text).toContain('process_resident_memory_bytes');
    expect(text).not.toContain('mq_live');
    expect(text.split('\n').length).toBeLessThan(500);
    await own.close();
  });
  test('the histogram is cumulative and ends with all', async () => {
    const metrics = createMetrics();
    for (const milliseconds of [0.5, 1, 3, 99, 20_000]) metrics.answered('/r', 'GET', 200, milliseconds);
    const text = await metrics.registry.metrics();
    const bucket = (le: string) => Number(new RegExp(`_bucket\\{route="/r",le="${le}"\\} (\\d+)`).exec(text)?.[1]);
    expect([bucket('0.001'), bucket('0.005'), bucket('0.1'), bucket('10'), bucket('\\+Inf')]).toEqual([2, 3, 4, 4, 5]);
    expect(text).toContain('_sum{route="/r"} 20.1035');
  });
  test('say how long the answers of the API took, within bounds that are true', () => {
    const metrics = createMetrics();
    expect(metrics.answerTimes()).toEqual({ requests: 0, half: null, nearlyAll: null });
    for (let n = 0; n < 99; n++) metrics.answered('/api/v1/events', 'GET', 200, n < 60 ? 0.4 : 3);
    metrics.answered('/api/v1/venues', 'GET', 200, 20_000);
    metrics.answered('/docs', 'GET', 200, 700);
    expect(metrics.answerTimes()).toEqual({ requests: 100, half: 1, nearlyAll: 5 });
    metrics.answered('/api/v1/*', 'GET', 404, 20_000);
    expect(metrics.answerTimes().nearlyAll).toBe(Number.POSITIVE_INFINITY);
  });
  test('they are for who names this machine or an address, and not for pages of another site whose name leads here', async () => {
    const metrics = createMetrics();
    const port = await metrics.listen(0);
    const statusFor = (host: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        get({ host: '127.0.0.1', port, path: '/metrics', headers: { host }, agent: false }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        }).on('error', reject);
      });
    const statuses = async (hosts: string[]) => Promise.all(hosts.map(statusFor));
    expect(await statuses(['localhost:9464', `127.0.0.1:${port}`, '[::1]', '10.1.2.3:9464'])).toEqual([200, 200, 200, 200]);
    expect(await statuses(['evil.example', `evil.example:${port}`, 'a/b', 'localhost.evil.example'])).toEqual([
      421, 421, 421, 421,
    ]);
    await metrics.close();
  });
  test('the freshness of the read model is among them, on a port of their own on loopback', async () => {
    const metrics = createMetrics({ freshness: () => ({ seq: 7, headSeq: 9, builtAt: 1_000, buildMs: 250 }), now: () => 61_000 });
    const port = await metrics.listen(0);
    const response = await fetch(`http://127.0.0.1:${port}/metrics`);
    const text = await response.text();
    expect(response.headers.get('content-type')).toContain('text/plain');
    for (const line of [
      'marquee_snapshot_seq 7',
      'marquee_snapshot_behind_changes 2',
      'marquee_snapshot_age_seconds 60',
      'marquee_snapshot_build_seconds 0.25',
    ]) {
      expect(text).toContain(line);
    }
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);
    expect((await api.askPlain('/metrics')).status).toBe(404);
    const second = createMetrics();
    await expect(second.listen(port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await metrics.close();
  });

  test('sources are among them by name, and missing while the store is out of reach', async () => {
    let isThere = true;
    const source = { name: 'radio', state: 'held', lastOkAt: 1_000, everySeconds: 3_600, failures: 2 } as const;
    const sources = () => (isThere ? Promise.resolve([source]) : Promise.reject(new Error('out of reach')));
    const { registry } = createMetrics({ sources, now: () => 61_000 });
    const text = await registry.metrics();
    for (const line of ['age_seconds{source="radio"} 60', 'interval_seconds{source="radio"} 3600']) {
      expect(text).toContain(`marquee_source_${line}`);
    }
    for (const line of ['failures{source="radio"} 2', 'held{source="radio"} 1']) expect(text).toContain(`marquee_source_${line}`);
    isThere = false;
    await new Promise((resolve) => setImmediate(resolve));
    expect(await registry.metrics()).not.toContain('source="radio"');
  });

  test('those of a silent store are missing in time, and it is asked once while it is silent', async () => {
    const sources = vi.fn(() => new Promise<never>(() => {}));
    // Fake timers would stop the services that other files of this process leave running.
    const { registry } = createMetrics({ sources, patienceMs: 10 });
    for (let scrape = 0; scrape < 2; scrape += 1) {
      expect(await registry.metrics()).toContain('process_cpu_seconds_total');
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(sources).toHaveBeenCalledTimes(1);
  });
});
