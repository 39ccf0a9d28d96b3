/** What streams of MCP Events cost the service, whoever opens them. */

import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { createStreamPlaces, STREAM_LIMITS } from '../../src/mcp/events/event-methods.ts';
import { createEventStream } from '../../src/mcp/http/exchange.ts';
import type { McpCaller } from '../../src/mcp/protocol/dispatcher.ts';
import type { ChangeReader, LoggedChange } from '../../src/search/index.ts';
import { createFakeChanges } from '../support/fakes/changes.ts';
import { createFakeDirectory, FAKE_NOW } from '../support/fakes/directory.ts';
import { FAKE_KEYS } from '../support/fakes/gate.ts';
import { openRawClient, type RawClient } from '../support/network/raw-client.ts';
import { askMcp, CLIENT_META, createTestMcp, REVISION } from '../support/rigs/mcp.ts';

const EPOCH = '0b6f1c4e-6f0a-4b57-9a55-0a7b8f1d2c3e';
const DAY_MS = 86_400_000;

/** A log of `head` changes, `ageMs` old, that counts how often it is read. */
function createLongLog(head: number, ageMs: number): ChangeReader & { reads: number } {
  const at = FAKE_NOW - ageMs;
  const record = { found: 'published', json: JSON.stringify({ description: 'x'.repeat(5_000) }) } as const;
  const change = (seq: number): LoggedChange => ({ seq, at, kind: 'created', entity: 'event', entityId: `e${seq}`, record });
  const log = {
    ...createFakeChanges(),
    reads: 0,
    state: async () => ({ epoch: EPOCH, history: '', head, citySeq: 0 }),
    lastBefore: async (moment: number) => (at < moment ? head : 0),
    async read({ after, limit }: { after: number; limit: number }) {
      log.reads += 1;
      await new Promise((resolve) => setImmediate(resolve));
      const reached = Math.min(head, after + limit);
      const changes = Array.from({ length: reached - after }, (_, n) => change(after + n + 1));
      return { epoch: EPOCH, history: '', head, citySeq: 0, changes, reached, hasMore: reached < head };
    },
    // Nothing happens any more.
    waitBeyond: (_seq: number, ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, Math.max(0, ms))),
  };
  return log;
}

/** A directory whose snapshot holds all changes of the log. */
function directoryAt(seq: number) {
  const { search } = createFakeDirectory();
  const snapshot = Object.create(search.current(), { seq: { value: seq } });
  return { ...search, current: () => snapshot };
}

const requestOf = (cursor: string | null, more: readonly string[] = []): string => {
  const params = { name: 'event.created', arguments: {}, cursor, _meta: CLIENT_META };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'events/stream', params });
  const headers = [
    ...['Host: 127.0.0.1', 'Content-Type: application/json', 'Accept: application/json, text/event-stream'],
    ...[`MCP-Protocol-Version: ${REVISION}`, 'Mcp-Method: events/stream', `Content-Length: ${body.length}`],
    ...more,
  ];
  return `POST /mcp HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`;
};

const from = (address: string): McpCaller => ({ kind: 'anonymous', tier: null, accountId: null, address });
const refusal = (max: number) => expect.objectContaining({ errorName: 'event_exhausted', data: { limit: 'streams', max } });

test('a network has its places, however many addresses it writes from', () => {
  const take = createStreamPlaces({ ...STREAM_LIMITS, ofNetwork: 2 });
  const leave = take(from('2001:db8:1:2::1'));
  take(from('2001:db8:1:2::2'));
  expect(() => take(from('2001:db8:1:2:ffff::3'))).toThrow(refusal(2));
  expect(() => take(from('2001:db8:1:3::1'))).not.toThrow();
  leave();
  expect(() => take(from('2001:db8:1:2::4'))).not.toThrow();
});

test('all networks of one site share a fifth of the places, and all callers without a key leave those of keys alone', () => {
  const take = createStreamPlaces(STREAM_LIMITS);
  const open = (address: string): boolean => {
    try {
      return take(from(address)) !== null;
    } catch {
      return false;
    }
  };
  const all = Array.from({ length: 10 }, (_, site) =>
    Array.from({ length: 1_000 }, (_, n) => open(`2001:db8:${site}:${n.toString(16)}::1`)),
  );
  expect(all.map((site) => site.filter(Boolean).length)).toEqual([50, 50, 50, 50, 50, 0, 0, 0, 0, 0]);
  expect(() => take(from('203.0.113.7'))).toThrow(refusal(STREAM_LIMITS.withoutKey));
  const caller: McpCaller = { kind: 'key', tier: 'enterprise', accountId: 'a', address: '2001:db8::1' };
  for (let n = 0; n < STREAM_LIMITS.ofAccount; n += 1) expect(() => take(caller)).not.toThrow();
  expect(() => take(caller)).toThrow(refusal(STREAM_LIMITS.ofAccount));
  expect(() => take({ ...caller, accountId: 'b' })).not.toThrow();
});

test('streams of keys keep their places while callers without a key fill all of theirs, from many networks', async () => {
  const streamLimits = { withoutKey: 6, ofSite: 3, ofNetwork: 2, withKey: 2, ofAccount: 2 };
  const mcp = await createTestMcp({ trustProxy: ['127.0.0.1'], streamLimits });
  const clients: RawClient[] = [];
  /** `open`, or the limit that was met. */
  const openFrom = async (address: string, key?: string): Promise<string> => {
    const client = await openRawClient({ port: Number(new URL(mcp.url).port) });
    clients.push(client);
    client.write(requestOf(null, [`X-Forwarded-For: ${address}`, ...(key === undefined ? [] : [`X-API-Key: ${key}`])]));
    await expect.poll(() => client.text()).toMatch(/events\/active|too many streams/);
    return /"max":\d+/.exec(client.text())?.[0] ?? 'open';
  };
  const networks = ['2001:db8:1:1::1', '2001:db8:1:1::2', '2001:db8:1:1::3', '2001:db8:1:2::1', '2001:db8:1:3::1'];
  const answers = [];
  for (const address of networks) answers.push(await openFrom(address));
  expect(answers).toEqual(['open', 'open', '"max":2', 'open', '"max":3']);
  for (const host of [1, 2, 3]) expect(await openFrom(`203.0.113.${host}`)).toBe('open');
  expect(await openFrom('203.0.113.4')).toBe('"max":3');
  expect(await openFrom('198.51.100.1')).toBe('"max":6');
  expect(await openFrom('2001:db8:1:1::1', FAKE_KEYS.enterprise)).toBe('open');
  expect(await openFrom('198.51.100.1', FAKE_KEYS.enterprise)).toBe('open');
  expect(await openFrom('198.51.100.1', FAKE_KEYS.enterprise)).toBe('"max":2');
  for (const client of clients) client.close();
  await expect.poll(() => openFrom('198.51.100.1')).toBe('open');
  for (const client of clients) client.close();
  await mcp.close();
});

test('a caller who reads nothing is not read to: the log waits for them, not in memory', async () => {
  const changes = createLongLog(1_000_000, 60_000);
  const mcp = await createTestMcp({ changes, search: directoryAt(1_000_000) });
  const client = await openRawClient({ port: Number(new URL(mcp.url).port), reads: false });
  client.write(requestOf(`${EPOCH}.0`));
  await expect.poll(() => changes.reads).toBeGreaterThan(0);
  // A page has a megabyte: the buffers of both sockets hold a few of them.
  for (let n = 0; n < 300; n += 1) await askMcp(mcp.url, 'server/discover');
  expect(changes.reads).toBeLessThan(30);
  client.close();
  await mcp.close();
});

test('a caller who reads slowly for days leaves nothing behind with each pause', async () => {
  const res = Object.assign(new EventEmitter(), { destroyed: false, writableNeedDrain: true });
  const stream = createEventStream(res as unknown as ServerResponse);
  for (let pause = 0; pause < 3; pause += 1) {
    const drained = stream.drained();
    res.emit('drain');
    await drained;
  }
  expect([res.listenerCount('drain'), res.listenerCount('close')]).toEqual([0, 0]);
});

test('a caller without a key who begins before the log of a day has none of the older log read', async () => {
  const changes = createLongLog(100_000, 2 * DAY_MS);
  const mcp = await createTestMcp({ changes, search: directoryAt(100_000), heartbeatMs: 20 });
  const client = await openRawClient({ port: Number(new URL(mcp.url).port) });
  client.write(requestOf(`${EPOCH}.0`));
  await expect.poll(() => client.count('events/heartbeat')).toBeGreaterThan(0);
  expect(changes.reads).toBeLessThan(10);
  expect(client.text()).toContain(`"cursor":"${EPOCH}.100000","truncated":true`);
  client.close();
  const { json } = await askMcp(mcp.url, 'events/poll', { name: 'event.created', cursor: `${EPOCH}.0` });
  expect(json.result).toMatchObject({ events: [], cursor: `${EPOCH}.100000`, truncated: true, hasMore: false });
  await mcp.close();
});
