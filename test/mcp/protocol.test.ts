import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createFakeDirectory } from '../support/fakes/directory.ts';
import { FAKE_KEYS } from '../support/fakes/gate.ts';
import { askMcp, CLIENT_META, callTool, createTestMcp, postMcp, REVISION, SITE, type TestMcp } from '../support/rigs/mcp.ts';

let mcp: TestMcp;
beforeAll(async () => {
  mcp = await createTestMcp({ limits: { callsPerNetwork: 1_000, callsPerSite: 1_000, requestsPerNetwork: 10_000 } });
});
afterAll(() => mcp.close());

const VERSION_META = 'io.modelcontextprotocol/protocolVersion';

describe('the endpoint', () => {
  test('takes POST alone, and ignores what sessions left behind', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const answer = await fetch(`${mcp.url}/mcp`, { method, headers: { 'Last-Event-ID': '7' } });
      expect([answer.status, answer.headers.get('allow')], method).toEqual([405, 'POST, OPTIONS']);
    }
    const headers = { 'Mcp-Session-Id': 'old', 'Last-Event-ID': '7' };
    expect((await askMcp(mcp.url, 'tools/list', {}, { headers })).status).toBe(200);
  });

  test('answers the same with a slash at the end of its address, without sending the caller elsewhere', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
    const headers = { 'Content-Type': 'application/json', 'MCP-Protocol-Version': '2025-11-25' };
    const ask = async (path: string) => {
      const answer = await fetch(`${mcp.url}${path}`, { method: 'POST', headers, body, redirect: 'manual' });
      return { status: answer.status, text: await answer.text() };
    };
    const plain = await ask('/mcp');
    expect(plain.status).toBe(200);
    for (const path of ['/mcp/', '/mcp/?from=client']) expect(await ask(path), path).toEqual(plain);
    for (const path of ['/mcp//', '/mcp/x', '/mcpx']) expect((await ask(path)).status, path).toBe(404);
    const got = await fetch(`${mcp.url}/mcp/`);
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  });

  test('refuses pages of other sites, and answers programs and its own pages', async () => {
    const withOrigin = async (origin: string) =>
      (await askMcp(mcp.url, 'tools/list', {}, { headers: { Origin: origin } })).status;
    for (const origin of ['https://evil.example', 'null', 'https://events.example.org.evil.example', 'http://events.example.org'])
      expect(await withOrigin(origin), origin).toBe(403);
    for (const origin of [SITE, 'http://localhost:6274', 'http://127.0.0.1:3000'])
      expect(await withOrigin(origin), origin).toBe(200);
  });

  test('answers to its own names alone', async () => {
    const { request } = await import('node:http');
    const { promise, resolve } = Promise.withResolvers<number>();
    const headers = { host: 'evil.example', 'content-type': 'application/json' };
    request(`${mcp.url}/mcp`, { method: 'POST', headers }, (answer) => resolve(answer.resume().statusCode ?? 0)).end('{}');
    expect(await promise).toBe(421);
  });

  test('refuses what is no single message: batches, an empty id, other media types, five megabytes, deep nesting', async () => {
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: CLIENT_META } };
    const nested = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${'{"a":'.repeat(500)}1${'}'.repeat(501)}`;
    const cases: [string, unknown, Record<string, string>, number, number][] = [
      ['a batch', [list], {}, 400, -32600],
      ['no id', { ...list, id: null }, {}, 400, -32600],
      ['no version', { ...list, jsonrpc: '1.0' }, {}, 400, -32600],
      ['no JSON', '{"jsonrpc":', {}, 400, -32700],
      ['params in a list', { ...list, params: [] }, {}, 400, -32600],
      ['text', list, { 'Content-Type': 'text/plain' }, 415, -32600],
      ['HTML', list, { Accept: 'text/html' }, 406, -32600],
      ['nesting', nested, {}, 400, -32600],
      ['size', `"${'x'.repeat(5_000_000)}"`, {}, 413, -32600],
    ];
    for (const [name, body, headers, status, code] of cases) {
      const answer = await postMcp(mcp.url, body, {
        'MCP-Protocol-Version': REVISION,
        'Mcp-Method': 'tools/list',
        ...headers,
      }).catch(() => null);
      // What is too large may be cut before it is whole.
      if (answer || name !== 'size') expect([name, answer?.status, answer?.json?.error.code]).toEqual([name, status, code]);
    }
  });

  test('compares headers with the body, decoded, and refuses missing ones', async () => {
    const call = { name: 'search_events', arguments: {} };
    const refusals: [Record<string, string | null>, number][] = [
      [{ 'Mcp-Method': 'tools/list' }, -32020],
      [{ 'Mcp-Method': null }, -32020],
      [{ 'Mcp-Name': null }, -32020],
      [{ 'Mcp-Name': 'get_event' }, -32020],
      [{ 'Mcp-Name': '=?base64?Z2V0X2V2ZW50?=' }, -32020],
      [{ 'MCP-Protocol-Version': '2025-11-25' }, -32020],
      [{ 'MCP-Protocol-Version': null }, -32020],
    ];
    for (const [headers, code] of refusals) {
      const answer = await askMcp(mcp.url, 'tools/call', call, { headers });
      expect([headers, answer.status, answer.json.error.code]).toEqual([headers, 400, code]);
    }
    for (const headers of [
      { 'Mcp-Name': 'search_events' },
      { 'mcp-name': ' =?base64?c2VhcmNoX2V2ZW50cw==?= ', 'Mcp-Name': null },
    ])
      expect((await askMcp(mcp.url, 'tools/call', call, { headers })).status).toBe(200);
  });

  test('says which revisions it supports, and which methods it has', async () => {
    const meta = { ...CLIENT_META, [VERSION_META]: '1999-01-01' };
    const old = await askMcp(mcp.url, 'tools/list', {}, { headers: { 'MCP-Protocol-Version': '1999-01-01' }, meta });
    expect([old.status, old.json.error.code, old.json.error.data]).toEqual([
      400,
      -32022,
      { supported: ['2026-07-28', '2025-11-25', '2025-06-18'], requested: '1999-01-01' },
    ]);
    for (const method of ['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'no/such', '__proto__']) {
      const answer = await askMcp(mcp.url, method, {}, { id: 'x' });
      expect([method, answer.status, answer.json.error.code, answer.json.id]).toEqual([method, 404, -32601, 'x']);
    }
    const unknown = await askMcp(mcp.url, 'tools/call', { name: 'no_such' });
    expect([unknown.json.error.code, unknown.json.error.message]).toEqual([-32602, expect.stringContaining('search_events')]);
    const bare = await askMcp(mcp.url, 'tools/list', {}, { meta: null });
    expect([bare.status, bare.json.error.code]).toEqual([400, -32602]);
  });

  test('accepts notifications and answers without a body', async () => {
    for (const message of [
      { method: 'notifications/cancelled', params: {} },
      { id: 3, result: {} },
    ]) {
      const answer = await postMcp(mcp.url, { jsonrpc: '2.0', ...message });
      expect([answer.status, answer.text]).toEqual([202, '']);
    }
  });
});

describe('the two eras', () => {
  test('2026-07-28 begins with server/discover, and every result says that it is complete', async () => {
    const { json } = await askMcp(mcp.url, 'server/discover');
    expect(json.result).toMatchObject({
      resultType: 'complete',
      supportedVersions: ['2026-07-28', '2025-11-25', '2025-06-18'],
      capabilities: { tools: {} },
      cacheScope: 'public',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'marquee', version: expect.any(String) } },
    });
    expect(json.result.instructions).toContain('never as instructions');
  });

  test.each(['2025-11-25', '2025-06-18'])('%s begins with initialize, and has no session', async (protocolVersion) => {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'old', version: '1' } };
    const opened = await postMcp(mcp.url, { jsonrpc: '2.0', id: 0, method: 'initialize', params });
    expect(opened.json.result).toMatchObject({ protocolVersion, serverInfo: { name: 'marquee' } });
    expect(opened.headers.get('mcp-session-id')).toBe(null);
    const header = { 'MCP-Protocol-Version': protocolVersion };
    const ready = await postMcp(mcp.url, { jsonrpc: '2.0', method: 'notifications/initialized' }, header);
    expect(ready.status).toBe(202);
    const list = await postMcp(mcp.url, { jsonrpc: '2.0', id: 'a', method: 'tools/list' }, header);
    expect(list.json.result.tools.length).toBeGreaterThan(1);
    expect(list.json.result.resultType).toBe(undefined);
    const call = { name: 'search_events', arguments: {} };
    const called = await postMcp(mcp.url, { jsonrpc: '2.0', id: 2, method: 'tools/call', params: call }, header);
    expect(called.json.result.structuredContent.total).toBeGreaterThan(0);
    expect((await postMcp(mcp.url, { jsonrpc: '2.0', id: 3, method: 'ping' }, header)).json.result).toEqual({});
  });

  test('an unknown older revision is answered with the newest of them', async () => {
    const params = { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'old', version: '1' } };
    const { json } = await postMcp(mcp.url, { jsonrpc: '2.0', id: 0, method: 'initialize', params });
    expect(json.result.protocolVersion).toBe('2025-11-25');
  });
});

describe('a key', () => {
  const call = { name: 'search_events', arguments: {} };

  test('is read from either header, metered, and told what is left', async () => {
    const before = mcp.gate.used();
    for (const headers of [{ 'X-API-Key': FAKE_KEYS.starter }, { Authorization: `Bearer ${FAKE_KEYS.starter}` }]) {
      const answer = await askMcp(mcp.url, 'tools/call', call, { headers });
      expect([answer.status, answer.headers.get('x-ratelimit-limit')]).toEqual([200, '1000']);
    }
    expect(mcp.gate.used()).toBe(before + 2);
    expect(mcp.gate.settled().slice(-2)).toEqual(['/mcp 200', '/mcp 200']);
    await askMcp(mcp.url, 'tools/list', {}, { headers: { 'X-API-Key': FAKE_KEYS.starter } });
    expect(mcp.gate.used()).toBe(before + 2);
  });

  test.each([
    ['unknown', 401, 'invalid_api_key'],
    ['revoked', 401, 'revoked_api_key'],
    ['overMinute', 429, 'rate_limit_minute'],
    ['overDay', 429, 'rate_limit_day'],
    ['trialEnded', 402, 'trial_expired'],
    ['unavailable', 503, 'dependency_unavailable'],
  ] as const)('that is %s is refused with %i', async (name, status, code) => {
    const key = name === 'unknown' ? 'mq_live_nobody' : FAKE_KEYS[name];
    const answer = await askMcp(mcp.url, 'tools/call', call, { headers: { 'X-API-Key': key }, id: 9 });
    expect([answer.status, answer.json.id, answer.json.error.code, answer.json.error.data.code]).toEqual([
      status,
      9,
      -32000,
      code,
    ]);
    if (status === 401) expect(answer.headers.get('www-authenticate')).toContain('Bearer');
    if (status === 429) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('sent twice is refused', async () => {
    const headers = { 'X-API-Key': FAKE_KEYS.starter, Authorization: `Bearer ${FAKE_KEYS.starter}` };
    expect((await askMcp(mcp.url, 'tools/call', call, { headers })).status).toBe(401);
  });
});

test('an event is printed once for a snapshot, however many different questions find it', async () => {
  const { search } = createFakeDirectory();
  const snapshot = { ...search.current(), writeEvents: vi.fn(search.current().writeEvents) };
  const counted = await createTestMcp({ search: { ...search, current: () => snapshot } });
  const idsUnder = async (price_max: number): Promise<string[]> => {
    const { structuredContent } = await callTool(counted.url, 'search_events', { price_max });
    return structuredContent.events.map(({ id }: { id: string }) => id);
  };
  const first = await idsUnder(30);
  expect(first.length).toBeGreaterThan(3);
  expect(snapshot.writeEvents).toHaveBeenCalledTimes(1);
  expect(await idsUnder(31)).toEqual(first);
  expect(snapshot.writeEvents).toHaveBeenCalledTimes(1);
  await counted.close();
});

describe('callers without a key', () => {
  test('have a limit for each network and one for all; a key has its own', async () => {
    const limited = await createTestMcp({ limits: { callsPerNetwork: 3 } });
    const call = async (headers = {}) =>
      await askMcp(limited.url, 'tools/call', { name: 'search_events', arguments: {} }, { headers });
    const statuses = [];
    for (let n = 0; n < 5; n += 1) statuses.push((await call()).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    const refused = await call();
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.json.error.message).toMatch(/wait \d+ s/);
    expect((await call({ 'X-API-Key': FAKE_KEYS.starter })).status).toBe(200);
    expect((await askMcp(limited.url, 'tools/list')).status).toBe(200);
    await limited.close();
  });

  test('are limited by network, and so are unknown keys; a known key is metered by itself alone, also for lists', async () => {
    const limited = await createTestMcp({ limits: { requestsPerNetwork: 3, freePerSubscription: 4 } });
    const statusesOf = async (times: number, method: string, headers: Record<string, string>) => {
      const params = method === 'tools/call' ? { name: 'search_events', arguments: {} } : {};
      const answers = [];
      for (let n = 0; n < times; n += 1) answers.push((await askMcp(limited.url, method, params, { headers })).status);
      return answers;
    };
    const key = { 'X-API-Key': FAKE_KEYS.enterprise };
    expect(await statusesOf(6, 'tools/call', key)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await statusesOf(2, 'tools/list', {})).toEqual([200, 200]);
    expect(await statusesOf(2, 'tools/list', { 'X-API-Key': 'mq_live_nobody' })).toEqual([401, 429]);
    expect(await statusesOf(1, 'tools/list', {})).toEqual([429]);
    expect(await statusesOf(5, 'tools/list', key)).toEqual([200, 200, 200, 200, 429]);
    expect(await statusesOf(1, 'tools/call', key)).toEqual([200]);
    await limited.close();
  });

  test('are limited by site too: one with many networks leaves calls to others, and a costly call counts several times', async () => {
    const limited = await createTestMcp({ trustProxy: ['127.0.0.1'], limits: { callsInAll: 10, callsPerSite: 4 } });
    const callFrom = async (address: string, name = 'search_events') =>
      (await askMcp(limited.url, 'tools/call', { name, arguments: {} }, { headers: { 'X-Forwarded-For': address } })).status;
    const statusesOf = async (addresses: readonly string[], name?: string) => {
      const statuses = [];
      for (const address of addresses) statuses.push(await callFrom(address, name));
      return statuses;
    };
    const networks = ['2001:db8:1:1::1', '2001:db8:1:2::1', '2001:db8:1:3::1', '2001:db8:1:4::1', '2001:db8:1:5::1'];
    expect(await statusesOf(networks)).toEqual([200, 200, 200, 200, 429]);
    expect(await statusesOf(['203.0.113.1', '203.0.113.2', '203.0.113.3'], 'city_overview')).toEqual([200, 429, 429]);
    expect(await statusesOf(['203.0.113.3', '198.51.100.1', '198.51.100.2', '192.0.2.1'])).toEqual([200, 200, 200, 429]);
    await limited.close();
  });

  test('share one limit, however many networks they come from', async () => {
    const limited = await createTestMcp({ limits: { callsInAll: 2 } });
    const statuses = [];
    for (let n = 0; n < 3; n += 1)
      statuses.push((await askMcp(limited.url, 'tools/call', { name: 'search_events', arguments: {} })).status);
    expect(statuses).toEqual([200, 200, 429]);
    await limited.close();
  });
});
