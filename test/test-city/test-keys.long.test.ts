/** One engine is enough: test keys read no records of the database, and their subscription is an ordinary row. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, type DemoService, marquee, startDemoService } from '../support/rigs/service.ts';
import { DEMO_NOW, DEMO_OFFSET } from '../support/runs/demo-clock.ts';

let service: DemoService;
const keys = { starter: '', growth: '', enterprise: '' };

beforeAll(async () => {
  // The day of the limits stands as far from its end as the day of the city.
  service = await startDemoService({ MARQUEE_NOW: DEMO_OFFSET });
  for (const tier of ['starter', 'growth', 'enterprise'] as const) keys[tier] = await createKey(tier);
});
afterAll(() => service.stop());

async function createKey(tier: string): Promise<string> {
  const words = ['key', 'create', '--account', 'demo@marquee.example', '--name', `test ${tier}`, '--tier', tier, '--test'];
  const { stdout, stderr, status } = await marquee(words, service.settings);
  expect(stderr.concat(String(status))).toMatch(/0$/);
  return stdout.trim();
}

const simulate = (what: string, path = '/events', key = keys.enterprise) =>
  fetch(`${service.url}/api/v1${path}`, { headers: { 'X-API-Key': key, 'X-Marquee-Simulate': what } });
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not.
const bodyOf = async (answer: Response): Promise<any> => answer.json();
const usedBy = async (key: string): Promise<number> => (await ask(service, '/usage', key)).body.data.day.used;

describe('a test key', () => {
  it('has the form of a live key with its own prefix, and is one for each tier of an account', async () => {
    for (const key of Object.values(keys)) expect(key).toMatch(/^mq_test_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/);
    const words = ['key', 'create', '--account', 'demo@marquee.example', '--tier', 'growth', '--test'];
    const again = await marquee(words, service.settings);
    expect(again).toMatchObject({ status: 1, stderr: expect.stringContaining('already has a test key of this tier') });
  });

  it('reads events of the test city that lie ahead, and every window of the calendar has some', async () => {
    const { status, body, headers } = await ask(service, '/events?limit=100', keys.starter);
    expect(status).toBe(200);
    expect(body.meta.total).toBeGreaterThan(300);
    for (const event of body.data) expect(Date.parse(event.startDatetime)).toBeGreaterThan(Date.parse(DEMO_NOW));
    expect(headers.get('x-ratelimit-limit')).toBe('1000');
    for (const when of ['tomorrow', 'next_weekend', 'next_7_days', 'next_30_days']) {
      expect((await ask(service, `/events?when=${when}`, keys.starter)).body.meta.total, when).toBeGreaterThan(0);
    }
    const { body: found } = await ask(service, '/events?q=jazz&category=concert', keys.starter);
    expect(found.meta.total).toBeGreaterThan(0);
  });

  it('opens the endpoints of its tier and no more', async () => {
    expect((await ask(service, '/neighborhoods', keys.starter)).status).toBe(403);
    const trending = await ask(service, '/trending', keys.growth);
    expect(trending.body.data.events.length).toBeGreaterThan(0);
    expect((await ask(service, '/neighborhoods', keys.growth)).body.meta.total).toBe(12);
    expect((await ask(service, '/feeds', keys.growth)).status).toBe(403);
    for (const path of ['/feeds', '/exports']) expect((await ask(service, path, keys.enterprise)).body.data).toEqual([]);
  });

  it('never meets a record, a tag or a change of the directory', async () => {
    const [mine, theirs] = [
      await ask(service, '/events', keys.enterprise),
      await ask(service, '/events', service.keys.enterprise),
    ];
    expect(mine.headers.get('etag')).not.toBe(theirs.headers.get('etag'));
    const [own] = mine.body.data;
    const [other] = theirs.body.data;
    expect((await ask(service, `/events/${own.id}`, keys.enterprise)).status).toBe(200);
    expect((await ask(service, `/events/${own.id}`, service.keys.enterprise)).status).toBe(404);
    expect((await ask(service, `/events/${other.id}`, keys.enterprise)).status).toBe(404);
    // The same address again: what was answered one caller is not held for the other.
    expect((await ask(service, '/events', keys.enterprise)).body.data[0].id).toBe(own.id);
    expect((await ask(service, '/events', service.keys.enterprise)).body.data[0].id).toBe(other.id);
    const [log, live] = [
      await ask(service, '/changes?limit=1', keys.enterprise),
      await ask(service, '/changes?limit=1', service.keys.enterprise),
    ];
    expect(log.body.meta.epoch).not.toBe(live.body.meta.epoch);
    expect((await ask(service, `/changes?after=${live.body.meta.next}`, keys.enterprise)).body.code).toBe('resync');
  });

  it('follows a log that ends equal to its city', async () => {
    const copy = new Map<string, string>();
    const kinds = new Set<string>();
    let next = '';
    for (let more = true; more; ) {
      const { body } = await ask(service, `/changes?limit=1000${next && `&after=${next}`}`, keys.enterprise);
      for (const { entity, id, record, kind } of body.data) {
        kinds.add(kind);
        copy.set(`${entity} ${id}`, JSON.stringify(record));
      }
      next = body.meta.next;
      more = body.meta.hasMore;
    }
    expect(kinds).toEqual(new Set(['created', 'cancelled', 'rescheduled', 'updated']));
    expect([...copy.keys()].filter((id) => id.startsWith('event ')).length).toBe(1_500);
    const [event] = (await ask(service, '/events?limit=1', keys.enterprise)).body.data;
    const { body } = await ask(service, `/events/${event.id}`, keys.enterprise);
    expect(copy.get(`event ${event.id}`)).toBe(JSON.stringify(body.data));
    expect((await ask(service, `/changes?after=${next}`, keys.enterprise)).body.data).toEqual([]);
  });

  it('has counters of its own', async () => {
    const live = await usedBy(service.keys.starter);
    const before = await usedBy(keys.starter);
    await ask(service, '/events', keys.starter);
    await ask(service, '/venues', keys.starter);
    expect(await usedBy(keys.starter)).toBe(before + 2);
    expect(await usedBy(service.keys.starter)).toBe(live);
  });

  it('is refused by the MCP server with the reason', async () => {
    const answer = await fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: { 'X-API-Key': keys.growth, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'city_overview', arguments: {} } }),
    });
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain('test keys work with the REST API alone');
  });

  it('stays out of the log', () => {
    for (const key of Object.values(keys)) expect(service.printed()).not.toContain(key.slice(0, 24));
  });
});

describe('X-Marquee-Simulate', () => {
  it('429: answers as the limit of the minute does, and counts as a request', async () => {
    const before = await usedBy(keys.enterprise);
    const answer = await simulate('429');
    const body = await bodyOf(answer);
    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toBe('2');
    expect(answer.headers.get('ratelimit')).toMatch(/^"minute";r=0;t=2, "day";r=\d+/);
    expect(body).toMatchObject({ code: 'rate_limit_minute', retryAfterSeconds: 2, status: 429 });
    expect(await usedBy(keys.enterprise)).toBe(before + 1);
  });

  it('500: answers a problem document that is not given back and not counted as a failure of ours', async () => {
    const before = await usedBy(keys.enterprise);
    const answer = await simulate('500', '/venues');
    expect(answer.status).toBe(500);
    expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(await bodyOf(answer)).toMatchObject({ code: 'internal', instance: expect.stringMatching(/^urn:request:/) });
    expect(await usedBy(keys.enterprise)).toBe(before + 1);
  });

  it('slow: waits, and leaves other requests alone', async () => {
    const order: string[] = [];
    const slow = simulate('slow', '/events?limit=1').then((answer) => {
      order.push('slow');
      return answer.status;
    });
    await ask(service, '/events?limit=2', keys.enterprise).then(() => order.push('other'));
    expect(await slow).toBe(200);
    expect(order).toEqual(['other', 'slow']);
  });

  it('gone: 410 for a record, resync for the log, 400 for a list', async () => {
    const { body } = await ask(service, '/events?limit=1', keys.enterprise);
    const record = await simulate('gone', `/events/${body.data[0].id}`);
    expect([record.status, (await bodyOf(record)).code]).toEqual([410, 'gone']);
    const log = await simulate('gone', '/changes');
    expect([log.status, (await bodyOf(log)).code]).toEqual([410, 'resync']);
    expect((await simulate('gone')).status).toBe(400);
  });

  it('refuses other values and live keys', async () => {
    const unknown = await simulate('503');
    expect(unknown.status).toBe(400);
    expect((await bodyOf(unknown)).errors).toEqual([
      expect.objectContaining({ in: 'header', code: 'unknown_value', detail: expect.stringContaining('429, 500, slow, gone') }),
    ]);
    const live = await simulate('429', '/events', service.keys.enterprise);
    expect(live.status).toBe(400);
    expect((await bodyOf(live)).errors[0].code).toBe('needs_test_key');
  });
});
