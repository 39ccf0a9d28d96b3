/** What a caller without a key may send, and what it costs. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseMessage } from '../../src/mcp/protocol/message.ts';
import { readTarget } from '../../src/mcp/protocol/revisions.ts';
import { findRecord } from '../../src/mcp/tools/find-record.ts';
import { createFakeDirectory, FAKE_NOW } from '../support/fakes/directory.ts';
import { cpuMsOf } from '../support/processes/cpu-time.ts';
import { askMcp, CLIENT_META, createTestMcp, type TestMcp } from '../support/rigs/mcp.ts';

let mcp: TestMcp;
beforeAll(async () => {
  mcp = await createTestMcp();
});
afterAll(() => mcp.close());

const ask = (method: string, params: Record<string, unknown>) => askMcp(mcp.url, method, params);
const call = (name: string, args: unknown) => ask('tools/call', { name, arguments: args });

test('an address of slashes alone costs no more than its length', () => {
  const { search } = createFakeDirectory();
  const place = { snapshot: search.current(), now: FAKE_NOW } as Parameters<typeof findRecord>[2];
  const look = (slashes: number) => cpuMsOf(() => findRecord('event', { url: `${'/'.repeat(slashes)}x` }, place));
  look(1_000);
  // The garbage of the whole process may be collected during one of them.
  expect(Math.min(...[1, 2, 3, 4, 5].map(() => look(200_000)))).toBeLessThan(100);
});

test('wrong members of _meta cost no more than their length, also where a request is free', async () => {
  const wrong = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`a${n}`, 1]));
  const meta = { ...CLIENT_META, 'io.modelcontextprotocol/clientCapabilities': { experimental: wrong } };
  expect((await askMcp(mcp.url, 'tools/list', {}, { meta })).status).toBe(200);
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } });
  const look = () =>
    cpuMsOf(() => {
      const message = parseMessage(body);
      if (message.kind === 'request') readTarget(message.method, message.params, null);
    });
  expect(Math.min(...[1, 2, 3, 4, 5].map(look))).toBeLessThan(100);
});

test.each([
  ['values of a list', 'search_events', { category: Array.from({ length: 60_000 }, () => 'a') }],
  ['different values of a list', 'search_venues', { type: Array.from({ length: 40 }, (_, n) => `kind${n}`) }],
  ['unknown arguments', 'search_events', Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`a${n}`, 1]))],
  ['few unknown arguments', 'search_events', Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`a${n}`, 1]))],
])('many wrong %s are answered with few words', async (_what, tool, args) => {
  const { json, text } = await call(tool, args);
  expect(json.result.isError).toBe(true);
  expect(text.length).toBeLessThan(6_000);
});

const NO_TEXT = { toString: 1, valueOf: 1 };
test.each([
  ['tools/call', { name: NO_TEXT }],
  ['tools/call', { name: 'search_events', arguments: { constructor: 1 } }],
  ['tools/call', { name: 'search_events', arguments: JSON.parse('{"__proto__":1}') }],
  ['tools/call', { name: 'search_events', arguments: { when: 'constructor' } }],
  ['tools/call', { name: 'search_events', arguments: { near: { latitude: NO_TEXT, longitude: 1 } } }],
  ['tools/call', { name: 'get_event', arguments: { id: NO_TEXT } }],
  ['resources/read', { uri: NO_TEXT }],
  ['prompts/get', { name: NO_TEXT }],
  ['completion/complete', { ref: { type: 'ref/prompt' }, argument: { name: 'constructor', value: 'x' } }],
  ['completion/complete', { ref: { type: 'ref/prompt' }, argument: { name: NO_TEXT, value: NO_TEXT } }],
  ['events/poll', { name: NO_TEXT, cursor: null }],
  ['events/poll', { name: 'event.created', cursor: NO_TEXT }],
  ['events/poll', { name: 'event.created', arguments: { category: [NO_TEXT] }, cursor: null }],
])('%s %j: values of a wrong form are named, and nothing breaks', async (method, params) => {
  const { status, json } = await ask(method, params);
  expect(status).toBe(200);
  expect([-32602, -32023, undefined]).toContain(json.error?.code);
  expect(JSON.stringify(json)).not.toContain('native code');
});
