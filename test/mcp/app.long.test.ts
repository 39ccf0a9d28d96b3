/** The page that shows what `search_events` found, in a window as hosts open it: sandboxed, and allowed nothing from outside. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askMcp, callTool } from '../support/rigs/mcp.ts';
import { type DemoService, startDemoService } from '../support/rigs/service.ts';
import { describeInBrowser, findBarriers, type Visit, visit } from '../support/runs/browser.ts';
import { until } from '../support/runs/patience.ts';

let service: DemoService;
let host: Server;
let hostUrl = '';
let html = '';
beforeAll(async () => {
  service = await startDemoService();
  html = (await read()).contents[0].text;
  host = createServer((request, response) => {
    const isApp = request.url === '/app';
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...(isApp && { 'content-security-policy': POLICY }) });
    response.end(isApp ? html : HOST_PAGE);
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  hostUrl = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
});
afterAll(async () => {
  host.closeAllConnections();
  host.close();
  await service.stop();
});

const URI = 'ui://marquee/events';
const read = async () => (await askMcp(service.url, 'resources/read', { uri: URI })).json.result;

/** What a host must use for a page that declares nothing (SEP-1865). */
const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'none'";

/** A host: opens the page, answers `ui/initialize`, and keeps what it hears. */
const HOST_PAGE = `<!doctype html><html lang="en"><head><title>A host</title></head><body><main><h1>A host</h1>
<iframe src="/app" title="Events" sandbox="allow-scripts" width="500" height="620"></iframe></main><script>
globalThis.heard = [];
const frame = document.querySelector('iframe');
globalThis.tell = (message) => frame.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, '*');
addEventListener('message', ({ source, data }) => {
  if (source !== frame.contentWindow) return;
  heard.push(data);
  if (data.method === 'ui/initialize') tell({ id: data.id, result: { protocolVersion: '2026-01-26', hostInfo: { name: 'test', version: '1' },
    hostCapabilities: { openLinks: {} }, hostContext: { theme: 'dark', locale: 'de-DE', containerDimensions: { maxHeight: 600 } } } });
  if (data.method === 'ui/open-link') tell({ id: data.id, result: {} });
});
</script></body></html>`;

describe('the app', () => {
  test('is announced by the tool and the list of resources, and is one page that requests nothing', async () => {
    const { tools } = (await askMcp(service.url, 'tools/list')).json.result;
    const linked = tools.filter(({ _meta }: { _meta?: object }) => _meta !== undefined);
    expect(linked.map(({ name, _meta }: { name: string; _meta: object }) => [name, _meta])).toEqual([
      ['search_events', { ui: { resourceUri: URI } }],
    ]);
    const { resources } = (await askMcp(service.url, 'resources/list')).json.result;
    expect(resources.find(({ uri }: { uri: string }) => uri === URI)).toMatchObject({ mimeType: 'text/html;profile=mcp-app' });
    const { contents, ...rest } = await read();
    expect(contents).toEqual([
      { uri: URI, mimeType: 'text/html;profile=mcp-app', text: html, _meta: { ui: { prefersBorder: false } } },
    ]);
    expect(rest).toMatchObject({ resultType: 'complete' });
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(html).not.toMatch(/<(?:script|img|link|iframe)[^>]* (?:src|href)=/);
    expect(html.match(/<script/g)).toHaveLength(3);
    expect(html.match(/<\/script>/g)).toHaveLength(3);
    expect(Buffer.byteLength(html)).toBeLessThan(60_000);
  });
});

describeInBrowser('in the window of a host, the app', () => {
  let reader: Visit;
  let app: Frame;
  // biome-ignore lint/suspicious/noExplicitAny: messages as they came.
  const heard = async (method: string): Promise<any[]> =>
    ((await reader.page.evaluate('heard')) as { method?: string }[]).filter((message) => message.method === method);
  const tell = (message: object) => reader.page.evaluate(`tell(${JSON.stringify(message)})`);

  beforeAll(async () => {
    reader = await visit(hostUrl, { width: 800 });
    await reader.page.goto('/');
    const frame = await (await reader.page.waitForSelector('iframe')).contentFrame();
    if (!frame) throw new Error('the window shows nothing');
    app = frame;
    await until(async () => expect(await heard('ui/notifications/initialized')).toHaveLength(1));
  });

  test('introduces itself and takes the theme and the language', async () => {
    expect((await heard('ui/initialize'))[0].params).toMatchObject({
      protocolVersion: '2026-01-26',
      appInfo: { name: 'marquee' },
      appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
    });
    expect(await app.locator('html').getAttribute('lang')).toBe('de');
    expect(await app.locator('marquee-events').getAttribute('theme')).toBe('dark');
    expect(await app.getByRole('button').allTextContents()).toEqual(['Liste', 'Karte']);
  });

  test('shows what was found as a list and as a map, and tells its size', async () => {
    const result = await callTool(service.url, 'search_events', { limit: 6 });
    await tell({ method: 'ui/notifications/tool-input', params: { arguments: { limit: 6 } } });
    await tell({ method: 'ui/notifications/tool-result', params: result });
    const titles = app.locator('.event strong');
    await expect.poll(() => titles.count()).toBe(6);
    const found = result.structuredContent.events.map(({ title }: { title: string }) => title);
    expect((await titles.allTextContents()).toSorted()).toEqual(found.toSorted());
    expect(await app.locator('#count').textContent()).toBe(
      `6 von ${result.structuredContent.total.toLocaleString('de')} Veranstaltungen`,
    );
    expect(await findBarriers(reader.page)).toEqual([]);
    await app.getByRole('button', { name: 'Karte' }).click();
    const venues = new Set(result.structuredContent.events.map(({ venue }: { venue: { id: string } }) => venue.id));
    await expect.poll(() => app.locator('.dot').count()).toBe(venues.size);
    expect(await app.locator('.area').count()).toBeGreaterThan(5);
    const sizes = await heard('ui/notifications/size-changed');
    expect(sizes.at(-1).params.height).toBeGreaterThan(200);
    expect(sizes.at(-1).params.height).toBeLessThanOrEqual(620);
  });

  test('asks the host to open a link', async () => {
    await app.locator('.event').first().click();
    await expect.poll(() => heard('ui/open-link')).toHaveLength(1);
    expect((await heard('ui/open-link'))[0].params.url).toMatch(new RegExp(`^${service.url}/events/`));
  });

  test('shows hostile texts as text, says when nothing was found, and answers before it is closed', async () => {
    const event = {
      title: '<img src=x onerror="parent.postMessage(1,\'*\')">',
      start: '2026-11-21T20:00:00-06:00',
      venue: { id: 'v', name: '</script><b>', neighborhood: null, latitude: 43.5, longitude: -87.8 },
      ...{ isFree: true, priceMin: 0, priceMax: 0, status: 'scheduled', url: 'javascript:alert(1)' },
    };
    await tell({ method: 'ui/notifications/tool-result', params: { structuredContent: { total: 1, events: [event] } } });
    await expect.poll(() => app.locator('.event strong').allTextContents()).toEqual([event.title]);
    expect(await app.locator('.event').getAttribute('href')).toBeNull();
    await tell({ method: 'ui/notifications/tool-result', params: { isError: true, content: [] } });
    await expect.poll(() => app.locator('.note').textContent()).toBe('Keine kommenden Veranstaltungen');
    await tell({ id: 'bye', method: 'ui/resource-teardown', params: { reason: 'closed' } });
    await tell({ id: 'odd', method: 'ui/odd', params: {} });
    const answers = async () =>
      ((await reader.page.evaluate('heard')) as { id?: string }[]).filter(({ id }) => typeof id === 'string');
    await expect.poll(answers).toEqual([
      { jsonrpc: '2.0', id: 'bye', result: {} },
      { jsonrpc: '2.0', id: 'odd', error: { code: -32601, message: 'no method ui/odd' } },
    ]);
    expect(reader.complaints()).toEqual([]);
  });
});
