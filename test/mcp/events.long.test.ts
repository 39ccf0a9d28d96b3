/** MCP Events of a whole service: what a caller sees while the service is restarted and killed. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { accept, openReceiver, type Receiver } from '../support/network/receiver.ts';
import { askMcp, CLIENT_META, callTool, createTestMcp, REVISION } from '../support/rigs/mcp.ts';
import { type DemoService, marquee, type RunningService, startDemoService, startService } from '../support/rigs/service.ts';
import { DEMO_OFFSET } from '../support/runs/demo-clock.ts';
import { until as untilPasses } from '../support/runs/patience.ts';

/** Cursors hold as long as the address of the site does, and changes grow older. */
const SITE: Record<string, string> = { MARQUEE_PUBLIC_URL: 'http://localhost:3000', MARQUEE_NOW: DEMO_OFFSET };

let first: DemoService;
let service: RunningService;
let events: { id: string; title: string }[];
let key: string;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await openReceiver();
  SITE.MARQUEE_ALLOWED_HOSTS = receiver.host;
  first = await startDemoService(SITE);
  service = first;
  key = first.keys.enterprise;
  events = (await callTool(first.url, 'search_events', { limit: 20, max_chars: 20_000 })).structuredContent.events;
});
afterAll(async () => {
  if (service !== first) await service.stop();
  await first.stop().catch(() => undefined);
  await receiver.close();
});

type Params = Record<string, unknown>;
const until = (check: () => boolean | Promise<boolean>) => untilPasses(async () => expect(await check()).toBe(true));
const ask = (method: string, params: Params, caller: string | null = key) =>
  askMcp(service.url, method, params, { headers: caller === null ? {} : { 'X-API-Key': caller } });
const poll = async (params: Params, caller: string | null = key) => (await ask('events/poll', params, caller)).json;
const rename = async (n: number, title: string) => {
  const { status, stderr } = await marquee(['correct', 'event', events[n]?.id ?? '', 'title', title], first.settings);
  if (status !== 0) throw new Error(stderr);
};
async function restart(signal: NodeJS.Signals): Promise<void> {
  service.process.kill(signal);
  await new Promise((resolve) => service.process.once('exit', resolve));
}
const start = async () => {
  service = await startService(['start'], first.settings);
};

/** Reads a stream until it is closed. */
function openStream(params: Params) {
  const leaving = new AbortController();
  // biome-ignore lint/suspicious/noExplicitAny: notifications of every shape.
  const heard: any[] = [];
  const headers = {
    ...{ 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', 'X-API-Key': key },
    ...{ 'MCP-Protocol-Version': REVISION, 'Mcp-Method': 'events/stream' },
  };
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 'stream-1',
    method: 'events/stream',
    params: { ...params, _meta: CLIENT_META },
  });
  const done = (async () => {
    const answer = await fetch(`${service.url}/mcp`, { method: 'POST', headers, body, signal: leaving.signal });
    let text = '';
    for await (const chunk of answer.body ?? []) {
      text += Buffer.from(chunk as Uint8Array).toString();
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) {
        const [, json] = /^data: (.*)$/m.exec(part) ?? [];
        if (json) heard.push(JSON.parse(json));
      }
    }
  })().catch(() => undefined);
  // Signs of life come between them.
  const events = () => heard.filter(({ method }) => method === 'notifications/events/event').map(({ params }) => params);
  const titles = () => events().map(({ data }) => data.record.title);
  return { heard, events, titles, done, close: () => leaving.abort() };
}

const UPDATED = { name: 'event.updated', arguments: {} };

test('events/list tells the types, and unknown ones are refused', async () => {
  const { json } = await ask('events/list', {}, null);
  expect(json.result.events.map(({ name }: { name: string }) => name)).toContain('feed.matched');
  expect(json.result.events[0]).toMatchObject({ delivery: ['poll', 'push', 'webhook'], inputSchema: { type: 'object' } });
  const { result } = (await ask('server/discover', {}, null)).json;
  expect(result.capabilities).toMatchObject({ events: {}, extensions: { 'io.modelcontextprotocol/events': {} } });
  expect((await poll({ name: 'no.such', arguments: {}, cursor: null })).error.code).toBe(-32023);
  expect((await poll({ ...UPDATED, arguments: { categry: 'x' }, cursor: null })).error).toMatchObject({
    code: -32602,
    message: expect.stringContaining('did you mean category'),
  });
  expect((await poll({ ...UPDATED, cursor: 'yesterday' })).error.code).toBe(-32602);
});

test('poll, stream and replay lose nothing over a restart and a kill', async () => {
  const { result: begun } = await poll({ ...UPDATED, cursor: null });
  expect(begun).toMatchObject({ events: [], truncated: false, hasMore: false });
  const stream = openStream({ ...UPDATED, cursor: begun.cursor });
  await until(() => stream.heard.length > 0);
  expect(stream.heard[0]).toMatchObject({
    method: 'notifications/events/active',
    params: { cursor: begun.cursor, _meta: { 'io.modelcontextprotocol/subscriptionId': 'stream-1' } },
  });
  await rename(0, 'First');
  await until(() => stream.titles().length === 1);
  const told = stream.events()[0];
  expect(told).toMatchObject({
    name: 'event.updated',
    data: { kind: 'updated', fields: ['slug', 'title', 'url'], id: events[0]?.id },
  });
  expect(told.eventId).toBe(`evt_${told.cursor.replace('.', '_')}`);

  // The service ends in order: the stream gets its result, and the change that came meanwhile waits.
  await restart('SIGTERM');
  await stream.done;
  expect(stream.heard.at(-1)).toMatchObject({ id: 'stream-1', result: { resultType: 'complete' } });
  await rename(1, 'Second');
  await start();
  const again = openStream({ ...UPDATED, cursor: told.cursor });
  await until(() => again.titles().includes('Second'));
  expect(again.titles()).toEqual(['Second']);

  await rename(2, 'Third');
  await until(() => again.titles().includes('Third'));
  await restart('SIGKILL');
  await again.done;
  await rename(3, 'Fourth');
  await start();
  const { result: all } = await poll({ ...UPDATED, cursor: begun.cursor });
  const titles = all.events.map(({ data }: { data: { record: { title: string } } }) => data.record.title);
  expect(titles).toEqual(['First', 'Second', 'Third', 'Fourth']);
  expect([all.truncated, all.hasMore]).toEqual([false, false]);
  const pages: string[] = [];
  for (let cursor = begun.cursor; pages.length < 4; ) {
    const { result } = await poll({ ...UPDATED, cursor, maxEvents: 1 });
    pages.push(...result.events.map(({ eventId }: { eventId: string }) => eventId));
    cursor = result.cursor;
  }
  expect(pages).toEqual(all.events.map(({ eventId }: { eventId: string }) => eventId));
});

test('a webhook loses nothing over a restart and a kill, and tells it in order', async () => {
  const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
  const params = { ...UPDATED, cursor: null, delivery: { mode: 'webhook', url: receiver.url, secret } };
  const { result } = (await ask('events/subscribe', params)).json;
  const told = () => [...new Map(receiver.received.map(({ body }) => [body.eventId, body.data.record.title])).values()];
  await rename(5, 'Before the end');
  await until(() => told().length === 1);
  await restart('SIGTERM');
  await rename(6, 'While it was away');
  await start();
  await until(() => told().length === 2);
  // It dies while the endpoint has the message and nobody knows that it arrived.
  const arrived = new Promise<void>((resolve) => {
    receiver.answer = () => resolve();
  });
  await rename(7, 'Under way');
  await arrived;
  await restart('SIGKILL');
  receiver.answer = accept;
  await rename(8, 'After the kill');
  await start();
  await until(() => told().length === 4);
  expect(told()).toEqual(['Before the end', 'While it was away', 'Under way', 'After the kill']);
  const { result: renewed } = (await ask('events/subscribe', { ...params, cursor: result.cursor })).json;
  expect(renewed).toMatchObject({ id: result.id, truncated: false });
  expect(receiver.challenges).toHaveLength(1);
  expect((await ask('events/unsubscribe', params)).json.result).toBeDefined();
});

test('filters choose, foreign cursors are told as a gap, and other plans begin a day back at most', async () => {
  const { result: begun } = await poll({ ...UPDATED, cursor: null });
  await rename(4, 'Zebra parade');
  const matched = { name: 'feed.matched', arguments: { q: 'zebra parade' } };
  const read = async () => (await poll({ ...matched, cursor: begun.cursor })).result.events;
  await until(async () => (await read()).length === 1);
  expect((await poll({ ...matched, arguments: { q: 'no such words' }, cursor: begun.cursor })).result.events).toEqual([]);
  const foreign = `${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}.5`;
  expect((await poll({ ...UPDATED, cursor: foreign })).result).toMatchObject({ events: [], truncated: true });
  const zero = begun.cursor.replace(/\.\d+$/, '.0');
  expect((await poll({ ...UPDATED, cursor: zero }, null)).result.events.length).toBeGreaterThan(0);
  expect((await poll({ ...UPDATED, cursor: zero, maxAgeMs: 0 })).result).toMatchObject({ events: [], truncated: true });
});

test('a stream says that it lives, with its cursor, and ends its work when the caller leaves', async () => {
  const mcp = await createTestMcp({ heartbeatMs: 30, limits: { callsPerNetwork: 1_000, callsPerSite: 1_000 } });
  const headers = { 'X-API-Key': 'mq_live_enterprise' };
  const params = { name: 'event.created', arguments: {}, cursor: null };
  const withoutStream = await askMcp(mcp.url, 'events/stream', params, { headers: { ...headers, Accept: 'application/json' } });
  expect(withoutStream.status).toBe(406);
  const openOne = () =>
    fetch(`${mcp.url}/mcp`, {
      method: 'POST',
      headers: {
        ...{ ...headers, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
        ...{ 'MCP-Protocol-Version': REVISION, 'Mcp-Method': 'events/stream' },
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'events/stream', params: { ...params, _meta: CLIENT_META } }),
    });
  const isStream = (answer: Response) => answer.headers.get('content-type') === 'text/event-stream';
  // As many as one address may have, again and again: places are given back.
  for (let round = 0; round < 3; round += 1) {
    const open: Response[] = [];
    await until(async () => {
      const answer = await openOne();
      if (isStream(answer)) open.push(answer);
      return open.length === 20;
    });
    const refused = await openOne();
    expect(((await refused.json()) as { error: { code: number } }).error.code).toBe(-32025);
    for (const answer of open) {
      let text = '';
      for await (const chunk of answer.body ?? []) {
        text += Buffer.from(chunk as Uint8Array).toString();
        if (text.includes('notifications/events/heartbeat')) break;
      }
      expect(text).toMatch(/data: .*"method":"notifications\/events\/heartbeat","params":\{"cursor":"[^"]+"/);
    }
  }
  await mcp.close();
});
