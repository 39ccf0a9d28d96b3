/** What people and assistants ask for: pages, their scripts, the embed, and the tools of the MCP server beside the API. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { buildPages } from '../src/web/index.ts';
import type { KeyRing } from './keys.ts';
import { cpuMs, get, measure, median, openClient, percentile, serverTimes, warmUpFor } from './load.ts';
import { type PageSizes, pageFigures } from './pages.ts';
import type { Running } from './service.ts';

export interface VisitorSize {
  /** Of the API and of MCP, in each round. */
  requests: number;
  rounds: number;
  rate: number;
  pages: PageSizes;
}

export interface VisitorRow {
  work: string;
  measured: string;
  atMost: string;
  holds: boolean;
}

export async function visitorFigures(service: Running, keys: KeyRing, size: VisitorSize): Promise<VisitorRow[]> {
  return [
    ...(await toolFigures(service, keys, size)),
    ...(await pageRows(service, keys, size)),
    ...(await variedPages(service, keys, size.pages.requests)),
    ...(await weights(service)),
  ];
}

/** The same questions to the API and to the tool, in turns: those that are asked again and again, and those that nobody asked yet. */
async function toolFigures(service: Running, keys: KeyRing, { requests, rounds, rate }: VisitorSize): Promise<VisitorRow[]> {
  let fresh = 0;
  /** One that no answer is kept of. */
  const unasked = () => ({ category: CATEGORIES[fresh % CATEGORIES.length] ?? '', price_max: 20 + (fresh++ % 1_000_000) / 100 });
  const repeated = (n: number) => ({ category: CATEGORIES[n % CATEGORIES.length] ?? '' });
  const rows: VisitorRow[] = [];
  for (const { name, question, atMost } of [
    { name: 'asked again', question: repeated, atMost: 1.5 },
    { name: 'asked for the first time', question: unasked, atMost: 1.5 },
  ]) {
    const list = (of: (question: Question) => Buffer) => Array.from({ length: requests }, (_, n) => of(question(n)));
    const viaApi = () => list((each) => askApi(each, keys.next()));
    const viaTool = () => list((each) => callSearch(each, keys.next()));
    for (const side of [viaApi, viaTool]) await measure(service, side(), 0);
    const [api, tool, ratios] = [[] as number[], [] as number[], [] as number[]];
    for (let round = 0; round < rounds; round += 1) {
      const ours = await measure(service, viaApi(), rate);
      const theirs = await measure(service, viaTool(), rate);
      api.push(ours);
      tool.push(theirs);
      ratios.push(theirs / ours);
    }
    const ratio = median(ratios);
    const said = `${ratio.toFixed(2)} × (${micros(median(api))} → ${micros(median(tool))} µs)`;
    const work = `CPU of \`search_events\`, ${name}, against the same request to the API`;
    rows.push({ work, measured: said, atMost: `${atMost} ×`, holds: ratio <= atMost });
  }
  return rows;
}

type Question = Record<string, string | number>;

const askApi = (question: Question, key: string): Buffer =>
  Buffer.from(
    `GET /api/v1/events?${new URLSearchParams(toText(question))}&limit=8 HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${key}\r\nAccept: application/json\r\n\r\n`,
  );

const toText = (question: Question): Record<string, string> =>
  Object.fromEntries(Object.entries(question).map(([name, value]) => [name, String(value)]));

function callSearch({ category, ...others }: Question, key: string): Buffer {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: 'search_events',
      arguments: { category: [category], ...others, limit: 8 },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': REVISION,
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  });
  const head = [
    'POST /mcp HTTP/1.1',
    'Host: localhost',
    `X-API-Key: ${key}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `MCP-Protocol-Version: ${REVISION}`,
    'Mcp-Method: tools/call',
    'Mcp-Name: search_events',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** The slowest of all pages stands for them. */
async function pageRows(service: Running, keys: KeyRing, { pages }: VisitorSize): Promise<VisitorRow[]> {
  const [first] = await readEvents(service, keys, 1);
  const records = first ? [`/events/${first.slug}`, `/venues/${first.venue.slug}`] : [];
  const measured = await pageFigures(service.url, { ...pages, records });
  const figures = measured.map((each) => ({
    ...each,
    path: records.includes(each.path) ? each.path.replace(/^(\/\w+)\/.*/, '$1/{slug}') : each.path,
  }));
  const slowest = figures.reduce((worst, each) => (each.p95 > worst.p95 ? each : worst));
  return [
    row(`p95 of the slowest public page (${slowest.path})`, slowest.p95, 50, 'ms', 1),
    ...figures.flatMap(({ path, painted }) =>
      painted === null ? [] : [row(`largest paint of ${path}, processor at a quarter`, painted, 1_000, 'ms')],
    ),
  ];
}

/** Another page each time, so that no finished page is sent. */
async function variedPages(service: Running, keys: KeyRing, requests: number): Promise<VisitorRow[]> {
  const events = await readEvents(service, keys, Math.min(100, requests));
  const rows: VisitorRow[] = [];
  for (const [name, pathOf] of [
    ['event pages', (n: number) => `/events/${events[n % events.length]?.slug}?n=${n}`],
    ['venue pages', (n: number) => `/venues/${events[n % events.length]?.venue.slug}?n=${n}`],
    ['lists of events', (n: number) => `/events/${CATEGORIES[n % CATEGORIES.length]}?sort=start&page=${1 + (n % 40)}`],
    ['searches', (n: number) => `/search?ask=${CATEGORIES[n % CATEGORIES.length]}+under+${10 + n}`],
  ] as const) {
    const before = cpuMs(service.pid);
    const times = await serverTimes((n) => service.url + pathOf(n), requests);
    const cpu = (cpuMs(service.pid) - before) / (requests + warmUpFor(requests));
    const p95 = percentile(times, 0.95);
    const measured = `${p95.toFixed(1)} ms (CPU ${cpu.toFixed(1)} ms, median ${median(times).toFixed(1)} ms)`;
    rows.push({ work: `p95 of ${requests} different ${name}`, measured, atMost: '30 ms', holds: p95 <= 30 });
  }
  return rows;
}

/** Compressed, as browsers load it. */
async function weights(service: Running): Promise<VisitorRow[]> {
  const { client, server } = await buildPages();
  const { routes, entry } = ((await import(server)) as { assets: Manifest }).assets;
  const sizeOf = (modules: Iterable<string>) =>
    [...new Set(modules)].reduce((sum, path) => sum + readFileSync(join(client, `${path}.br`)).length, 0);
  const modulesOf = (id: string | undefined): string[] => {
    const route = id === undefined ? undefined : routes[id];
    if (!route) return [entry.module, ...entry.imports];
    return [route.module, ...(route.imports ?? []), ...modulesOf(route.parentId)];
  };
  const heaviest = Math.max(...Object.keys(routes).map((id) => sizeOf(modulesOf(id))));
  const ofMap = sizeOf(
    readdirSync(join(client, 'assets'))
      .filter((name) => MAP_FILE.test(name))
      .map((name) => `/assets/${name}`),
  );
  const embed = await (await fetch(`${service.url}/embed/v1/marquee-events.js`)).text();
  const kilobytes = (bytes: number) => bytes / 1_000;
  return [
    row('JavaScript of the heaviest page, compressed', kilobytes(heaviest), 150, 'kB'),
    row('JavaScript of a live map, compressed, beside its page', kilobytes(ofMap), 350, 'kB'),
    row('script of the embed, compressed', kilobytes(brotliCompressSync(embed).length), 12, 'kB', 1),
  ];
}

interface Manifest {
  entry: { module: string; imports: string[] };
  routes: Record<string, { parentId?: string; module: string; imports?: string[] }>;
}

async function readEvents(service: Running, keys: KeyRing, limit: number) {
  const client = openClient(service.port);
  const { body } = await client.ask(get(`/api/v1/events?limit=${limit}`, keys.next()));
  client.close();
  return (JSON.parse(body.toString()) as { data: { slug: string; venue: { slug: string } }[] }).data;
}

const row = (work: string, measured: number, atMost: number, unit: string, digits = 0): VisitorRow => ({
  work,
  measured: `${measured.toFixed(digits)} ${unit}`,
  atMost: `${atMost} ${unit}`,
  holds: measured <= atMost,
});
const micros = (milliseconds: number): string => (milliseconds * 1_000).toFixed(0);

const CATEGORIES = ['concert', 'sports', 'comedy', 'theater', 'festival', 'food'];
const REVISION = '2026-07-28';
const MAP_FILE = /^(?:city-map|live-map|map-stage|maplibre)[\w-]*\.js$/;
