/** The official client of the protocol, over HTTP in both eras and over standard streams. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BRIEF_NODE } from '../support/processes/brief-node.ts';
import { CLIENT_META } from '../support/rigs/mcp.ts';
import { type DemoService, environmentOf, startDemoService } from '../support/rigs/service.ts';
import { until } from '../support/runs/patience.ts';

let service: DemoService;
beforeAll(async () => {
  service = await startDemoService();
});
afterAll(() => service.stop());

async function converse(client: Client) {
  const { tools } = await client.listTools();
  const found = await client.callTool({ name: 'search_events', arguments: { when: 'next_weekend', limit: 3 } });
  const { events } = found.structuredContent as { events: { id: string }[] };
  const event = await client.callTool({ name: 'get_event', arguments: { id: events[0]?.id } });
  const { contents } = await client.readResource({ uri: 'marquee://city' });
  const { prompts } = await client.listPrompts();
  return {
    tools: tools.map(({ name }) => name),
    found: found.structuredContent,
    event: event.structuredContent,
    contents,
    prompts,
  };
}

describe('the official client', () => {
  test('hears the same over HTTP and over standard streams', async () => {
    const remote = new Client({ name: 'test', version: '1.0.0' });
    await remote.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`)));
    const local = new Client({ name: 'test', version: '1.0.0' });
    const program = new URL('../../bin/marquee.mjs', import.meta.url).pathname;
    const env = environmentOf(service.settings) as Record<string, string>;
    await local.connect(new StdioClientTransport({ command: process.execPath, args: [...BRIEF_NODE, program, 'mcp'], env }));
    const [overHttp, overStreams] = [await converse(remote), await converse(local)];
    expect(overHttp.tools).toHaveLength(6);
    expect(overStreams.tools).toEqual(overHttp.tools);
    expect(overStreams.found).toEqual(overHttp.found);
    expect(overStreams.event).toEqual(overHttp.event);
    expect(overStreams.prompts).toEqual(overHttp.prompts);
    // The operator's own machine has every plan.
    const trending = await local.callTool({ name: 'whats_trending', arguments: {} });
    expect(trending.isError).toBe(false);
    await remote.close();
    await local.close();
  });

  test('is told of wrong tools, wrong arguments and wrong keys', async () => {
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`)));
    await expect(client.callTool({ name: 'no_such', arguments: {} })).rejects.toThrow(/no tool|no_such/);
    const wrong = await client.callTool({ name: 'search_events', arguments: { category: ['conecrt'] } });
    expect(wrong.isError).toBe(true);
    await client.close();
  });
});

describe('standard streams', () => {
  test('end what the client cancels, and give its place to another', async () => {
    const program = new URL('../../bin/marquee.mjs', import.meta.url).pathname;
    const env = environmentOf(service.settings);
    const child = spawn(process.execPath, [...BRIEF_NODE, program, 'mcp'], { env, stdio: ['pipe', 'pipe', 'ignore'] });
    // biome-ignore lint/suspicious/noExplicitAny: messages of every shape.
    const heard: any[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => heard.push(JSON.parse(line)));
    const say = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const stream = (id: number) =>
      say({ id, method: 'events/stream', params: { name: 'event.created', cursor: null, _meta: CLIENT_META } });
    const active = () => heard.filter(({ method }) => method === 'notifications/events/active').length;
    for (let id = 1; id <= 20; id += 1) stream(id);
    await until(() => expect(active()).toBe(20));
    stream(21);
    await until(() => expect(heard.find(({ id }) => id === 21)?.error.code).toBe(-32025));
    say({ method: 'notifications/cancelled', params: { requestId: 7 } });
    let next = 22;
    await until(() => {
      stream(next++);
      expect(active()).toBe(21);
    });
    expect(heard.find(({ id }) => id === 7)).toBe(undefined);
    child.stdin.end();
    await once(child, 'exit');
  });
});

describe('the documents', () => {
  test('name the server, its tools and how to reach it, as the list of tools does', async () => {
    const read = async (path: string) => await (await fetch(`${service.url}${path}`)).text();
    const card = JSON.parse(await read('/.well-known/mcp/server-card.json'));
    expect(card.remotes[0]).toMatchObject({ type: 'streamable-http', url: `${service.url}/mcp` });
    expect(card.tools).toHaveLength(6);
    const entry = JSON.parse(await read('/server.json'));
    expect(entry.name).toMatch(/^[A-Za-z0-9.-]+\/marquee$/);
    expect(entry.description.length).toBeLessThanOrEqual(100);
    const catalog = JSON.parse(await read('/.well-known/ai-catalog.json'));
    expect(catalog.entries[0].url).toBe(`${service.url}/.well-known/mcp/server-card.json`);
    const text = await read('/llms.txt');
    for (const { name, description } of card.tools) expect(text).toContain(`- \`${name}\`: ${description}`);
  });
});
