/** The MCP server over the fake directory and gate, through the door of a whole HTTP server; and a small client for any. */

import { createApi } from '../../../src/api/index.ts';
import { createLog } from '../../../src/log.ts';
import { type OpenMcpOptions, openMcp } from '../../../src/mcp/index.ts';
import { createServer } from '../../../src/server/index.ts';
import { createFakeChanges } from '../fakes/changes.ts';
import { createFakeDirectory, FAKE_NOW } from '../fakes/directory.ts';
import { createFakeExports } from '../fakes/exports.ts';
import { createFakeFeeds } from '../fakes/feeds.ts';
import { createFakeGate } from '../fakes/gate.ts';

export const REVISION = '2026-07-28';
export const SITE = 'https://events.example.org';

export interface McpAnswer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  json: any;
}

export interface AskOptions {
  /** In place of what a good client sends; null leaves the header out. */
  headers?: Record<string, string | null>;
  id?: unknown;
  /** Whole, in place of what a good client sends. */
  meta?: Record<string, unknown> | null;
}

/** A request of revision 2026-07-28 as a good client sends it. */
export async function askMcp(
  url: string,
  method: string,
  params: Record<string, unknown> = {},
  options: AskOptions = {},
): Promise<McpAnswer> {
  const { id = 1, meta = CLIENT_META } = options;
  const name = params.name ?? params.uri;
  const headers = {
    'MCP-Protocol-Version': REVISION,
    'Mcp-Method': method,
    ...(NAMED.has(method) && typeof name === 'string' && { 'Mcp-Name': `=?base64?${Buffer.from(name).toString('base64')}?=` }),
    ...options.headers,
  };
  return await postMcp(url, { jsonrpc: '2.0', id, method, params: { ...params, ...(meta && { _meta: meta }) } }, headers);
}

/** Any body. `headers`: beside those of every client; null leaves one out. */
export async function postMcp(url: string, body: unknown, headers: Record<string, string | null> = {}): Promise<McpAnswer> {
  const all = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers };
  const sent = Object.entries(all).filter((header): header is [string, string] => header[1] !== null);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await fetch(`${url}/mcp`, { method: 'POST', headers: sent, body: text });
  const came = await answer.text();
  const isJson = answer.headers.get('content-type') === 'application/json';
  return { status: answer.status, headers: answer.headers, text: came, json: isJson ? JSON.parse(came) : undefined };
}

/** The result of a tool; fails where there is none. */
export async function callTool(url: string, name: string, args: unknown = {}, key?: string) {
  const options = key === undefined ? {} : { headers: { 'X-API-Key': key } };
  const { json, text } = await askMcp(url, 'tools/call', { name, arguments: args }, options);
  if (!json?.result) throw new Error(`no result: ${text}`);
  return json.result;
}

export const CLIENT_META: Record<string, unknown> = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
};
const NAMED = new Set(['tools/call', 'prompts/get', 'resources/read']);

export interface TestMcp {
  url: string;
  gate: ReturnType<typeof createFakeGate>;
  close(): Promise<void>;
}

/** `trustProxy`: tests behind a proxy say by `X-Forwarded-For` where a caller is. */
export async function createTestMcp({
  trustProxy = null,
  ...options
}: Partial<OpenMcpOptions> & { trustProxy?: readonly string[] | null } = {}): Promise<TestMcp> {
  const { search } = createFakeDirectory();
  const gate = createFakeGate();
  const log = createLog('silent');
  const clocks = { directory: () => FAKE_NOW, limits: () => FAKE_NOW };
  const publicUrl = () => SITE;
  const parts = { search, changes: createFakeChanges(), gate, feeds: createFakeFeeds(), exports: createFakeExports() };
  const api = createApi({ ...parts, publicUrl, clocks, log });
  const loadChangedAt = async () => FAKE_NOW;
  const loadMap = async () => null;
  const changes = createFakeChanges();
  const { handler } = openMcp({
    search,
    changes,
    gate,
    publicUrl,
    clocks,
    observe: api.observe,
    log,
    loadChangedAt,
    loadMap,
    ...options,
  });
  const server = createServer({ api, mcp: handler, log, ready: () => true, trustProxy });
  const { port } = await server.listen({ port: 0, host: '127.0.0.1' });
  return { url: `http://127.0.0.1:${port}`, gate, close: server.drain };
}
